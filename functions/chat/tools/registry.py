"""Registry of tools, with their definitions in the format of each provider."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDERS, ProviderType
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.schema import ArgumentChecker, check_schema
from flexchat.tool_traits import traits_of
from flexchat.tool_types import EVERY_TRAIT, ToolTraits
from functions.chat.tools.formats import CompiledTools, ProviderTools, WireNames, tool_format
from functions.chat.tools.schema_compiler import CompiledTool, compile_tool


class ToolRegistry:
    """Tool definitions by name, each with an argument checker.

    A registry is filled once per configuration and then only read, so that a tool is compiled for a provider once, when
    it is first offered.
    """

    def __init__(self) -> None:
        self._tools: dict[str, ToolDefinition] = {}
        self._checkers: dict[str, ArgumentChecker] = {}
        self._traits: dict[str, ToolTraits] = {}
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
        self._traits.clear()
        self._entries.clear()
        self._compiled.clear()

    def get(self, name: str) -> ToolDefinition | None:
        return self._tools.get(name)

    def traits(self, name: str) -> ToolTraits:
        """Return the traits of a tool by its name, or by its name in requests; all of them for an unknown one."""
        if name not in self._traits:
            tool = self._tools.get(name) or self._tools.get(self.names.tool_name(name))
            if tool is None:
                return EVERY_TRAIT
            self._traits[name] = traits_of(tool)
        return self._traits[name]

    def all_traits(self) -> ToolTraits:
        """Return the traits that some tool has."""
        every = [self.traits(name) for name in self._tools]
        return ToolTraits(*(any(values) for values in zip(*every, strict=True))) if every else ToolTraits()

    def has(self, name: str) -> bool:
        return name in self._tools

    def list(self) -> tuple[ToolDefinition, ...]:
        """Return every tool, in the order of registration."""
        return tuple(self._tools.values())

    def check_arguments(self, name: str, arguments: Mapping[str, Json]) -> dict[str, Json]:
        """Return the arguments with the schema's defaults. Raises ToolInputError with every problem.

        Those of a discovered MCP tool, whose schema is the server's, get the server's names first (decision C45).
        """
        implementation = self._tools[name].implementation
        if implementation.get("type") == "mcp" and "parameters" in implementation:
            arguments = _server_names(name, arguments, implementation)
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
        """Return the tools in the format of `provider`: all without `allowed_tools`, none for an empty list (C14).

        Raises ConfigError for an unknown provider.
        """
        return self.compiled(provider, allowed_tools).payload

    def compiled(
        self, provider: ProviderType, allowed_tools: Sequence[str] | frozenset[str] | None = None
    ) -> CompiledTools:
        """Return `to_provider_format` with the losses. Raises ConfigError for an unknown provider."""
        key = (provider, None if allowed_tools is None else frozenset(allowed_tools))
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


def _server_names(name: str, arguments: Mapping[str, Json], implementation: Mapping[str, Json]) -> Mapping[str, Json]:
    from flexchat.mcp_arguments import needs_schema, renamed  # for chats with tools of MCP servers alone

    configured = cast("Mapping[str, str]", implementation.get("argument_names") or {})
    if not needs_schema(arguments, configured) and configured.keys().isdisjoint(arguments):
        return arguments
    schema = cast("Mapping[str, Json]", implementation["parameters"])
    return renamed(arguments, configured=configured, schema=schema, tool=name)


def _is_in(name: str, allowed: frozenset[str] | None) -> bool:
    return allowed is None or name in allowed
