"""Tool calls in the chunks of a streamed completion: a start with the name, then the arguments in pieces."""

from collections.abc import Sequence

from msgspec import Struct, field

from flexchat.messages import Json
from functions.chat.providers.base import Delta
from functions.chat.providers.streams import CallDeltas


def valid_text(text: str) -> str:
    """Return `text` with a question mark for each lone surrogate: the package accepts them in JSON, UTF-8 has none."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class _Call(Struct):
    id: Json = None
    name: Json = None
    arguments: Json = None
    pieces: list[str] = field(default_factory=list[str])

    def as_json(self) -> Json:
        arguments = "".join(self.pieces) if self.pieces else self.arguments
        return {"id": self.id, "function": {"name": self.name, "arguments": arguments}}


class StreamedCalls:
    """Calls of one completion in the order of their starts.

    Pieces belong together by `index`. Compatible servers send every call with index 0, repeat names and ids in each
    piece, or leave out the index: another id with a name starts another call.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._reported = 0
        self._call_deltas = CallDeltas()

    def __bool__(self) -> bool:
        return bool(self._calls)

    def read(self, pieces: list[Json]) -> Sequence[Delta]:
        """Return the starts in the pieces of a chunk; one that is not an object is a call without a name."""
        for piece in pieces:
            if isinstance(piece, dict):
                self._add(piece)
            else:
                self._calls.append(_Call())
        return self._starts(is_finished=False)

    def finish(self) -> Sequence[Delta]:
        """Return the starts that wait for a name."""
        return self._starts(is_finished=True)

    def response(self) -> Json:
        """Return the calls of the plain response."""
        return [call.as_json() for call in self._calls]

    def _add(self, piece: dict[str, Json]) -> None:
        function = piece.get("function")
        if not isinstance(function, dict):
            function = {}
        name, arguments = function.get("name"), function.get("arguments")
        call = self._call(piece.get("index"), piece.get("id"), name)
        call.name = call.name or (valid_text(name) if isinstance(name, str) else name)
        if isinstance(arguments, str):
            call.pieces.append(arguments)
        elif arguments is not None:
            call.arguments = arguments

    def _call(self, index: Json, call_id: Json, name: Json) -> _Call:
        """Return the call of a piece, a new one where it starts one."""
        is_numbered = isinstance(index, int)
        call = self._by_index.get(index) if is_numbered else self._calls[-1] if self._calls else None
        if call is not None:
            is_other = bool(call_id and call.id and call_id != call.id)
            if not name or not (is_other or (not is_numbered and not call_id and call.name)):
                call.id = call.id or call_id
                return call
        call = _Call(call_id)
        self._calls.append(call)
        if is_numbered:
            self._by_index[index] = call
        return call

    def _starts(self, *, is_finished: bool) -> Sequence[Delta]:
        """Return the starts in order; one without a name waits for it until the next call starts."""
        deltas: list[Delta] = []
        for call in self._calls[self._reported :]:
            if not call.name and call is self._calls[-1] and not is_finished:
                break
            deltas.append(self._call_deltas.start(call.name))
        self._reported += len(deltas)
        return deltas
