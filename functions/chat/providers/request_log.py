"""Log of the HTTP requests of one model call, for its trace: statuses, ids of the provider, failures and waits."""

from collections.abc import Callable, Mapping
from copy import replace
from typing import Final

from msgspec import Struct, field

from flexchat.deadline import Clock
from flexchat.errors import ModelError, ModelErrorType

REQUEST_ID_HEADERS: Final = ("request-id", "x-request-id", "x-amzn-requestid", "x-goog-request-id", "apim-request-id")
"""Headers with the id of a request at its provider, by precedence: of Anthropic, of OpenAI and most compatible servers,
of Bedrock, of Google Cloud, and of Azure. Ollama and the Gemini API document none."""

MAX_ID_CHARACTERS: Final = 128

type OnResponse = Callable[[int, Mapping[str, str]], object]
"""Receiver of the status and the headers of a response, before its body; their names are in lower case."""


def ignore_response(_status: int, _headers: Mapping[str, str]) -> None:
    """No-op receiver of responses."""


class FailedRequest(Struct, frozen=True, kw_only=True):
    """Request that failed with an error of `type` and `message`; `wait_ms` is the wait before the next one, if any.

    An error itself is not stored: its traceback has the whole request.
    """

    type: ModelErrorType
    message: str
    status: int | None
    duration_ms: int
    request_id: str | None = None
    wait_ms: int | None = None


class RequestLog(Struct, eq=False):
    """Requests of one model call in order; `status` and `request_id` are those of the last response.

    `sent` counts all requests: also those that repeat one without a parameter that the model refused.
    """

    sent: int = 0
    status: int | None = None
    request_id: str | None = None
    failed: list[FailedRequest] = field(default_factory=list[FailedRequest])

    def attempt[T](self, send: Callable[[], T], *, clock: Clock) -> T:
        """Return `send()`, which sends one request. Raises its errors."""
        self.sent += 1
        self.status = self.request_id = None
        started = clock()
        try:
            return send()
        except ModelError as exc:
            failed = FailedRequest(
                type=exc.type,
                message=exc.message,
                status=exc.status,
                duration_ms=round((clock() - started) * 1000),
                request_id=self.request_id,
            )
            self.failed.append(failed)
            raise

    def received(self, status: int, headers: Mapping[str, str]) -> None:
        """Add the response to the last request."""
        self.status, self.request_id = status, request_id_of(headers)

    def retried(self, _error: Exception, wait: float) -> None:
        """Add the wait after the last failed request, in seconds."""
        if self.failed:
            self.failed[-1] = replace(self.failed[-1], wait_ms=round(wait * 1000))


def request_id_of(headers: Mapping[str, str]) -> str | None:
    """Return the provider's own id of a request by the headers of its response."""
    found = next((value for name in REQUEST_ID_HEADERS if (value := headers.get(name))), None)
    return None if found is None else found[:MAX_ID_CHARACTERS]
