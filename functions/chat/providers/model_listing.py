"""Models as providers list them."""

import re

from msgspec import Struct

_NON_CHAT_MODEL = re.compile(
    r"embed|whisper|transcri|tts|speech|audio|realtime|-live|dall-e|imag(e|en)\b|sora|veo|moderation|rerank|guard"
    r"|davinci|babbage|-instruct-\d{4}|gpt-3\.5-turbo-instruct|deep-research|computer-use|robotics|\baqa\b",
    re.I,
)
"""Names of models for other purposes, which listings do not mark."""


class ListedModel(Struct, frozen=True):
    """Entry of a provider's list of models; `None` is unknown. `context_window` is in tokens."""

    name: str
    tools: bool | None = None
    reasoning: bool | None = None
    vision: bool | None = None
    context_window: int | None = None


def is_chat_model(name: str) -> bool:
    """Return true when a model of this name answers chats, as far as the name indicates it."""
    return _NON_CHAT_MODEL.search(name) is None
