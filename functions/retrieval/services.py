"""Which collections a call may search, and which retriever serves each."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from flexchat.config.catalog import Catalog
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.suggestions import did_you_mean
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, RetrievalError, ToolError, UnavailableError
from flexchat.observability import logger
from flexchat.retrieval import COLLECTION_NAME_PATTERN, Retriever, SearchQuery, SearchResult
from functions.retrieval.implementation import Implementation, NamedService

DEFAULT_SERVICE = "internal"
"""What the deployment's own retriever is called where no service is configured."""


class CreateRetriever(Protocol):
    """Makes the retriever of a service for one call. Raises RetrievalError when the service cannot be used at all."""

    def __call__(self, name: str, service: RagServiceConfig, deadline: Deadline) -> Retriever: ...


@dataclass(frozen=True, slots=True)
class Searchable:
    """A collection that a call may search, with the service that has it."""

    collection: str
    service: str
    config: RagServiceConfig = field(repr=False)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A collection, or a whole service, that gave nothing, and why."""

    name: str
    reason: str


type _Services = Mapping[str, RagServiceConfig]


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The services of a stage's configuration and the retrievers that stand behind them.

    The collections that a call may search are those that its implementation names, each by the first service that lists
    it; else those that its services list. A service of type internal that lists none has all there are.
    """

    catalog: Callable[[], Catalog]
    create: CreateRetriever

    def search(self, place: Searchable, query: SearchQuery, deadline: Deadline) -> SearchResult:
        """What `place` has, searched until `deadline`. Raises RetrievalError."""
        return self.create(place.service, place.config, deadline).search(place.collection, query)

    def named(self, implementation: Implementation, collection: str) -> Searchable | None:
        """The place of one collection; None when it may not be searched.

        That an open service really has it is for its retriever to say. Raises ToolError without any service.
        """
        services = self._services(implementation)
        if implementation.collections is not None and collection not in implementation.collections:
            return None
        listed = _listed(services)
        if collection in listed:
            return listed[collection]
        open_service = _open(services)
        if open_service is None or not re.fullmatch(COLLECTION_NAME_PATTERN, collection):
            return None
        return Searchable(collection, open_service, services[open_service])

    def all(self, implementation: Implementation, deadline: Deadline) -> tuple[list[Searchable], list[Skipped]]:
        """Every collection that a call may search, in order, and the services that cannot say what they have.

        Raises ToolError without any service.
        """
        if implementation.collections is not None:
            chosen = {name: self.named(implementation, name) for name in implementation.collections}
            missing = [Skipped(name, "no configured service has it") for name, place in chosen.items() if place is None]
            return [place for place in chosen.values() if place is not None], missing
        services = self._services(implementation)
        places, skipped = _listed(services), list[Skipped]()
        open_service = _open(services)
        if open_service is not None:
            config = services[open_service]
            try:
                for info in self.create(open_service, config, deadline).collections():
                    places.setdefault(info.name, Searchable(info.name, open_service, config))
            except RetrievalError as exc:
                skipped.append(Skipped(open_service, exc.message))
        return list(places.values()), skipped

    def _services(self, implementation: Implementation) -> _Services:
        if isinstance(implementation.service, NamedService):
            return {implementation.service.name: implementation.service}
        catalog = self._catalog()
        configured = catalog.configuration.rag_services
        names = implementation.service_names
        if names is None:
            own_is_configured = any(config.type == "internal" for config in configured.values())
            if configured and (own_is_configured or implementation.collections is None):
                return configured
            return {**configured, DEFAULT_SERVICE: RagServiceConfig()}
        found = {name: configured[name] for name in names if name in configured}
        for name in names:
            if name not in found:
                problems = catalog.why_disabled("service", name) or (f"not configured{did_you_mean(name, configured)}",)
                logger.warning("service not searched", service=name, problems=problems)
        if not found:
            raise ToolError("None of the services that this tool searches is available", type="configuration")
        return found

    def _catalog(self) -> Catalog:
        try:
            return self.catalog()
        except (ConfigError, UnavailableError) as exc:
            logger.error("configuration not read", reason=str(exc))
            raise ToolError("The configuration of the search cannot be read", type="unavailable") from exc


def _listed(services: _Services) -> dict[str, Searchable]:
    listed: dict[str, Searchable] = {}
    for name, config in services.items():
        for collection in config.collection_names(name):
            listed.setdefault(collection, Searchable(collection, name, config))
    return listed


def _open(services: _Services) -> str | None:
    """The first service whose collections are whatever there is."""
    return next((name for name, config in services.items() if not config.collection_names(name)), None)
