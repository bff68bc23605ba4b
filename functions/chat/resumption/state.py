"""What a partial answer leaves behind for the request that goes on with it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from flexchat.messages import Json, Message
from functions.chat.generation.checkpoint import Checkpoint
from functions.chat.transcript import message_from_json, message_to_json

_VERSION = 1


@dataclass(frozen=True, slots=True)
class ResumptionState:
    """One chat as phase 6 found it, and how far it came.

    `profile` is what the phases before made of `message` and `history`: they need not run again, and the response rule
    is matched on it anew, in the configuration of then. `turn` names the turn of `session_id` that is unfinished.
    """

    message: str
    history: tuple[Message, ...]
    profile: Mapping[str, Json] = field(repr=False)
    checkpoint: Checkpoint
    session_id: str | None = None
    turn: int | None = None

    def as_bytes(self) -> bytes:
        state: dict[str, Json] = {
            "v": _VERSION,
            "message": self.message,
            "history": [message_to_json(message) for message in self.history],
            "profile": dict(self.profile),
            "progress": self.checkpoint.as_json(),
            "session_id": self.session_id,
            "turn": self.turn,
        }
        return json.dumps(state, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> "ResumptionState":
        """What `as_bytes` wrote. Raises ValueError for what another version wrote."""
        state = json.loads(content)
        if state["v"] != _VERSION:
            raise ValueError(f"a resumption state of version {state['v']!r} is not known")
        return cls(
            message=state["message"],
            history=tuple(message_from_json(message) for message in state["history"]),
            profile=state["profile"],
            checkpoint=Checkpoint.from_json(state["progress"]),
            session_id=state["session_id"],
            turn=state["turn"],
        )
