"""Base model and field types of the configuration."""

from typing import Annotated, Any, cast

from pydantic import BeforeValidator, ConfigDict, Field

from flexchat.messages import Json
from flexchat.strict_numbers import StrictNumberModel

AWS_REGION_PATTERN = r"^[a-z]{2}(-[a-z]+)+-[0-9]{1,2}$"

ENTRY_NAME_PATTERN = r"^[a-zA-Z0-9_.-]{1,64}$"
"""Names of llms and services: each is part of a parameter's name, and `llm:model` splits on the colon."""

SUITE_NAME_PATTERN = r"^[a-z0-9][a-z0-9_.-]{0,63}$"
"""Names of suites of validation cases."""

MAX_ITERATIONS_CAP = 20
"""Maximum number of turns of the tool loop in a rule or a default (decision C18)."""


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
CallsPerTurn = Annotated[int, Field(ge=1, le=128, strict=True)]
ToolCalls = Annotated[int, Field(ge=1, le=1_000, strict=True)]
Milliseconds = Annotated[int, Field(ge=1, le=900_000, strict=True)]
Temperature = Annotated[float, Field(ge=0, le=2, strict=True)]
Distance = Annotated[float, Field(ge=0, le=2, strict=True)]
Count = Annotated[int, Field(ge=1, le=1_000_000_000_000, strict=True)]
Price = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False, strict=True)]
Headers = Annotated[
    dict[str, str],
    BeforeValidator(without_comment),
    Field(repr=False, json_schema_extra=allow_comment),
]
