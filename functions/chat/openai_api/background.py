"""Responses of background runs: their start, their run, their cancellation, and the events of their streams."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from flexchat.api import ChatResponse
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, RequestError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.limits.counting import Reservation
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.runs import QUEUED_SECONDS, RUN_SECONDS, RUN_TTL_SECONDS, WallClock
from functions.chat.chat_limits import ChatLimits
from functions.chat.generation.events import ClientCallDelta, Emit, Event, ModelDelta
from functions.chat.openai_api.completions import event_of
from functions.chat.openai_api.errors import invalid_parameter
from functions.chat.openai_api.response_output import ResponseEvents, ResponseObject
from functions.chat.openai_api.response_request import ResponsesRequest
from functions.chat.openai_api.responses import (
    STORE_SECONDS,
    UNFINISHED,
    ResponseBlobs,
    ResponseCall,
    Responses,
    response_key,
    run_of,
)
from functions.chat.runs.service import Runs

FLUSH_SECONDS: Final = 1.0
"""Time for which the pieces of a text are collected before they are stored."""

POLL_SECONDS: Final = 0.5


class QueuedResponse(Struct, frozen=True):
    """Response that waits for its run."""

    response: ResponseObject

    def as_json(self) -> bytes:
        response = self.response
        request = response.request.model_dump(mode="json", exclude_unset=True)
        return json.dumps({"id": response.id, "created_at": response.created_at, "request": request}).encode()

    @classmethod
    def from_json(cls, content: bytes) -> "QueuedResponse":
        """Parse the output of `as_json`."""
        value: dict[str, Any] = json.loads(content)
        request = ResponsesRequest.model_validate(value["request"])
        return cls(ResponseObject(id=value["id"], created_at=value["created_at"], request=request))


class ResponseLog:
    """Server-sent events of one response, stored in parts for the clients that follow it.

    The events from number `first` on are sent to it. The last one is not stored: it is that of the response's status.
    """

    def __init__(
        self, blobs: ResponseBlobs, key: str, *, expires_at: int, first: int, part: int, now: WallClock
    ) -> None:
        self._blobs = blobs
        self._key = key
        self._expires_at = expires_at
        self._now = now
        self._part = part
        self._first = first
        self._frames: list[str] = []
        self._stored_at = now()

    def send(self, frame: bytes) -> None:
        if not frame.startswith(LAST_EVENTS):
            self._frames.append(frame.decode())

    def flush(self, deadline: Deadline) -> None:
        """Store the events since the last time. Raises UnavailableError."""
        if not self._frames:
            return
        content = json.dumps({"first": self._first, "events": self._frames}).encode()
        due = deadline.within(STORE_SECONDS)
        self._blobs.put(f"{self._key}/{self._part}", content, expires_at=self._expires_at, deadline=due)
        self._first += len(self._frames)
        self._part += 1
        self._frames = []
        self._stored_at = self._now()

    def after(self, event: Event, deadline: Deadline) -> None:
        """Store the events that `event` has caused, those of pieces of a text once a second."""
        is_piece = isinstance(event, ModelDelta | ClientCallDelta)
        if not is_piece or self._now() >= self._stored_at + FLUSH_SECONDS:
            self.try_to_flush(deadline)

    def try_to_flush(self, deadline: Deadline) -> None:
        """Store the events since the last time; a table that cannot be reached gets them later, and ends no run."""
        try:
            self.flush(deadline)
        except FlexchatError as error:
            logger.warning("response events not stored", events=len(self._frames), reason=str(error))


LAST_EVENTS: Final = tuple(f"event: response.{status}\n".encode() for status in ("completed", "incomplete", "failed"))
QUEUE_EVENTS: Final = 2
"""Number of events before the run has started."""


class BackgroundResponses(Struct, frozen=True, kw_only=True):
    """Starts, answers, cancels and follows responses of background runs."""

    responses: Responses
    runs: Runs
    limits: ChatLimits
    blobs: ResponseBlobs
    now: WallClock
    wait: Callable[[float], object] = time.sleep

    def start(self, call: ResponseCall, function: str) -> dict[str, Json]:
        """Store a response and start its run by `function`, the ARN of this function; return the queued response.

        Raises RequestError for its parameters and a reached limit, and UnavailableError when it cannot be started.
        """
        _check(call)
        chat = self.responses.prepare(call)
        response = chat.events.response
        admission = self.limits.admit(
            chat.request,
            caller=call.caller,
            seconds=QUEUED_SECONDS + RUN_SECONDS,
            deadline=call.deadline,
            overrides=chat.overrides,
        )
        try:
            queued = response.as_json("queued")
            self._store(queued, call.caller, call.deadline)
            if call.request.stream:
                log = self._log(response, call.caller, first=0, part=0)
                ResponseEvents(response=response, new_id=chat.events.new_id, send=log.send).queue()
                log.flush(call.deadline)
            self.runs.start_response(
                run_of(response.id),
                QueuedResponse(response).as_json(),
                caller=call.caller,
                request_id=call.request_id,
                function=function,
                deadline=call.deadline,
                reservations=admission.reservations,
            )
        except FlexchatError:
            admission.cancel(deadline=call.deadline)
            raise
        return queued

    def parse(self, content: bytes) -> QueuedResponse:
        """Parse the stored request of a run."""
        return QueuedResponse.from_json(content)

    def run(
        self,
        queued: QueuedResponse,
        *,
        caller: Caller,
        deadline: Deadline,
        request_id: str,
        observe: Emit,
        reservations: Sequence[Reservation],
    ) -> ChatResponse:
        """Answer a queued response; `observe` receives the events of the chat.

        The answer counts once the run has succeeded. Raises the errors of the engine, and UnavailableError for an
        answer that cannot be stored.
        """
        response, streams = queued.response, bool(queued.response.request.stream)
        call = ResponseCall(
            request=response.request, caller=caller, request_id=request_id, session_id=None, deadline=deadline
        )
        chat = self.responses.prepare(call, response)
        log = self._log(response, caller, first=QUEUE_EVENTS, part=1) if streams else None
        if log is not None:
            chat.events.send, chat.events.sent = log.send, QUEUE_EVENTS
            chat.events.progress()

        def receive(event: Event) -> None:
            chat.events.receive(event)
            if log is not None:
                log.after(event, deadline)
            observe(event)

        answer, complete = self.responses.answer(
            chat, call, receive, stream=streams, restarts=streams, reservations=reservations
        )
        if not complete["store"]:
            raise UnavailableError("the response could not be stored; send the request again")
        if log is not None:
            log.try_to_flush(deadline)
        return answer

    def cancel(self, response_id: str, *, caller: Caller, deadline: Deadline) -> dict[str, Json]:
        """Cancel a response that has not ended, and return it.

        Raises RequestError for a response that is unknown (404), and for one of no background run (400).
        """
        response = self._show(response_id, caller, deadline)
        if not response["background"]:
            raise RequestError("Cannot cancel a synchronous response.", code="invalid_request")
        if response["status"] not in UNFINISHED:
            return response
        self.runs.cancel(run_of(response_id), caller=caller, deadline=deadline.within(STORE_SECONDS))
        ended = self._show(response_id, caller, deadline)
        if ended["status"] == "cancelled":
            self._store(ended, caller, deadline)  # an answer that was stored before counts no more, also after the run
        return ended

    def check_stream(self, response_id: str, *, caller: Caller, deadline: Deadline) -> None:
        """Raise RequestError for a response that is unknown (404), or whose events are not stored (400)."""
        response = self._show(response_id, caller, deadline)
        first = self.blobs.get(self._part(caller, response_id, 0), now=self.now(), deadline=deadline)
        if not response["background"] or first is None:
            raise invalid_parameter(
                "stream",
                "is only possible within a day for a response that was created with background=true and stream=true; "
                "retrieve it without stream",
            )

    def follow(self, response_id: str, after: int, *, caller: Caller, deadline: Deadline) -> Iterator[bytes]:
        """Yield the events of a response with a number above `after`: the stored ones, then new ones until its end.

        Ends before that at the deadline; the client continues with another request. Raises RequestError (404) for a
        response that was deleted.
        """
        part, sent = 0, 0
        while True:
            response = self._show(response_id, caller, deadline)  # before its events, so that none of an end is missed
            while (stored := self._events(caller, response_id, part, deadline)) is not None:
                for number, frame in enumerate(stored["events"], stored["first"]):
                    sent = number + 1
                    if number > after:
                        yield frame.encode()
                part += 1
            if response["status"] not in UNFINISHED:
                if sent > after:
                    yield _last_event(response, sent)
                return
            if deadline.remaining() <= POLL_SECONDS:
                return
            self.wait(POLL_SECONDS)

    def _show(self, response_id: str, caller: Caller, deadline: Deadline) -> dict[str, Json]:
        return self.responses.show(response_id, caller=caller, deadline=deadline)

    def _events(self, caller: Caller, response_id: str, part: int, deadline: Deadline) -> dict[str, Any] | None:
        due = deadline.within(STORE_SECONDS)
        content = self.blobs.get(self._part(caller, response_id, part), now=self.now(), deadline=due)
        return None if content is None else json.loads(content)

    def _log(self, response: ResponseObject, caller: Caller, *, first: int, part: int) -> ResponseLog:
        expires_at = response.created_at + RUN_TTL_SECONDS
        key = response_key(caller, response.id, "/events")
        return ResponseLog(self.blobs, key, expires_at=expires_at, first=first, part=part, now=self.now)

    def _part(self, caller: Caller, response_id: str, part: int) -> str:
        return response_key(caller, response_id, f"/events/{part}")

    def _store(self, response: dict[str, Json], caller: Caller, deadline: Deadline) -> None:
        """Store a response without an answer."""
        sessions = self.responses.runtimes.current(deadline).catalog.configuration.sessions
        limits = {"ttl_days": sessions.ttl_days, "max_tokens": sessions.max_history_tokens}
        self.responses.stored.put(response, (), caller=caller, deadline=deadline, **limits)


def _check(call: ResponseCall) -> None:
    """Raise RequestError for a response that could not be retrieved."""
    if not call.request.is_stored:
        raise invalid_parameter("background", "can only be used when `store` is true")
    if call.session_id is not None:
        raise invalid_parameter("background", "cannot be used with a session; send previous_response_id")


def _last_event(response: dict[str, Json], number: int) -> bytes:
    """Return the last event of a response; OpenAI has none for a cancelled one, which failed for its followers."""
    status = "failed" if response["status"] == "cancelled" else response["status"]
    kind = f"response.{status}"
    return f"event: {kind}\n".encode() + event_of({"type": kind, "sequence_number": number, "response": response})
