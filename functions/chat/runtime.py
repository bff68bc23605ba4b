"""What the configuration of the moment needs to answer, its tools and models, made once and kept until it changes."""

import time
from collections.abc import Callable
from dataclasses import dataclass

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
from functions.chat.trials.status_cache import ReadTallies, StatusCache, no_tallies
from functions.chat.trials.validated_models import validated_candidates

CreateProvider = Callable[[str, LlmConfig], Provider]

ReadCatalog = Callable[[Deadline], Catalog]
"""The catalog of now, before a deadline. Raises ConfigError or UnavailableError where there is none."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """One configuration, ready to be used."""

    catalog: Catalog
    tools: ToolManager
    statuses: StatusCache
    _provider: Callable[[Catalog, str], Provider]

    def candidates(self, rule: ResponseRule, deadline: Deadline) -> Candidates:
        """Who may answer by `rule`. Raises ConfigError when its own model cannot be used, or none may answer.

        What is known of its models is read only for a rule that asks for it; raises UnavailableError when it cannot be.
        """
        names = models_of(rule, self.catalog.configuration.llms)
        if rule.require_validated:
            return validated_candidates(rule, names, self._named, self.statuses.known(deadline))
        return Candidates(names, self._named)

    def candidate(self, llm: str, model: str) -> Candidate:
        """A model of an llm. Raises ConfigError when it cannot be used."""
        provider = self.provider(llm)
        config = self.catalog.configuration.llms[llm]
        return Candidate(provider, model, profile_for(provider.type, model, config))

    def provider(self, llm: str) -> Provider:
        """The provider of an llm. Raises ConfigError when there is none, or it cannot be used."""
        return self._provider(self.catalog, llm)

    def _named(self, name: ModelName) -> Candidate:
        return self.candidate(name.llm, name.model)


class RuntimeCache:
    """Gives the runtime of now; a provider keeps its connections for as long as its entry stays the same."""

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
        self._runtime: Runtime | None = None
        self._providers: dict[str, tuple[LlmConfig, Provider]] = {}
        self._statuses = StatusCache(tallies, clock=clock)
        self.discovery = Discovery(clock=clock)

    def current(self, deadline: Deadline) -> Runtime:
        """The runtime of the current catalog. Raises ConfigError or UnavailableError when there is no catalog."""
        catalog = self._read(deadline)
        if self._runtime is None or catalog is not self._runtime.catalog:
            tools = ToolManager(config=catalog.configuration.tools, invoker=self._invoker)
            self._runtime = Runtime(catalog, tools, self._statuses, self._provider)
            # Not in the registry: a trial fills one with its own tools in every request.
            for tool in tools.get_registry().list():
                logger.info("tool registered", tool=tool.name, type=tool.implementation_type)
            logger.info("configuration loaded", version=catalog.version, disabled=len(catalog.disabled))
        return self._runtime

    def _provider(self, catalog: Catalog, name: str) -> Provider:
        config = catalog.configuration.llms.get(name)
        if config is None:
            reasons = "; ".join(catalog.why_disabled("llm", name))
            reason = f": {reasons}" if reasons else ""
            raise ConfigError((Problem(path=f"llms.{name}", message=f"Provider {name} not found{reason}"),))
        kept = self._providers.get(name)
        if kept is None or kept[0] != config:
            kept = (config, self._create_provider(name, config))
            self._providers[name] = kept
        return kept[1]
