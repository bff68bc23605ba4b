"""Provider formats of tools (decision C02), and the names of tools in requests.

Each format is data of its provider's package. Providers accept fewer characters in names than the configuration.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from importlib import import_module

from msgspec import Struct

from flexchat.config.providers import ProviderType
from flexchat.messages import Json
from functions.chat.tools.schema_compiler import CompiledTool, Dialect, SchemaLoss

type ProviderTools = Sequence[Mapping[str, Json]]

MAX_CHARACTERS = 64

_SAFE = re.compile(rf"[a-zA-Z_][a-zA-Z0-9_-]{{0,{MAX_CHARACTERS - 1}}}")
"""Names that every provider accepts: OpenAI and Bedrock refuse dots, Gemini a leading digit."""

_NOT_SAFE = re.compile(r"[^a-zA-Z0-9_-]")
_HASH_DIGITS = 8


def _same_entry(entry: dict[str, Json], *, strict: bool) -> dict[str, Json]:  # noqa: ARG001
    return entry


class ToolFormat(Struct, frozen=True):
    """Format of one provider: its schema dialect, `entry` for one tool, and `payload` for the list of entries.

    `with_strict` adds the wish for arguments that always fit the schema, where the provider has it.
    """

    dialect: Dialect
    entry: Callable[[CompiledTool], dict[str, Json]]
    payload: Callable[[Sequence[dict[str, Json]]], ProviderTools] = list
    with_strict: "Callable[..., dict[str, Json]]" = _same_entry


class CompiledTools(Struct, frozen=True):
    """Tools in a provider's format, with the parts of their definitions that were lost."""

    payload: ProviderTools
    losses: tuple[SchemaLoss, ...]


def tool_format(provider: ProviderType) -> ToolFormat:
    """Return the `TOOL_FORMAT` of a provider's package."""
    return import_module(f"functions.chat.providers.{provider}.models").TOOL_FORMAT


def function_entry(tool: CompiledTool) -> dict[str, Json]:
    """Return a tool as OpenAI and the APIs that follow it define it."""
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }


def strict_function_entry(entry: dict[str, Json], *, strict: bool) -> dict[str, Json]:
    """Return the entry of `function_entry` with OpenAI's `strict`."""
    function = entry["function"]
    return {**entry, "function": {**function, "strict": strict}} if isinstance(function, dict) else entry


class WireNames:
    """One-to-one mapping between configured tool names and names in requests.

    A name that every provider accepts is unchanged. The mapping does not depend on the order of names.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._to_wire = _wire_names(frozenset(names))
        self._to_tool = {wire: name for name, wire in self._to_wire.items()}

    def wire_name(self, tool: str) -> str:
        """Return the name of a registered tool in requests."""
        return self._to_wire[tool]

    def tool_name(self, wire: str) -> str:
        """Return the configured name for `wire`; an unknown name is returned unchanged."""
        return self._to_tool.get(wire, wire)


def _wire_names(names: frozenset[str]) -> Mapping[str, str]:
    safe = {name: name for name in names if _SAFE.fullmatch(name)}
    readable = {name: _readable(name) for name in sorted(names - safe.keys())}
    wanted = Counter((*safe, *readable.values()))
    wire = safe | {name: text for name, text in readable.items() if wanted[text] == 1 and len(text) <= MAX_CHARACTERS}
    taken = {*wire.values()}
    for name in readable:
        if name not in wire:
            wire[name] = _hashed(name, taken)
            taken.add(wire[name])
    return wire


def _readable(name: str) -> str:
    replaced = _NOT_SAFE.sub("_", name)
    return replaced if replaced[:1].isalpha() or replaced.startswith("_") else f"_{replaced}"


def _hashed(name: str, taken: set[str]) -> str:
    """Return a name with the fewest digits of a hash that make it unique in `taken`."""
    digest = sha256(name.encode()).hexdigest()
    candidates = (
        f"{_readable(name)[: MAX_CHARACTERS - digits - 1]}_{digest[:digits]}"
        for digits in range(_HASH_DIGITS, len(digest))
    )
    return next(candidate for candidate in candidates if candidate not in taken)
