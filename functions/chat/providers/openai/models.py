"""Models of OpenAI and compatible servers: `GET /models` and the format of tools."""

from typing import Any, Final, cast

from pydantic import AliasChoices, AliasPath, Field, model_validator

from flexchat.messages import Json
from functions.chat.providers.base import ListedModel, is_chat_model
from functions.chat.providers.wire_format import WireModel, parse_response
from functions.chat.tools.formats import ToolFormat, function_entry, strict_function_entry
from functions.chat.tools.schema_compiler.dialects import ALL_KEYWORDS, COMPOSITION, Dialect

_OTHER_PURPOSES: Final = ("audio", "embedding", "image", "moderation", "rerank", "transcribe", "video")


class _Model(WireModel):
    """`supported_parameters` is from OpenRouter, `type` from Together, the capabilities are from Mistral.

    Servers differ in the name of the context window: Groq, OpenRouter and Together, vLLM, Mistral, llama.cpp.
    """

    id: str
    type: Json = None
    completion_chat: bool | None = Field(default=None, validation_alias=AliasPath("capabilities", "completion_chat"))
    supported_parameters: tuple[str, ...] | None = None
    function_calling: bool | None = Field(default=None, validation_alias=AliasPath("capabilities", "function_calling"))
    context_window: int | None = Field(
        default=None,
        validation_alias=AliasChoices(
            "context_window",
            "context_length",
            "max_model_len",
            "max_context_length",
            AliasPath("meta", "n_ctx"),
        ),
    )

    @property
    def answers_chats(self) -> bool:
        """False where the server, or the name of the model, names another purpose."""
        return self.completion_chat is not False and self.type not in _OTHER_PURPOSES and is_chat_model(self.id)

    def listed(self) -> ListedModel:
        supported = self.supported_parameters
        return ListedModel(
            name=self.id,
            tools=self.function_calling if supported is None else "tools" in supported,
            reasoning=None if supported is None else "reasoning" in supported,
            context_window=self.context_window,
        )


class _Models(WireModel):
    """List in `data`, or without an object around it as of Together."""

    data: tuple[_Model, ...]

    @model_validator(mode="before")
    @classmethod
    def _wrap_list(cls, value: Any) -> Any:
        return {"data": cast("list[Any]", value)} if isinstance(value, list) else value


def parse_models(body: bytes) -> tuple[ListedModel, ...]:
    """Return the models of a listing that answer chats. Raises ValueError."""
    return tuple(model.listed() for model in parse_response(_Models, body).data if model.answers_chats)


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
    with_strict=strict_function_entry,
)
