"""Configuration of a tool of type internal."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from flexchat.config.models.base import ENTRY_NAME_PATTERN
from flexchat.egress.urls import host_of
from flexchat.messages import Json
from flexchat.retrieval import COLLECTION_NAME_PATTERN
from flexchat.search import MAX_RESPONSE_BYTES, NamedService
from flexchat.tool_implementation import ToolImplementation

HANDLERS = ("rag_query",)

ServiceName = Annotated[str, Field(pattern=ENTRY_NAME_PATTERN)]
CollectionName = Annotated[str, Field(pattern=COLLECTION_NAME_PATTERN)]


def _check_handler(name: str) -> str:
    """Refuse an unknown handler; `hint` is for the operator, `fault` for the model."""
    if name in HANDLERS:
        return name
    near = get_close_matches(name, HANDLERS, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"the handlers are {', '.join(HANDLERS)}"
    fault = f"Internal handler '{name[:100]}' not found"
    raise PydanticCustomError("handler_not_found", "{fault}; {hint}", {"fault": fault, "hint": hint})


def _check_not_empty(names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse an empty list, which could mean none as well as all."""
    if not names:
        raise PydanticCustomError("names_nothing", "must not be empty; omit it, or list the searchable names")
    return names


class Implementation(ToolImplementation):
    """Services and collections that a tool may search; a field left out is no restriction.

    `service` is one service, by its name or as a whole configuration. `max_bytes` limits the result as JSON.
    """

    secret_fields: ClassVar = ("service.headers.*",)

    type: Literal["internal"]
    handler: Annotated[str, AfterValidator(_check_handler)]
    service: ServiceName | NamedService | None = None
    services: Annotated[tuple[ServiceName, ...], AfterValidator(_check_not_empty)] | None = None
    collections: Annotated[tuple[CollectionName, ...], AfterValidator(_check_not_empty)] | None = None
    max_bytes: Annotated[int, Field(ge=1_000, le=6_000_000, strict=True)] = MAX_RESPONSE_BYTES

    @classmethod
    def secret_host(cls, path: str, implementation: Mapping[str, Json]) -> str | None:
        """Return the host that a secret of the tool's own service is sent to; empty without a valid address."""
        del path
        service = implementation.get("service")
        url = service.get("url") if isinstance(service, dict) else None
        return host_of(url) if isinstance(url, str) else None

    @property
    def service_names(self) -> tuple[str, ...] | None:
        """Names of the configured services that the tool may use; None for all."""
        if isinstance(self.service, str):
            return tuple(dict.fromkeys((self.service, *(self.services or ()))))
        return self.services
