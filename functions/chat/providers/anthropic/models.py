"""`GET /v1/models` of Anthropic: names only, all of models that chat and call tools."""

from functions.chat.providers.model_listing import ListedModel
from functions.chat.providers.response_parsing import Wire, read_answer

PATH = "/v1/models?limit=1000"
"""The most that one page may hold."""


class _Model(Wire):
    id: str
    max_input_tokens: int | None = None


class _Models(Wire):
    data: tuple[_Model, ...]


def read_models(body: bytes) -> tuple[ListedModel, ...]:
    """Every model. Raises ValueError."""
    return tuple(
        ListedModel(name=model.id, context_window=model.max_input_tokens or None)
        for model in read_answer(_Models, body).data
    )
