"""Streamed completions of Gemini's `streamGenerateContent`.

https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
"""

from collections.abc import Sequence

from msgspec import Struct

from flexchat.messages import Json
from functions.chat.providers.base import Delta, TextDelta
from functions.chat.providers.streams import CallDeltas
from functions.chat.providers.wire_format import a_list, a_text, an_object, parse_event

_END = b"[DONE]"
"""Last event of some gateways; Google's servers close the response."""

_TEXT_FIELDS = frozenset({"text", "thought"})


class _Run(Struct, frozen=True):
    """Pieces of one text or thought. A part with a signature is none: it must be sent back as it is."""

    thought: bool
    pieces: list[str]

    def part(self) -> Json:
        text: dict[str, Json] = {"text": "".join(self.pieces)}
        return text | {"thought": True} if self.thought else text


class GeminiStreamReader:
    """Reader of the first candidate of one completion.

    The response has the parts of all chunks. A stream ends with its body, not with a finish reason, which some models
    repeat in every chunk.
    """

    def __init__(self) -> None:
        self.complete = False
        self._parts: list[Json | _Run] = []
        self._candidate: dict[str, Json] = {}
        self._blocked: Json = None
        self._usage: dict[str, Json] = {}
        self._id: Json = None
        self._model: Json = None
        self._calls = CallDeltas()

    def read(self, event: bytes) -> Sequence[Delta]:
        """Return the deltas of a chunk. Raises ValueError for an unreadable one and for an error."""
        if event == _END:
            self.complete = True
            return ()
        chunk = parse_event(event)
        if "error" in chunk:
            raise ValueError("must be a chunk, not an error")
        self._id = chunk.get("responseId") or self._id
        self._model = chunk.get("modelVersion") or self._model
        usage = chunk.get("usageMetadata")
        if isinstance(usage, dict):
            self._usage |= usage
        feedback = chunk.get("promptFeedback")
        if isinstance(feedback, dict) and feedback.get("blockReason"):
            self._blocked = feedback
        deltas: list[Delta] = []
        for item in a_list(chunk.get("candidates"), "candidates"):
            candidate = an_object(item, "candidates")
            if not candidate.get("index"):
                self._read_candidate(candidate, deltas)
        return deltas

    def _read_candidate(self, candidate: dict[str, Json], deltas: list[Delta]) -> None:
        if reason := candidate.get("finishReason"):
            self._candidate["finishReason"] = reason
        if message := candidate.get("finishMessage"):
            self._candidate["finishMessage"] = message
        content = candidate.get("content")
        if content is None:
            return
        for item in a_list(an_object(content, "content").get("parts"), "content.parts"):
            part = an_object(item, "content.parts")
            text = a_text(part.get("text"), "content.parts.text")
            if part.get("functionCall") is not None:
                deltas.append(self._calls.start(_name(part["functionCall"])))
                self._parts.append(part)
                continue
            if text and not part.get("thought"):
                deltas.append(TextDelta(text))
            if part.keys() <= _TEXT_FIELDS:
                self._add_text(text, thought=bool(part.get("thought")))
            else:
                self._parts.append(part)

    def _add_text(self, text: str, *, thought: bool) -> None:
        last = self._parts[-1] if self._parts else None
        if isinstance(last, _Run) and last.thought == thought:
            last.pieces.append(text)
        elif text:
            self._parts.append(_Run(thought, [text]))

    def response(self) -> Json:
        """Return the plain response; None without a finish reason and without the reason of a blocked prompt."""
        if not self._candidate and self._blocked is None:
            return None
        response: dict[str, Json] = {
            "usageMetadata": self._usage,
            "modelVersion": self._model,
            "responseId": self._id,
        }
        if self._blocked is not None:
            response["promptFeedback"] = self._blocked
        if self._candidate:
            parts: list[Json] = [part.part() if isinstance(part, _Run) else part for part in self._parts]
            response["candidates"] = [{**self._candidate, "content": {"role": "model", "parts": parts}}]
        return response


def _name(call: Json) -> Json:
    return call.get("name") if isinstance(call, dict) else None
