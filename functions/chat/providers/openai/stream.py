"""Streamed completions of the Chat Completions API of OpenAI and compatible servers.

https://platform.openai.com/docs/api-reference/chat-streaming
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, field
from pydantic_core import from_json

from flexchat.error_bodies import BodyTooLargeError
from flexchat.messages import Json
from functions.chat.providers.base import MAX_ANSWER_BYTES, ArgumentsDelta, Delta, TextDelta
from functions.chat.providers.streams import CallDeltas
from functions.chat.providers.wire_format import a_list, a_text, an_object


def valid_text(text: str) -> str:
    """Return `text` with a question mark for each lone surrogate: the package accepts them in JSON, UTF-8 has none."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _with_pairs(text: str) -> str:
    """Return `text` with one character for each pair of surrogates."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class _Call(Struct):
    """Call with the pieces of its arguments, of which the first `reported` are in deltas of the call `index`."""

    id: Json = None
    name: Json = None
    arguments: Json = None
    extra_content: Json = None
    pieces: list[str] = field(default_factory=list[str])
    index: int = -1
    reported: int = 0
    high_surrogate: str = ""

    def add_arguments(self, piece: str) -> None:
        """Add a piece; the first half of a character, which some servers split, waits for the second."""
        text = self.high_surrogate + piece
        self.high_surrogate = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        text = text.removesuffix(self.high_surrogate)
        if not text.isascii():
            text = valid_text(_with_pairs(text))
        if text or not self.pieces:
            self.pieces.append(text)

    def new_arguments(self) -> Sequence[Delta]:
        """Return the delta of the pieces since the last one, once the start of the call was reported."""
        text = "".join(self.pieces[self.reported :]) if self.index >= 0 else ""
        if not text:
            return ()
        self.reported = len(self.pieces)
        return (ArgumentsDelta(self.index, text),)

    def is_followed_by(self, name: Json, arguments: Json) -> bool:
        """Return whether a piece without an id belongs to the next call: this one is complete."""
        if not (name and name != self.name) and not (isinstance(arguments, str) and arguments.strip()):
            return False
        if not self.pieces or not self.pieces[-1].rstrip().endswith("}"):
            return False
        try:
            return isinstance(from_json("".join(self.pieces)), dict)
        except ValueError:
            return False

    def as_json(self) -> Json:
        arguments = "".join(self.pieces) if self.pieces else self.arguments
        function: Json = {"name": self.name, "arguments": arguments}
        return {"id": self.id, "function": function, "extra_content": self.extra_content}


class StreamedCalls:
    """Calls of one completion in the order of their starts.

    Pieces belong together by `index`. Compatible servers send every call with index 0, repeat names and ids in each
    piece, or leave out index and id: another id with a name starts another call, and so does anything but a repeated
    name after complete arguments.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._reported = 0
        self._call_deltas = CallDeltas()

    def __bool__(self) -> bool:
        return bool(self._calls)

    def read(self, pieces: list[Json]) -> Sequence[Delta]:
        """Return the starts and arguments in the pieces of a chunk; one that is not an object is a call without a
        name."""
        continued: list[_Call] = []
        for piece in pieces:
            if isinstance(piece, dict):
                continued.append(self._add(piece))
            else:
                self._calls.append(_Call())
        return self._deltas(continued, is_finished=False)

    def finish(self) -> Sequence[Delta]:
        """Return the starts that wait for a name, and their arguments."""
        return self._deltas([], is_finished=True)

    def response(self) -> Json:
        """Return the calls of the plain response."""
        return [call.as_json() for call in self._calls]

    def _add(self, piece: dict[str, Json]) -> _Call:
        function = piece.get("function")
        if not isinstance(function, dict):
            function = {}
        name, arguments = function.get("name"), function.get("arguments")
        call = self._call(piece.get("index"), piece.get("id"), name, arguments)
        call.name = call.name or (valid_text(name) if isinstance(name, str) else name)
        if isinstance(arguments, str):
            call.add_arguments(arguments)
        elif arguments is not None:
            call.arguments = arguments
        call.extra_content = piece.get("extra_content") or call.extra_content
        return call

    def _call(self, index: Json, call_id: Json, name: Json, arguments: Json) -> _Call:
        """Return the call of a piece, a new one where it starts one."""
        is_numbered = isinstance(index, int)
        call = self._by_index.get(index) if is_numbered else self._calls[-1] if self._calls else None
        if call is not None:
            is_other = bool(call_id and call.id and call_id != call.id)
            starts = name and (is_other or (not is_numbered and not call_id and call.name))
            if not starts and not (call_id is None and call.is_followed_by(name, arguments)):
                call.id = call.id or call_id
                return call
        call = _Call(call_id, None if name or call is None else call.name)
        self._calls.append(call)
        if is_numbered:
            self._by_index[index] = call
        return call

    def _deltas(self, continued: Sequence[_Call], *, is_finished: bool) -> Sequence[Delta]:
        """Return the arguments of started calls, and the starts in order, each with its arguments so far.

        A call without a name waits for it until the next one starts.
        """
        deltas = [delta for call in continued for delta in call.new_arguments()]
        for call in self._calls[self._reported :]:
            if not call.name and call is self._calls[-1] and not is_finished:
                break
            started = self._call_deltas.start(call.name)
            call.index = started.index
            deltas += (started, *call.new_arguments())
            self._reported += 1
        return deltas


_REASONING_TEXTS: Final = ("reasoning_content", "reasoning")

_DETAIL_TEXTS: Final = ("text", "summary", "data")


class _Detail(Struct):
    """Detail as it started, with the pieces of its texts."""

    fields: dict[str, Json]
    pieces: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, piece: dict[str, Json]) -> None:
        for name, value in piece.items():
            if name in _DETAIL_TEXTS and isinstance(value, str):
                self.pieces.setdefault(name, []).append(value)
            elif value is not None or name not in self.fields:
                self.fields[name] = value

    def is_other(self, piece: dict[str, Json]) -> bool:
        own, other = self.fields.get("id"), piece.get("id")
        return bool(own and other and own != other)

    def as_json(self) -> Json:
        return {**self.fields, **{name: "".join(pieces) for name, pieces in self.pieces.items()}}


class StreamedReasoning:
    """Reasoning of one completion, which its server may demand back.

    Texts are joined, and so are pieces of details with the same index and type: a signature is that of the whole text.
    https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
    """

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}
        self._details: list[_Detail] = []
        self._by_index: dict[tuple[int, str], _Detail] = {}

    def read(self, delta: dict[str, Json]) -> None:
        for name in _REASONING_TEXTS:
            if isinstance(text := delta.get(name), str):
                self._texts.setdefault(name, []).append(text)
        if isinstance(details := delta.get("reasoning_details"), list):
            for piece in details:
                if isinstance(piece, dict):
                    self._detail(piece).add(piece)

    def response(self) -> dict[str, Json]:
        """Return the fields of the plain response."""
        fields: dict[str, Json] = {name: "".join(pieces) for name, pieces in self._texts.items()}
        if self._details:
            fields["reasoning_details"] = [detail.as_json() for detail in self._details]
        return fields

    def _detail(self, piece: dict[str, Json]) -> _Detail:
        """Return the detail of a piece, a new one where it starts one; one without an index is a whole detail."""
        index = piece.get("index")
        detail = self._by_index.get((index, str(piece.get("type")))) if isinstance(index, int) else None
        if detail is None or detail.is_other(piece):
            detail = _Detail({})
            self._details.append(detail)
            if isinstance(index, int):
                self._by_index[index, str(piece.get("type"))] = detail
        return detail


_ERROR_FIELDS = frozenset({"error", "message", "detail"})
"""Fields of an error event in the forms of compatible servers."""


class OpenAIStreamReader:
    """Reader of the first choice of one completion, whose text is that of its deltas.

    A refusal is reported at the end: it is the text of the completion only if there is no other.
    """

    def __init__(self) -> None:
        self.complete = False
        self._id: Json = None
        self._model: Json = None
        self._usage: Json = None
        self._finish_reason: Json = None
        self._error: Json = None
        self._has_choice = False
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._calls = StreamedCalls()
        self._reasoning = StreamedReasoning()

    def read(self, event: Json) -> Sequence[Delta]:
        """Return the deltas of a chunk. Raises ValueError for an unreadable one and for an error."""
        chunk = an_object(event, "event")
        choices = chunk.get("choices")
        if choices is None and not _ERROR_FIELDS.isdisjoint(chunk):
            raise ValueError("choices: must not be an error")
        self._id = self._id or chunk.get("id")
        self._model = self._model or chunk.get("model")
        self._usage = chunk.get("usage") or self._usage
        deltas: list[Delta] = []
        for item in a_list(choices, "choices"):
            choice = an_object(item, "choices")
            if not choice.get("index"):
                self._read_choice(choice, deltas)
        return deltas

    @property
    def is_finished(self) -> bool:
        """Return whether the choice has its finish reason."""
        return bool(self._finish_reason)

    def end(self) -> Sequence[Delta]:
        """Return the last deltas of a stream that ended with `[DONE]`."""
        self.complete = True
        return () if self._finish_reason else self._finished()

    def _read_choice(self, choice: dict[str, Json], deltas: list[Delta]) -> None:
        self._has_choice = True
        self._error = self._error or choice.get("error")
        delta = choice.get("delta", choice.get("message"))
        if isinstance(delta, dict):
            self._reasoning.read(delta)
            if content := delta.get("content"):
                parts = content if isinstance(content, str) else self._read_parts(a_list(content, "delta.content"))
                if text := valid_text(parts):
                    self._content.append(text)
                    deltas.append(TextDelta(text))
            if calls := delta.get("tool_calls"):
                deltas += self._calls.read(a_list(calls, "delta.tool_calls"))
            if refusal := delta.get("refusal"):
                self._refusal.append(a_text(refusal, "delta.refusal"))
        if (reason := choice.get("finish_reason")) and not self._finish_reason:
            self._finish_reason = reason
            deltas += self._finished()

    def _read_parts(self, parts: list[Json]) -> str:
        """Return the text of content in parts, as reasoning models of Mistral send it."""
        texts: list[str] = []
        for item in parts:
            part = an_object(item, "delta.content")
            texts.append(a_text(part.get("text"), "delta.content.text"))
            self._refusal.append(a_text(part.get("refusal"), "delta.content.refusal"))
        return "".join(texts)

    def _finished(self) -> Sequence[Delta]:
        deltas: list[Delta] = list(self._calls.finish())
        if not self._content and not self._calls and (refusal := "".join(self._refusal)):
            deltas.append(TextDelta(valid_text(refusal)))
        return deltas

    def response(self) -> Json:
        """Return the plain response; None for a stream without `[DONE]` and without a finish reason, which some servers
        send alone."""
        if not self.complete and not self._finish_reason:
            return None
        message: dict[str, Json] = {"content": "".join(self._content), **self._reasoning.response()}
        if refusal := "".join(self._refusal):
            message["refusal"] = refusal
        if self._calls:
            message["tool_calls"] = self._calls.response()
        choice: Json = {"message": message, "finish_reason": self._finish_reason, "error": self._error}
        choices: list[Json] = [choice] if self._has_choice else []
        return {"id": self._id, "model": self._model, "choices": choices, "usage": self._usage}


_FIRST_BYTES: Final = b":deir"
"""First bytes of the lines of a stream: comments, `data`, `error`, `event`, `id` and `retry`."""

_ERROR: Final = b"error:"

_ERROR_LINE: Final = re.compile(rb"^error:", re.M)


class EventBody:
    """Chunks of a response with what `openai.Stream` does not do for compatible servers.

    A byte order mark is removed. A last event without a blank line after it is completed where JSON may end there. A
    line is bounded: the package stores it whole. An error in a field `error`, as of llama.cpp, becomes data.
    """

    def __init__(self, chunks: Iterator[bytes], *, max_bytes: int = MAX_ANSWER_BYTES) -> None:
        self._chunks = chunks
        self._max_bytes = max_bytes
        self._head = next((chunk for chunk in chunks if chunk.strip()), b"").removeprefix(b"\xef\xbb\xbf")
        self.is_ended = False

    @property
    def has_events(self) -> bool:
        """Return whether the body begins as a stream of events, which an empty one does."""
        return self._head.lstrip()[:1] in _FIRST_BYTES

    def __iter__(self) -> Iterator[bytes]:
        """Yield the chunks. Raises BodyTooLargeError for a line of more than `max_bytes`."""
        last, line = b"", 0
        for chunk in self._with_errors(self.plain()):
            end = chunk.rfind(b"\n") + 1
            line = len(chunk) - end if end else line + len(chunk)
            if line > self._max_bytes:
                raise BodyTooLargeError
            last = chunk.rstrip() or last
            yield chunk
        if last.endswith((b"}", b"]")):
            yield b"\n\n"
        self.is_ended = True

    def _with_errors(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the chunks with errors as data; the beginning of such a line waits for its rest."""
        held, is_line_start = b"", True
        for chunk in chunks:
            text = held + chunk
            end = text.rfind(b"\n") + 1
            tail = text[end:] if end or is_line_start else b""
            held = tail if tail and _ERROR.startswith(tail) else b""
            text = text.removesuffix(held)
            if text:
                first = 0 if is_line_start else text.find(b"\n") + 1 or len(text)
                yield text[:first] + _ERROR_LINE.sub(b"data:", text[first:])
                is_line_start = text.endswith(b"\n")
        if held:
            yield held

    def plain(self) -> Iterator[bytes]:
        """Yield the chunks of a body that is no stream."""
        yield self._head
        for chunk in self._chunks:  # noqa: UP028 - `yield from` would end them with a stream that stops at `[DONE]`
            yield chunk

    def drain(self) -> None:
        """Read the rest, so that the connection can be used again."""
        for _ in self._chunks:
            pass
