"""Streamed completions of Ollama's chat API: a line of JSON for each piece, the last one with `done`."""

from collections.abc import Sequence

from flexchat.messages import Json
from functions.chat.providers.base import Delta, TextDelta
from functions.chat.providers.streams import CallDeltas
from functions.chat.providers.wire_format import a_list, a_text, an_object, parse_event


class OllamaStreamReader:
    """Reader of one completion; the response is the last line with the message of all lines."""

    def __init__(self) -> None:
        self.complete = False
        self._last: dict[str, Json] = {}
        self._content: list[str] = []
        self._thinking: list[str] = []
        self._calls: list[Json] = []
        self._call_deltas = CallDeltas()

    def read(self, event: bytes) -> Sequence[Delta]:
        """Return the deltas of a line. Raises ValueError for one without a message, such as an error."""
        line = parse_event(event)
        if line.get("error"):
            raise ValueError("error: must not be beside an answer")
        message = an_object(line.get("message"), "message")
        deltas: list[Delta] = []
        if content := a_text(message.get("content"), "message.content"):
            self._content.append(content)
            deltas.append(TextDelta(content))
        if thinking := a_text(message.get("thinking"), "message.thinking"):
            self._thinking.append(thinking)
        if calls := a_list(message.get("tool_calls"), "message.tool_calls"):
            self._calls += calls
            deltas += [self._call_deltas.start(_name(call)) for call in calls]
        if line.get("done") is True:
            self.complete = True
            self._last = line
        return deltas

    def response(self) -> Json:
        """Return the plain response; None without a last line."""
        if not self.complete:
            return None
        message: dict[str, Json] = {"role": "assistant", "content": "".join(self._content)}
        if self._thinking:
            message["thinking"] = "".join(self._thinking)
        if self._calls:
            message["tool_calls"] = self._calls
        return {**self._last, "message": message}


def _name(call: Json) -> Json:
    function = call.get("function") if isinstance(call, dict) else None
    return function.get("name") if isinstance(function, dict) else None
