"""Structured answers: the native form of a provider, else a call of a tool whose arguments are the answer."""

import re
from collections.abc import Callable, Mapping
from copy import replace
from typing import Final, Literal, Self

from msgspec import Struct

from flexchat.config.providers import ProviderType
from flexchat.messages import Completion, Json, Message, Text, ToolCall
from flexchat.schema.finite import finite
from flexchat.schema.shape import DEFINITIONS
from functions.chat.providers.base import ChatOptions, Delta, NamedTool, OnDelta, ResponseFormat, TextDelta, ToolChoice
from functions.chat.providers.profiles import ModelProfile
from functions.chat.providers.wire_format import to_json
from functions.chat.tools.formats import tool_format
from functions.chat.tools.schema_compiler import compile_tool
from functions.chat.tools.schema_compiler.dialects import Dialect, Keywords
from functions.chat.tools.schema_compiler.traversal import rebuilt

type NativeForm = Callable[[ResponseFormat], ResponseFormat | None]
"""Returns a format as a provider's own parameter takes it; None for one that it does not."""

_NOT_IN_NAMES: Final = re.compile(r"[^a-zA-Z0-9_]")
_MAX_NAME_CHARACTERS: Final = 64
_TOOL_DESCRIPTION: Final = "Give your final answer by calling this tool. Its arguments are the whole answer."


_CLOSED_KEYWORDS: Final = Keywords(
    frozenset(("type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref"))
    | {*DEFINITIONS, "description", "title", "default", "format"}
)
CLOSED: Final = Dialect(label="structured output", top=_CLOSED_KEYWORDS, nested=_CLOSED_KEYWORDS)
"""Keywords of Claude's structured outputs, at Anthropic and in Bedrock; others are moved into descriptions.

https://platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations"
"""


def closed_form(form: ResponseFormat) -> ResponseFormat | None:
    """Return a format whose objects have no further properties, as Claude's structured outputs demand.

    There is none without a schema, and for objects with names that the schema does not list.
    """
    if form.schema is None:
        return None
    try:
        closed = _closed(dict(compiled_form(form, CLOSED).schema or {}))
    except _OpenObjectError:
        return None
    return replace(form, schema=closed)


class _OpenObjectError(Exception):
    """An object has properties that its schema does not list."""


def compiled_form(form: ResponseFormat, dialect: Dialect) -> ResponseFormat:
    """Return a format whose schema is in the `dialect` of a provider."""
    if form.schema is None:
        return form
    tool = _FormTool(name=form.name, description=form.description, parameters=_usable(form.schema))
    return replace(form, schema=compile_tool(tool, dialect, wire_name=form.name).parameters)


class _FormTool(Struct, frozen=True):
    """Tool whose arguments are an answer."""

    name: str
    description: str
    parameters: dict[str, Json]


def _usable(schema: Mapping[str, Json]) -> dict[str, Json]:
    """Return a schema that can be compiled for every provider; what is cut of it is checked in the answer."""
    return dict(finite({"type": "object", **schema})[0])


def _closed(schema: dict[str, Json]) -> dict[str, Json]:
    """Return a schema whose objects have no further properties. Raises _OpenObjectError where one is to have them."""
    own: dict[str, Json] = {}
    if _has_objects(schema):
        if not schema.get("properties") or schema.get("additionalProperties", False) is not False:
            raise _OpenObjectError
        own["additionalProperties"] = False
    below = {name: value for name, value in schema.items() if name != "additionalProperties"}
    return rebuilt(below, (), lambda sub, _: _closed(sub) if isinstance(sub, dict) else sub) | own


def _has_objects(schema: Mapping[str, Json]) -> bool:
    kind = schema.get("type")
    return kind == "object" or (isinstance(kind, list) and "object" in kind) or "properties" in schema


class FormedRequest(Struct, frozen=True):
    """Options of one request for a structured answer, and the tool that the answer is a call of, if any.

    `shows` is what of a stream is shown: a text in another form may still be replaced.
    """

    options: ChatOptions
    tool: str | None = None
    shows: Literal["all", "calls", "nothing"] = "all"

    @classmethod
    def of(cls, options: ChatOptions, profile: ModelProfile, provider: ProviderType, native: NativeForm) -> Self:
        """Return the request of a model: in the native form, by a forced tool, or without a form.

        Beside other tools, only the native form of a model that takes both is sent.
        """
        wanted = options.response_format
        if wanted is None:
            return cls(options)
        form = native(wanted) if _is_native(options, profile) else None
        if form is not None:
            return cls(replace(options, response_format=form))
        plain = replace(options, response_format=None)
        if options.tools:
            return cls(plain, shows="calls")
        if wanted.schema is None or not profile.tools or profile.text_tool_calls:
            return cls(plain, shows="nothing")
        name = _tool_name(wanted)
        own = tool_format(provider)
        tool = _FormTool(
            name=name, description=wanted.description or _TOOL_DESCRIPTION, parameters=_usable(wanted.schema)
        )
        tools = own.payload([own.entry(compile_tool(tool, own.dialect, wire_name=name))])
        return cls(replace(plain, tools=tools, tool_choice=NamedTool(name)), tool=name, shows="nothing")

    def receiver(self, on_delta: OnDelta | None) -> OnDelta | None:
        """Return the receiver of the deltas that are shown."""
        if on_delta is None or self.shows == "nothing":
            return None
        return on_delta if self.shows == "all" else _without_text(on_delta)

    def completion(self, completion: Completion) -> Completion:
        """Return a completion with the call of the form's tool as its text."""
        call = next((call for call in completion.message.tool_calls if call.name == self.tool), None)
        if call is None:
            return completion
        text = call.raw if call.arguments is None else to_json(dict(call.arguments)).decode()
        parts = tuple(part for part in completion.message.parts if not isinstance(part, ToolCall | Text))
        return replace(completion, message=Message("assistant", (*parts, Text(text))), finish_reason="stop")


def _is_native(options: ChatOptions, profile: ModelProfile) -> bool:
    if not (profile.supports("response_format") and profile.supports("response_schema")):
        return False
    return not options.tools or (profile.format_with_tools and profile.supports("response_format_with_tools"))


def _without_text(on_delta: OnDelta) -> OnDelta:
    def receive(delta: Delta) -> None:
        if not isinstance(delta, TextDelta):
            on_delta(delta)

    return receive


def requested_choice(options: ChatOptions) -> ToolChoice:
    """Return the choice of tools that a request may have: its own, or that of the tool of a form."""
    if options.tools:
        return options.tool_choice
    return "auto" if options.response_format is None else NamedTool(_tool_name(options.response_format))


def _tool_name(form: ResponseFormat) -> str:
    """Return a name that every provider accepts, Amazon Nova among them."""
    return _NOT_IN_NAMES.sub("_", form.name)[:_MAX_NAME_CHARACTERS] or "answer"
