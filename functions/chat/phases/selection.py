"""Selection of collections by the names in a request."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from flexchat.config.catalog import Catalog
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.suggestions import known_names
from flexchat.redacted_struct import RedactedStruct


class SelectedCollection(RedactedStruct, frozen=True):
    """A collection to search, and its service."""

    redacted: ClassVar = ("config",)

    service: str
    name: str
    config: RagServiceConfig

    def __str__(self) -> str:
        return f"{self.service}/{self.name}"


class SkippedCollection(Struct, frozen=True):
    """A collection that is not searched, with the reason for the caller."""

    collection: str
    reason: str


def select(names: Sequence[str], catalog: Catalog) -> Iterator[SelectedCollection | SkippedCollection]:
    """Yield the selected collections in their order, each once.

    A name is `service/collection`, or a collection's alone where exactly one configured service serves it.
    """
    seen: set[tuple[str, str]] = set()
    for name in dict.fromkeys(names):
        service, slash, collection = name.partition("/")
        chosen = _named(service, collection, catalog) if slash else _only(name, catalog)
        if isinstance(chosen, SkippedCollection):
            yield chosen
        elif (chosen.service, chosen.name) not in seen:
            seen.add((chosen.service, chosen.name))
            yield chosen


def _named(service: str, collection: str, catalog: Catalog) -> SelectedCollection | SkippedCollection:
    name = f"{service}/{collection}"
    services = catalog.configuration.rag_services
    config = services.get(service)
    if config is None:
        disabled = "; ".join(catalog.why_disabled("service", service))
        reason = f": {disabled}" if disabled else f"; the services are: {known_names(service, services)}"
        return SkippedCollection(name, f"no service named {service!r}{reason}")
    served = config.collection_names(service)
    if served and collection not in served:
        known = known_names(collection, served)
        return SkippedCollection(name, f"the service {service!r} has no collection {collection!r}; it has: {known}")
    return SelectedCollection(service, collection, config)


def _only(name: str, catalog: Catalog) -> SelectedCollection | SkippedCollection:
    serving = [
        SelectedCollection(service, name, config)
        for service, config in catalog.configuration.rag_services.items()
        if not (served := config.collection_names(service)) or name in served
    ]
    match serving:
        case [only]:
            return only
        case []:
            configured = [
                f"{service}/{collection}"
                for service, config in catalog.configuration.rag_services.items()
                for collection in config.collection_names(service)
            ]
            known = known_names(name, configured)
            return SkippedCollection(
                name, f"no service has a collection {name!r}; the configured collections are: {known}"
            )
        case _:
            several = ", ".join(str(collection) for collection in serving)
            return SkippedCollection(name, f"several services may have it; write one of {several}")
