"""Current configuration with its tools and models, built once per catalog."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ConfigError, Problem
from flexchat.observability import logger
from functions.chat.providers.base import Provider
from functions.chat.providers.discovery import Discovery
from functions.chat.providers.factory import profile_for
from functions.chat.providers.fallback import Candidate, Candidates, models_of
from functions.chat.tools.invoker import ToolInvoker
from functions.chat.tools.manager import ToolManager
from functions.chat.validated_models import ReadTallies, StatusCache, no_tallies, validated_candidates

READ_SECONDS: Final = 5.0
"""Time to read the configuration for work with its own later deadline."""

CreateProvider = Callable[[str, LlmConfig], Provider]

ReadCatalog = Callable[[Deadline], Catalog]
"""Reads the current catalog before a deadline. Raises ConfigError or UnavailableError when there is none."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """One catalog with its tools, models and validation statuses. Its configuration contains resolved secrets.

    `tool_names` are the names of the configured tools.
    """

    catalog: Catalog
    tools: ToolManager
    statuses: StatusCache
    tool_names: frozenset[str]
    _provider: Callable[[Catalog, str], Provider]
    _made: dict[tuple[str, str], Candidate] = field(default_factory=dict[tuple[str, str], Candidate])

    def candidates(self, rule: ResponseRule, deadline: Deadline) -> Candidates:
        """Return the models that may answer by `rule`.

        Raises ConfigError when the rule's own model is unusable or none is left. Validation statuses are read only for
        a rule with `require_validated`; raises UnavailableError when that fails.
        """
        names = models_of(rule, self.catalog.configuration.llms)
        if rule.require_validated:
            return validated_candidates(rule, names, self._candidate, self.statuses.read(deadline))
        return Candidates(names, self._candidate)

    def candidate(self, llm: str, model: str) -> Candidate:
        """Return a model of an llm. Raises ConfigError when it is unusable."""
        candidate = self._made.get((llm, model))
        if candidate is None:
            provider = self.provider(llm)
            config = self.catalog.configuration.llms[llm]
            candidate = Candidate(provider, model, profile_for(provider.type, model, config))
            self._made[llm, model] = candidate
        return candidate

    def provider(self, llm: str) -> Provider:
        """Return the provider of an llm. Raises ConfigError when it is unknown or unusable."""
        return self._provider(self.catalog, llm)

    def _candidate(self, name: ModelName) -> Candidate:
        return self.candidate(name.llm, name.model)


class RuntimeCache:
    """Runtime of the current catalog; a provider keeps its connections until its configuration entry changes."""

    def __init__(
        self,
        *,
        catalog: ReadCatalog,
        invoker: ToolInvoker,
        create_provider: CreateProvider,
        tallies: ReadTallies = no_tallies,
        clock: Clock = time.monotonic,
    ) -> None:
        self._read = catalog
        self._invoker = invoker
        self._create_provider = create_provider
        self._clock = clock
        self._runtime: Runtime | None = None
        self._providers: dict[str, tuple[LlmConfig, Provider]] = {}
        self._statuses = StatusCache(tallies, clock=clock)
        self.discovery = Discovery(clock=clock)

    def current(self, deadline: Deadline | None = None) -> Runtime:
        """Return the runtime of the current catalog, by default within 5 seconds.

        Raises ConfigError or UnavailableError when there is no catalog.
        """
        catalog = self._read(deadline or Deadline.after(READ_SECONDS, clock=self._clock))
        if self._runtime is None or catalog is not self._runtime.catalog:
            tools = ToolManager(config=catalog.configuration.tools, invoker=self._invoker)
            registered = tools.get_registry().list()
            names = frozenset(tool.name for tool in registered)
            self._runtime = Runtime(catalog, tools, self._statuses, names, self._provider)
            # Not in the registry: a trial fills one with its own tools in every request.
            for tool in registered:
                logger.info("tool registered", tool=tool.name, type=tool.implementation_type)
            logger.info("configuration loaded", version=catalog.version, disabled=len(catalog.disabled))
        return self._runtime

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
