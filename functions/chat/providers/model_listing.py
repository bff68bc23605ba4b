"""What a provider says about its models, whatever its wire."""

import re
from dataclasses import dataclass

_OTHER_TRADE = re.compile(
    r"embed|whisper|transcri|tts|speech|audio|realtime|-live|dall-e|imag(e|en)\b|sora|veo|moderation|rerank|guard"
    r"|davinci|babbage|-instruct-\d{4}|gpt-3\.5-turbo-instruct|deep-research|computer-use|robotics|\baqa\b",
    re.I,
)
"""Names of models that do something else than answer a chat; no list tells them apart."""


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model as its provider lists it; `None` is what the provider does not say. `context_window` is in tokens."""

    name: str
    tools: bool | None = None
    reasoning: bool | None = None
    vision: bool | None = None
    context_window: int | None = None


def chats(name: str) -> bool:
    """Whether a model of this name answers chats, as far as its name tells."""
    return _OTHER_TRADE.search(name) is None
