"""Chat completions: their request, and the answer of a chat in one object or as the chunks of its stream."""

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, Self

from msgspec import Struct

from flexchat.api import ChatResponse, UsageView
from flexchat.api.request import SESSION_ID_PATTERN
from flexchat.config.models.base import ReasoningEffort
from flexchat.http_api.body import header
from flexchat.messages import AnswerOutcome, Json
from flexchat.text import single_line, truncate
from functions.chat.generation.events import (
    ClientCall,
    ClientCallDelta,
    ClientCallsRequested,
    Event,
    ModelDelta,
    ModelStarted,
)
from functions.chat.generation.model_calls import ChatOverrides
from functions.chat.openai_api.errors import invalid_parameter, json_text
from functions.chat.openai_api.messages import Conversation, conversation_of, messages_of
from functions.chat.openai_api.models import ChosenModel
from functions.chat.openai_api.parameters import (
    DeclaredTools,
    RequestParameters,
    client_tools,
    response_format,
    tool_choice,
)
from functions.chat.providers.base import ResponseFormat, TextDelta, ToolChoice
from functions.chat.streaming.chats import StreamWriter
from functions.chat.streaming.events import data_of


class CompletionRequest(Struct, frozen=True, kw_only=True):
    """Parameters of a chat completion.

    `has_comments` adds the steps of the service as comments to a stream.
    """

    model: str
    conversation: Conversation
    streams: bool
    include_usage: bool
    has_comments: bool
    session_id: str | None
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    stop: tuple[str, ...]
    reasoning_effort: ReasoningEffort | None
    tools: DeclaredTools
    tool_choice: ToolChoice
    response_format: ResponseFormat | None

    @classmethod
    def of(cls, body: Mapping[str, Json], event: Mapping[str, Any]) -> Self:
        """Parse the body of a REST API proxy event. Raises RequestError that names the parameter."""
        values = RequestParameters(body)
        values.refuse()
        model = values.required_text("model")
        most, most_before = values.count("max_completion_tokens"), values.count("max_tokens")
        return cls(
            model=model,
            conversation=conversation_of(messages_of(body.get("messages")), param="messages"),
            streams=values.flag("stream"),
            include_usage=values.object("stream_options").flag("include_usage"),
            has_comments=has_comments(values, event),
            session_id=session_of(values, event),
            temperature=values.number("temperature", low=0, high=2),
            top_p=values.number("top_p", low=0, high=1),
            max_tokens=most_before if most is None else most,
            stop=values.texts("stop", at_most=4),
            reasoning_effort=values.reasoning_effort("reasoning_effort"),
            tools=client_tools(values, nested=True),
            tool_choice=tool_choice(values, nested=True),
            response_format=response_format(values.object("response_format"), nested=True),
        )

    def overrides(self, chosen: ChosenModel) -> ChatOverrides:
        """Return the settings of the chat."""
        return ChatOverrides(
            rule=chosen.rule,
            model=chosen.model,
            instructions=self.conversation.instructions,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            top_p=self.top_p,
            stop=self.stop,
            reasoning_effort=self.reasoning_effort,
            tools=self.tools.tools,
            warnings=self.tools.warnings,
            tool_choice=self.tool_choice,
            response_format=self.response_format,
            content=self.conversation.content,
            history=self.conversation.history,
            iterations=self.conversation.iterations,
        )


def has_comments(values: RequestParameters, event: Mapping[str, Any]) -> bool:
    """Return whether the client wants the steps of the service as comments of a stream."""
    return header(event, "x-flexchat-events").strip().lower() == "comments" or values.object("flexchat").flag("events")


def session_of(values: RequestParameters, event: Mapping[str, Any]) -> str | None:
    """Return the session of the metadata, else of the header. Raises RequestError for another form.

    No header of another name counts: clients send such as `X-Session-Id` with ids of their own.
    """
    metadata = values.object("metadata")
    place, session_id = metadata.place("session_id"), metadata.text("session_id")
    if session_id is None:
        place, session_id = "X-Flexchat-Session", header(event, "x-flexchat-session") or None
    if session_id is not None and not re.fullmatch(SESSION_ID_PATTERN, session_id):
        raise invalid_parameter(place, "must be 1 to 64 of the characters a-z, A-Z, 0-9, _ and -")
    return session_id


def completion_usage(usage: UsageView) -> dict[str, Json]:
    """Return the tokens of all model calls of a chat, as chat completions have them."""
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.total_tokens,
        "prompt_tokens_details": {
            "cached_tokens": usage.cached_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
        },
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    }


type FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]

FINISH_REASONS: Final[Mapping[AnswerOutcome, FinishReason]] = {
    "answered": "stop",
    "empty": "stop",
    "unknown": "stop",
    "client_calls": "tool_calls",
    "waiting": "stop",
    "filtered": "content_filter",
    "blocked": "content_filter",
    "refused": "content_filter",
    "cut_off": "length",
    "iteration_limit": "length",
    "repeated_calls": "length",
    "tool_call_limit": "length",
    "out_of_time": "length",
    "budget_reached": "length",
    "model_failed": "length",
    "stopped": "length",
}
"""Finish reason by outcome: `length` for every answer that a limit, the deadline, a failure or its client has cut
short."""


class CompletionHead(Struct, frozen=True):
    """Fields that the objects of one completion share; `created` is in seconds since the epoch."""

    request_id: str
    model: str
    created: int

    def completion(self, response: ChatResponse, calls: Sequence[ClientCall]) -> dict[str, Json]:
        """Return the completion with the client's `calls`."""
        message: dict[str, Json] = {"role": "assistant", "content": response.content, "refusal": None}
        if calls:
            message["content"] = response.content or None
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in calls
            ]
        choice: dict[str, Json] = {
            "index": 0,
            "message": message,
            "finish_reason": finish_reason(response),
            "logprobs": None,
        }
        return {
            **self._fields("chat.completion"),
            "choices": [choice],
            "usage": completion_usage(response.usage),
            "flexchat": extension(response),
        }

    def chunk(self, delta: Mapping[str, Json], finish: FinishReason | None = None) -> dict[str, Json]:
        """Return a chunk of a stream with a part of its message."""
        choice: dict[str, Json] = {"index": 0, "delta": dict(delta), "finish_reason": finish, "logprobs": None}
        return {**self._fields("chat.completion.chunk"), "choices": [choice]}

    def usage_chunk(self, response: ChatResponse) -> dict[str, Json]:
        """Return the chunk with the usage, which has no choice."""
        return {**self._fields("chat.completion.chunk"), "choices": [], "usage": completion_usage(response.usage)}

    def _fields(self, kind: str) -> dict[str, Json]:
        return {"id": f"chatcmpl-{self.request_id}", "object": kind, "created": self.created, "model": self.model}


def finish_reason(response: ChatResponse) -> FinishReason:
    return FINISH_REASONS[response.outcome]


def extension(response: ChatResponse) -> dict[str, Json]:
    """Return the field `flexchat` of an answer, with what the service did for it."""
    fields: dict[str, Json] = {
        "request_id": response.request_id,
        "rule": response.rule,
        "model": f"{response.service}:{response.model}",
        "status": response.status,
        "outcome": response.outcome,
        "tool_calls": [
            {"name": call.tool, "ok": call.result.success, "duration_ms": call.result.execution_time_ms}
            for call in response.tool_calls
        ],
    }
    if response.approvals is not None:
        fields["approvals"] = response.approvals.model_dump(mode="json")
    if response.warnings:
        fields["warnings"] = [*response.warnings]
    if response.session is not None:
        fields["session_id"] = response.session.id
    if response.usage.cost_usd is not None:
        fields["cost_usd"] = response.usage.cost_usd
    return fields


def warning_headers(fields: Mapping[str, Json]) -> dict[str, str]:
    """Return the header with the warnings of an answer with the field `flexchat`; none for one without warnings."""
    own = fields.get("flexchat")
    warnings = own.get("warnings") if isinstance(own, dict) else None
    if not isinstance(warnings, list):
        return {}
    text = "; ".join(map(str, warnings)).encode("ascii", "replace").decode()
    return {"X-Flexchat-Warnings": single_line(truncate(text, MAX_WARNING_CHARACTERS))}


MAX_WARNING_CHARACTERS: Final = 1_000
"""Longest header with warnings."""

DONE: Final = b"data: [DONE]\n\n"
_LINE_ENDS: Final = {ord(each): f"\\u{ord(each):04x}" for each in "\x85\u2028\u2029"}
"""Escapes of the line ends that a JSON text may contain."""

BLANK_LINE: Final = "\n\n"
"""Separator of the texts of two iterations."""


class OpenedBody:
    """Body that `opened` starts with the first piece, so that an error before it is a response of its own.

    The first chunk has the role of the message. A comment, as a heartbeat is, starts the response too.
    """

    def __init__(self, opened: Callable[[], StreamWriter], first: bytes, *, is_live: bool) -> None:
        self._opened = opened
        self._first = first
        self._is_live = is_live
        self._body: StreamWriter | None = None

    @property
    def is_live(self) -> bool:
        return self._is_live

    @property
    def is_open(self) -> bool:
        return self._body is not None

    def write(self, data: bytes) -> None:
        if self._body is None:
            self._body = self._opened()
            self._body.write(self._first)
        self._body.write(data)


class _SentCall(Struct):
    """Call of a client's tool at `index` of the message, with `characters` of its arguments."""

    index: int
    characters: int = 0


class CompletionStream:
    """Sends the chunks of one completion by `send`, which may be called from several threads.

    The texts of all iterations are sent, with a blank line between them. `has_comments` adds the steps of the service
    as comments, which clients skip.
    """

    def __init__(
        self, head: CompletionHead, send: Callable[[bytes], None], *, include_usage: bool, has_comments: bool
    ) -> None:
        self._head = head
        self._send = send
        self._include_usage = include_usage
        self._has_comments = has_comments
        self._in_order = threading.Lock()
        self._iteration_text = ""
        self._separates = False
        self._calls: dict[str, _SentCall] = {}

    def receive(self, event: Event) -> None:
        """Send an event of the engine, if it is one for the client. Raises StreamClosedError."""
        with self._in_order:
            match event:
                case ModelDelta(delta=TextDelta(text=text)):
                    self._send_text(text)
                case ClientCallDelta():
                    self._send_arguments(self._started(event.id, event.name), event.arguments)
                case ClientCallsRequested():
                    for call in event.calls:
                        sent = self._started(call.id, call.name)
                        self._send_arguments(sent, call.arguments[sent.characters :])
                case ModelStarted():
                    self._separates = self._separates or bool(self._iteration_text)
                    self._iteration_text = ""
                case _:
                    pass
            if self._has_comments and (named := data_of(event)) is not None:
                self._send(f": {named[0]} {named[1]}\n\n".encode())

    def finish(self, response: ChatResponse) -> None:
        """Send the text that was not streamed, the finish reason, the usage and the end."""
        with self._in_order:
            text = response.content
            if text.startswith(self._iteration_text):
                text = text[len(self._iteration_text) :]
            else:
                self._separates = True
            if text:
                self._send_text(text)
            last = self._head.chunk({}, finish_reason(response))
            self._send_chunk({**last, "flexchat": extension(response)})
            if self._include_usage:
                self._send(event_of(self._head.usage_chunk(response)))
            self._send(DONE)

    def _send_text(self, text: str) -> None:
        self._iteration_text += text
        before = BLANK_LINE if self._separates else ""
        self._separates = False
        self._send_chunk(self._head.chunk({"content": before + text}))

    def _started(self, call_id: str, name: str) -> _SentCall:
        """Return a call of the client's tool, whose id and name are sent first."""
        call = self._calls.get(call_id)
        if call is None:
            call = self._calls[call_id] = _SentCall(len(self._calls))
            begun: dict[str, Json] = {"name": name, "arguments": ""}
            head: dict[str, Json] = {"index": call.index, "id": call_id, "type": "function", "function": begun}
            self._send_chunk(self._head.chunk({"tool_calls": [head]}))
        return call

    def _send_arguments(self, call: _SentCall, text: str) -> None:
        if not text:
            return
        call.characters += len(text)
        piece: dict[str, Json] = {"index": call.index, "function": {"arguments": text}}
        self._send_chunk(self._head.chunk({"tool_calls": [piece]}))

    def _send_chunk(self, chunk: dict[str, Json]) -> None:
        self._send(event_of({**chunk, "usage": None} if self._include_usage else chunk))


def first_chunk(head: CompletionHead, *, include_usage: bool) -> bytes:
    """Return the first chunk of a stream, which has the role of the message."""
    chunk = head.chunk({"role": "assistant", "content": ""})
    return event_of({**chunk, "usage": None} if include_usage else chunk)


def event_of(value: Json) -> bytes:
    """Return a server-sent event in one line, also for clients that read lines by the rules of Unicode."""
    return f"data: {json_text(value).translate(_LINE_ENDS)}\n\n".encode()
