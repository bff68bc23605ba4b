"""Base model and field types of the configuration."""

from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, cast

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field
from pydantic_core import core_schema

from flexchat.json import StrictNumberModel
from flexchat.messages import Json

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
    from pydantic.json_schema import JsonSchemaValue


AWS_REGION_PATTERN = r"^[a-z]{2}(-[a-z]+)+-[0-9]{1,2}$"

ENTRY_NAME_PATTERN = r"^[a-zA-Z0-9_.-]{1,64}$"
"""Names of llms and services: each is part of a parameter's name, and `llm:model` splits on the colon."""

SUITE_NAME_PATTERN = r"^[a-z0-9][a-z0-9_.-]{0,63}$"
"""Names of suites of validation cases."""

MAX_ITERATIONS_CAP = 20
"""Maximum number of iterations of the tool loop in a rule or a default (decision C18)."""


class ConfigModel(StrictNumberModel):
    """Frozen base model that rejects unknown keys and ignores a `comment`.

    An error never contains the rejected value, which may be an API key.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    comment: Annotated[Json, Field(exclude=True, repr=False)] = None


def without_comment(value: object) -> object:
    """Return a mapping of names to entries without its `comment`, which is no entry."""
    if not isinstance(value, dict):
        return value
    mapping = cast("dict[str, object]", value)
    return {name: entry for name, entry in mapping.items() if name != "comment"}


def allow_comment(schema: dict[str, Any]) -> None:
    """Allow a `comment` in the JSON Schema of a mapping of names to entries."""
    schema["properties"] = {"comment": True}


Flag = Annotated[bool, Field(strict=True)]
Iterations = Annotated[int, Field(ge=1, le=MAX_ITERATIONS_CAP, strict=True)]
CallsPerIteration = Annotated[int, Field(ge=1, le=128, strict=True)]
ToolCalls = Annotated[int, Field(ge=1, le=1_000, strict=True)]
Milliseconds = Annotated[int, Field(ge=1, le=900_000, strict=True)]
Temperature = Annotated[float, Field(ge=0, le=2, strict=True)]
Distance = Annotated[float, Field(ge=0, le=2, strict=True)]
Count = Annotated[int, Field(ge=1, le=1_000_000_000_000, strict=True)]
Price = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False, strict=True)]
Usd = Annotated[float, Field(ge=0.000_001, le=1_000_000_000, allow_inf_nan=False, strict=True)]
"""Amount of money in US dollars, of a millionth at least."""

Headers = Annotated[
    dict[str, str],
    BeforeValidator(without_comment),
    Field(repr=False, json_schema_extra=allow_comment),
]


_RESERVED_FIELDS: Final = {
    "model": "name the model in `model` of the rule",
    "modelId": "name the model in `model` of the rule",
    "messages": "the conversation is sent; write instructions into `prompt` of the rule",
    "contents": "the conversation is sent; write instructions into `prompt` of the rule",
    "tools": "name the tools in `tools.allowed_tools` of the rule",
    "toolConfig.tools": "name the tools in `tools.allowed_tools` of the rule",
    "stream": "a client asks for a stream; list 'stream' or 'non_streaming' in `unsupported` of a profile",
}
"""Fields of a request that `extra_body` cannot replace, with the setting in their place."""


def _without_reserved_fields(body: dict[str, Json]) -> dict[str, Json]:
    """Return `body`. Raises ValueError for a field that the service itself sends."""
    inner = body.get("toolConfig")
    names = [*body, *(f"toolConfig.{name}" for name in (inner if isinstance(inner, dict) else ()))]
    for name in names:
        if name in _RESERVED_FIELDS:
            raise ValueError(f"{name!r} cannot be replaced: {_RESERVED_FIELDS[name]}")
    return body


ExtraBody = Annotated[dict[str, Json], AfterValidator(_without_reserved_fields)]
"""Fields that are merged into the body of a request, as a JSON Merge Patch (RFC 7396)."""

ReasoningEffort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


class LazySection(NamedTuple):
    """Annotation of a mapping.

    `SECTION` of `module` is the TypeAdapter that validates it, `ENTRY` the model of an entry. Models of a section that
    few deployments have would take several milliseconds of every cold start.
    """

    module: str

    @property
    def adapter(self) -> "TypeAdapter[Any]":
        return import_module(self.module).SECTION

    @property
    def annotation(self) -> object:
        return dict[str, import_module(self.module).ENTRY]

    def validate(self, value: object) -> object:
        """Return the entries by name. Raises ValidationError with the locations of its problems in the section."""
        entries = without_comment(value)
        return {} if entries == {} else self.adapter.validate_python(entries)

    def __get_pydantic_core_schema__(self, _source: object, _handler: "GetCoreSchemaHandler") -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.validate)

    def __get_pydantic_json_schema__(
        self, _schema: core_schema.CoreSchema, handler: "GetJsonSchemaHandler"
    ) -> "JsonSchemaValue":
        return handler(self.adapter.core_schema)
