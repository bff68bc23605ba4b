"""Models of Anthropic: `GET /v1/models`, which lists models with chat and tools only, and the built-in profiles."""

from typing import Final

from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.profiles import CLAUDE, Families
from functions.chat.providers.wire_format import WireModel, parse_response

FAMILIES: Final[Families] = CLAUDE

MODELS_PATH: Final = "/v1/models?limit=1000"
"""With the maximum of one page."""


class _Model(WireModel):
    id: str
    max_input_tokens: int | None = None


class _Models(WireModel):
    data: tuple[_Model, ...]


def parse_models(body: bytes) -> tuple[ListedModel, ...]:
    """Return every model of a listing. Raises ValueError."""
    return tuple(
        ListedModel(name=model.id, context_window=model.max_input_tokens or None)
        for model in parse_response(_Models, body).data
    )
