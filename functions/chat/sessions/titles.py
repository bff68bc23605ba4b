"""Requests for the titles of sessions, which the function sends to itself after an answer."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from flexchat.api import ApiModel
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.caller import Caller
from flexchat.messages import Json
from flexchat.observability import logger, stack_of

SEND_SECONDS: Final = 2.0
"""Time for the request that hands a title over to another invocation."""


class TitleRequest(ApiModel, extra="ignore"):
    """Request for the title of a session, of the caller whose chat it began with."""

    session_id: str
    principal: str
    roles: tuple[str, ...]

    @classmethod
    def parse(cls, event: dict[str, Any]) -> "TitleRequest":
        """Return the request of an event. Raises pydantic's ValidationError for an event of another form."""
        return cls.model_validate(event["title"])

    @classmethod
    def of(cls, session_id: str, caller: Caller) -> "TitleRequest":
        return cls(session_id=session_id, principal=caller.principal, roles=tuple(sorted(caller.roles)))

    def payload(self) -> dict[str, Json]:
        return {"title": self.model_dump(mode="json")}

    @property
    def caller(self) -> Caller:
        return Caller(self.principal, frozenset(self.roles))


class Background(Protocol):
    """Asynchronous invocations, such as `BackgroundInvoker`."""

    def invoke(self, function: str, payload: dict[str, Json], *, deadline: Deadline) -> None: ...


class TitleQueue:
    """Requests for titles of one environment, which `flush` sends after the answer."""

    def __init__(self, background: Callable[[], Background]) -> None:
        self._background = background
        self._waiting: list[TitleRequest] = []

    def add(self, request: TitleRequest) -> None:
        self._waiting.append(request)

    def flush(self, function: str) -> None:
        """Send the requests to `function`. One that cannot be sent is lost, with a line in the log."""
        requests, self._waiting = self._waiting, []
        for request in requests:
            try:
                self._background().invoke(function, request.payload(), deadline=Deadline.after(SEND_SECONDS))
            except FlexchatError as error:
                logger.warning("title not requested", session=request.session_id, reason=str(error))
            except Exception as fault:  # noqa: BLE001 # the answer of the chat is complete
                logger.error("title not requested", error=type(fault).__name__, stack=stack_of(fault))
