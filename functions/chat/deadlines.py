"""Deadlines of the parts of a chat, so that its answer is never late."""

from dataclasses import dataclass
from typing import Final, Self

from flexchat.deadline import Deadline

ANSWER_SECONDS: Final = 0.3
"""Reserved to write the response."""

PERSIST_SECONDS: Final = 0.6
"""Reserved before that to store a session's turn, the state behind a resume token, or the verdict on a test."""

MAX_RESERVED_SHARE: Final = 0.25
"""Largest share of a short deadline that both may take."""


@dataclass(frozen=True, slots=True)
class ChatDeadlines:
    """Deadlines of one chat: of the whole response, of storing at its end, and of the work before that."""

    total: Deadline
    persist: Deadline
    work: Deadline

    @classmethod
    def split(cls, deadline: Deadline) -> Self:
        available = deadline.remaining() * MAX_RESERVED_SHARE / (ANSWER_SECONDS + PERSIST_SECONDS)
        scale = min(1.0, available)
        persist = deadline.minus(ANSWER_SECONDS * scale)
        return cls(deadline, persist, persist.minus(PERSIST_SECONDS * scale))
