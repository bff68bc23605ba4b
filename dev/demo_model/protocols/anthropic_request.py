"""Requests of `/v1/messages`; unknown keys are rejected, as by Anthropic."""

from typing import Annotated, Literal, Self

from jsonschema import Draft202012Validator, SchemaError
from pydantic import BeforeValidator, Field, model_validator

from dev.demo_model.protocols.requests import Closed
from flexchat.messages import Json
from flexchat.schema.shape import subschemas_of

_ID = r"^[a-zA-Z0-9_-]+$"


class _CacheControl(Closed):
    type: Literal["ephemeral"]
    ttl: str | None = None


class _Cacheable(Closed):
    cache_control: _CacheControl | None = None


class TextBlock(_Cacheable):
    type: Literal["text"]
    text: Annotated[str, Field(pattern=r"\S")]


class _Source(Closed):
    type: Literal["base64"]
    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]
    data: str


class ImageBlock(_Cacheable):
    type: Literal["image"]
    source: _Source


class DocumentBlock(_Cacheable):
    type: Literal["document"]
    source: _Source
    title: str | None = None


class ThinkingBlock(Closed):
    type: Literal["thinking"]
    thinking: str
    signature: str


class ToolUseBlock(_Cacheable):
    type: Literal["tool_use"]
    id: Annotated[str, Field(pattern=_ID)]
    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,128}$")]
    input: dict[str, Json]


def _as_blocks(content: object) -> object:
    """Return text as a text block; empty text as none."""
    if not isinstance(content, str):
        return content
    return [{"type": "text", "text": content}] if content else []


class ToolResultBlock(_Cacheable):
    type: Literal["tool_result"]
    tool_use_id: Annotated[str, Field(pattern=_ID)]
    content: Annotated[list[TextBlock | ImageBlock], BeforeValidator(_as_blocks)] = Field(
        default_factory=list[TextBlock | ImageBlock]
    )
    is_error: bool = False

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.content if isinstance(block, TextBlock))


type Block = Annotated[
    TextBlock | ImageBlock | DocumentBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock, Field(discriminator="type")
]


class TurnMessage(Closed):
    role: Literal["user", "assistant"]
    content: Annotated[list[Block], BeforeValidator(_as_blocks)]

    @model_validator(mode="after")
    def _blocks_fit_the_role(self) -> Self:
        if not self.content:
            raise ValueError("messages must have non-empty content")
        if self.role == "user" and any(isinstance(block, ToolUseBlock | ThinkingBlock) for block in self.content):
            raise ValueError("`tool_use` and `thinking` blocks can only be in `assistant` messages")
        if self.role == "assistant" and self.results:
            raise ValueError("`tool_result` blocks can only be in `user` messages")
        return self

    @property
    def calls(self) -> list[ToolUseBlock]:
        return [block for block in self.content if isinstance(block, ToolUseBlock)]

    @property
    def results(self) -> list[ToolResultBlock]:
        return [block for block in self.content if isinstance(block, ToolResultBlock)]

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.content if isinstance(block, TextBlock))


class ToolParam(_Cacheable):
    type: Literal["custom"] | None = None
    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,128}$")]
    description: str = ""
    input_schema: dict[str, Json]
    strict: bool | None = None

    @model_validator(mode="after")
    def _schema_is_one_it_takes(self) -> Self:
        if self.input_schema.get("type") != "object":
            raise ValueError("input_schema.type: Input should be 'object'")
        if not self.input_schema.keys().isdisjoint(("oneOf", "allOf", "anyOf")):
            raise ValueError("input_schema does not support oneOf, allOf, or anyOf at the top level")
        try:
            Draft202012Validator.check_schema(self.input_schema)
        except SchemaError as exc:
            raise ValueError("JSON schema is invalid. It must match JSON Schema draft 2020-12") from exc
        return self


class _ToolChoice(Closed):
    type: Literal["auto", "any", "tool", "none"]
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


class _Thinking(Closed):
    type: Literal["enabled", "disabled", "adaptive"]
    budget_tokens: Annotated[int, Field(ge=1024)] | None = None


class _OutputFormat(Closed):
    type: Literal["json_schema"]
    schema_: Annotated[dict[str, Json], Field(alias="schema")]

    @model_validator(mode="after")
    def _objects_are_closed(self) -> Self:
        for _, schema in subschemas_of(self.schema_):
            if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
                raise ValueError("For 'object' type, 'additionalProperties' must be explicitly set to false")
        return self


class _OutputConfig(Closed):
    effort: str | None = None
    format: _OutputFormat | None = None


class MessagesRequest(Closed):
    model: Annotated[str, Field(min_length=1)]
    max_tokens: Annotated[int, Field(ge=1)]
    messages: Annotated[list[TurnMessage], Field(min_length=1)]
    system: Annotated[list[TextBlock], BeforeValidator(_as_blocks)] = Field(default_factory=list[TextBlock])
    tools: list[ToolParam] = Field(default_factory=list[ToolParam])
    tool_choice: _ToolChoice | None = None
    temperature: Annotated[float, Field(ge=0, le=1)] | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop_sequences: list[str] | None = None
    thinking: _Thinking | None = None
    output_config: _OutputConfig | None = None
    metadata: dict[str, str] | None = None
    stream: bool = False

    @property
    def form(self) -> dict[str, Json] | None:
        """Return the JSON Schema of the answer; None for a text."""
        format_ = self.output_config.format if self.output_config is not None else None
        return None if format_ is None else format_.schema_

    @model_validator(mode="after")
    def _tools_are_told_apart(self) -> Self:
        names = [tool.name for tool in self.tools]
        if len(set(names)) != len(names):
            raise ValueError("tools: Tool names must be unique.")
        if self.tool_choice is not None and not self.tools:
            raise ValueError("tool_choice may only be specified while providing tools")
        return self
