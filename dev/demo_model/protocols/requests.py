"""Request bodies, parsed as strictly as the provider does."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from dev.demo_model.conversation import OfferedTool, Parameter
from dev.demo_model.protocols.base import ProtocolError
from flexchat.messages import Json

_STREAM_SETTING = re.compile(rb',?\s*"stream(?:_options)?"\s*:\s*(?:true|false|\{[^{}]*\})')


class Lenient(BaseModel):
    """Part of a request to a provider that ignores unknown keys."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Closed(BaseModel):
    """Part of a request to a provider that rejects unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class BodyError:
    """First error of a body: its location, the requirement, and whether it is an unknown key."""

    path: tuple[str | int, ...]
    message: str
    unknown: bool

    @property
    def dotted(self) -> str:
        return ".".join(str(step) for step in self.path)


def parse[M: BaseModel](model: type[M], body: bytes, as_text: Callable[[BodyError], str]) -> M:
    """Return `body` as `model`. Raises ProtocolError with the first error as text by `as_text`."""
    try:
        return model.model_validate_json(body)
    except ValidationError as exc:
        problem = exc.errors(include_url=False, include_input=False, include_context=False)[0]
        body_error = BodyError(problem["loc"], problem["msg"], unknown=problem["type"] == "extra_forbidden")
        raise ProtocolError(as_text(body_error)) from exc


def input_characters(body: bytes) -> int:
    """Return the length of a request without its settings of streams, which so has the same count of tokens."""
    return len(_STREAM_SETTING.sub(b"", body))


def dotted(body_error: BodyError) -> str:
    """Return `messages.0.role: <requirement>`, the format of OpenAI and Anthropic."""
    return f"{body_error.dotted or 'body'}: {body_error.message}"


def offered_tool(name: str, schema: Mapping[str, Json], description: str | None) -> OfferedTool:
    """Tool with parameters as a JSON Schema of type object."""
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
