"""Models of OpenAI and compatible servers: `GET /models` and the format of tools."""

from typing import Final

from pydantic import AliasChoices, Field

from functions.chat.providers.base import ListedModel, is_chat_model
from functions.chat.providers.wire_format import WireModel, parse_response
from functions.chat.tools.formats import ToolFormat, function_entry
from functions.chat.tools.schema_compiler.dialects import ALL_KEYWORDS, COMPOSITION, Dialect


class _Model(WireModel):
    """`supported_parameters` is from OpenRouter; servers differ in the name of the context window."""

    id: str
    supported_parameters: tuple[str, ...] | None = None
    context_window: int | None = Field(
        default=None, validation_alias=AliasChoices("context_window", "context_length", "max_model_len")
    )

    def listed(self) -> ListedModel:
        supported = self.supported_parameters
        return ListedModel(
            name=self.id,
            tools=None if supported is None else "tools" in supported,
            reasoning=None if supported is None else "reasoning" in supported,
            context_window=self.context_window,
        )


class _Models(WireModel):
    data: tuple[_Model, ...]


def parse_models(body: bytes) -> tuple[ListedModel, ...]:
    """Return the models of a listing that answer chats, by their names. Raises ValueError."""
    return tuple(model.listed() for model in parse_response(_Models, body).data if is_chat_model(model.id))


TOOL_FORMAT: Final = ToolFormat(
    # "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level";
    # "array schema missing items"; "string too long. Expected a string with maximum length 1024" (its error messages).
    Dialect(
        label="OpenAI",
        top=ALL_KEYWORDS.without(*COMPOSITION, "enum", "const", "not"),
        nested=ALL_KEYWORDS,
        bare_arrays=False,
        description_limit=1024,
    ),
    entry=function_entry,
)
