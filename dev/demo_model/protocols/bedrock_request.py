"""Requests of Converse: the rules of the service beyond the shape, which botocore checks."""

from typing import Annotated, Literal, Self

from jsonschema import Draft202012Validator, SchemaError
from pydantic import ConfigDict, Field, model_validator
from pydantic import Json as JsonText
from pydantic.alias_generators import to_camel

from dev.demo_model.protocols.requests import Lenient
from flexchat.messages import Json

_ID = r"^[a-zA-Z0-9_.:-]{1,64}$"
_NAME = r"^[a-zA-Z0-9_-]{1,64}$"

type _Words = Annotated[str, Field(pattern=r"\S")]


class _Aws(Lenient):
    """JSON in AWS's camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


class ToolUse(_Aws):
    tool_use_id: Annotated[str, Field(pattern=_ID)]
    name: Annotated[str, Field(pattern=_NAME)]
    input: dict[str, Json]


class _ResultContent(_Aws):
    json_: Annotated[dict[str, Json] | None, Field(alias="json")] = None
    text: str | None = None


class ToolResult(_Aws):
    tool_use_id: Annotated[str, Field(pattern=_ID)]
    content: list[_ResultContent]
    status: Literal["success", "error"] = "success"


class ReasoningText(_Aws):
    text: str
    signature: str | None = None


class _ReasoningContent(_Aws):
    reasoning_text: ReasoningText | None = None


class ContentBlock(_Aws):
    text: _Words | None = None
    tool_use: ToolUse | None = None
    tool_result: ToolResult | None = None
    reasoning_content: _ReasoningContent | None = None


class TurnMessage(_Aws):
    role: Literal["user", "assistant"]
    content: Annotated[list[ContentBlock], Field(min_length=1)]

    @property
    def calls(self) -> list[ToolUse]:
        return [block.tool_use for block in self.content if block.tool_use is not None]

    @property
    def results(self) -> list[ToolResult]:
        return [block.tool_result for block in self.content if block.tool_result is not None]

    @property
    def reasoning(self) -> list[ReasoningText]:
        blocks = [block.reasoning_content for block in self.content if block.reasoning_content is not None]
        return [block.reasoning_text for block in blocks if block.reasoning_text is not None]

    @property
    def text(self) -> str:
        return "".join(block.text or "" for block in self.content)


class _InputSchema(_Aws):
    json_: Annotated[dict[str, Json], Field(alias="json")]


class ToolSpec(_Aws):
    name: Annotated[str, Field(pattern=_NAME)]
    description: Annotated[str, Field(min_length=1)] | None = None
    input_schema: _InputSchema

    @property
    def schema_(self) -> dict[str, Json]:
        return self.input_schema.json_

    @model_validator(mode="after")
    def _schema_is_one_it_takes(self) -> Self:
        if self.schema_.get("type") != "object":
            raise ValueError("inputSchema.json.type must be one of the following: object.")
        try:
            Draft202012Validator.check_schema(self.schema_)
        except SchemaError as exc:
            raise ValueError("The JSON schema is invalid. It must match JSON Schema draft 2020-12.") from exc
        return self


class CachePoint(_Aws):
    type: Literal["default"]


class _Tool(_Aws):
    """Tool, or a mark for the prompt cache."""

    tool_spec: ToolSpec | None = None
    cache_point: CachePoint | None = None

    @model_validator(mode="after")
    def _is_one_of_them(self) -> Self:
        if (self.tool_spec is None) == (self.cache_point is None):
            raise ValueError("toolSpec or cachePoint must be set, and not both")
        return self


class _ToolConfig(_Aws):
    tools: Annotated[list[_Tool], Field(min_length=1)]


class _InferenceConfig(_Aws):
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: Annotated[float, Field(ge=0, le=1)] | None = None


class _SystemBlock(_Aws):
    """Text, or a mark for the prompt cache."""

    text: _Words | None = None
    cache_point: CachePoint | None = None

    @model_validator(mode="after")
    def _is_one_of_them(self) -> Self:
        if (self.text is None) == (self.cache_point is None):
            raise ValueError("text or cachePoint must be set, and not both")
        return self


class _JsonSchema(_Aws):
    schema_: Annotated[JsonText[dict[str, Json]], Field(alias="schema")]


class _Structure(_Aws):
    json_schema: _JsonSchema


class _TextFormat(_Aws):
    type: Literal["json_schema"]
    structure: _Structure


class _OutputConfig(_Aws):
    text_format: _TextFormat | None = None


class ConverseRequest(_Aws):
    messages: Annotated[list[TurnMessage], Field(min_length=1)]
    system: list[_SystemBlock] = Field(default_factory=list[_SystemBlock])
    tool_config: _ToolConfig | None = None
    inference_config: _InferenceConfig = _InferenceConfig()
    output_config: _OutputConfig = _OutputConfig()

    @property
    def form(self) -> dict[str, Json] | None:
        """Return the JSON Schema of the answer; None for a text."""
        wanted = self.output_config.text_format
        return None if wanted is None else wanted.structure.json_schema.schema_

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        tools = self.tool_config.tools if self.tool_config else ()
        return tuple(tool.tool_spec for tool in tools if tool.tool_spec is not None)

    @property
    def system_text(self) -> str:
        return "\n".join(block.text for block in self.system if block.text is not None)
