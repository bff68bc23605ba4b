"""Responses API on the chat engine."""

from collections.abc import Callable
from typing import Final
from uuid import uuid4

from msgspec import Struct

from flexchat.api import ChatRequest, ChatResponse
from flexchat.deadline import Deadline
from flexchat.http_api.caller import Caller
from flexchat.http_api.streams import StreamClosedError
from flexchat.messages import Json, Message
from flexchat.runs import WallClock
from functions.chat.engine import ChatEngine
from functions.chat.errors import to_http_error
from functions.chat.generation.events import ClientCall, ClientCallsRequested, Event
from functions.chat.generation.overrides import ChatOverrides
from functions.chat.openai_api.completion_stream import OpenedBody
from functions.chat.openai_api.conversation import conversation_of
from functions.chat.openai_api.messages import tool_call
from functions.chat.openai_api.models import chosen_model
from functions.chat.openai_api.requests import invalid_parameter
from functions.chat.openai_api.response_events import ResponseEvents
from functions.chat.openai_api.response_items import input_messages
from functions.chat.openai_api.response_models import ResponsesRequest, check_refused
from functions.chat.openai_api.response_object import ResponseObject
from functions.chat.openai_api.stored_responses import ID_PREFIX, StoredResponses, output_message
from functions.chat.openai_api.tools import client_tools, tool_choice
from functions.chat.runtime import RuntimeCache
from functions.chat.streaming.conversion import data_of
from functions.chat.streaming.sender import Body, EventSender

END_SECONDS: Final = 1.0
"""Reserved after the answer, to store its conversation."""

_ERROR_CODES: Final = {
    "model_rate_limit": "rate_limit_exceeded",
    "model_context_length": "invalid_prompt",
    "model_content_filter": "invalid_prompt",
}
"""Codes of failed responses by our own codes; the others are server errors."""

type OpenBody = Callable[[], Body]


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


class _Chat(Struct):
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
    now: WallClock

    def create(self, call: ResponseCall) -> dict[str, Json]:
        """Return the response. Raises the errors of the engine, and RequestError for a parameter."""
        chat = self._chat(call)
        return self._answer(chat, call, chat.events.receive)

    def stream(self, call: ResponseCall, open_body: OpenBody, *, is_live: bool) -> None:
        """Send the events of the response by the body that `open_body` starts with the first one.

        Raises the errors of `create` before that; later ones end the stream with a failed response where it `is_live`.
        Raises StreamClosedError when the client has disconnected, which ends the chat.
        """
        chat = self._chat(call)
        events, first = chat.events, list[bytes]()
        events.send = first.append
        events.start()
        body = OpenedBody(open_body, b"".join(first), is_live=is_live)
        failure: Exception | None = None
        with EventSender(body) as sender:
            events.send = sender.send

            def observe(event: Event) -> None:
                events.receive(event)
                if call.has_comments and (named := data_of(event)) is not None:
                    sender.send(f": {named[0]} {named[1]}\n\n".encode())

            try:
                self._answer(chat, call, observe, stream=True)
            except StreamClosedError:
                raise
            except Exception as error:  # noqa: BLE001 # sent to the client, or raised below
                failure = error
        if failure is not None:  # after the sender has ended, which may start the response by a heartbeat
            if not (body.is_open and is_live):
                raise failure
            events.send = body.write
            envelope = to_http_error(failure, call.request_id).body
            events.fail(envelope.message, code=_ERROR_CODES.get(envelope.error, "server_error"))

    def _answer(
        self, chat: _Chat, call: ResponseCall, observe: Callable[[Event], None], *, stream: bool = False
    ) -> dict[str, Json]:
        def receive(event: Event) -> None:
            if isinstance(event, ClientCallsRequested):
                chat.calls = event.calls
            observe(event)

        response = self.engine.answer(
            chat.request,
            caller=call.caller,
            deadline=call.deadline.minus(END_SECONDS),
            request_id=call.request_id,
            observe=receive,
            stream=stream,
            overrides=chat.overrides,
        )
        return chat.events.finish(response, is_stored=self._store(chat, call, response))

    def _chat(self, call: ResponseCall) -> _Chat:
        """Return the chat of a request. Raises RequestError for its parameters and its previous response."""
        request = call.request
        check_refused(request)
        tools = client_tools(request.parameters, nested=False)
        choice = tool_choice(request.parameters, nested=False)
        configuration = self.runtimes.current(call.deadline).catalog.configuration
        chosen = chosen_model(request.model, configuration)
        messages = input_messages(request.input, self._earlier(call))
        conversation = conversation_of(messages, param="input", instructions=request.instructions or "")
        overrides = ChatOverrides(
            rule=chosen.rule,
            model=chosen.model,
            instructions=conversation.instructions,
            temperature=request.temperature,
            max_tokens=request.max_output_tokens,
            top_p=request.top_p,
            tools=tools,
            tool_choice=choice,
            history=conversation.history,
            turns=conversation.turns,
        )
        object_ = ResponseObject(id=f"{ID_PREFIX}{uuid4().hex}", created_at=int(self.now()), request=request)
        chat_request = ChatRequest(message=conversation.message, session_id=call.session_id)
        return _Chat(chat_request, overrides, messages, ResponseEvents(response=object_))

    def _earlier(self, call: ResponseCall) -> tuple[Message, ...]:
        previous = call.request.previous_response_id
        if previous is None:
            return ()
        if call.session_id is not None:
            raise invalid_parameter("previous_response_id", "cannot be sent with a session; send one of them")
        return self.stored.read(previous, caller=call.caller, deadline=call.deadline)

    def _store(self, chat: _Chat, call: ResponseCall, response: ChatResponse) -> bool:
        """Store the conversation with the answer; return whether a later request can continue it.

        That of a session is stored in the session alone.
        """
        if not call.request.is_stored or call.session_id is not None:
            return False
        sessions = self.runtimes.current(call.deadline).catalog.configuration.sessions
        calls = [tool_call(each.id, each.name, each.arguments, "output") for each in chat.calls]
        return self.stored.write(
            chat.events.response.id,
            (*chat.messages, output_message(response.content, calls)),
            caller=call.caller,
            ttl_days=sessions.ttl_days,
            max_tokens=sessions.max_history_tokens,
            deadline=call.deadline,
        )
