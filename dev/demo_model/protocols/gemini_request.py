"""Requests of `generateContent`; unknown names are rejected, as by Google's parser."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from dev.demo_model.protocols.requests import Closed
from flexchat.messages import Json

_NAME = r"^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$"


class _Google(Closed):
    """JSON of a protobuf message: names in camel case or snake case."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class _Blob(_Google):
    mime_type: Literal["image/png", "image/jpeg", "image/webp", "application/pdf"]
    data: str


class _ResponsePart(_Google):
    inline_data: _Blob


class FunctionCall(_Google):
    name: str
    args: dict[str, Json] = Field(default_factory=dict[str, Json])
    id: str | None = None


class FunctionResponse(_Google):
    name: str
    response: dict[str, Json]
    id: str | None = None
    parts: list[_ResponsePart] = Field(default_factory=list[_ResponsePart])

    @model_validator(mode="after")
    def _has_no_references(self) -> Self:
        if _holds_reference(self.response):
            raise ValueError("a response may not hold the keys '$ref' and '$defs'")
        return self


class _Part(_Google):
    text: str | None = None
    thought: bool | None = None
    thought_signature: str | None = None
    function_call: FunctionCall | None = None
    function_response: FunctionResponse | None = None
    inline_data: _Blob | None = None

    @model_validator(mode="after")
    def _has_one_kind_of_data(self) -> Self:
        kinds = (self.text, self.function_call, self.function_response, self.inline_data)
        if sum(kind is not None for kind in kinds) != 1:
            raise ValueError("required oneof field 'data' must have one initialized field")
        return self


class Content(_Google):
    role: Literal["user", "model"] = "user"
    parts: Annotated[list[_Part], Field(min_length=1)]

    @model_validator(mode="after")
    def _parts_fit_the_role(self) -> Self:
        if (self.role == "user" and self.calls) or (self.role == "model" and self.responses):
            raise ValueError("function calls are the role 'model''s, function responses the role 'user''s")
        return self

    @property
    def calls(self) -> list[FunctionCall]:
        return [part.function_call for part in self.parts if part.function_call is not None]

    @property
    def responses(self) -> list[FunctionResponse]:
        return [part.function_response for part in self.parts if part.function_response is not None]

    @property
    def text(self) -> str:
        return "".join(part.text or "" for part in self.parts)

    @property
    def says_something(self) -> bool:
        """Return true for a text of the user."""
        return self.role == "user" and any(part.text is not None or part.inline_data is not None for part in self.parts)


class _SystemPart(_Google):
    text: str


class _SystemInstruction(_Google):
    role: str | None = None
    parts: Annotated[list[_SystemPart], Field(min_length=1)]


class _Schema(_Google):
    """Subset of OpenAPI in the older field `parameters`."""

    type: Annotated[str, Field(pattern=r"(?i)^(string|number|integer|boolean|array|object|null)$")]
    format: str | None = None
    title: str | None = None
    description: str | None = None
    nullable: bool | None = None
    enum: list[str] | None = None
    items: "_Schema | None" = None
    properties: dict[str, "_Schema"] | None = None
    required: list[str] | None = None
    property_ordering: list[str] | None = None
    any_of: list["_Schema"] | None = None
    min_items: int | str | None = None
    max_items: int | str | None = None
    min_length: int | str | None = None
    max_length: int | str | None = None
    min_properties: int | str | None = None
    max_properties: int | str | None = None
    minimum: float | None = None
    maximum: float | None = None
    pattern: str | None = None
    example: Json = None
    default: Json = None


class FunctionDeclaration(_Google):
    name: Annotated[str, Field(pattern=_NAME)]
    description: str
    parameters: _Schema | None = None
    parameters_json_schema: dict[str, Json] | None = None

    @model_validator(mode="after")
    def _has_one_schema(self) -> Self:
        if self.parameters is not None and self.parameters_json_schema is not None:
            raise ValueError("parameters and parametersJsonSchema cannot both be set")
        return self

    @property
    def json_schema(self) -> Mapping[str, Json]:
        if self.parameters is not None:
            return self.parameters.model_dump(exclude_none=True)
        return self.parameters_json_schema or {}


class _Tool(_Google):
    function_declarations: list[FunctionDeclaration]


class _FunctionCallingConfig(_Google):
    mode: Literal["AUTO", "ANY", "NONE", "VALIDATED"] = "AUTO"
    allowed_function_names: list[str] | None = None


class _ToolConfig(_Google):
    function_calling_config: _FunctionCallingConfig


class _ThinkingConfig(_Google):
    include_thoughts: bool | None = None
    thinking_budget: int | None = None
    thinking_level: str | None = None


class _GenerationConfig(_Google):
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None
    candidate_count: Literal[1] | None = None
    stop_sequences: list[str] | None = None
    thinking_config: _ThinkingConfig | None = None
    response_mime_type: Literal["text/plain", "application/json"] = "text/plain"
    response_json_schema: dict[str, Json] | None = None

    @model_validator(mode="after")
    def _schema_is_for_json(self) -> Self:
        if self.response_json_schema is not None and self.response_mime_type != "application/json":
            raise ValueError("response_json_schema requires the response MIME type application/json")
        return self

    @property
    def form(self) -> dict[str, Json] | None:
        """Return the JSON Schema of the answer, empty for any object; None for a text."""
        return (self.response_json_schema or {}) if self.response_mime_type == "application/json" else None


class _SafetySetting(_Google):
    category: str
    threshold: str


class GenerateRequest(_Google):
    contents: Annotated[list[Content], Field(min_length=1)]
    system_instruction: _SystemInstruction | None = None
    tools: list[_Tool] = Field(default_factory=list[_Tool])
    tool_config: _ToolConfig | None = None
    generation_config: _GenerationConfig | None = None
    safety_settings: list[_SafetySetting] | None = None

    @model_validator(mode="after")
    def _names_each_function_once(self) -> Self:
        names = [declaration.name for declaration in self.declarations]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"Duplicate function declaration found: {twice[0]}")
        return self

    @property
    def declarations(self) -> tuple[FunctionDeclaration, ...]:
        return tuple(declaration for tool in self.tools for declaration in tool.function_declarations)

    @property
    def tool_choice(self) -> str:
        return self.tool_config.function_calling_config.mode if self.tool_config else "AUTO"


def _holds_reference(value: Json) -> bool:
    match value:
        case dict():
            return not value.keys().isdisjoint(("$ref", "$defs")) or any(map(_holds_reference, value.values()))
        case list():
            return any(map(_holds_reference, value))
        case _:
            return False
