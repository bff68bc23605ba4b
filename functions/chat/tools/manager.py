"""Tools of one configuration: registry, executor, limits and the tools offered to models."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec import Struct, field

from flexchat.config.access import Rights
from flexchat.config.models.tools import ResponseToolsConfig, ToolDefinition, ToolsConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import MONOTONIC, Clock
from flexchat.errors import ConfigError, RequestError
from flexchat.messages import Json, ToolCall
from flexchat.observability import logger
from flexchat.schema import check_schema
from flexchat.schema.finite import finite
from flexchat.schema.shape import shape_of
from flexchat.tool_traits import traits_of
from flexchat.tools import ToolFault
from functions.chat.tools.executor import ToolExecutor, ToolInvoker
from functions.chat.tools.formats import ProviderTools, ToolFormat, WireNames, tool_format
from functions.chat.tools.registry import ToolRegistry
from functions.chat.tools.results import ResultRendering
from functions.chat.tools.schema_compiler import compile_tool


class ClientTool(Struct, frozen=True, kw_only=True):
    """Function tool of a client, which runs its calls itself; `parameters` is the JSON Schema of its arguments.

    `strict` asks a provider that can for arguments that always fit the schema.
    """

    name: str
    description: str = ""
    parameters: dict[str, Json] = field(default_factory=lambda: dict[str, Json](type="object", properties={}))
    strict: bool | None = None

    def usable(self) -> "ClientTool":
        """Return the tool with a schema that can be compiled for every provider.

        Recursion and what else no compiled schema has is cut; of a schema that stays too large, the names and types of
        the parameters are left.
        """
        schema = dict(finite({"type": "object", **self.parameters})[0])
        if shape_of(schema).problems:
            properties = schema.get("properties")
            names = properties if isinstance(properties, dict) else {}
            schema = {"type": "object", "properties": {name: _outline(value) for name, value in names.items()}}
        return replace(self, parameters=schema)


def _outline(schema: Json) -> Json:
    kept = ("type", "description")
    return (
        {name: schema[name] for name in kept if isinstance(schema.get(name), str)} if isinstance(schema, dict) else {}
    )


class ClientTools:
    """Tools of the client of one chat, in the order of the request.

    A schema is sent as it is to a provider that takes it. Raises RequestError (400) for a name that is used twice, and
    for a schema that is not JSON Schema.
    """

    def __init__(self, tools: Sequence[ClientTool]) -> None:
        self._tools = tools
        self._names = WireNames(tool.name for tool in tools)
        self._payloads: dict[ProviderType, ProviderTools] = {}
        used: set[str] = set()
        for tool in tools:
            wire_name = self._names.wire_name(tool.name)
            if wire_name in used:
                raise _refused(f"the tool name '{tool.name}' is used twice; rename it")
            used.add(wire_name)
            if problems := check_schema(tool.usable().parameters):
                raise _refused(f"the parameters of the tool '{tool.name}' are invalid: {'; '.join(problems)}")
        self._wire_names = frozenset(used)

    def __contains__(self, wire_name: str) -> bool:
        """Return whether a name in requests is that of one of these tools."""
        return wire_name in self._wire_names

    def tool_name(self, wire_name: str) -> str:
        """Return the client's name of a tool."""
        return self._names.tool_name(wire_name)

    def wire_name(self, name: str) -> str | None:
        """Return the name in requests of the client's tool `name`; None for another tool."""
        return self._names.wire_name(name) if any(tool.name == name for tool in self._tools) else None

    def payload(self, provider: ProviderType, beside: Iterable[dict[str, Json]]) -> ProviderTools:
        """Return these tools after the entries `beside` of the service's tools, in the format of `provider`."""
        if provider not in self._payloads:
            wanted = tool_format(provider)
            own = (self._entry(tool, wanted) for tool in self._tools)
            self._payloads[provider] = wanted.payload([*beside, *own])
        return self._payloads[provider]

    def _entry(self, tool: ClientTool, wanted: ToolFormat) -> dict[str, Json]:
        as_it_is = wanted.dialect.takes(tool.parameters)
        entry = wanted.entry(
            compile_tool(
                tool if as_it_is else tool.usable(),
                wanted.dialect,
                wire_name=self._names.wire_name(tool.name),
                as_it_is=as_it_is,
            )
        )
        return entry if tool.strict is None else wanted.with_strict(entry, strict=tool.strict)


def _refused(message: str) -> RequestError:
    return RequestError(message, status=HTTPStatus.BAD_REQUEST, code="invalid_tools")


ALL_OF_SERVER: Final = "/*"
"""End of a name in `allowed_tools` that allows every tool of an MCP server."""


class LoopLimits(Struct, frozen=True):
    """Limits of one chat: model calls with tools, tool calls per iteration, tool calls in total."""

    iterations: int
    calls_per_iteration: int
    tool_calls: int


class OfferedTools(Struct, frozen=True):
    """Tools that one chat may call, with their limits; calls of the `repeatable` ones may repeat.

    `client` has the tools of the chat's client, whose calls the client runs.
    """

    names: frozenset[str]
    registry: ToolRegistry
    executor: ToolExecutor
    rendering: ResultRendering
    limits: LoopLimits
    repeatable: frozenset[str]
    client: ClientTools | None = None

    def to_provider_format(self, provider: ProviderType) -> ProviderTools:
        """Return the tools in the format of `provider`, the client's after the service's."""
        if self.client is None:
            return self.registry.to_provider_format(provider, self.names)
        return self.client.payload(provider, beside=self.registry.entries(provider, self.names))

    def is_client_call(self, call: ToolCall) -> bool:
        """Return whether a call, with the name in requests, is one of a client's tool."""
        return self.client is not None and call.name in self.client

    def wire_name(self, name: str) -> str | None:
        """Return the name in requests of an offered tool; None for another."""
        own = None if self.client is None else self.client.wire_name(name)
        return self.registry.names.wire_name(name) if own is None and name in self.names else own


class WithheldTool(NamedTuple):
    """A tool that no model is offered: the reason for an operator, and the result of a call nevertheless."""

    reason: str
    fault: ToolFault


class AvailableTools(NamedTuple):
    """Settings and definitions of all tools, and the names of those that are withheld; `server/*` for all of a server.

    `collections` are the names of the collections that tools may search, where `*` stands for any characters; None for
    every one. The registry of `config` has the tools of MCP servers after the configured ones.
    """

    config: ToolsConfig
    withheld: Mapping[str, WithheldTool] = MappingProxyType({})
    collections: tuple[str, ...] | None = None

    def usable(self, rights: Rights) -> "AvailableTools":
        """Return the tools that a caller with `rights` may use."""
        registry = tuple(tool for tool in self.config.registry if rights.may_use_tool(tool.name))
        return AvailableTools(
            self.config.model_copy(update={"registry": registry}),
            {name: tool for name, tool in self.withheld.items() if rights.may_use_tool(name)},
            None if rights.may_search_everything else rights.collections,
        )


class ToolManager:
    """Tools of one configuration, loaded when `tools.enabled`; an invalid tool is skipped alone.

    `withheld` are tools of MCP servers that cannot be offered, `collections` those that tools may search. `clock`
    limits the wait for tools.
    """

    def __init__(
        self,
        *,
        config: ToolsConfig,
        invoker: ToolInvoker,
        withheld: Mapping[str, WithheldTool] | None = None,
        collections: tuple[str, ...] | None = None,
        clock: Clock = MONOTONIC,
    ) -> None:
        self._config = config
        self._withheld = withheld or {}
        self._collections = collections
        self._invoker = invoker
        self._registry = ToolRegistry()
        self._executor = ToolExecutor(
            registry=self._registry,
            invoker=invoker,
            default_timeout_ms=config.default_timeout_ms,
            max_parallel=config.max_parallel,
            disabled_types=frozenset(config.disabled_types),
            withheld={name: tool.fault for name, tool in self._withheld.items()},
            collections=collections,
            injection_policy=config.injection_policy,
            clock=clock,
        )
        self._broken: dict[str, tuple[str, ...]] = {}
        if config.enabled:
            self._load_tools()
        tools = self._registry.list()
        self._usable = frozenset(tool.name for tool in tools if self._unavailable_reason(tool) is None)
        self._repeatable = frozenset(tool.name for tool in tools if tool.repeatable)
        self._rendering = ResultRendering(
            form=config.result_format,
            default_limit=config.max_result_size,
            limits={tool.name: tool.max_result_size for tool in tools if tool.max_result_size},
            marked=frozenset(tool.name for tool in tools if config.mark_untrusted and traits_of(tool).untrusted),
        )

    def _load_tools(self) -> None:
        for tool in self._config.registry:
            try:
                self._registry.register(tool)
            except ConfigError as error:
                problems = tuple(problem.message for problem in error.problems)
                self._broken[tool.name] = problems
                logger.error("tool not registered", tool=tool.name, problems=problems)
        logger.info("tools loaded", tools=len(self._registry.list()))

    @property
    def marks_untrusted(self) -> bool:
        """True if untrusted content is between tags for the model."""
        return self._config.mark_untrusted

    def returns_marked(self, names: Collection[str]) -> bool:
        """Return whether results of some of these tools are between tags."""
        return self._rendering.marks(names)

    @property
    def available(self) -> AvailableTools:
        """Tools that this manager was created with, for another manager with the same ones."""
        return AvailableTools(self._config, self._withheld, self._collections)

    def get_registry(self) -> ToolRegistry:
        return self._registry

    def get_executor(self) -> ToolExecutor:
        return self._executor

    def is_enabled(self) -> bool:
        return self._config.enabled

    def get_max_iterations(self) -> int:
        """Return the default number of model calls with tools in one chat; a rule may set its own."""
        return self._config.max_iterations

    def get_limits(self, rule: ResponseToolsConfig) -> LoopLimits:
        """Return the limits of a rule, with the defaults for those that it does not set."""
        return LoopLimits(
            iterations=rule.max_iterations or self.get_max_iterations(),
            calls_per_iteration=rule.max_calls_per_turn or self._config.max_calls_per_turn,
            tool_calls=rule.max_tool_calls or self._config.max_tool_calls,
        )

    def get_default_timeout(self) -> int:
        """Return the timeout in milliseconds of tools without their own."""
        return self._config.default_timeout_ms

    def offer(self, rule: ResponseToolsConfig | None, client: Sequence[ClientTool] = ()) -> OfferedTools | None:
        """Return the tools of a rule and those of a client; None when there are none.

        A tool of the client hides the service's own of the same name.

        Raises RequestError (400) for tools of the client that cannot be offered.
        """
        names = self._names_of(rule)
        if not (names or client):
            return None
        offered = OfferedTools(
            names,
            self._registry,
            self._executor,
            self._rendering,
            self.get_limits(rule or ResponseToolsConfig()),
            self._repeatable,
        )
        if not client:
            return offered
        tools = ClientTools(client)
        hidden = frozenset(name for name in names if self._registry.names.wire_name(name) in tools)
        return replace(offered, names=names - hidden, client=tools)

    def _names_of(self, rule: ResponseToolsConfig | None) -> frozenset[str]:
        if rule is None or not (self._config.enabled and rule.enabled):
            return frozenset()
        names = self.offered(rule.allowed_tools)
        if not names:
            logger.warning("no tools offered", allowed_tools=rule.allowed_tools)
        return names

    def offered(self, allowed_tools: Sequence[str] | None) -> frozenset[str]:
        """Return the names of tools that are registered, enabled, reachable and allowed.

        `None` allows every tool, an empty sequence none (decision C14), and `server/*` every tool of an MCP server.
        """
        if allowed_tools is None:
            return self._usable
        servers = tuple(name.removesuffix("*") for name in allowed_tools if name.endswith(ALL_OF_SERVER))
        named = self._usable.intersection(allowed_tools)
        return named.union(name for name in self._usable if name.startswith(servers)) if servers else named

    def withheld(self) -> dict[str, tuple[str, ...]]:
        """Return every known tool that no model is offered, with the reasons; `server/*` for all of an MCP server."""
        reasons = {tool.name: self._unavailable_reason(tool) for tool in self._registry.list()}
        servers = {name: (tool.reason,) for name, tool in self._withheld.items()} if self._config.enabled else {}
        return {name: (reason,) for name, reason in reasons.items() if reason} | self._broken | servers

    def _unavailable_reason(self, tool: ToolDefinition) -> str | None:
        kind = tool.implementation_type
        if not tool.enabled:
            return "disabled in the configuration"
        if kind in self._config.disabled_types:
            return f"tools of type {kind!r} are disabled in the configuration"
        if kind not in self._invoker.types:
            return f"no function runs tools of type {kind!r} in this deployment"
        return None
