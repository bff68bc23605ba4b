"""Registry of tools, with their definitions in the format of each provider."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from importlib import import_module

from msgspec import Struct

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDERS, ProviderType
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.schema import ArgumentChecker, check_schema
from functions.chat.tools.schema_compiler import CompiledTool, Dialect, SchemaLoss, compile_tool

type ProviderTools = Sequence[Mapping[str, Json]]

MAX_CHARACTERS = 64

_SAFE = re.compile(rf"[a-zA-Z_][a-zA-Z0-9_-]{{0,{MAX_CHARACTERS - 1}}}")
"""Names that every provider accepts: OpenAI and Bedrock refuse dots, Gemini a leading digit."""

_NOT_SAFE = re.compile(r"[^a-zA-Z0-9_-]")
_HASH_DIGITS = 8


class ToolFormat(Struct, frozen=True):
    """Format of one provider: its schema dialect, `entry` for one tool, and `payload` for the list of entries."""

    dialect: Dialect
    entry: Callable[[CompiledTool], dict[str, Json]]
    payload: Callable[[Sequence[dict[str, Json]]], ProviderTools] = list


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


class ToolRegistry:
    """Tool definitions by name, each with an argument checker.

    A registry is filled once per configuration and then only read, so that a tool is compiled for a provider once, when
    it is first offered.
    """

    def __init__(self) -> None:
        self._tools: dict[str, ToolDefinition] = {}
        self._checkers: dict[str, ArgumentChecker] = {}
        self._names: WireNames | None = None
        self._entries: dict[tuple[ProviderType, str], tuple[CompiledTool, dict[str, Json]]] = {}
        self._compiled: dict[tuple[ProviderType, frozenset[str] | None], CompiledTools] = {}

    def register(self, tool: ToolDefinition, *, replace: bool = False) -> None:
        """Add a tool.

        Raises ConfigError for an invalid schema or a name in use. With `replace`, for a dynamic source that registers
        its tool again, the earlier tool is overwritten with a warning (decision C01).
        """
        if tool.name in self._tools:
            if not replace:
                raise ConfigError((Problem(path=tool.name, message=f"Tool {tool.name} already registered"),))
            logger.warning("tool replaced", tool=tool.name)
        problems = check_schema(tool.parameters)
        if problems:
            raise ConfigError(tuple(Problem(path=f"{tool.name}.parameters", message=problem) for problem in problems))
        self._tools[tool.name] = tool
        self._checkers[tool.name] = ArgumentChecker(tool.parameters)
        self._names = None
        self._entries.clear()
        self._compiled.clear()

    def get(self, name: str) -> ToolDefinition | None:
        return self._tools.get(name)

    def has(self, name: str) -> bool:
        return name in self._tools

    def list(self) -> tuple[ToolDefinition, ...]:
        """Return every tool, in the order of registration."""
        return tuple(self._tools.values())

    def check_arguments(self, name: str, arguments: Mapping[str, Json]) -> dict[str, Json]:
        """Return the arguments with the schema's defaults. Raises ToolInputError with every problem."""
        return self._checkers[name].check(arguments)

    @property
    def names(self) -> WireNames:
        """Names of the registered tools in requests to providers."""
        if self._names is None:
            self._names = WireNames(self._tools)
        return self._names

    def to_provider_format(
        self, provider: ProviderType, allowed_tools: Sequence[str] | frozenset[str] | None = None
    ) -> ProviderTools:
        """Return the tools in the format of `provider`; `None` or an empty `allowed_tools` means all (decision C14).

        Raises ConfigError for an unknown provider.
        """
        return self.compiled(provider, allowed_tools).payload

    def compiled(
        self, provider: ProviderType, allowed_tools: Sequence[str] | frozenset[str] | None = None
    ) -> CompiledTools:
        """Return `to_provider_format` with the losses. Raises ConfigError for an unknown provider."""
        key = (provider, frozenset(allowed_tools) if allowed_tools else None)
        if key not in self._compiled:
            if provider not in PROVIDERS:
                raise ConfigError((Problem(path="llms", message=f"Unknown provider: {provider}"),))
            chosen = [self._entry(provider, tool) for tool in self._tools.values() if _is_in(tool.name, key[1])]
            self._compiled[key] = CompiledTools(
                payload=tool_format(provider).payload([entry for _, entry in chosen]),
                losses=tuple(loss for tool, _ in chosen for loss in tool.losses),
            )
            self._report(provider, self._compiled[key], tools=len(chosen))
        return self._compiled[key]

    def entries(self, provider: ProviderType, names: frozenset[str]) -> Sequence[dict[str, Json]]:
        """Return the entries of the tools `names` in the payload for `provider`, none for no names."""
        return [self._entry(provider, tool)[1] for tool in self._tools.values() if tool.name in names]

    def _entry(self, provider: ProviderType, tool: ToolDefinition) -> tuple[CompiledTool, dict[str, Json]]:
        key = (provider, tool.name)
        if key not in self._entries:
            wanted = tool_format(provider)
            compiled = compile_tool(tool, wanted.dialect, wire_name=self.names.wire_name(tool.name))
            self._entries[key] = compiled, wanted.entry(compiled)
        return self._entries[key]

    def _report(self, provider: ProviderType, compiled: CompiledTools, *, tools: int) -> None:
        actions = Counter(loss.action for loss in compiled.losses)
        logger.info(
            "tools compiled",
            provider=provider,
            tools=tools,
            dropped=actions["dropped"],
            rewritten=actions["rewritten"],
        )


def _is_in(name: str, allowed: frozenset[str] | None) -> bool:
    return allowed is None or name in allowed
