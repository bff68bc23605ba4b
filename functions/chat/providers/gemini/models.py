"""Models of Gemini: `GET /v1beta/models` and the built-in profiles."""

import re
from typing import Final

from pydantic import Field

from functions.chat.providers.model_listing import ListedModel, is_chat_model
from functions.chat.providers.profiles import NO_TOOLS_NO_SYSTEM, Families, ModelProfile
from functions.chat.providers.wire_format import WireModel, parse_response

FAMILIES: Final[Families] = (
    (re.compile(r"^gemma-3"), NO_TOOLS_NO_SYSTEM),
    (re.compile(r"^gemini-(2\.5|[3-9])"), ModelProfile(reasoning=True)),
)

MODELS_PATH: Final = "/v1beta/models?pageSize=1000"
"""With the maximum of one page."""


class _Model(WireModel):
    """Entries without a name exist and are ignored."""

    name: str | None = None
    methods: tuple[str, ...] = Field(default=(), alias="supportedGenerationMethods")
    input_token_limit: int | None = Field(default=None, alias="inputTokenLimit")
    thinking: bool | None = None


class _Models(WireModel):
    models: tuple[_Model, ...] = ()


def parse_models(body: bytes) -> tuple[ListedModel, ...]:
    """Return the models of a listing that generate content, and text by their names. Raises ValueError."""
    return tuple(
        ListedModel(
            name=model.name.removeprefix("models/"), reasoning=model.thinking, context_window=model.input_token_limit
        )
        for model in parse_response(_Models, body).models
        if model.name and "generateContent" in model.methods and is_chat_model(model.name)
    )
