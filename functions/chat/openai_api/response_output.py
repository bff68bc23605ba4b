"""Output of the Responses API: response objects, their items, and the events of a stream."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal

from msgspec import Struct

from flexchat.api import ChatResponse
from flexchat.messages import FinishReason, Json
from functions.chat.generation.events import (
    ClientCall,
    ClientCallDelta,
    ClientCallsRequested,
    Event,
    IterationFinished,
    ModelDelta,
    ModelStarted,
)
from functions.chat.openai_api.completions import BLANK_LINE, event_of, extension
from functions.chat.openai_api.response_request import ResponsesRequest
from functions.chat.providers.base import TextDelta

type ResponseStatus = Literal["queued", "in_progress", "completed", "incomplete", "failed"]
type Item = dict[str, Json]

_INCOMPLETE: Final[Mapping[FinishReason, str]] = {"length": "max_output_tokens", "content_filter": "content_filter"}
"""Reason of an incomplete response by finish reason; there is none for an answer that the deadline ended."""


class ResponseObject(Struct, frozen=True, kw_only=True):
    """One response: its id, time and request."""

    id: str
    created_at: int
    request: ResponsesRequest

    def as_json(
        self,
        status: ResponseStatus,
        *,
        output: Sequence[Item] = (),
        response: ChatResponse | None = None,
        error: Mapping[str, Json] | None = None,
        is_stored: bool | None = None,
    ) -> dict[str, Json]:
        """Return the object; `response` is the engine's, once there is one."""
        request = self.request
        reason = _incomplete_reason(response) if status == "incomplete" and response else None
        return {
            "id": self.id,
            "object": "response",
            "created_at": self.created_at,
            "status": status,
            "background": bool(request.background),
            "error": None if error is None else dict(error),
            "incomplete_details": None if reason is None else {"reason": reason},
            "instructions": request.instructions,
            "max_output_tokens": request.max_output_tokens,
            "max_tool_calls": None,
            "metadata": dict(request.metadata or {}),
            "model": request.model,
            "output": list(output),
            "parallel_tool_calls": True,
            "previous_response_id": request.previous_response_id,
            "reasoning": {"effort": request.parameters.object("reasoning").text("effort"), "summary": None},
            "service_tier": "default",
            "store": request.is_stored if is_stored is None else is_stored,
            "temperature": request.temperature,
            "text": {"format": dict(request.parameters.object("text").object("format").values) or {"type": "text"}},
            "tool_choice": request.tool_choice or "auto",
            "tools": [_tool(tool) for tool in request.tools or () if tool.get("type") == "function"],
            "top_p": request.top_p,
            "truncation": "disabled",
            "usage": None if response is None else _usage(response),
            "user": None,
            **({} if response is None else {"flexchat": extension(response)}),
        }


def message_item(id: str, text: str, status: str = "completed") -> Item:
    """Return a message of the assistant; one without text has no content yet."""
    content: list[Json] = [text_part(text)] if text else []
    return {"id": id, "type": "message", "status": status, "role": "assistant", "content": content}


def text_part(text: str) -> dict[str, Json]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def status_of(response: ChatResponse) -> ResponseStatus:
    """Return the status of an answer. One that waits for the client's tools, or for an approval, is complete."""
    if response.outcome in ("client_calls", "waiting"):
        return "completed"
    is_whole = response.status == "complete" and response.finish_reason not in _INCOMPLETE
    return "completed" if is_whole else "incomplete"


def _incomplete_reason(response: ChatResponse) -> str | None:
    return _INCOMPLETE.get(response.finish_reason)


def _tool(tool: Mapping[str, Json]) -> dict[str, Json]:
    return {"description": None, "parameters": None, **tool, "strict": bool(tool.get("strict"))}


def _usage(response: ChatResponse) -> dict[str, Json]:
    usage = response.usage
    return {
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {"cached_tokens": usage.cached_tokens, "cache_write_tokens": usage.cache_write_tokens},
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        "total_tokens": usage.total_tokens,
    }


type Send = Callable[[bytes], None]
type NewId = Callable[[str], str]


def item_ids(response_id: str) -> NewId:
    """Return the source of the ids of a response's items, each of which has the id of the response in it."""
    numbers = count()
    own = response_id.partition("_")[2]
    return lambda prefix: f"{prefix}_{own}{next(numbers):04x}"


def response_of_item(item_id: str) -> str:
    """Return the id of the response that an item belongs to."""
    return f"resp_{item_id.partition('_')[2][:-4]}"


def ignore_bytes(_data: bytes) -> None:
    """No-op receiver of the events of a response that is not streamed."""


class _OpenMessage(Struct):
    """Message of the model that is not complete, at `index` of the output."""

    id: str
    index: int
    text: str = ""


class _OpenCall(Struct):
    """Call of a client's tool, at `index` of the output, with the `characters` of its arguments so far."""

    item_id: str
    index: int
    id: str
    name: str
    pieces: list[str] = []
    characters: int = 0

    def as_json(self, status: str) -> Item:
        return {
            "id": self.item_id,
            "type": "function_call",
            "status": status,
            "call_id": self.id,
            "name": self.name,
            "arguments": "".join(self.pieces),
        }


@dataclass(slots=True, kw_only=True)
class ResponseEvents:
    """Output items of one response from the events of the engine, which arrive in several threads.

    Every iteration of the model with text is a message; those before the answer end with a blank line, since clients
    join the texts of all messages. `send` receives the events of the API as server-sent events, after the first `sent`.
    """

    response: ResponseObject
    new_id: NewId
    send: Send = ignore_bytes
    sent: int = 0
    output: list[Item] = field(default_factory=list[Item], init=False)
    _open: _OpenMessage | None = field(default=None, init=False)
    _iteration_text: str = field(default="", init=False)
    _open_calls: dict[str, _OpenCall] = field(default_factory=dict[str, _OpenCall], init=False)
    _calls: tuple[ClientCall, ...] = field(default=(), init=False)
    _has_model_started: bool = field(default=False, init=False)
    _in_order: threading.Lock = field(default_factory=threading.Lock, init=False)

    def start(self) -> None:
        """Send the events of a new response."""
        self._send("response.created", response=self.response.as_json("in_progress"))
        self.progress()

    def queue(self) -> None:
        """Send the events of a response that waits for its background run."""
        for name in ("created", "queued"):
            self._send(f"response.{name}", response=self.response.as_json("queued"))

    def progress(self) -> None:
        """Send the event of a response whose chat begins."""
        self._send("response.in_progress", response=self.response.as_json("in_progress"))

    def receive(self, event: Event) -> None:
        """Add an event of the engine."""
        with self._in_order:
            match event:
                case ModelStarted():
                    self._has_model_started = True
                    self._end_message("incomplete")
                    self._iteration_text = ""
                case ModelDelta(delta=TextDelta(text)):
                    self._add_text(text)
                case IterationFinished() if self._has_model_started:  # else the iteration of an earlier response
                    self._complete(event.message.text, suffix=BLANK_LINE)
                case ClientCallDelta():
                    self._add_arguments(self._started(event.id, event.name), event.arguments)
                case ClientCallsRequested():
                    self._calls = event.calls
                case _:
                    pass

    def finish(self, response: ChatResponse, *, store: Callable[[dict[str, Json]], bool]) -> dict[str, Json]:
        """Send the rest of the answer and the last event; return the complete response.

        `store` stores it before that, and returns whether a later request can continue it.
        """
        with self._in_order:
            self._complete(response.content)
            for call in self._calls:
                self._end_call(call)
            self._end_open_calls()
            status = status_of(response)
            complete = self.response.as_json(status, output=self.output, response=response, is_stored=True)
            complete["store"] = store(complete)
            self._send(f"response.{status}", response=complete)
        return complete

    def fail(self, error: Mapping[str, Json]) -> None:
        """Send the last event of a response that failed after its start."""
        with self._in_order:
            self._end_message("incomplete")
            self._end_open_calls()
            failed = self.response.as_json("failed", output=self.output, error=error, is_stored=False)
            self._send("response.failed", response=failed)

    def _complete(self, text: str, suffix: str = "") -> None:
        """End the message of an iteration with `text`, of which the deltas may have a part, or none."""
        if not text.startswith(self._iteration_text):
            self._end_message("incomplete")
            self._iteration_text = ""
        if text.strip():
            self._add_text(text[len(self._iteration_text) :] + suffix)
        self._end_message("completed")
        self._iteration_text = ""

    def _add_text(self, text: str) -> None:
        if not text:
            return
        if self._open is None:
            self._open = _OpenMessage(self.new_id("msg"), len(self.output))
            self._add_item(message_item(self._open.id, "", "in_progress"))
            self._send("response.content_part.added", **self._place(self._open), part=text_part(""))
        self._open.text += text
        self._iteration_text += text
        self._send("response.output_text.delta", **self._place(self._open), delta=text, logprobs=[])

    def _end_message(self, status: str) -> None:
        message = self._open
        if message is None:
            return
        place = self._place(message)
        self._send("response.output_text.done", **place, text=message.text, logprobs=[])
        self._send("response.content_part.done", **place, part=text_part(message.text))
        self._end_item(message.index, message_item(message.id, message.text, status))
        self._open = None

    def _started(self, call_id: str, name: str) -> _OpenCall:
        """Return a call of the client's tool that is not complete; its first piece ends the message before it."""
        started = self._open_calls.get(call_id)
        if started is None:
            self._end_message("completed")
            started = _OpenCall(self.new_id("fc"), len(self.output), call_id, name)
            self._open_calls[call_id] = started
            self._add_item(started.as_json("in_progress"))
        return started

    def _add_arguments(self, started: _OpenCall, text: str) -> None:
        if not text:
            return
        started.pieces.append(text)
        started.characters += len(text)
        place: dict[str, Json] = {"item_id": started.item_id, "output_index": started.index}
        self._send("response.function_call_arguments.delta", **place, delta=text)

    def _end_call(self, call: ClientCall) -> None:
        started = self._started(call.id, call.name)
        self._add_arguments(started, call.arguments[started.characters :])
        place: dict[str, Json] = {"item_id": started.item_id, "output_index": started.index}
        self._send("response.function_call_arguments.done", **place, name=call.name, arguments=call.arguments)
        self._end_item(started.index, started.as_json("completed"))
        del self._open_calls[call.id]

    def _end_open_calls(self) -> None:
        """End the calls of a model call that failed."""
        for started in self._open_calls.values():
            self._end_item(started.index, started.as_json("incomplete"))
        self._open_calls.clear()

    def _add_item(self, item: Item) -> None:
        self._send("response.output_item.added", output_index=len(self.output), item=item)
        self.output.append(item)

    def _end_item(self, index: int, item: Item) -> None:
        self._send("response.output_item.done", output_index=index, item=item)
        self.output[index] = item

    def _place(self, message: _OpenMessage) -> dict[str, Json]:
        return {"item_id": message.id, "output_index": message.index, "content_index": 0}

    def _send(self, kind: str, **data: Json) -> None:
        if self.send is ignore_bytes:
            return
        event: dict[str, Json] = {"type": kind, "sequence_number": self.sent, **data}
        self.sent += 1
        self.send(f"event: {kind}\n".encode() + event_of(event))
