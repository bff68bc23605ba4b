"""Refusals of outgoing requests."""

from typing import Literal

from flexchat.errors import FlexchatError

type EgressRefusal = Literal[
    "invalid_url", "host_not_allowed", "loopback", "address_not_allowed", "insecure", "unresolved"
]


class EgressError(FlexchatError):
    """An outgoing request that was not sent.

    The message may name the host, for logs and operators; a model gets none of it.
    """

    def __init__(self, reason: EgressRefusal, message: str) -> None:
        super().__init__(message)
        self.reason: EgressRefusal = reason
        self.message = message
