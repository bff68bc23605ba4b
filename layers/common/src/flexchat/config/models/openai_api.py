"""The `openai_api` section."""

from typing import Annotated

from pydantic import Field

from flexchat.config.models.base import ConfigModel

Names = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=256)], ...], Field(max_length=100)]


class OpenAiApiConfig(ConfigModel):
    """Models of the OpenAI-compatible API, beside `flexchat`, by which the response rules answer.

    Each name of `rules` is the model `flexchat/<rule>`. `models` are models of llms, as `llm:model`, that answer in
    place of the models of the rule. `embedding_model` is the `llm:model` of embeddings.
    """

    rules: Names = ()
    models: Names = ()
    embedding_model: Annotated[str, Field(min_length=1, max_length=256)] | None = None
