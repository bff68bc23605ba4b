"""Reasoning that a model writes into its text, in `<think>` tags: shown as reasoning, and sent back as it was.

MiniMax, Qwen and DeepSeek write it there where their server does not parse it, Nova in `<thinking>` tags.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from copy import replace
from typing import Final

from flexchat.messages import Completion, Message, Part, ProviderState, Reasoning, Text
from functions.chat.providers.base import Delta, OnDelta, TextDelta

PROVIDER: Final = "text"
"""`provider` of the state of such reasoning, whose value is the text with its tags."""

_OPENINGS: Final = ("<think>", "<thinking>")

_TAGGED: Final = re.compile(r"\s*<(think|thinking)>(.*?)(?:</\1>\s*|\Z)", re.S)

_CLOSED: Final = re.compile(r"((?:(?!<think|```).)*?)^</think>[ \t]*(?:\n\s*|\Z)", re.S | re.M)
"""Reasoning without its opening tag, which the templates of some models have written before it: its closing tag is
alone on a line, unlike one that an answer mentions."""


def with_reasoning(completion: Completion, origin: str) -> Completion:
    """Return the completion with the reasoning in its text as a part of its own, with the state of `origin`."""
    message = completion.message
    text = message.text
    found = _TAGGED.match(text) or (_CLOSED.match(text) if "</think>" in text else None)
    if found is None:
        return completion
    inner = found[found.lastindex or 1].strip()
    reasoning = Reasoning(ProviderState(PROVIDER, found[0], origin), inner)
    return replace(completion, message=Message(message.role, tuple(_without(message.parts, found.end(), reasoning))))


def _without(parts: Sequence[Part], characters: int, reasoning: Reasoning) -> Iterator[Part]:
    """Yield `parts` with `reasoning` in place of the first `characters` of their text."""
    is_first = True
    for part in parts:
        if not isinstance(part, Text):
            yield part
            continue
        if is_first:
            yield reasoning
        is_first = False
        rest, characters = part.text[characters:], max(0, characters - len(part.text))
        if rest:
            yield replace(part, text=rest)


def with_tags(messages: Sequence[Message], origin: str) -> Sequence[Message]:
    """Return `messages` with the reasoning of `origin` in its text again; that of other models is left out."""
    return [
        _tagged(message, origin) if message.role == "assistant" and any(map(_is_from_text, message.parts)) else message
        for message in messages
    ]


def _is_from_text(part: Part) -> bool:
    return isinstance(part, Reasoning) and part.state.provider == PROVIDER


def _tagged(message: Message, origin: str) -> Message:
    parts: list[Part] = []
    for part in message.parts:
        if not isinstance(part, Reasoning) or part.state.provider != PROVIDER:
            parts.append(part)
        elif part.state.origin == origin and isinstance(part.state.value, str):
            parts.append(Text(part.state.value))
    return Message(message.role, tuple(parts))


class TextFilter:
    """Receiver of the deltas of one completion, which passes those of its text without the reasoning at its start."""

    def __init__(self, receive: OnDelta) -> None:
        self._receive = receive
        self._held = self._closing = ""
        self._read: Callable[[str], None] = self._read_start

    def __call__(self, delta: Delta) -> None:
        if isinstance(delta, TextDelta):
            self._read(delta.text)
            return
        self.finish()
        self._receive(delta)

    def finish(self) -> None:
        """Pass the beginning of a tag that never came."""
        if self._read == self._read_start:
            self._pass(self._held)

    def _read_start(self, text: str) -> None:
        self._held += text
        start = self._held.lstrip()
        if start.startswith(_OPENINGS):
            opening = start[: start.index(">") + 1]
            self._closing = opening.replace("<", "</")
            self._held, self._read = "", self._read_reasoning
            self._read(start[len(opening) :])
        elif not any(opening.startswith(start) for opening in _OPENINGS):
            self._pass(self._held)

    def _read_reasoning(self, text: str) -> None:
        _, found, rest = (self._held + text).partition(self._closing)
        if found:
            self._read = self._read_space
            self._read(rest)
        else:
            self._held = (self._held + text)[-len(self._closing) + 1 :]

    def _read_space(self, text: str) -> None:
        if rest := text.lstrip():
            self._pass(rest)

    def _pass(self, text: str) -> None:
        self._held, self._read = "", self._pass
        if text:
            self._receive(TextDelta(text))
