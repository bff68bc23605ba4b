"""Input and checkpoint of phase 6 of one chat, stored behind a resume token."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from flexchat.messages import Json, Message
from flexchat.redacted_struct import RedactedStruct
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT, Checkpoint
from functions.chat.generation.events import TurnFinished
from functions.chat.transcript import message_from_json, message_to_json

_VERSION = 1


class ChatState(RedactedStruct, frozen=True):
    """Message, history and profile of a chat before phase 6, and its checkpoint.

    A resumed chat skips phases 1 to 4 and matches the response rule anew, in the configuration of that time. `turn` is
    the number of the unfinished turn of `session_id`. `completed` is the last turn of the checkpoint if it is new: it
    was completed by the results of a client. It is not stored.
    """

    redacted: ClassVar = ("profile",)

    message: str
    history: tuple[Message, ...]
    profile: Mapping[str, Json]
    checkpoint: Checkpoint = EMPTY_CHECKPOINT
    session_id: str | None = None
    turn: int | None = None
    completed: TurnFinished | None = None

    def as_json(self) -> dict[str, Json]:
        return {
            "v": _VERSION,
            "message": self.message,
            "history": [message_to_json(message) for message in self.history],
            "profile": dict(self.profile),
            "progress": self.checkpoint.as_json(),
            "session_id": self.session_id,
            "turn": self.turn,
        }

    def as_bytes(self) -> bytes:
        return json.dumps(self.as_json(), separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> "ChatState":
        """Parse the output of `as_bytes`. Raises ValueError for another version."""
        return cls.from_json(json.loads(content))

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> "ChatState":
        """Parse the output of `as_json`. Raises ValueError for another version."""
        if state["v"] != _VERSION:
            raise ValueError(f"chat state of version {state['v']!r}; this code reads version {_VERSION}")
        return cls(
            message=state["message"],
            history=tuple(message_from_json(message) for message in state["history"]),
            profile=state["profile"],
            checkpoint=Checkpoint.from_json(state["progress"]),
            session_id=state["session_id"],
            turn=state["turn"],
        )
