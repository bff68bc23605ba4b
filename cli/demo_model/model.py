"""One request from its bytes to the bytes of its answer, faults included, without a socket."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from cli.demo_model.brain import reply
from cli.demo_model.conversation import Conversation, Reply
from cli.demo_model.dials import FaultCounter, Faults, read_dials
from cli.demo_model.wires.base import CHARACTERS_PER_TOKEN, Wire, WireError
from flexchat.messages import Json

_MALFORMED = b"<html><body>This is not the JSON you are looking for.</body></html>"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer; a `cut` one stops in the middle of its body."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    cut: bool = False


class DemoModel:
    """The brain behind its wires. `wait` takes seconds, and may end early when the server stops."""

    def __init__(self, wires: Sequence[Wire], *, wait: Callable[[float], object]) -> None:
        self._wires = wires
        self._wait = wait
        self._counter = FaultCounter()

    def get(self, path: str) -> Answer:
        """The list of models, or 404."""
        for wire in self._wires:
            models = wire.models(path)
            if models is not None:
                return _json(200, models)
        return self._nowhere(path)

    def post(self, path: str, body: bytes, dial_header: str | None = None) -> Answer:
        """The model's next turn, or what the dials ask for."""
        wire = next((wire for wire in self._wires if wire.is_chat(path)), None)
        if wire is None:
            return self._nowhere(path)
        try:
            conversation = wire.read(path, body)
        except WireError as exc:
            return _json(exc.status, wire.error(exc.status, exc.message))
        faults, message = read_dials(conversation.message, dial_header)
        if faults.slow_ms:
            self._wait(faults.slow_ms / 1000)
        breaks = faults.status is not None or faults.cut
        strikes = breaks and self._counter.strikes(conversation.message, faults.times)
        if strikes and faults.status is not None:
            return self._refusal(wire, faults.status, faults)
        if faults.malformed:
            return Answer(200, _MALFORMED, {"Content-Type": "text/html"})
        turn = _within_limit(reply(conversation, message, faults), conversation)
        return replace(_json(200, wire.write(conversation, turn)), cut=strikes)

    def _refusal(self, wire: Wire, status: int, faults: Faults) -> Answer:
        answer = _json(status, wire.error(status, f"(demo model) status {status} was asked for"))
        if faults.retry_after is None:
            return answer
        return replace(answer, headers={**answer.headers, "Retry-After": faults.retry_after})

    def _nowhere(self, path: str) -> Answer:
        return _json(404, {"error": {"message": f"the demo model does not serve {path}"}})


def _within_limit(turn: Reply, conversation: Conversation) -> Reply:
    if conversation.max_tokens is None or turn.finish != "stop":
        return turn
    characters = conversation.max_tokens * CHARACTERS_PER_TOKEN
    return turn if len(turn.text) <= characters else replace(turn, text=turn.text[:characters], finish="length")


def _json(status: int, body: Json) -> Answer:
    return Answer(status, json.dumps(body, ensure_ascii=False).encode("utf-8", errors="replace"))
