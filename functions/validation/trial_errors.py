"""Errors of trials."""

from typing import Final

from flexchat.errors import FlexchatError

_TRANSIENT_CODES: Final = frozenset(
    {
        "unavailable",
        "timeout",
        "internal_error",
        *(
            f"model_{kind}"
            for kind in ("network", "server_error", "rate_limit", "overloaded", "timeout", "invalid_response")
        ),
    }
)
"""Codes of errors that a later attempt may not have."""


def is_transient(code: str) -> bool:
    """Return true if a later attempt may not have an error of this code."""
    return code in _TRANSIENT_CODES


class TrialError(FlexchatError):
    """A trial failed. `code` is the stable name of the reason."""

    def __init__(self, message: str, *, code: str, request_id: str = "") -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.request_id = request_id

    @property
    def is_transient(self) -> bool:
        return is_transient(self.code)
