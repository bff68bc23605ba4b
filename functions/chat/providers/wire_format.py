"""JSON of a provider's API: writing request bodies and parsing responses."""

import json
from typing import Annotated, TypeVar, cast

from pydantic import AfterValidator, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticSerializationError
from pydantic_core import to_json as serialize

from flexchat.deferred_model import DeferredModel
from flexchat.messages import Json

MAX_TOKENS = 1_000_000_000
"""Maximum of one token count of a response; no model reads as many."""


def to_json(value: Json) -> bytes:
    """Return `value` as compact UTF-8 JSON; a lone surrogate, which no server accepts, becomes a question mark."""
    try:
        return serialize(value)
    except PydanticSerializationError:
        # A lone surrogate, or more levels than pydantic writes.
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")


class WireModel(DeferredModel):
    """Part of a response; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class CamelModel(WireModel):
    """Part of a response with names in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


def _object_or_empty(value: object) -> object:
    return cast("object", value) if isinstance(value, dict) else {}


T = TypeVar("T", bound=WireModel)
OrEmpty = Annotated[T, BeforeValidator(_object_or_empty)]
"""Part of a tool call; anything but an object is parsed as an empty one, so that the rest of the response is used."""

Tokens = Annotated[int, AfterValidator(lambda count: max(0, min(count, MAX_TOKENS)))]
"""Token count of a response, clamped to a valid range, since limits and costs are computed from it."""


def parse_response[T: WireModel](type: type[T], body: bytes) -> T:
    """Parse `body` as `type`. Raises ValueError with the first problem, without quoting the body."""
    try:
        return type.model_validate_json(body)
    except ValidationError as exc:
        problem = exc.errors(include_url=False, include_input=False, include_context=False)[0]
        path = ".".join(str(step) for step in problem["loc"])
        raise ValueError(f"{path}: {problem['msg']}" if path else problem["msg"]) from exc
