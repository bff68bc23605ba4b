"""Errors by the party that can correct them.

FlexchatError
├── RequestError      the caller: the request is wrong, the message names what would be right
├── ConfigError       the operator: the configuration is wrong, names every problem and its path
├── ModelError        the provider: unavailable, refused, overloaded
├── ToolInputError    the model: arguments that do not fit the tool
├── ToolError         the tool: a failure that the model receives as a result
│   └── ToolNotStartedError  a call that never reached its tool
├── RetrievalError    a collection cannot be searched or written, for the reason of its code
└── UnavailableError  a resource of the service (a table, a parameter) does not answer
"""

from typing import Literal

from msgspec import Struct

ModelErrorType = Literal[
    "authentication",
    "permission",
    "not_found",
    "rate_limit",
    "timeout",
    "overloaded",
    "context_length",
    "content_filter",
    "unsupported_content",
    "invalid_request",
    "invalid_response",
    "malformed_tool_call",
    "invalid_format",
    "network",
    "server_error",
]

FallbackReason = ModelErrorType | Literal["not_validated"]
"""Reason for a fallback model: the model failed, or its rule requires a validated one."""

ToolErrorType = Literal[
    "tool_not_found",
    "tool_not_allowed",
    "tool_disabled",
    "approval_required",
    "approval_denied",
    "blocked_by_policy",
    "invalid_arguments",
    "malformed_arguments",
    "repeated_call",
    "too_many_calls",
    "previous_call_unfinished",
    "rate_limited",
    "execution_failed",
    "configuration",
    "unavailable",
    "circuit_open",
    "timeout",
    "result_too_large",
    "deadline",
]

RetrievalErrorCode = Literal[
    "not_found", "exists", "damaged", "conflict", "unavailable", "too_large", "invalid", "configuration"
]


class FlexchatError(Exception):
    """Base of all errors that Flexchat raises."""


class Problem(Struct, frozen=True):
    """One problem: `path` in the caller's or operator's document, `message` with what would be right."""

    path: str
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


LimitName = Literal[
    "requests_per_minute",
    "requests_per_day",
    "requests_per_month",
    "tool_calls_per_minute",
    "tool_calls_per_day",
    "tool_calls_per_month",
    "tokens_per_minute",
    "tokens_per_day",
    "tokens_per_month",
    "usd_per_minute",
    "usd_per_day",
    "usd_per_month",
]

LimitScope = Literal["caller", "service", "role", "session"]
"""Whose use a limit counts; with `role`, that of all callers with a role together."""


class ReachedLimit(Struct, frozen=True):
    """A configured limit that is reached.

    `allowed` and `used` are numbers, or US dollars; `used` includes the reservations of running requests. `resets_at`
    is in seconds since the epoch. `role` is that of the scope `role`.
    """

    name: LimitName
    scope: LimitScope
    allowed: float
    used: float
    resets_at: float
    role: str | None = None


class RequestError(FlexchatError):
    """Invalid request of the caller.

    `status` is an HTTP status from 400 to 499, `code` its stable name. `retry_after` is in seconds, for a request that
    may succeed then. `limit` is set for a 429.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        code: str = "invalid_request",
        details: tuple[Problem, ...] = (),
        retry_after: float | None = None,
        limit: ReachedLimit | None = None,
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
    """The provider did not return a valid response.

    `message` is for operators: that of the provider, if it sent one, without any key. `public_message` is for the users
    of chats, who see no text of a provider. `retry_after` is in seconds, if the provider sent a delay. With
    `after_output` a part of the answer was streamed before: neither a retry nor a fallback may follow. `rejected_call`
    is the text of a malformed tool call, for the model that wrote it.
    """

    def __init__(
        self,
        message: str,
        *,
        type: ModelErrorType,
        provider: str,
        status: int | None = None,
        retry_after: float | None = None,
        after_output: bool = False,
        public_message: str | None = None,
        rejected_call: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.rejected_call = rejected_call
        self.public_message = message if public_message is None else public_message
        self.type: ModelErrorType = type
        self.provider = provider
        self.status = status
        self.retry_after = retry_after
        self.after_output = after_output

    def after_first_delta(self) -> "ModelError":
        """Return the same error after output, of a type that nothing retries."""
        return self._copy(self.message, after_output=True)

    def for_users(self) -> "ModelError":
        """Return the same error without the text of the provider."""
        return self._copy(self.public_message, after_output=self.after_output)

    def _copy(self, message: str, *, after_output: bool) -> "ModelError":
        return ModelError(
            message,
            type=self.type,
            provider=self.provider,
            status=self.status,
            retry_after=self.retry_after,
            after_output=after_output,
            public_message=self.public_message,
            rejected_call=self.rejected_call,
        )


class ToolInputError(FlexchatError):
    """The model's arguments do not fit; `errors` lists every reason."""

    def __init__(self, errors: tuple[str, ...]) -> None:
        super().__init__(", ".join(errors))
        self.errors = errors


class ToolError(FlexchatError):
    """A tool failed; `message` is for the model and has no host, address, secret or stack.

    `user_message` is for a person.
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
    """A call that provably never reached its tool, such as a throttled one; a retry is safe for every tool."""


class RetrievalError(FlexchatError):
    """A collection cannot be searched or written, for the reason `code`."""

    def __init__(self, message: str, *, code: RetrievalErrorCode) -> None:
        super().__init__(message)
        self.message = message
        self.code: RetrievalErrorCode = code


class TransientRetrievalError(RetrievalError):
    """Temporary failure; the same request may succeed later.

    `retry_after` is in seconds, if the service sent a delay.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message, code="unavailable")
        self.retry_after = retry_after


class RefusedRequestError(RetrievalError):
    """A service refused a request with an HTTP `status`; the same request never succeeds."""

    def __init__(self, message: str, *, status: int, code: RetrievalErrorCode) -> None:
        super().__init__(message, code=code)
        self.status = status


class UnavailableError(FlexchatError):
    """A resource that the service depends on does not answer; the caller may retry."""
