"""Responses API on the chat engine, and the stored conversations that a later request continues."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, Protocol, cast
from uuid import uuid4

from msgspec import Struct

from flexchat.api import ChatRequest, ChatResponse, ErrorResponse
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.caller import Caller
from flexchat.http_api.streams import StreamClosedError
from flexchat.limits.counting import Reservation
from flexchat.messages import Json, Message, Part, Text, ToolCall
from flexchat.observability import logger
from flexchat.runs import Run, WallClock
from functions.chat.engine import ChatEngine
from functions.chat.errors import to_http_error
from functions.chat.files.message_files import MessageFiles, with_files
from functions.chat.generation.events import (
    ClientCall,
    ClientCallsRequested,
    Emit,
    Event,
    FilesLoaded,
    MessageReplaced,
    ignore_event,
)
from functions.chat.generation.model_calls import ChatOverrides
from functions.chat.openai_api.completions import OpenedBody
from functions.chat.openai_api.errors import checked_form, invalid_parameter
from functions.chat.openai_api.messages import conversation_of, tool_call
from functions.chat.openai_api.models import chosen_model
from functions.chat.openai_api.parameters import client_tools, response_format, tool_choice
from functions.chat.openai_api.response_output import ResponseEvents, ResponseObject, item_ids, response_of_item
from functions.chat.openai_api.response_request import (
    FindItem,
    ResponsesRequest,
    check_refused,
    input_messages,
    previous_not_found,
    previous_unfinished,
    response_not_found,
    skipped_items,
)
from functions.chat.runs.service import Runs
from functions.chat.runtime import RuntimeCache
from functions.chat.sessions.history import latest_turns
from functions.chat.stored_files import Scope
from functions.chat.streaming.chats import EventSender, StreamWriter
from functions.chat.streaming.events import data_of
from functions.chat.transcript import message_from_json, message_to_json

ID_PREFIX: Final = "resp_"

STORE_SECONDS: Final = 5.0
"""Limit of one read or write."""

_DAY_SECONDS: Final = 86_400
_VERSION: Final = 1


class ResponseBlobs(Protocol):
    """Stored contents by key."""

    def put(self, key: str, content: bytes, *, expires_at: int, deadline: Deadline) -> None: ...

    def get(self, key: str, *, now: float, deadline: Deadline) -> bytes | None: ...

    def delete(self, key: str, *, deadline: Deadline) -> None: ...


UNFINISHED: Final = ("queued", "in_progress")
"""Statuses of responses whose background run has not ended."""

UNANSWERED: Final = (*UNFINISHED, "failed", "cancelled")
"""Statuses of responses without an answer."""

ANSWER: Final = "/answer"
"""End of the key of a background run's answer."""

_INTERRUPTED: Final[Mapping[str, Json]] = {
    "code": "server_error",
    "message": "the response was interrupted before its end; send the request again",
}


class StoredResponses(Struct, frozen=True, kw_only=True):
    """Conversations up to a response and with it, by owner and the id of the response.

    A response may be continued several times, each time from the same conversation. One that a background run answers
    is stored as queued, and has the state of the run.
    """

    blobs: ResponseBlobs
    runs: Runs
    now: WallClock

    def read(self, response_id: str, *, caller: Caller, deadline: Deadline) -> tuple[Message, ...]:
        """Return a conversation. Raises RequestError for a response that is not stored, is another caller's, or has no
        answer of its background run."""
        stored = self._stored(response_id, caller, deadline)
        if stored is None:
            raise previous_not_found(response_id)
        response: dict[str, Json] = stored.get("response") or {}
        if (status := response.get("status")) in UNANSWERED:
            raise previous_unfinished(response_id, str(status))
        return tuple(message_from_json(message) for message in stored["messages"])

    def response(self, response_id: str, *, caller: Caller, deadline: Deadline) -> dict[str, Json] | None:
        """Return a stored response object of a caller; None for one that is not stored."""
        stored = self._stored(response_id, caller, deadline)
        return None if stored is None else stored.get("response")

    def delete(self, response_id: str, *, caller: Caller, deadline: Deadline) -> bool:
        """Delete a stored response of a caller, whose run is cancelled; return False for one that is not stored."""
        stored = self._stored(response_id, caller, deadline)
        if stored is None:
            return False
        response: dict[str, Json] = stored.get("response") or {}
        if response.get("status") in UNFINISHED:
            self.runs.cancel(run_of(response_id), caller=caller, deadline=deadline.within(STORE_SECONDS))
        due = deadline.within(STORE_SECONDS)
        self.blobs.delete(response_key(caller, response_id), deadline=due)
        if response.get("background"):
            self.blobs.delete(response_key(caller, response_id, ANSWER), deadline=due)
        return True

    def _stored(self, response_id: str, caller: Caller, deadline: Deadline) -> dict[str, Any] | None:
        """Return a stored response with its conversation; that of a background run with its present status."""
        if not (response_id.startswith(ID_PREFIX) and response_id.removeprefix(ID_PREFIX).isalnum()):
            return None
        stored = self._content(response_key(caller, response_id), deadline)
        response: dict[str, Json] = (stored or {}).get("response") or {}
        if stored is None or response.get("status") != "queued":
            return stored
        run = self.runs.find(run_of(response_id), caller=caller, deadline=deadline.within(STORE_SECONDS))
        if run is None or run.status in ("succeeded", "waiting"):
            answer = self._content(response_key(caller, response_id, ANSWER), deadline)
            return answer or {**stored, "response": {**response, "status": "failed", "error": _INTERRUPTED}}
        return {**stored, "response": {**response, **_state(run)}}

    def _content(self, key: str, deadline: Deadline) -> dict[str, Any] | None:
        content = self.blobs.get(key, now=self.now(), deadline=deadline.within(STORE_SECONDS))
        stored = None if content is None else json.loads(content)
        return stored if stored is not None and stored["v"] == _VERSION else None

    def write(
        self,
        response: Mapping[str, Json],
        messages: Sequence[Message],
        *,
        caller: Caller,
        ttl_days: int,
        max_tokens: int,
        deadline: Deadline,
    ) -> bool:
        """Store a response with its conversation for `ttl_days`; return False, and log why, when it cannot be stored.

        Of the turns before the last one, the latest of at most `max_tokens` are stored. The answer of a background run
        is stored beside the queued response, and takes its place once the run has succeeded.
        """
        try:
            self.put(response, messages, caller=caller, ttl_days=ttl_days, max_tokens=max_tokens, deadline=deadline)
        except FlexchatError as error:
            logger.error("response not stored", reason=str(error))
            return False
        return True

    def put(
        self,
        response: Mapping[str, Json],
        messages: Sequence[Message],
        *,
        caller: Caller,
        ttl_days: int,
        max_tokens: int,
        deadline: Deadline,
    ) -> None:
        """Store a response as `write` does. Raises UnavailableError when it cannot be stored."""
        kept: list[Json] = [message_to_json(message) for message in _latest(messages, max_tokens)]
        stored = {"v": _VERSION, "messages": kept, "response": dict(response)}
        content = json.dumps(stored, separators=(",", ":")).encode()
        expires_at = int(self.now()) + ttl_days * _DAY_SECONDS
        is_answer = response["background"] and response["status"] not in UNANSWERED
        key = response_key(caller, str(response["id"]), ANSWER if is_answer else "")
        self.blobs.put(key, content, expires_at=expires_at, deadline=deadline.within(STORE_SECONDS))


def _replaced(messages: Sequence[Message], message: Message) -> tuple[Message, ...]:
    """Return messages with `message` in place of the last one of the user."""
    last = max((place for place, each in enumerate(messages) if each.role == "user"), default=None)
    return tuple(message if place == last else each for place, each in enumerate(messages))


def output_message(text: str, calls: Sequence[ToolCall]) -> Message:
    """Return the assistant's message of a response."""
    parts: tuple[Part, ...] = (Text(text),) if text.strip() else ()
    return Message("assistant", (*parts, *calls))


def _latest(messages: Sequence[Message], max_tokens: int) -> tuple[Message, ...]:
    """Return the system messages, the latest turns, and the whole last turn."""
    users = [place for place, message in enumerate(messages) if message.role == "user"]
    last = users[-1] if users else 0
    system = (message for message in messages[:last] if message.role == "system")
    return tuple(chain(system, latest_turns(_without_system(messages[:last]), max_tokens=max_tokens), messages[last:]))


def _without_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(message for message in messages if message.role != "system")


def response_key(caller: Caller, response_id: str, part: str = "") -> str:
    """Return the key of a stored response, or of a `part` of it."""
    return f"response/{caller.principal}/{response_id}{part}"


def run_of(response_id: str) -> str:
    """Return the id of the background run of a response."""
    return response_id.removeprefix(ID_PREFIX)


def _state(run: Run) -> dict[str, Json]:
    """Return the fields of a response whose run has no answer."""
    match run.status:
        case "running":
            return {"status": "in_progress"}
        case "failed":
            failure = ErrorResponse.model_validate_json(run.failure or "")
            return {"status": "failed", "error": response_error(failure)}
        case status:
            return {"status": status}


def response_error(error: ErrorResponse) -> dict[str, Json]:
    """Return the error of a failed response."""
    return {"code": _ERROR_CODES.get(error.error, "server_error"), "message": error.message}


END_SECONDS: Final = 1.0
"""Reserved after the answer, to store its conversation."""

_ERROR_CODES: Final = {
    "model_rate_limit": "rate_limit_exceeded",
    "model_context_length": "invalid_prompt",
    "model_content_filter": "invalid_prompt",
}
"""Codes of failed responses by our own codes; the others are server errors."""

type OpenBody = Callable[[], StreamWriter]


class ResponseCall(Struct, frozen=True, kw_only=True):
    """One request of a caller; `session_id` is the stored session that it continues, if any.

    `has_comments` adds the steps of the service as comments to a stream.
    """

    request: ResponsesRequest
    caller: Caller
    request_id: str
    session_id: str | None
    deadline: Deadline
    has_comments: bool = False


class ResponseChat(Struct):
    """Chat of one response, with its conversation up to the new input, and its output."""

    request: ChatRequest
    overrides: ChatOverrides
    messages: tuple[Message, ...]
    events: ResponseEvents
    calls: tuple[ClientCall, ...] = ()


class Responses(Struct, frozen=True, kw_only=True):
    """Answers requests of the Responses API."""

    engine: ChatEngine
    runtimes: RuntimeCache
    stored: StoredResponses
    files: MessageFiles
    now: WallClock

    def create(self, call: ResponseCall) -> dict[str, Json]:
        """Return the response. Raises the errors of the engine, and RequestError for a parameter."""
        chat = self.prepare(call)
        return self.answer(chat, call, chat.events.receive)[1]

    def stream(self, call: ResponseCall, open_body: OpenBody, *, is_live: bool, watch: Emit = ignore_event) -> None:
        """Send the events of the response by the body that `open_body` starts with the first one.

        Raises the errors of `create` before that; later ones end the stream with a failed response where it `is_live`.
        `watch` receives the events of the engine first, and raises the error that ends a cancelled chat. Raises
        StreamClosedError when the response cannot be sent any more, which ends the chat.
        """
        chat = self.prepare(call)
        events, first = chat.events, list[bytes]()
        events.send = first.append
        events.start()
        body = OpenedBody(open_body, b"".join(first), is_live=is_live)
        failure: Exception | None = None
        with EventSender(body) as sender:
            events.send = sender.send

            def observe(event: Event) -> None:
                watch(event)
                events.receive(event)
                if call.has_comments and (named := data_of(event)) is not None:
                    sender.send(f": {named[0]} {named[1]}\n\n".encode())

            try:
                self.answer(chat, call, observe, stream=True)
            except StreamClosedError:
                raise
            except Exception as error:  # noqa: BLE001 # sent to the client, or raised below
                failure = error
        if failure is not None:  # after the sender has ended, which may start the response by a heartbeat
            if not (body.is_open and is_live):
                raise failure
            events.send = body.write
            envelope = to_http_error(failure, call.request_id).body
            events.fail(response_error(envelope))

    def answer(
        self,
        chat: ResponseChat,
        call: ResponseCall,
        observe: Emit,
        *,
        stream: bool = False,
        restarts: bool = False,
        reservations: Sequence[Reservation] | None = None,
    ) -> tuple[ChatResponse, dict[str, Json]]:
        """Return the answer of the engine, and the complete response, which is stored before its last event is sent.

        `observe` receives the events of the engine. Raises the errors of the engine.
        """

        def receive(event: Event) -> None:
            if isinstance(event, ClientCallsRequested):
                chat.calls = event.calls
            elif isinstance(event, FilesLoaded):
                chat.messages = with_files(chat.messages, event.files)
            elif isinstance(event, MessageReplaced):
                chat.messages = _replaced(chat.messages, event.message)
            observe(event)

        response = checked_form(
            self.engine.answer(
                chat.request,
                caller=call.caller,
                deadline=call.deadline.minus(END_SECONDS),
                request_id=call.request_id,
                observe=receive,
                stream=stream,
                overrides=chat.overrides,
                front_end="responses",
                restarts=restarts,
                reservations=reservations,
            )
        )
        complete = chat.events.finish(response, store=lambda complete: self._store(chat, call, response, complete))
        return response, complete

    def show(self, response_id: str, *, caller: Caller, deadline: Deadline) -> dict[str, Json]:
        """Return a stored response. Raises RequestError (404) for one that is unknown, or another caller's."""
        found = self.stored.response(response_id, caller=caller, deadline=deadline)
        if found is None:
            raise response_not_found(response_id)
        return found

    def delete(self, response_id: str, *, caller: Caller, deadline: Deadline) -> dict[str, Json]:
        """Delete a stored response and its conversation. Raises RequestError (404) as `show` does."""
        if not self.stored.delete(response_id, caller=caller, deadline=deadline):
            raise response_not_found(response_id)
        self.files.delete(Scope.response(response_id), owner=caller.principal, deadline=deadline)
        return {"id": response_id, "object": "response", "deleted": True}

    def prepare(self, call: ResponseCall, object_: ResponseObject | None = None) -> ResponseChat:
        """Return the chat of a request, with a new response without `object_`.

        Raises RequestError for its parameters and its previous response.
        """
        request = call.request
        check_refused(request)
        tools = client_tools(request.parameters, nested=False)
        choice = tool_choice(request.parameters, nested=False)
        configuration = self.runtimes.usable(call.caller, call.deadline).catalog.configuration
        chosen = chosen_model(request.model, configuration)
        messages = input_messages(request.input, self._earlier(call), find_item=self._finder(call))
        conversation = conversation_of(messages, param="input", instructions=request.instructions or "")
        overrides = ChatOverrides(
            rule=chosen.rule,
            model=chosen.model,
            instructions=conversation.instructions,
            temperature=request.temperature,
            max_tokens=request.max_output_tokens,
            top_p=request.top_p,
            reasoning_effort=request.parameters.object("reasoning").reasoning_effort("effort"),
            tools=tools.tools,
            tool_choice=choice,
            response_format=response_format(request.parameters.object("text").object("format"), nested=False),
            content=conversation.content,
            history=conversation.history,
            iterations=conversation.iterations,
            warnings=(*tools.warnings, *skipped_items(request.input)),
        )
        if object_ is None:
            object_ = ResponseObject(id=f"{ID_PREFIX}{uuid4().hex}", created_at=int(self.now()), request=request)
        chat_request = conversation.chat_request(call.session_id, param="input")
        events = ResponseEvents(response=object_, new_id=item_ids(object_.id))
        return ResponseChat(chat_request, overrides, messages, events)

    def _finder(self, call: ResponseCall) -> FindItem:
        """Return the reader of output items of the caller's stored responses, each response read once."""
        read: dict[str, Mapping[str, Mapping[str, Json]]] = {}

        def find(item_id: str) -> Mapping[str, Json] | None:
            response_id = response_of_item(item_id)
            if response_id not in read:
                found = self.stored.response(response_id, caller=call.caller, deadline=call.deadline) or {}
                output = cast("list[dict[str, Json]]", found.get("output") or [])
                read[response_id] = {str(item["id"]): item for item in output}
            return read[response_id].get(item_id)

        return find

    def _earlier(self, call: ResponseCall) -> tuple[Message, ...]:
        previous = call.request.previous_response_id
        if previous is None:
            return ()
        if call.session_id is not None:
            raise invalid_parameter("previous_response_id", "cannot be sent with a session; send one of them")
        return self.stored.read(previous, caller=call.caller, deadline=call.deadline)

    def _store(
        self, chat: ResponseChat, call: ResponseCall, response: ChatResponse, complete: Mapping[str, Json]
    ) -> bool:
        """Store the `complete` response with its conversation; return whether a later request can continue it.

        That of a session is stored in the session alone.
        """
        if not call.request.is_stored or call.session_id is not None:
            return False
        sessions = self.runtimes.current(call.deadline).catalog.configuration.sessions
        calls = [tool_call(each.id, each.name, each.arguments, "output") for each in chat.calls]
        scope = Scope.response(str(complete["id"]))
        messages = self.files.kept(chat.messages, scope, owner=call.caller.principal, deadline=call.deadline)
        return self.stored.write(
            complete,
            (*messages, output_message(response.content, calls)),
            caller=call.caller,
            ttl_days=sessions.ttl_days,
            max_tokens=sessions.max_history_tokens,
            deadline=call.deadline,
        )
