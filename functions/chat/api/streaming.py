"""Streamed responses of the routes of chats and runs."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from flexchat.api import ChatRequest, ChatResponse
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.body import header
from flexchat.observability import logger
from flexchat.runs import RunKey
from functions.chat.api.services import ChatRouter
from functions.chat.generation.events import Emit
from functions.chat.runs.responder import StoredOutcome
from functions.chat.streaming.chats import HEADERS, MEDIA_TYPE, EventSender
from functions.chat.streaming.log import LAST_STEP, LoggedEvent, Position

REPLAYED: Mapping[str, str] = {"Idempotent-Replayed": "true"}


class _UnfinishedError(Exception):
    """The chat has no answer, so that a repeated request runs it again."""


def stream_chat(router: ChatRouter, request: ChatRequest, *, key: str | None) -> None:
    """Answer `request` by events; `key` is its idempotency key, whose repeated request gets the same events."""
    services, caller, request_id = router.services, router.caller, router.request_id
    deadline = router.stream_deadline()
    if request.deadline_ms is not None:
        deadline = deadline.within(request.deadline_ms / 1000)

    def run_chat(due: Deadline, observe: Emit) -> ChatResponse:
        return services.engine.answer(
            request,
            caller=caller,
            deadline=due,
            request_id=request_id,
            observe=observe,
            stream=True,
            run_id=chat.key.id,
        )

    def produce() -> dict[str, Any]:
        chat.answer(run_chat)
        if chat.answer_blob is None and key is not None:
            raise _UnfinishedError
        return StoredOutcome(HTTPStatus.OK, blob=chat.answer_blob, events=chat.key.id).as_json()

    chat = services.streams.new(
        request,
        caller=caller,
        request_id=request_id,
        deadline=deadline,
        open_body=lambda: router.open_stream(MEDIA_TYPE, HEADERS),
    )
    if key is None:
        produce()
        return
    try:
        stored = services.responder.run_once(key, request=request, caller=caller, deadline=deadline, produce=produce)
    except _UnfinishedError:
        return
    if stored is not None:
        _replay(router, stored, deadline)


def follow_run(router: ChatRouter, key: RunKey, position: Position) -> None:
    """Send the events of a run after `position`, until its answer or error or the end of the response."""
    events = router.services.streams.events
    _send(router, events.follow(key, position, deadline=router.stream_deadline()), {})


def last_event_id(event: Mapping[str, Any]) -> Position:
    """Return the position in the header `Last-Event-ID` of a request. Raises RequestError for another form."""
    return Position.of(header(event, "last-event-id"))


def _replay(router: ChatRouter, stored: StoredOutcome, deadline: Deadline) -> None:
    run = stored.events or stored.run
    if run is not None:
        frames = router.services.streams.events.follow(
            RunKey(router.caller.principal, run), Position(), deadline=deadline
        )
        _send(router, frames, REPLAYED)
        return
    text = router.services.responder.answer_of(stored, deadline)
    _send(router, [LoggedEvent(LAST_STEP, "answer", text).frame], REPLAYED)


def _send(router: ChatRouter, frames: Iterable[bytes], headers: Mapping[str, str]) -> None:
    with EventSender(router.open_stream(MEDIA_TYPE, {**HEADERS, **headers})) as sender:
        try:
            for frame in frames:
                sender.send(frame)
        except FlexchatError as error:
            if not router.is_streaming:
                raise
            logger.warning("run events not read", reason=str(error))
