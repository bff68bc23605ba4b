"""Phase 2: what the selected collections have about a message, and what that amounts to (decision C48)."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from flexchat.api import ChatRequest
from flexchat.config.catalog import Catalog
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import Deadline
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.retrieval import RagClass, classify
from flexchat.text import truncate
from functions.chat.generation.events import Emit, SearchFinished
from functions.chat.phases.search import INTERNAL, CollectionSearch, Found, Hit
from functions.chat.phases.selection import SelectedCollection, Skipped, select
from functions.chat.tools.invoker import ToolInvoker

TIME_SHARE = 1 / 3
"""The most that searching may take of the time that is left for the answer."""

MAX_CONTEXT_CHARACTERS = 24_000
"""What `rag_context` may put into a prompt, about 6,000 tokens."""


@dataclass(frozen=True, slots=True)
class Document:
    """A passage that answers or may answer, and where it is from."""

    title: str
    source: str
    text: str
    distance: float
    service: str
    collection: str

    def as_json(self) -> dict[str, Json]:
        return {
            "title": self.title,
            "source": self.source,
            "text": self.text,
            "distance": self.distance,
            "service": self.service,
            "collection": self.collection,
        }


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What phase 2 found.

    `service` and `collection` are those of a match; partial results may be of several collections, so that each
    document names its own. `skipped` are collections that gave nothing because they could not be searched.
    """

    result: RagClass = "none"
    service: str | None = None
    collection: str | None = None
    documents: tuple[Document, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def query_text(message: str, topic: str | None, *, is_first_turn: bool) -> str:
    """What is searched for: the message as it was written on the first turn, afterwards the topic if there is one."""
    return message if is_first_turn else topic or message


def retrieve(
    request: ChatRequest,
    *,
    topic: str | None = None,
    is_first_turn: bool,
    catalog: Catalog,
    invoker: ToolInvoker,
    deadline: Deadline,
    request_id: str,
    emit: Emit,
) -> Retrieved | None:
    """What the request's selected collections have about it; None when it selects none.

    `topic` is the one that was detected or the session has; without it the request's own counts.
    The collections count in their order, as if they were asked one after another: the first match ends the search and
    its passages alone are used, partial ones accumulate. They are searched at the same time, so that a late one costs
    no more than an early one. A collection that cannot be searched is skipped with a warning; nothing is raised.
    """
    if not request.selected_collections:
        return None
    selected: list[SelectedCollection] = []
    skipped: list[Skipped] = []
    for entry in select(request.selected_collections, catalog):
        if isinstance(entry, Skipped):
            skipped.append(entry)
        elif INTERNAL not in invoker.types:
            skipped.append(Skipped(str(entry), "no function searches collections in this deployment"))
        else:
            selected.append(entry)
    search = CollectionSearch(
        invoker=invoker,
        deadline=deadline.within(deadline.remaining() * TIME_SHARE),
        request_id=request_id,
        max_parallel=catalog.configuration.tools.max_parallel,
    )
    text = query_text(request.message, topic or request.topic, is_first_turn=is_first_turn)
    retrieved = (
        _classify_results(search, text, selected, skipped, emit) if selected else Retrieved(skipped=tuple(skipped))
    )
    for entry in retrieved.skipped:
        logger.warning("collection skipped", collection=entry.collection, reason=entry.reason)
    logger.info(
        "collections searched",
        result=retrieved.result,
        service=retrieved.service,
        collection=retrieved.collection,
        documents=len(retrieved.documents),
        skipped=len(retrieved.skipped),
    )
    return retrieved


def _classify_results(
    search: CollectionSearch, text: str, selected: list[SelectedCollection], skipped: list[Skipped], emit: Emit
) -> Retrieved:
    """The first match, else all that is partial."""
    partial: list[Document] = []
    with closing(search.run(text, selected)) as searches:
        for searched in searches:
            collection, outcome = searched.collection, searched.outcome
            found = isinstance(outcome, Found)
            emit(SearchFinished(str(collection), searched.started, searched.duration_ms, ok=found))
            if isinstance(outcome, Skipped):
                skipped.append(outcome)
                continue
            hits = tuple(_within_max_distance(outcome, collection.config))
            documents = tuple(_document(hit, collection) for hit in hits)
            match _class_of(hits, outcome, collection.config):
                case "match":
                    return Retrieved("match", collection.service, collection.name, documents, tuple(skipped))
                case "partial":
                    partial.extend(documents)
                case "none":
                    pass
    return Retrieved("partial" if partial else "none", documents=tuple(partial), skipped=tuple(skipped))


def _within_max_distance(found: Found, service: RagServiceConfig) -> Iterator[Hit]:
    limit = service.max_distance
    return (hit for hit in found.results if limit is None or hit.distance <= limit)


def _class_of(hits: tuple[Hit, ...], found: Found, service: RagServiceConfig) -> RagClass:
    """What the nearest of `hits` amounts to by the collection's own thresholds, else by the service's."""
    own = found.collection_metadata
    return classify(
        min((hit.distance for hit in hits), default=None),
        match_threshold=service.match_threshold if own.match_threshold is None else own.match_threshold,
        partial_threshold=service.partial_threshold if own.partial_threshold is None else own.partial_threshold,
    )


def _document(hit: Hit, collection: SelectedCollection) -> Document:
    return Document(hit.title, hit.source, hit.text, hit.distance, collection.service, collection.name)


def context_text(documents: tuple[Document, ...]) -> str:
    """The documents as a prompt shows them: numbered, each with its title, its source and its text.

    What goes beyond `MAX_CONTEXT_CHARACTERS` is cut off.
    """
    text = "\n\n".join(_entry(number, document) for number, document in enumerate(documents, start=1))
    return truncate(text, MAX_CONTEXT_CHARACTERS)


def _entry(number: int, document: Document) -> str:
    title = document.title or document.source
    source = f" ({document.source})" if document.source not in ("", title) else ""
    return f"[{number}] {title}{source}".rstrip() + f"\n{document.text}"
