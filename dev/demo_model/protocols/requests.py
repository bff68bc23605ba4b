"""A request's body, parsed as strictly as its provider parses it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from dev.demo_model.conversation import OfferedTool, Parameter
from dev.demo_model.protocols.base import ProtocolError
from flexchat.messages import Json


class Lenient(BaseModel):
    """Part of a request to a provider that ignores what it does not know."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Closed(BaseModel):
    """Part of a request to a provider that refuses what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class BodyError:
    """The first thing in a body that does not fit: where, what would be right, and whether it is an unknown key."""

    path: tuple[str | int, ...]
    message: str
    unknown: bool

    @property
    def dotted(self) -> str:
        return ".".join(str(step) for step in self.path)


def parse[M: BaseModel](model: type[M], body: bytes, as_text: Callable[[BodyError], str]) -> M:
    """`body` as `model`; raises ProtocolError with what `as_text` makes of the first body_error."""
    try:
        return model.model_validate_json(body)
    except ValidationError as exc:
        problem = exc.errors(include_url=False, include_input=False, include_context=False)[0]
        body_error = BodyError(problem["loc"], problem["msg"], unknown=problem["type"] == "extra_forbidden")
        raise ProtocolError(as_text(body_error)) from exc


def dotted(body_error: BodyError) -> str:
    """`messages.0.role: what would be right`, as OpenAI and Anthropic say it."""
    return f"{body_error.dotted or 'body'}: {body_error.message}"


def offered_tool(name: str, schema: Mapping[str, Json], description: str | None) -> OfferedTool:
    """A tool whose parameters are described by a JSON Schema of type object."""
    properties, required = schema.get("properties"), schema.get("required")
    names = required if isinstance(required, list) else []
    schemas = properties if isinstance(properties, dict) else {}
    return OfferedTool(
        name,
        tuple(_parameter(name, described, required=name in names) for name, described in schemas.items()),
        description or "",
    )


def _parameter(name: str, schema: Json, *, required: bool) -> Parameter:
    described = schema if isinstance(schema, dict) else {}
    kind, choices = described.get("type"), described.get("enum")
    return Parameter(
        name,
        type=kind.lower() if isinstance(kind, str) else "string",
        choices=tuple(choice for choice in choices if isinstance(choice, str)) if isinstance(choices, list) else (),
        required=required,
    )
