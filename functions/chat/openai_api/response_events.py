"""Output of a response, and its events where it is streamed."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from msgspec import Struct

from flexchat.api import ChatResponse
from flexchat.messages import Json
from functions.chat.generation.events import (
    ClientCall,
    ClientCallsRequested,
    Event,
    ModelDelta,
    ModelStarted,
    TurnFinished,
)
from functions.chat.openai_api.completion_stream import BLANK_LINE, event_of
from functions.chat.openai_api.response_object import (
    Item,
    ResponseObject,
    call_item,
    message_item,
    status_of,
    text_part,
)
from functions.chat.providers.base import TextDelta

type Send = Callable[[bytes], None]
type NewId = Callable[[str], str]


def new_id(prefix: str) -> str:
    return f"{prefix}_{uuid4().hex}"


def ignore_bytes(_data: bytes) -> None:
    """No-op receiver of the events of a response that is not streamed."""


class _OpenMessage(Struct):
    """Message of the model that is not complete."""

    id: str
    text: str


@dataclass(slots=True, kw_only=True)
class ResponseEvents:
    """Output items of one response from the events of the engine, which arrive in several threads.

    Every turn of the model with text is a message; those before the answer end with a blank line, since clients join
    the texts of all messages. `send` receives the events of the API as server-sent events.
    """

    response: ResponseObject
    send: Send = ignore_bytes
    new_id: NewId = new_id
    output: list[Item] = field(default_factory=list[Item], init=False)
    _open: _OpenMessage | None = field(default=None, init=False)
    _calls: tuple[ClientCall, ...] = field(default=(), init=False)
    _sent: int = field(default=0, init=False)
    _has_model_started: bool = field(default=False, init=False)
    _in_order: threading.Lock = field(default_factory=threading.Lock, init=False)

    def start(self) -> None:
        """Send the events of a new response."""
        for name in ("created", "in_progress"):
            self._send(f"response.{name}", response=self.response.as_json("in_progress"))

    def receive(self, event: Event) -> None:
        """Add an event of the engine."""
        with self._in_order:
            match event:
                case ModelStarted():
                    self._has_model_started = True
                    self._end_message("incomplete")
                case ModelDelta(delta=TextDelta(text)):
                    self._add_text(text)
                case TurnFinished() if self._has_model_started:  # else the turn of an earlier response
                    self._complete(event.message.text, suffix=BLANK_LINE)
                case ClientCallsRequested():
                    self._calls = event.calls
                case _:
                    pass

    def finish(self, response: ChatResponse, *, is_stored: bool) -> dict[str, Json]:
        """Send the rest of the answer and the last event; return the complete response."""
        with self._in_order:
            self._complete(response.content)
            for call in self._calls:
                self._add_call(call)
            status = status_of(response)
            complete = self.response.as_json(status, output=self.output, response=response, is_stored=is_stored)
            self._send(f"response.{status}", response=complete)
        return complete

    def fail(self, message: str, *, code: str = "server_error") -> None:
        """Send the last event of a response that failed after its start."""
        with self._in_order:
            self._end_message("incomplete")
            error: Mapping[str, Json] = {"code": code, "message": message}
            failed = self.response.as_json("failed", output=self.output, error=error, is_stored=False)
            self._send("response.failed", response=failed)

    def _complete(self, text: str, suffix: str = "") -> None:
        """End the message of a turn with `text`, of which the deltas may have a part, or none."""
        if self._open is not None and not text.startswith(self._open.text):
            self._end_message("incomplete")
        if not text.strip():
            self._end_message("completed")
            return
        sent = self._open.text if self._open is not None else ""
        self._add_text(text[len(sent) :] + suffix)
        self._end_message("completed")

    def _add_text(self, text: str) -> None:
        if not text:
            return
        if self._open is None:
            self._open = _OpenMessage(self.new_id("msg"), "")
            item = message_item(self._open.id, "", "in_progress")
            self._send("response.output_item.added", output_index=len(self.output), item=item)
            self._send("response.content_part.added", **self._place(self._open.id), part=text_part(""))
        self._open.text += text
        self._send("response.output_text.delta", **self._place(self._open.id), delta=text, logprobs=[])

    def _end_message(self, status: str) -> None:
        message = self._open
        if message is None:
            return
        place = self._place(message.id)
        self._send("response.output_text.done", **place, text=message.text, logprobs=[])
        self._send("response.content_part.done", **place, part=text_part(message.text))
        self._end_item(message_item(message.id, message.text, status))
        self._open = None

    def _add_call(self, call: ClientCall) -> None:
        item_id = self.new_id("fc")
        place: dict[str, Json] = {"item_id": item_id, "output_index": len(self.output)}
        item = call_item(item_id, call, "in_progress")
        self._send("response.output_item.added", output_index=len(self.output), item=item)
        self._send("response.function_call_arguments.delta", **place, delta=call.arguments)
        self._send("response.function_call_arguments.done", **place, name=call.name, arguments=call.arguments)
        self._end_item(call_item(item_id, call))

    def _end_item(self, item: Item) -> None:
        self._send("response.output_item.done", output_index=len(self.output), item=item)
        self.output.append(item)

    def _place(self, item_id: str) -> dict[str, Json]:
        return {"item_id": item_id, "output_index": len(self.output), "content_index": 0}

    def _send(self, kind: str, **data: Json) -> None:
        if self.send is ignore_bytes:
            return
        event: dict[str, Json] = {"type": kind, "sequence_number": self._sent, **data}
        self._sent += 1
        self.send(f"event: {kind}\n".encode() + event_of(event))
