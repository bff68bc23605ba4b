"""Gemini's `GET models`: which of them generate content, how much they read, whether they think."""

from pydantic import Field

from functions.chat.providers.model_listing import ListedModel, chats
from functions.chat.providers.response_parsing import Wire, read_answer

PATH = "/v1beta/models?pageSize=1000"
"""The most that one page may hold."""


class _Model(Wire):
    """One entry was seen without its name; there is nothing to call it by."""

    name: str | None = None
    methods: tuple[str, ...] = Field(default=(), alias="supportedGenerationMethods")
    input_token_limit: int | None = Field(default=None, alias="inputTokenLimit")
    thinking: bool | None = None


class _Models(Wire):
    models: tuple[_Model, ...] = ()


def read_models(body: bytes) -> tuple[ListedModel, ...]:
    """The models that generate content, and text by their names. Raises ValueError."""
    return tuple(
        ListedModel(
            name=model.name.removeprefix("models/"), reasoning=model.thinking, context_window=model.input_token_limit
        )
        for model in read_answer(_Models, body).models
        if model.name and "generateContent" in model.methods and chats(model.name)
    )
