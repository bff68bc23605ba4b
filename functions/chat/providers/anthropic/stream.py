"""Streamed completions of Anthropic's Messages API.

https://platform.claude.com/docs/en/build-with-claude/streaming
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, field

from flexchat.messages import Json
from functions.chat.providers.base import ArgumentsDelta, Delta, TextDelta
from functions.chat.providers.streams import CallDeltas
from functions.chat.providers.wire_format import a_text, an_object, parse_event, streamed_arguments

_FIELDS: Final = {
    "text_delta": "text",
    "input_json_delta": "partial_json",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
}
"""Fields of the pieces that are read, by the type of their delta; others, such as citations, are ignored."""

_CONTENT: Final = frozenset({"tool_use", "thinking", "redacted_thinking"})


class _Block(Struct):
    """Content block as it started, with the pieces of its fields; `call` is the index of a tool call."""

    start: dict[str, Json]
    call: int | None = None
    pieces: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, name: str, piece: str) -> None:
        self.pieces.setdefault(name, []).append(piece)

    @property
    def is_content(self) -> bool:
        """False for an empty text and a block of an unknown type."""
        if self.start.get("type") == "text":
            return bool(self.start.get("text") or self.pieces)
        return self.start.get("type") in _CONTENT

    def content(self) -> dict[str, Json]:
        """Return the block as in a plain response."""
        return self.start | dict(self._fields())

    def _fields(self) -> Iterator[tuple[str, Json]]:
        for name, pieces in self.pieces.items():
            if name == "partial_json":
                yield "input", streamed_arguments("".join(pieces), self.start.get("input"))
            elif name == "signature":
                yield name, pieces[-1]
            else:
                yield name, a_text(self.start.get(name), name) + "".join(pieces)


class AnthropicStreamReader:
    """Reader of one completion; the response is the message of the first event with all of its content.

    Events and deltas of unknown types are ignored, as the API's policy of versions requires.
    """

    def __init__(self) -> None:
        self.complete = False
        self._message: dict[str, Json] = {}
        self._usage: dict[str, Json] = {}
        self._blocks: list[_Block] = []
        self._open: dict[Json, _Block] = {}
        self._calls = CallDeltas()

    def read(self, event: bytes) -> Sequence[Delta]:
        """Return the deltas of an event. Raises ValueError for an unreadable one and for an error."""
        value = parse_event(event)
        match value.get("type"):
            case "message_start":
                self._message |= an_object(value.get("message"), "message")
                self._add_usage(self._message.get("usage"))
            case "content_block_start":
                return self._started(value.get("index"), an_object(value.get("content_block"), "content_block"))
            case "content_block_delta":
                return self._continued(value.get("index"), an_object(value.get("delta"), "delta"))
            case "message_delta":
                self._message |= an_object(value.get("delta"), "delta")
                self._add_usage(value.get("usage"))
            case "message_stop":
                self.complete = True
                return self._explained()
            case "error":
                raise ValueError("type: must not be an error")
            case str():
                return ()
            case _:
                raise ValueError("type: must be a string")
        return ()

    def _started(self, index: Json, start: dict[str, Json]) -> Sequence[Delta]:
        texts = {name: a_text(start.get(name), f"content_block.{name}") for name in ("text", "thinking")}
        block = self._open[_key(index)] = _Block(start)
        self._blocks.append(block)
        match start.get("type"):
            case "tool_use":
                started = self._calls.start(start.get("name"))
                block.call = started.index
                return (started,)
            case "text" if text := texts["text"]:
                return (TextDelta(text),)
            case _:
                return ()

    def _continued(self, index: Json, delta: dict[str, Json]) -> Sequence[Delta]:
        block = self._open.get(_key(index))
        if block is None:
            raise ValueError("index: must be that of a block that was started")
        kind = delta.get("type")
        name = _FIELDS.get(kind) if isinstance(kind, str) else None
        if name is None:
            return ()
        piece = a_text(delta.get(name), f"delta.{name}")
        if not piece:
            return ()
        block.add(name, piece)
        if name == "partial_json" and block.call is not None:
            return (ArgumentsDelta(block.call, piece),)
        return (TextDelta(piece),) if name == "text" and block.start.get("type") == "text" else ()

    def _add_usage(self, usage: Json) -> None:
        """Add the counts of an event; they are totals."""
        if isinstance(usage, dict):
            self._usage |= {name: count for name, count in usage.items() if count is not None}

    def _explained(self) -> Sequence[Delta]:
        """Return the explanation of a refusal, which is the text of a completion without content."""
        details = self._message.get("stop_details")
        if self._message.get("stop_reason") != "refusal" or not isinstance(details, dict):
            return ()
        if any(block.is_content for block in self._blocks):
            return ()
        explanation = a_text(details.get("explanation"), "stop_details.explanation")
        return (TextDelta(explanation),) if explanation else ()

    def response(self) -> Json:
        """Return the plain response; None without a stop reason or the end of the message."""
        if not (self.complete or self._message.get("stop_reason")):
            return None
        content: list[Json] = [block.content() for block in self._blocks]
        return {**self._message, "content": content, "usage": self._usage}


def _key(index: Json) -> int:
    if isinstance(index, int):
        return index
    raise ValueError("index: must be an integer")
