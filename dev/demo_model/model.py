"""Request handling from request bytes to response bytes, faults included, without a socket."""

from collections.abc import Callable, Sequence
from copy import replace

from dev.demo_model.accuracy import AccuracyModel
from dev.demo_model.bodies import with_body_faults
from dev.demo_model.conversation import Conversation, Reply
from dev.demo_model.fault_injection import HEADER, FaultCounter, read_directives
from dev.demo_model.forms import forced_call, formed
from dev.demo_model.http import Answer, Request
from dev.demo_model.pictures import shown_pictures
from dev.demo_model.protocols.base import CHARACTERS_PER_TOKEN, ProtocolError, ProviderProtocol, to_answer
from dev.demo_model.random_faults import RandomFaults
from dev.demo_model.rules import reply
from dev.demo_model.server_quirks import check_history, check_quirk, with_quirk, with_thoughts
from dev.demo_model.streams import WITHOUT_PAUSES, StreamRate, streamed
from flexchat.validation.suites import built_in_suites

_MALFORMED = b"<html><body>This is not the JSON you are looking for.</body></html>"


class DemoModel:
    """Rules behind all provider protocols. `wait` takes seconds, and may end early when the server stops."""

    def __init__(
        self, wires: Sequence[ProviderProtocol], *, wait: Callable[[float], object], rate: StreamRate = WITHOUT_PAUSES
    ) -> None:
        self.wait = wait
        self._rate = rate
        self._wires = wires
        self._counter = FaultCounter()
        self._chaos = RandomFaults()
        self._skilled = AccuracyModel(lambda: built_in_suites().values())

    def answer(self, request: Request) -> Answer:
        """Return the model's next turn, a model list, or the requested fault."""
        for wire in self._wires:
            try:
                if wire.is_chat(request):
                    return self._turn(wire, request)
                if (described := wire.describe(request)) is not None:
                    return to_answer(200, described)
            except ProtocolError as exc:
                return wire.refuse(exc)
        return to_answer(404, {"error": {"message": f"the demo model does not serve {request.method} {request.path}"}})

    def _turn(self, wire: ProviderProtocol, request: Request) -> Answer:
        """Return the response of a protocol. Raises ProtocolError."""
        conversation = replace(wire.read(request), pictures=shown_pictures(request.body))
        asked_for, message = read_directives(conversation.message, request.headers.get(HEADER))
        faults = self._chaos.draw(asked_for, conversation.message)
        if faults.slow_ms:
            self.wait(faults.slow_ms / 1000)
        in_stream = conversation.stream and (faults.error or faults.end)
        breaks = (faults.status is not None or faults.cut or in_stream) and conversation.turns >= faults.after
        strikes = breaks and self._counter.strikes(conversation.message, faults.times)
        if strikes and faults.status is not None and not in_stream:
            words = f"(demo model) status {faults.status} was asked for"
            raise ProtocolError(words, faults.status, retry_after=faults.retry_after)
        if faults.malformed:
            return Answer(200, _MALFORMED, {"Content-Type": "text/html"})
        check_history(faults.strict, request.body)
        spoken = self._skilled.reply(conversation) or reply(conversation, message, faults)
        spoken = formed(forced_call(spoken, conversation.forced), conversation.form, conversation.system)
        check_quirk(faults.quirk, spoken, request.body)
        turn = _within_limit(with_thoughts(faults.quirk, spoken), conversation)
        answer = with_quirk(wire.write(conversation, turn), faults.quirk, faults.strict)
        if conversation.stream:
            return streamed(wire, conversation, answer, faults, self._rate, strikes=strikes)
        return replace(with_body_faults(to_answer(200, answer), faults), cut=strikes)


def _within_limit(turn: Reply, conversation: Conversation) -> Reply:
    if conversation.max_tokens is None or turn.finish != "stop":
        return turn
    characters = conversation.max_tokens * CHARACTERS_PER_TOKEN
    return turn if len(turn.text) <= characters else replace(turn, text=turn.text[:characters], finish="length")
