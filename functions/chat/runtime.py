"""Current configuration with its tools and models, built once per catalog."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from flexchat.config.access import USER_RIGHTS, Principal, Rights, rights_of, usable_catalog
from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ConfigError, Problem
from flexchat.observability import logger
from functions.chat.generation.checks import MAX_CHECKED_CHARACTERS, TextChecks
from functions.chat.generation.events import Emit
from functions.chat.guardrails.base import CreateGuardrail, NamedGuardrail, TextSource
from functions.chat.guardrails.factory import create_guardrail as public_guardrail
from functions.chat.providers.base import Provider
from functions.chat.providers.discovery import Discovery
from functions.chat.providers.fallback import Candidate, Candidates, models_of
from functions.chat.providers.profiles import model_profile
from functions.chat.tools.executor import ToolInvoker
from functions.chat.tools.manager import AvailableTools, ToolManager
from functions.chat.validated_models import ReadTallies, StatusCache, no_tallies, validated_candidates

if TYPE_CHECKING:
    from flexchat.config.models.mcp_servers import McpServerConfig
    from functions.chat.tools.discovered.listings import Listed

READ_SECONDS: Final = 5.0
"""Time to read the configuration for work with its own later deadline."""

CreateProvider = Callable[[str, LlmConfig], Provider]

ReadCatalog = Callable[[Deadline], Catalog]
"""Reads the current catalog before a deadline. Raises ConfigError or UnavailableError when there is none."""


type ReadListed = Callable[[Mapping[str, McpServerConfig], Deadline], Listed]
"""Returns the listings of MCP servers without waiting for any server."""


class Runtime(Struct, frozen=True):
    """One catalog with its tools, models and validation statuses. Its configuration contains resolved secrets.

    `tool_names` are the names of the configured tools, and of those of MCP servers. `rights` has the names that
    the callers may use to whom this configuration was reduced; all of them for the whole one.
    """

    catalog: Catalog
    tools: ToolManager
    statuses: StatusCache
    tool_names: frozenset[str]
    _provider: Callable[[Catalog, str], Provider]
    _guardrail: Callable[[Catalog, str], NamedGuardrail]
    rights: Rights = USER_RIGHTS
    _made: dict[tuple[str, str], Candidate] = field(default_factory=dict[tuple[str, str], Candidate])

    def candidates(self, rule: ResponseRule, deadline: Deadline, model: ModelName | None = None) -> Candidates:
        """Return the models that may answer by `rule`; `model` takes the place of the rule's models.

        Raises ConfigError when the rule's own model is unusable or none is left. Validation statuses are read only for
        a rule with `require_validated`; raises UnavailableError when that fails.
        """
        names = models_of(rule, self.catalog.configuration.llms) if model is None else (model,)
        if rule.require_validated:
            demo = {name for name, llm in self.catalog.configuration.llms.items() if llm.demo}
            return validated_candidates(rule, names, self._candidate, self.statuses.read(deadline), demo=demo)
        return Candidates(names, self._candidate)

    def candidate(self, llm: str, model: str) -> Candidate:
        """Return a model of an llm. Raises ConfigError when it is unusable."""
        candidate = self._made.get((llm, model))
        if candidate is None:
            provider = self.provider(llm)
            config = self.catalog.configuration.llms[llm]
            candidate = Candidate(provider, model, model_profile(provider.type, model, config))
            self._made[llm, model] = candidate
        return candidate

    def provider(self, llm: str) -> Provider:
        """Return the provider of an llm. Raises ConfigError when it is unknown or unusable."""
        return self._provider(self.catalog, llm)

    def guardrail(self, name: str) -> NamedGuardrail:
        """Return a guardrail with its client. Raises ConfigError when it is unknown or unusable."""
        return self._guardrail(self.catalog, name)

    def checks(
        self,
        names: Iterable[str],
        *,
        source: TextSource,
        deadline: Deadline,
        emit: Emit,
        chunk_characters: int = MAX_CHECKED_CHARACTERS,
    ) -> TextChecks:
        """Return the checks of the guardrails `names`. Raises ConfigError when one is unknown or unusable."""
        guardrails = tuple(map(self.guardrail, names))
        return TextChecks(
            guardrails=guardrails, source=source, deadline=deadline, emit=emit, chunk_characters=chunk_characters
        )

    def _candidate(self, name: ModelName) -> Candidate:
        return self.candidate(name.llm, name.model)


class RuntimeCache:
    """Runtime of the current catalog; a provider keeps its connections until its configuration entry changes.

    `listed` returns the listings of MCP servers; without it, no tool of theirs is known.
    """

    def __init__(
        self,
        *,
        catalog: ReadCatalog,
        invoker: ToolInvoker,
        create_provider: CreateProvider,
        create_guardrail: CreateGuardrail = public_guardrail,
        tallies: ReadTallies = no_tallies,
        listed: ReadListed | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._read = catalog
        self._read_listed = listed
        self._invoker = invoker
        self._create_provider = create_provider
        self._create_guardrail = create_guardrail
        self._clock = clock
        self._runtime: Runtime | None = None
        self._usable: dict[Rights, Runtime] = {}
        self._listed: Listed | None = None
        self._providers: dict[str, tuple[LlmConfig, Provider]] = {}
        self._guardrails: dict[str, NamedGuardrail] = {}
        self._statuses = StatusCache(tallies, clock=clock)
        self.discovery = Discovery(clock=clock)

    def current(self, deadline: Deadline | None = None) -> Runtime:
        """Return the runtime of the current catalog, by default within 5 seconds.

        Raises ConfigError or UnavailableError when there is no catalog.
        """
        due = deadline or Deadline.after(READ_SECONDS, clock=self._clock)
        catalog = self._read(due)
        return self._runtime_of(catalog, self._listings(catalog, due))

    def usable(self, caller: Principal, deadline: Deadline | None = None) -> Runtime:
        """Return the part of the current runtime that a caller may use, by the section `roles`.

        Raises RequestError (403) for a caller without a configured role, and the errors of `current`.
        """
        runtime = self.current(deadline)
        rights = rights_of(caller, runtime.catalog.configuration.roles)
        if rights.has_every_name:
            return runtime
        usable = self._usable.get(rights)
        if usable is None:
            available = runtime.tools.available.usable(rights)
            tools = self._tools(available)
            names = frozenset(tool.name for tool in tools.get_registry().list())
            catalog = usable_catalog(runtime.catalog, rights)
            usable = Runtime(catalog, tools, self._statuses, names, self._provider, self._guardrail, rights)
            self._usable[rights] = usable
        return usable

    def prepared(self) -> Runtime:
        """Return the runtime before a snapshot, without the tools of MCP servers: their listings would be old."""
        return self._runtime_of(self._read(Deadline.after(READ_SECONDS, clock=self._clock)), None)

    def _listings(self, catalog: Catalog, deadline: Deadline) -> "Listed | None":
        """Return the listings of the configured MCP servers; None where no model can be offered their tools."""
        tools, servers = catalog.configuration.tools, catalog.configuration.mcp_servers
        if self._read_listed is None or not (servers and tools.enabled) or "mcp" in tools.disabled_types:
            return None
        return self._read_listed(servers, deadline)

    def _runtime_of(self, catalog: Catalog, listed: "Listed | None") -> Runtime:
        last = self._runtime
        if last is not None and catalog is last.catalog and listed is self._listed:
            return last
        tools = self._tools(_available(catalog.configuration, listed))
        registered = tools.get_registry().list()
        names = frozenset(tool.name for tool in registered)
        runtime = Runtime(catalog, tools, self._statuses, names, self._provider, self._guardrail)
        self._runtime, self._listed, self._usable = runtime, listed, {}
        is_new = last is None or catalog is not last.catalog
        # Not in the registry: a trial fills one with its own tools in every request.
        for tool in registered:
            if is_new or (last is not None and tool.name not in last.tool_names):
                logger.info("tool registered", tool=tool.name, type=tool.implementation_type)
        if is_new:
            logger.info("configuration loaded", version=catalog.version, disabled=len(catalog.disabled))
        return runtime

    def _tools(self, available: AvailableTools) -> ToolManager:
        return ToolManager(
            config=available.config,
            invoker=self._invoker,
            withheld=available.withheld,
            collections=available.collections,
        )

    def _provider(self, catalog: Catalog, name: str) -> Provider:
        config = catalog.configuration.llms.get(name)
        if config is None:
            reasons = "; ".join(catalog.why_disabled("llm", name))
            reason = f": {reasons}" if reasons else ""
            raise ConfigError((Problem(path=f"llms.{name}", message=f"Provider {name} not found{reason}"),))
        cached = self._providers.get(name)
        if cached is None or cached[0] != config:
            cached = (config, self._create_provider(name, config))
            self._providers[name] = cached
        return cached[1]

    def _guardrail(self, catalog: Catalog, name: str) -> NamedGuardrail:
        config = catalog.configuration.guardrails.get(name)
        if config is None:
            reason = "; ".join(catalog.why_disabled("guardrail", name)) or "no guardrail has this name"
            raise ConfigError((Problem(f"guardrails.{name}", f"cannot check texts: {reason}"),))
        cached = self._guardrails.get(name)
        if cached is None or cached.config != config:
            cached = NamedGuardrail(name, config, self._create_guardrail(name, config))
            self._guardrails[name] = cached
        return cached


def _available(configuration: Configuration, listed: "Listed | None") -> AvailableTools:
    """Return the configured tools, with those of MCP servers if there are any."""
    tools = configuration.tools
    if not configuration.mcp_servers and all(tool.implementation_type != "mcp" for tool in tools.registry):
        return AvailableTools(tools)
    from functions.chat.tools.discovered.definitions import available_tools
    from functions.chat.tools.discovered.listings import NOT_READ

    return available_tools(configuration, NOT_READ if listed is None else listed)
