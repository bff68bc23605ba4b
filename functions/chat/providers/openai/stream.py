"""Streamed completions of the Chat Completions API of OpenAI and compatible servers.

https://platform.openai.com/docs/api-reference/chat-streaming
"""

from collections.abc import Sequence

from flexchat.messages import Json
from functions.chat.providers.base import Delta, TextDelta
from functions.chat.providers.event_values import a_list, a_text, an_object
from functions.chat.providers.openai.stream_calls import StreamedCalls, valid_text

_ERROR_FIELDS = frozenset({"error", "message", "detail"})
"""Fields of an error event in the forms of compatible servers."""


class OpenAIStreamReader:
    """Reader of the first choice of one completion, whose text is that of its deltas.

    A refusal is reported at the end: it is the text of the completion only if there is no other.
    """

    def __init__(self) -> None:
        self.complete = False
        self._model: Json = None
        self._usage: Json = None
        self._finish_reason: Json = None
        self._has_choice = False
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._calls = StreamedCalls()

    def read(self, event: Json) -> Sequence[Delta]:
        """Return the deltas of a chunk. Raises ValueError for an unreadable one and for an error."""
        chunk = an_object(event, "event")
        choices = chunk.get("choices")
        if choices is None and not _ERROR_FIELDS.isdisjoint(chunk):
            raise ValueError("choices: must not be an error")
        self._model = self._model or chunk.get("model")
        self._usage = chunk.get("usage") or self._usage
        deltas: list[Delta] = []
        for item in a_list(choices, "choices"):
            choice = an_object(item, "choices")
            if not choice.get("index"):
                self._read_choice(choice, deltas)
        return deltas

    def end(self) -> Sequence[Delta]:
        """Return the last deltas of a stream that ended with `[DONE]`."""
        self.complete = True
        return () if self._finish_reason else self._finished()

    def _read_choice(self, choice: dict[str, Json], deltas: list[Delta]) -> None:
        self._has_choice = True
        delta = choice.get("delta", choice.get("message"))
        if isinstance(delta, dict):
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
        message: dict[str, Json] = {"content": "".join(self._content)}
        if refusal := "".join(self._refusal):
            message["refusal"] = refusal
        if self._calls:
            message["tool_calls"] = self._calls.response()
        choice: Json = {"message": message, "finish_reason": self._finish_reason}
        choices: list[Json] = [choice] if self._has_choice else []
        return {"model": self._model, "choices": choices, "usage": self._usage}
