"""When each part of a chat must be done, so that its answer is never late."""

from dataclasses import dataclass
from typing import Final, Self

from flexchat.deadline import Deadline

ANSWER_SECONDS: Final = 0.3
"""Kept back from every deadline to write the answer."""

KEEPING_SECONDS: Final = 0.6
"""Kept back besides to store what must outlast the request: a session's turn, what a partial answer goes on from, the
verdict on a test."""

KEPT_BACK_SHARE: Final = 0.25
"""The most of a short deadline that both may take."""


@dataclass(frozen=True, slots=True)
class ChatDeadlines:
    """The deadlines of one chat: for its answer, for what is stored at its end, and for everything before that."""

    total: Deadline
    persist: Deadline
    work: Deadline

    @classmethod
    def split(cls, deadline: Deadline) -> Self:
        spare = deadline.remaining() * KEPT_BACK_SHARE / (ANSWER_SECONDS + KEEPING_SECONDS)
        scale = min(1.0, spare)
        storing = deadline.minus(ANSWER_SECONDS * scale)
        return cls(deadline, storing, storing.minus(KEEPING_SECONDS * scale))
