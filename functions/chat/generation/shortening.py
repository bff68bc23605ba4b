"""Shorter conversations, for models that refused one as too long."""

from collections.abc import Sequence
from copy import replace
from typing import Self

from msgspec import Struct

from flexchat.messages import Message, ToolOutput
from flexchat.sessions import message_tokens
from flexchat.text import truncate_middle

KEPT_SHARE = 0.5
"""Share of the estimated tokens that a shortened conversation keeps."""

MIN_RESULT_CHARACTERS = 400

CHARACTERS_PER_TOKEN = 4


class Shortening(Struct, frozen=True):
    """Messages left out after the system prompt, and the longest result of a tool, in characters."""

    omitted: int
    result_characters: int | None = None

    @classmethod
    def of(cls, messages: Sequence[Message]) -> Self | None:
        """Return the shortening of `messages` to half of their tokens; None where nothing can be left out.

        `messages` are the system prompt, earlier turns, the user's message and the iterations after it. The oldest
        turns are left out as a whole, then results of tools are cut in their middle.
        """
        sizes = [message_tokens(message) for message in messages]
        target = sum(sizes) * KEPT_SHARE
        turns = [index for index, message in enumerate(messages) if index and message.role == "user"]
        start = next((index for index in turns if sizes[0] + sum(sizes[index:]) <= target), turns[-1] if turns else 1)
        kept = sizes[0] + sum(sizes[start:])
        outputs = [part for message in messages[start:] for part in message.parts if isinstance(part, ToolOutput)]
        limit: int | None = None
        if kept > target and outputs:
            others = kept - sum(sizes[i] for i in range(start, len(messages)) if messages[i].role == "tool")
            share = int(max(0.0, target - others) / len(outputs)) * CHARACTERS_PER_TOKEN
            limit = max(MIN_RESULT_CHARACTERS, share)
            if all(len(output.content) <= limit for output in outputs):
                limit = None
        return None if start <= 1 and limit is None else cls(start - 1, limit)

    def apply(self, messages: Sequence[Message]) -> list[Message]:
        """Return the shortened `messages`, which may have more iterations than before."""
        kept = [messages[0], *messages[1 + self.omitted :]]
        limit = self.result_characters
        if limit is None:
            return kept
        return [_cut(message, limit) if message.role == "tool" else message for message in kept]


def _cut(message: Message, limit: int) -> Message:
    parts = (
        replace(part, content=truncate_middle(part.content, limit)) if isinstance(part, ToolOutput) else part
        for part in message.parts
    )
    return replace(message, parts=tuple(parts))
