"""Parsing of the tool calls in a response to `ToolCall` (decisions C10, C11, C12)."""

import json
from collections.abc import Mapping, Sequence

from msgspec import Struct

from flexchat.json import JsonError, is_accepted, safe_loads
from flexchat.messages import UNNAMED_TOOL, Json, Message, ProviderState, ToolCall
from functions.chat.providers.wire_format import OrEmpty, WireModel

MAX_NAME_CHARACTERS = 200
"""Longer names are truncated. Tool names have at most 128 characters, so that a truncated one matches no tool."""


_ENCODER = json.JSONEncoder(ensure_ascii=False)


class WireCall(Struct, frozen=True):
    """Unvalidated tool call of a response.

    A valid call has a text `name` and a text `id` or none; `arguments` is JSON text, an object, or `None` when the
    response has none.
    """

    name: Json
    arguments: Json
    id: Json = None
    state: ProviderState | None = None


class _Function(WireModel):
    name: Json = None
    arguments: Json = None


class _FunctionCall(WireModel):
    id: Json = None
    function: OrEmpty[_Function] = _Function.model_construct()


type FunctionCalls = tuple[OrEmpty[_FunctionCall], ...]
"""Tool calls of a response in OpenAI's form, which Ollama shares."""


def wire_calls(calls: FunctionCalls | None) -> tuple[WireCall, ...]:
    """Return `calls` as unvalidated calls."""
    return tuple(WireCall(call.function.name, call.function.arguments, call.id) for call in calls or ())


def parse_tool_calls(calls: Sequence[WireCall], conversation: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return the calls of the next turn of `conversation`, each with an id that is unique in it.

    A missing or repeated id becomes `call_{iteration}_{index}`: `iteration` counts the turns with calls from 1,
    `index` the calls of the turn from 0.
    """
    if not calls:
        return ()
    earlier = [turn for message in conversation if message.role == "assistant" and (turn := message.tool_calls)]
    taken = {call.id for turn in earlier for call in turn}
    iteration = 1 + len(earlier)
    result: list[ToolCall] = []
    for index, call in enumerate(calls):
        sent = call.id if isinstance(call.id, str) else ""
        call_id = sent if sent and sent not in taken else _free_id(f"call_{iteration}_{index}", taken)
        taken.add(call_id)
        result.append(_parse(call, call_id))
    return tuple(result)


def _free_id(wanted: str, taken: set[str]) -> str:
    candidate, suffix = wanted, 2
    while candidate in taken:
        candidate, suffix = f"{wanted}_{suffix}", suffix + 1
    return candidate


def _parse(call: WireCall, call_id: str) -> ToolCall:
    """Parse one call. Without a name or an object it has `arguments=None` and a `problem` that describes the fault."""
    raw = call.arguments if isinstance(call.arguments, str) else _text_of(call.arguments)
    arguments: Mapping[str, Json] | None = None
    problem: str | None = None
    if not raw.strip():
        arguments = {}
    elif isinstance(call.arguments, dict) and is_accepted(raw):
        arguments = call.arguments
    else:
        try:
            value = safe_loads(raw)
        except JsonError as exc:
            problem = f"the arguments cannot be read: {exc}"
        else:
            if isinstance(value, dict):
                arguments = value
            else:
                problem = f"the arguments must be a JSON object, not {_kind(value)}"
    name = call_name(call.name)
    if name == UNNAMED_TOOL and call.name != name:
        arguments, problem = None, _name_problem(call.name)
    return ToolCall(id=call_id, name=name, arguments=arguments, raw=raw, problem=problem, state=call.state)


def call_name(name: Json) -> str:
    """Return the name that a call with `name` has in a completion."""
    text = name[:MAX_NAME_CHARACTERS] if isinstance(name, str) else ""
    return text if text.strip() else UNNAMED_TOOL


def _name_problem(name: Json) -> str:
    if name is None or isinstance(name, str):
        return "the call has no tool name"
    return f"the tool name must be a string, not {_kind(name)}"


def _text_of(value: Json) -> str:
    return "" if value is None else _ENCODER.encode(value)


def _kind(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case dict():
            return "an object"
