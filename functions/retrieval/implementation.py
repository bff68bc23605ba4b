"""What the configuration says about a tool of type internal."""

from difflib import get_close_matches
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from flexchat.config.models.base import ENTRY_NAME_PATTERN, ConfigModel, Milliseconds
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.retrieval import COLLECTION_NAME_PATTERN

HANDLERS = ("rag_query",)

MAX_RESULT_BYTES = 24_000
"""About 6,000 tokens, and below what one tool result may have by default."""

ServiceName = Annotated[str, Field(pattern=ENTRY_NAME_PATTERN)]
CollectionName = Annotated[str, Field(pattern=COLLECTION_NAME_PATTERN)]


def _known(name: str) -> str:
    """Refuse an unknown handler: the operator reads a hint too, the model only that it was not found."""
    if name in HANDLERS:
        return name
    near = get_close_matches(name, HANDLERS, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"there is {', '.join(HANDLERS)}"
    fault = f"Internal handler '{name[:100]}' not found"
    raise PydanticCustomError("handler_not_found", "{fault}; {hint}", {"fault": fault, "hint": hint})


def _some(names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse an empty list, which could be taken for none as well as for all."""
    if not names:
        raise PydanticCustomError("names_nothing", "names nothing; leave it out, or name what may be searched")
    return names


class NamedService(RagServiceConfig):
    """A service that is handed over whole, as phase 2 does. Its headers name their secrets, as `${NAME}`."""

    name: ServiceName


class Implementation(ConfigModel):
    """Where a tool may search; what is left out does not narrow it.

    `collections` are the only ones it may search, `services` the only services. `service` is one of those by its name,
    or whole. `max_bytes` bounds the result as JSON.
    """

    type: Literal["internal"]
    handler: Annotated[str, AfterValidator(_known)]
    service: ServiceName | NamedService | None = None
    services: Annotated[tuple[ServiceName, ...], AfterValidator(_some)] | None = None
    collections: Annotated[tuple[CollectionName, ...], AfterValidator(_some)] | None = None
    max_bytes: Annotated[int, Field(ge=1_000, le=6_000_000, strict=True)] = MAX_RESULT_BYTES
    timeout_ms: Milliseconds | None = None

    @property
    def service_names(self) -> tuple[str, ...] | None:
        """The configured services it may use; None when all."""
        if isinstance(self.service, str):
            return tuple(dict.fromkeys((self.service, *(self.services or ()))))
        return self.services
