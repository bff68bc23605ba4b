"""Collections in the scope of a search, each with its service and retriever."""

import re
from collections.abc import Callable, Mapping
from typing import ClassVar, Protocol

from msgspec import Struct

from flexchat.config.access import is_named
from flexchat.config.catalog import Catalog
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.secrets import entry_references, resolved, unbound_problems
from flexchat.config.suggestions import did_you_mean
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, RetrievalError, UnavailableError
from flexchat.observability import logger
from flexchat.redacted_struct import RedactedStruct
from flexchat.retrieval import COLLECTION_NAME_PATTERN, Retriever, SearchQuery, SearchResult
from flexchat.search import SearchScope, SkippedCollection
from flexchat.secret_references import SecretsError
from flexchat.tool_secrets import SecretReader

DEFAULT_SERVICE = "internal"
"""Name of the deployment's own service where none is configured."""


class CreateRetriever(Protocol):
    """Create the retriever of a service for one search. Raises RetrievalError when the service cannot be used."""

    def __call__(self, name: str, service: RagServiceConfig, deadline: Deadline) -> Retriever: ...


class Searchable(RedactedStruct, frozen=True):
    """Collection in scope, with its service."""

    redacted: ClassVar = ("config",)

    collection: str
    service: str
    config: RagServiceConfig


type _Configs = Mapping[str, RagServiceConfig]


class SearchServices(Struct, frozen=True, kw_only=True):
    """Services of a stage's configuration, with their retrievers.

    The collections in a scope are those that it names, each in the first service that lists it; else those that its
    services list. A service of type internal without a list has all of the deployment's collections.
    """

    catalog: Callable[[], Catalog]
    create: CreateRetriever

    def search(self, place: Searchable, query: SearchQuery, deadline: Deadline) -> SearchResult:
        """Search one collection until `deadline`. Raises RetrievalError."""
        return self.create(place.service, place.config, deadline).search(place.collection, query)

    def named(self, scope: SearchScope, collection: str) -> Searchable | None:
        """Return one collection of the scope; None for one outside of it.

        A service without a list is taken to have any collection; its retriever raises `not_found` for one it lacks.
        Raises RetrievalError without any service.
        """
        services = self._services(scope)
        if scope.collections is not None and collection not in scope.collections:
            return None
        if scope.permitted is not None and not is_named(collection, scope.permitted):
            return None
        listed = _listed(services)
        if collection in listed:
            return listed[collection]
        open_service = _open(services)
        if open_service is None or not re.fullmatch(COLLECTION_NAME_PATTERN, collection):
            return None
        return Searchable(collection, open_service, services[open_service])

    def all(self, scope: SearchScope, deadline: Deadline) -> tuple[list[Searchable], list[SkippedCollection]]:
        """Return every collection of the scope, in order, and the services that cannot list theirs.

        Raises RetrievalError without any service.
        """
        if scope.collections is not None:
            names = [name for name in scope.collections if scope.permitted is None or is_named(name, scope.permitted)]
            chosen = {name: self.named(scope, name) for name in names}
            missing = [
                SkippedCollection(collection=name, reason="no configured service has it")
                for name, place in chosen.items()
                if place is None
            ]
            return [place for place in chosen.values() if place is not None], missing
        services = self._services(scope)
        places, skipped = _listed(services), list[SkippedCollection]()
        open_service = _open(services)
        if open_service is not None:
            config = services[open_service]
            try:
                for info in self.create(open_service, config, deadline).collections():
                    places.setdefault(info.name, Searchable(info.name, open_service, config))
            except RetrievalError as exc:
                skipped.append(SkippedCollection(collection=open_service, reason=exc.message))
        permitted = scope.permitted
        return [each for each in places.values() if permitted is None or is_named(each.collection, permitted)], skipped

    def _services(self, scope: SearchScope) -> _Configs:
        if scope.service is not None:
            return {scope.service.name: scope.service}
        catalog = self._catalog()
        configured = catalog.configuration.rag_services
        names = scope.services
        if names is None:
            own_is_configured = any(config.type == "internal" for config in configured.values())
            if configured and (own_is_configured or scope.collections is None):
                return configured
            return {**configured, DEFAULT_SERVICE: RagServiceConfig()}
        found = {name: configured[name] for name in names if name in configured}
        for name in names:
            if name not in found:
                problems = catalog.why_disabled("service", name) or (f"not configured{did_you_mean(name, configured)}",)
                logger.warning("service not searched", rag_service=name, problems=problems)
        if not found:
            raise RetrievalError("none of the services that this tool searches is available", code="configuration")
        return found

    def _catalog(self) -> Catalog:
        try:
            return self.catalog()
        except (ConfigError, UnavailableError) as exc:
            logger.error("configuration not read", reason=str(exc))
            raise RetrievalError("the configuration of the search cannot be read", code="unavailable") from exc


def _listed(services: _Configs) -> dict[str, Searchable]:
    listed: dict[str, Searchable] = {}
    for name, config in services.items():
        for collection in config.collection_names(name):
            listed.setdefault(collection, Searchable(collection, name, config))
    return listed


def _open(services: _Configs) -> str | None:
    """Return the name of the first service without a list of collections."""
    return next((name for name, config in services.items() if not config.collection_names(name)), None)


class ServiceSecrets(Struct, frozen=True):
    """Resolves the references in a service's headers; `read` returns the secrets of `stage` and their hosts."""

    read: SecretReader
    stage: str

    def __call__(self, service: RagServiceConfig) -> RagServiceConfig:
        """Return `service` with its references resolved. Raises RetrievalError, `configuration` or `unavailable`."""
        names = entry_references(service)
        if not names:
            return service
        try:
            secrets = self.read(names)
            if problems := unbound_problems(service, self.read.hosts(names), stage=self.stage):
                raise RetrievalError("; ".join(problems), code="configuration")
        except SecretsError as exc:
            raise RetrievalError(exc.message, code=exc.type) from exc
        return resolved(service, secrets)
