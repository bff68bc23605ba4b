"""Stream of a chat completion: its chunks as server-sent events, by the events of the engine."""

import threading
from collections.abc import Callable
from typing import Final

from flexchat.api import ChatResponse
from flexchat.messages import Json
from functions.chat.generation.events import ClientCall, ClientCallsRequested, Event, ModelDelta, ModelStarted
from functions.chat.openai_api.completion import CompletionHead, extension, finish_reason
from functions.chat.openai_api.errors import json_text
from functions.chat.providers.base import TextDelta
from functions.chat.streaming.conversion import data_of
from functions.chat.streaming.sender import Body

DONE: Final = b"data: [DONE]\n\n"
_LINE_ENDS: Final = {ord(each): f"\\u{ord(each):04x}" for each in "\x85\u2028\u2029"}
"""Escapes of the line ends that a JSON text may contain."""

BLANK_LINE: Final = "\n\n"
"""Separator of the texts of two turns."""


class OpenedBody:
    """Body that `opened` starts with the first piece, so that an error before it is a response of its own.

    The first chunk has the role of the message. A comment, as a heartbeat is, starts the response too.
    """

    def __init__(self, opened: Callable[[], Body], first: bytes, *, is_live: bool) -> None:
        self._opened = opened
        self._first = first
        self._is_live = is_live
        self._body: Body | None = None

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


class CompletionStream:
    """Sends the chunks of one completion by `send`, which may be called from several threads.

    The texts of all turns are sent, with a blank line between them. `has_comments` adds the steps of the service as
    comments, which clients skip.
    """

    def __init__(
        self, head: CompletionHead, send: Callable[[bytes], None], *, include_usage: bool, has_comments: bool
    ) -> None:
        self._head = head
        self._send = send
        self._include_usage = include_usage
        self._has_comments = has_comments
        self._in_order = threading.Lock()
        self._turn_text = ""
        self._separates = False

    def receive(self, event: Event) -> None:
        """Send an event of the engine, if it is one for the client. Raises StreamClosedError."""
        with self._in_order:
            match event:
                case ModelDelta(delta=TextDelta(text=text)):
                    self._send_text(text)
                case ClientCallsRequested():
                    for index, call in enumerate(event.calls):
                        self._send_call(index, call)
                case ModelStarted():
                    self._separates = self._separates or bool(self._turn_text)
                    self._turn_text = ""
                case _:
                    pass
            if self._has_comments and (named := data_of(event)) is not None:
                self._send(f": {named[0]} {named[1]}\n\n".encode())

    def finish(self, response: ChatResponse) -> None:
        """Send the text that was not streamed, the finish reason, the usage and the end."""
        with self._in_order:
            text = response.content
            if text.startswith(self._turn_text):
                text = text[len(self._turn_text) :]
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
        self._turn_text += text
        before = BLANK_LINE if self._separates else ""
        self._separates = False
        self._send_chunk(self._head.chunk({"content": before + text}))

    def _send_call(self, index: int, call: ClientCall) -> None:
        """Send a call of the client's tool: its id and name, then its arguments."""
        begun: dict[str, Json] = {"name": call.name, "arguments": ""}
        head: dict[str, Json] = {"index": index, "id": call.id, "type": "function", "function": begun}
        rest: dict[str, Json] = {"index": index, "function": {"arguments": call.arguments}}
        self._send_chunk(self._head.chunk({"tool_calls": [head]}))
        self._send_chunk(self._head.chunk({"tool_calls": [rest]}))

    def _send_chunk(self, chunk: dict[str, Json]) -> None:
        self._send(event_of({**chunk, "usage": None} if self._include_usage else chunk))


def first_chunk(head: CompletionHead, *, include_usage: bool) -> bytes:
    """Return the first chunk of a stream, which has the role of the message."""
    chunk = head.chunk({"role": "assistant", "content": ""})
    return event_of({**chunk, "usage": None} if include_usage else chunk)


def event_of(value: Json) -> bytes:
    """Return a server-sent event in one line, also for clients that read lines by the rules of Unicode."""
    return f"data: {json_text(value).translate(_LINE_ENDS)}\n\n".encode()
