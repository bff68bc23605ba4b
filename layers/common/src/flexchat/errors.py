"""Errors by whose move it is.

FlexchatError
├── RequestError      the caller's move: what was sent is wrong, says what would be right
├── ConfigError       the operator's move: names every problem and where it stands
├── ModelError        the provider's move: unavailable, refused, overloaded
├── ToolInputError    the model's move: arguments that do not fit the tool
├── ToolError         the tool's fault, told to the model as a result
│   └── ToolNotStartedError  a call that never reached its tool
├── RetrievalError    a collection cannot be searched or written; its code says whose move it is
└── UnavailableError  something of ours (a table, a parameter) does not answer
"""

from dataclasses import dataclass
from typing import Literal

ModelErrorType = Literal[
    "authentication",
    "permission",
    "not_found",
    "rate_limit",
    "timeout",
    "overloaded",
    "context_length",
    "content_filter",
    "invalid_request",
    "invalid_response",
    "network",
    "server_error",
]

FallbackReason = ModelErrorType | Literal["not_validated"]
"""Why a model does not answer in its own place: it failed, or its rule wants a model that was validated."""

ToolErrorType = Literal[
    "tool_not_found",
    "tool_not_allowed",
    "tool_disabled",
    "invalid_arguments",
    "malformed_arguments",
    "repeated_call",
    "too_many_calls",
    "previous_call_unfinished",
    "rate_limited",
    "execution_failed",
    "configuration",
    "unavailable",
    "timeout",
    "result_too_large",
    "deadline",
]

RetrievalErrorCode = Literal[
    "not_found", "exists", "damaged", "conflict", "unavailable", "too_large", "invalid", "configuration"
]


class FlexchatError(Exception):
    """Every error that Flexchat raises on purpose."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: `path` in the caller's or operator's own document, `message` what would be right."""

    path: str
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A configured limit that leaves no room for a request; `resets_at` is in seconds since the epoch."""

    name: Literal["requests_per_minute", "tool_calls_per_minute", "tokens_per_day"]
    scope: Literal["caller", "session"]
    allowed: int
    resets_at: float


class RequestError(FlexchatError):
    """The caller sent something wrong. `status` is an HTTP status from 400 to 499, `code` its stable name.

    `retry_after` is in seconds, where the same request may be right by then. `limit` is set for a 429.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        code: str = "invalid_request",
        details: tuple[Problem, ...] = (),
        retry_after: float | None = None,
        limit: LimitReached | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.details = details
        self.retry_after = retry_after
        self.limit = limit


class ConfigError(FlexchatError):
    """The configuration is wrong; every problem is reported at once."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class ModelError(FlexchatError):
    """The provider did not answer properly.

    `message` is the provider's own, without any key. `retry_after` is in seconds, when the provider named a delay.
    """

    def __init__(
        self,
        message: str,
        *,
        type: ModelErrorType,
        provider: str,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.type: ModelErrorType = type
        self.provider = provider
        self.status = status
        self.retry_after = retry_after


class ToolInputError(FlexchatError):
    """The model's arguments do not fit; `errors` lists every reason."""

    def __init__(self, errors: tuple[str, ...]) -> None:
        super().__init__(", ".join(errors))
        self.errors = errors


class ToolError(FlexchatError):
    """A tool failed in a way its model may be told: `message` carries no host, address, secret or stack.

    `user_message` is the friendly form for a person.
    """

    def __init__(
        self,
        message: str,
        *,
        type: ToolErrorType = "execution_failed",
        user_message: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.type: ToolErrorType = type
        self.user_message = user_message


class ToolNotStartedError(ToolError):
    """A call that provably never reached its tool, such as a throttled one: it may be sent again, whatever the tool."""


class RetrievalError(FlexchatError):
    """A collection cannot be searched or written; `code` says why, the message what and where."""

    def __init__(self, message: str, *, code: RetrievalErrorCode) -> None:
        super().__init__(message)
        self.message = message
        self.code: RetrievalErrorCode = code


class TransientRetrievalError(RetrievalError):
    """A failure that the same request may survive. `retry_after` is in seconds, when the service named a delay."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message, code="unavailable")
        self.retry_after = retry_after


class UnavailableError(FlexchatError):
    """Something the service itself depends on does not answer; the caller may try again."""
