"""Calls of a client's tools: their ids and arguments for the client, also while the model still writes them."""

from collections.abc import Callable

from msgspec import Struct, field

from flexchat.json import dumps
from flexchat.messages import Message, ToolCall
from functions.chat.generation.checkpoint import new_client_call_id
from functions.chat.generation.events import ClientCall, ClientCallDelta, Emit
from functions.chat.providers.base import ArgumentsDelta, CallDelta, Delta
from functions.chat.tools.manager import ClientTools


class _StreamedCall(Struct):
    """Call with the pieces of its arguments, which are sent once one of them is not blank."""

    id: str
    name: str
    pieces: list[str] = field(default_factory=list[str])
    is_sent: bool = False


class ClientCallStream:
    """Calls of a client's tools in one message of the model, which emits their pieces as they arrive.

    `room` is the number of calls of the message that are recorded. The arguments of a call are the text of its pieces,
    byte for byte; without any, they are those of the completion.
    """

    def __init__(self, client: ClientTools, emit: Emit, *, room: Callable[[], int]) -> None:
        self._client = client
        self._emit = emit
        self._room = room
        self._calls: dict[int, _StreamedCall] = {}

    def begin(self) -> None:
        """Forget the calls of an earlier model call."""
        self._calls = {}

    def receive(self, delta: Delta) -> None:
        """Emit the piece of a call of a client's tool."""
        match delta:
            case CallDelta() if delta.name in self._client and delta.index < self._room():
                started = _StreamedCall(new_client_call_id(), self._client.tool_name(delta.name))
                self._calls[delta.index] = started
                self._emit(ClientCallDelta(started.id, started.name, ""))
            case ArgumentsDelta() if (call := self._calls.get(delta.index)) is not None:
                call.pieces.append(delta.text)
                text = delta.text if call.is_sent else "".join(call.pieces)
                if call.is_sent or text.strip():
                    call.is_sent = True
                    self._emit(ClientCallDelta(call.id, call.name, text))
            case _:
                pass

    def finished(self, message: Message) -> dict[str, ClientCall]:
        """Return the calls of the client's tools in the whole message, by their ids in it."""
        return {
            call.id: self._finished(index, call)
            for index, call in enumerate(message.tool_calls)
            if call.name in self._client
        }

    def _finished(self, index: int, call: ToolCall) -> ClientCall:
        streamed = self._calls.get(index)
        if streamed is None:
            return ClientCall(new_client_call_id(), self._client.tool_name(call.name), _arguments(call))
        return ClientCall(
            streamed.id, streamed.name, "".join(streamed.pieces) if streamed.is_sent else _arguments(call)
        )


def _arguments(call: ToolCall) -> str:
    """Return arguments as JSON; those that are no JSON object as the model sent them."""
    return call.raw if call.arguments is None else dumps(dict(call.arguments))
