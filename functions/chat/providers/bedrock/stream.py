"""Streamed completions of Bedrock's `ConverseStream`.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
"""

from base64 import b64decode, b64encode
from collections.abc import Sequence

from msgspec import Struct, field

from flexchat.messages import Json
from functions.chat.providers.base import ArgumentsDelta, Delta, TextDelta
from functions.chat.providers.streams import CallDeltas
from functions.chat.providers.wire_format import a_text, an_object, parse_event, streamed_arguments


class _Block(Struct):
    """Pieces of a content block; `tool` is the start of the tool call with the index `call`, `redacted` encrypted
    reasoning."""

    tool: dict[str, Json] | None = None
    call: int = 0
    redacted: bytes = b""
    pieces: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, name: str, piece: str) -> None:
        self.pieces.setdefault(name, []).append(piece)

    def content(self) -> Json:
        """Return the block as in a plain response."""
        joined = {name: "".join(pieces) for name, pieces in self.pieces.items()}
        if self.tool is not None:
            use: Json = {**self.tool, "input": streamed_arguments(joined.get("input", ""), {})}
            return {"toolUse": use}
        if self.redacted:
            return {"reasoningContent": {"redactedContent": b64encode(self.redacted).decode()}}
        if "reasoning" in joined or "signature" in joined:
            reasoning: dict[str, Json] = {"text": joined.get("reasoning", "")}
            if "signature" in joined:
                reasoning["signature"] = joined["signature"]
            return {"reasoningContent": {"reasoningText": reasoning}}
        return {"text": joined.get("text", "")}


class BedrockStreamReader:
    """Reader of one completion. Each event is an object of its name and its payload.

    The last event is `metadata`, with the usage, after `messageStop`. Events of unknown names are ignored.
    """

    def __init__(self) -> None:
        self.complete = False
        self._stop: dict[str, Json] | None = None
        self._usage: dict[str, Json] = {}
        self._blocks: list[_Block] = []
        self._open: dict[Json, _Block] = {}
        self._calls = CallDeltas()

    def read(self, event: bytes) -> Sequence[Delta]:
        """Return the deltas of an event. Raises ValueError for an unreadable one."""
        for name, content in parse_event(event).items():
            payload = an_object(content, name)
            match name:
                case "contentBlockStart":
                    return self._started(_index(payload), an_object(payload.get("start"), "start"))
                case "contentBlockDelta":
                    return self._continued(_index(payload), an_object(payload.get("delta"), "delta"))
                case "contentBlockStop":
                    self._open.pop(_index(payload), None)
                case "messageStop":
                    self._stop = payload
                case "metadata":
                    usage = payload.get("usage")
                    self._usage = usage if isinstance(usage, dict) else {}
                    self.complete = self._stop is not None
                case _:
                    continue
        return ()

    def _started(self, index: int, start: dict[str, Json]) -> Sequence[Delta]:
        use = start.get("toolUse")
        if use is None:
            return ()
        started = self._calls.start(_name(use))
        block = self._open[index] = _Block(use if isinstance(use, dict) else {}, started.index)
        self._blocks.append(block)
        return (started,)

    def _continued(self, index: int, delta: dict[str, Json]) -> Sequence[Delta]:
        """Read a piece of a block; only blocks of tool calls have an event at their start."""
        if (text := delta.get("text")) is not None:
            piece = a_text(text, "delta.text")
            self._block(index).add("text", piece)
            return (TextDelta(piece),) if piece else ()
        if (use := delta.get("toolUse")) is not None:
            block = self._open.get(index)
            if block is None or block.tool is None:
                raise ValueError("contentBlockIndex: must be that of a tool call that was started")
            piece = a_text(an_object(use, "delta.toolUse").get("input"), "delta.toolUse.input")
            block.add("input", piece)
            return (ArgumentsDelta(block.call, piece),) if piece else ()
        if (reasoning := delta.get("reasoningContent")) is not None:
            self._reason(index, an_object(reasoning, "delta.reasoningContent"))
        return ()

    def _reason(self, index: int, delta: dict[str, Json]) -> None:
        for name, value in delta.items():
            if name not in ("text", "signature", "redactedContent"):
                continue
            piece = a_text(value, f"delta.reasoningContent.{name}")
            block = self._block(index)
            if name == "redactedContent":
                block.redacted += b64decode(piece)
            else:
                block.add("reasoning" if name == "text" else name, piece)

    def _block(self, index: int) -> _Block:
        block = self._open.get(index)
        if block is None:
            block = self._open[index] = _Block()
            self._blocks.append(block)
        return block

    def response(self) -> Json:
        """Return the plain response; None without the end of the message."""
        if self._stop is None:
            return None
        message: Json = {"role": "assistant", "content": [block.content() for block in self._blocks]}
        return {"output": {"message": message}, "stopReason": self._stop.get("stopReason"), "usage": self._usage}


def _index(payload: dict[str, Json]) -> int:
    index = payload.get("contentBlockIndex", 0)
    if isinstance(index, int):
        return index
    raise ValueError("contentBlockIndex: must be an integer")


def _name(use: Json) -> Json:
    return use.get("name") if isinstance(use, dict) else None
