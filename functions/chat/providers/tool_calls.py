"""Parsing of the tool calls in a response to `ToolCall` (decisions C10, C11, C12)."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import replace
from functools import lru_cache
from hashlib import sha256

from msgspec import Struct

from flexchat.json import JsonError, is_accepted, safe_loads
from flexchat.messages import (
    UNNAMED_TOOL,
    Attachment,
    Completion,
    Document,
    Image,
    Json,
    Message,
    Part,
    ProviderState,
    Text,
    ToolCall,
    ToolOutput,
)
from functions.chat.providers.wire_format import AnyJson, OrEmpty, WireModel

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
    name: AnyJson = None
    arguments: AnyJson = None


class _FunctionCall(WireModel):
    """`extra_content` is state of the model, such as a thought signature of Gemini's OpenAI-compatible API."""

    id: AnyJson = None
    function: OrEmpty[_Function] = _Function.model_construct()
    extra_content: AnyJson = None

    @property
    def state(self) -> ProviderState | None:
        content = self.extra_content
        return ProviderState("openai", {"extra_content": content}) if isinstance(content, dict) else None


type FunctionCalls = tuple[OrEmpty[_FunctionCall], ...]
"""Tool calls of a response in OpenAI's form, which Ollama shares."""


def wire_calls(calls: FunctionCalls | None) -> tuple[WireCall, ...]:
    """Return `calls` as unvalidated calls."""
    return tuple(WireCall(call.function.name, call.function.arguments, call.id, call.state) for call in calls or ())


def parse_tool_calls(calls: Sequence[WireCall], conversation: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return the calls of the next iteration of `conversation`, each with an id that is unique in it.

    A missing or repeated id becomes `call_{iteration}_{index}`: `iteration` counts the iterations with calls from 1,
    `index` the calls of the iteration from 0.
    """
    if not calls:
        return ()
    earlier = [made for message in conversation if message.role == "assistant" and (made := message.tool_calls)]
    taken = {call.id for made in earlier for call in made}
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


_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)


def with_text_calls(
    completion: Completion, conversation: Sequence[Message], tools: Sequence[Mapping[str, Json]]
) -> Completion:
    """Return `completion` with the calls of `tools` in its text as calls; unchanged when the provider reports calls.

    `tools` are in the format of any provider.
    """
    message = completion.message
    if message.tool_calls:
        return completion
    text, found = parse_text_calls(message.text, frozenset(_names([dict(tool) for tool in tools])))
    if not found:
        return completion
    others = (part for part in message.parts if not isinstance(part, Text))
    parts: tuple[Part, ...] = (*others, *((Text(text),) if text else ()), *parse_tool_calls(found, conversation))
    return replace(completion, message=Message("assistant", parts), finish_reason="tool_calls")


def _names(value: Json) -> Iterator[str]:
    """Yield the names of tools in any format: the outermost `name` of each object."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, dict):
        if isinstance(name := value.get("name"), str):
            yield name
        else:
            yield from _names([item for item in value.values() if isinstance(item, dict | list)])


def parse_text_calls(text: str, offered: Collection[str]) -> tuple[str, Sequence[WireCall]]:
    """Return `text` without its calls, and the calls in order.

    Invalid calls (broken JSON, a tool that is not offered) stay in the text.
    """
    calls: list[WireCall] = []

    def extract(tag: re.Match[str]) -> str:
        found = _calls(tag[1], offered)
        calls.extend(found)
        return "" if found else tag[0]

    remaining = _TAGGED.sub(extract, text)
    if calls:
        return remaining.strip(), calls
    found = _calls(_unfenced(text.strip()), offered)
    return ("", found) if found else (text, ())


def _unfenced(text: str) -> str:
    """Return the content of a text that is one code fence, without a language or of JSON; any other text unchanged."""
    opening, _, content = text.partition("\n")
    is_fenced = opening.rstrip() in ("```", "```json") and content.endswith("```")
    return content.removesuffix("```") if is_fenced else text


def _calls(text: str, offered: Collection[str]) -> Sequence[WireCall]:
    """Return every call of `text`, or none when one is invalid."""
    try:
        value = safe_loads(text.strip())
    except JsonError:
        return ()
    calls = [_call(item, offered) for item in (value if isinstance(value, list) else [value])]
    return [call for call in calls if call] if all(calls) else ()


def _call(value: Json, offered: Collection[str]) -> WireCall | None:
    """Return the call in `value`; Llama models write `parameters` instead of `arguments`."""
    if not isinstance(value, dict):
        return None
    name, arguments = value.get("name"), value.get("arguments", value.get("parameters"))
    if not isinstance(name, str) or name not in offered or not isinstance(arguments, dict):
        return None
    return WireCall(name=name, arguments=arguments)


MAX_WIRE_NAME_CHARACTERS = 64

NO_USER_MESSAGE = "(no user message)"
"""Text of the user message that comes first where a conversation begins with the assistant, which some APIs refuse."""

STORED_RESULTS = 256
"""Most parsed results of one environment: those of the last iterations of a long chat."""

STORED_NAMES = 1_024
"""Most names of tools of one environment: every request has those of all earlier calls."""

MAX_STORED_CHARACTERS = 8_192
"""Size of a result above which it is parsed for each request, so that stored results take little memory."""

_INVALID_NAME_CHARACTER = re.compile(r"[^a-zA-Z0-9_-]")

_MAX_EXACT_INTEGER = 2**53
"""Servers parse numbers as doubles, which hold every integer up to this one."""


@lru_cache(maxsize=STORED_NAMES)
def wire_name(name: str, *, invalid: re.Pattern[str] = _INVALID_NAME_CHARACTER) -> str:
    """Return `name` without the characters that a provider refuses in a history.

    A name that was never offered (`functions.get_weather`), or an empty one, would have the whole request refused.
    """
    safe = invalid.sub("_", name) or UNNAMED_TOOL
    return (safe if safe[0].isalpha() or safe[0] == "_" else f"_{safe}")[:MAX_WIRE_NAME_CHARACTERS]


def hashed_id(call_id: str) -> str:
    """Return an id that every provider accepts, for a call whose own is too long or has refused characters."""
    return f"call_{sha256(call_id.encode('utf-8', errors='replace')).hexdigest()[:32]}"


def object_arguments(call: ToolCall) -> dict[str, Json]:
    """Return the arguments of `call` as an object, for an API that accepts nothing else.

    Anything else that the model sent is returned under a name of its own, since the model needs it to correct the call.
    """
    if call.arguments is not None:
        return dict(call.arguments)
    return {"unreadable_arguments": call.raw} if call.raw.strip() else {}


def result_object(content: str, *, refused_names: frozenset[str] = frozenset()) -> dict[str, Json] | None:
    """Parse `content` as a JSON object; `None` when it is none, or cannot be sent as one without loss.

    An integer too large for a double would lose digits; a server refuses `refused_names` at every level. The object is
    shared by the requests of a chat, each of which sends all earlier results: it must not be changed.
    """
    parse = _parsed_result if len(content) <= MAX_STORED_CHARACTERS else _parsed_result.__wrapped__
    return parse(content, refused_names)


@lru_cache(maxsize=STORED_RESULTS)
def _parsed_result(content: str, refused_names: frozenset[str]) -> dict[str, Json] | None:
    try:
        value = safe_loads(content)
    except JsonError:
        return None
    return value if isinstance(value, dict) and not _has_loss(value, refused_names) else None


def _has_loss(value: Json, refused_names: frozenset[str]) -> bool:
    match value:
        case int():
            return abs(value) > _MAX_EXACT_INTEGER
        case dict():
            return not refused_names.isdisjoint(value) or any(_has_loss(item, refused_names) for item in value.values())
        case list():
            return any(_has_loss(item, refused_names) for item in value)
        case _:
            return False


def plain_parts(message: Message) -> Iterator[Text | Attachment]:
    """Yield the non-blank texts, pictures and files of `message`, with tool calls and results as text and without
    reasoning.

    For requests that offer no tools, where some APIs refuse calls and results in the history.
    """
    for part in message.parts:
        match part:
            case Text() if part.text.strip():
                yield part
            case Image() | Document():
                yield part
            case ToolCall():
                yield Text(f"(called {part.name} with {part.raw or '{}'})")
            case ToolOutput():
                yield Text(f"({part.name} {'failed' if part.is_error else 'answered'}: {part.content})")
                yield from part.images
            case _:
                continue
