"""JSON of a provider's API: request bodies, responses, and values in the events of a stream."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Final, TypeVar, cast

from pydantic import AfterValidator, BeforeValidator, ConfigDict, SkipValidation, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticSerializationError, from_json
from pydantic_core import to_json as serialize

from flexchat.deferred_model import DeferredModel
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json, Message, Text

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


AnyJson = SkipValidation[Json]
"""Any JSON value of a response: the parser returns nothing else, so that it is not validated again."""

T = TypeVar("T", bound=WireModel)
OrEmpty = Annotated[T, BeforeValidator(_object_or_empty)]
"""Part of a tool call; anything but an object is parsed as an empty one, so that the rest of the response is used."""

Tokens = Annotated[int, AfterValidator(lambda count: max(0, min(count, MAX_TOKENS)))]
"""Token count of a response, clamped to a valid range, since limits and costs are computed from it."""


MAX_RESPONSE_ID: Final = 128


def response_id(value: Json) -> str | None:
    """Return the id of a response; None for a server that sends none, or anything but a text."""
    return value[:MAX_RESPONSE_ID] if isinstance(value, str) and value else None


def parse_response[T: WireModel](type: type[T], body: bytes) -> T:
    """Parse `body` as `type`. Raises ValueError with the first problem, without quoting the body."""
    try:
        return type.model_validate_json(body)
    except ValidationError as exc:
        problem = exc.errors(include_url=False, include_input=False, include_context=False)[0]
        path = ".".join(str(step) for step in problem["loc"])
        raise ValueError(f"{path}: {problem['msg']}" if path else problem["msg"]) from exc


NO_FIELDS: Final[Mapping[str, Json]] = {}


def patched(target: Mapping[str, Json], patch: Mapping[str, Json]) -> dict[str, Json]:
    """Return `target` with a JSON Merge Patch (RFC 7396) applied: objects are merged, null removes a member."""
    result = dict(target)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            inner = result.get(name)
            result[name] = patched(inner if isinstance(inner, dict) else {}, value)
        else:
            result[name] = value
    return result


def merged_patches(first: Mapping[str, Json], second: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return one patch with the effect of two, one after another."""
    if not (first and second):
        return second or first
    result = dict(first)
    for name, value in second.items():
        inner = result.get(name)
        if isinstance(inner, dict) and isinstance(value, dict):
            result[name] = dict(merged_patches(inner, value))
        else:
            result[name] = value
    return result


def joined_messages(messages: Iterable[Message]) -> list[Message]:
    """Return `messages` with consecutive ones of one role as one: many chat templates require alternating roles.

    An assistant's message without text and calls is left out. Results of tools are not joined.
    """
    joined: list[Message] = []
    for message in messages:
        if message.role == "assistant" and not (message.tool_calls or message.text.strip()):
            continue
        last = joined[-1] if joined else None
        if last is None or last.role != message.role or message.role == "tool":
            joined.append(message)
            continue
        separator = (Text("\n\n"),) if last.text and message.text else ()
        joined[-1] = Message(message.role, (*last.parts, *separator, *message.parts))
    return joined


type Tools = Sequence[Mapping[str, Json]]


def _as_they_are(tools: Tools) -> Json:
    return [dict(tool) for tool in tools]


class OfTools[T]:
    """Function of the tools of a request that stores its last result: most requests have the same tools, and many."""

    def __init__(self, compute: Callable[[Tools], T]) -> None:
        self._compute = compute
        self._last: tuple[Tools, T] | None = None

    def __call__(self, tools: Tools) -> T:
        last = self._last
        if last is None or last[0] is not tools:
            last = self._last = (tools, self._compute(tools))
        return last[1]


class RequestBodies:
    """Bodies of the requests of one adapter; `convert` returns the `tools` of a request."""

    def __init__(self, convert: Callable[[Tools], Json] = _as_they_are) -> None:
        self._tools = OfTools(lambda tools: to_json(convert(tools)))

    def encode(self, request: Mapping[str, Json], tools: Tools, extra_body: Mapping[str, Json] = NO_FIELDS) -> bytes:
        """Return a request, which has at least one member, with its tools as JSON; without tools it has no `tools`.

        `extra_body` is merged into it last.
        """
        body = to_json(patched(request, extra_body))
        if not tools:
            return body
        return body[:-1] + b',"tools":' + self._tools(tools) + b"}"


def parse_event(event: bytes) -> dict[str, Json]:
    """Parse an event in JSON. Raises ValueError, without quoting it, for anything but an object."""
    return an_object(cast("Json", from_json(event)), "event")


def an_object(value: Json, path: str) -> dict[str, Json]:
    """Return `value` at `path` of an event. Raises ValueError for anything but an object."""
    if isinstance(value, dict):
        return value
    raise ValueError(f"{path}: must be an object")


def a_list(value: Json, path: str) -> list[Json]:
    """Return `value`, an empty list for null. Raises ValueError for anything else but a list."""
    if value is None or isinstance(value, list):
        return value or []
    raise ValueError(f"{path}: must be a list")


def a_text(value: Json, path: str) -> str:
    """Return `value`, an empty text for null. Raises ValueError for anything else but a string."""
    if value is None or isinstance(value, str):
        return value or ""
    raise ValueError(f"{path}: must be a string")


def streamed_arguments(text: str, default: Json) -> Json:
    """Return the arguments of a tool call in JSON text, `default` for an empty one.

    Invalid JSON is returned as text: `parse_tool_calls` describes the fault.
    """
    if not text.strip():
        return default
    try:
        return safe_loads(text)
    except JsonError:
        return text
