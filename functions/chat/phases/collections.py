"""Phase 2: search of the selected collections and class of the result (decision C48)."""

from contextlib import closing

from msgspec import Struct

from flexchat.api import ChatRequest
from flexchat.config.catalog import Catalog
from flexchat.deadline import Deadline
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.retrieval import RagClass
from flexchat.search import SearchHit, SearchResponse
from flexchat.text import truncate
from functions.chat.generation.events import Emit, SearchFinished, WarningRaised
from functions.chat.phases.search import CollectionSearch
from functions.chat.phases.selection import SelectedCollection, SkippedCollection, select
from functions.chat.tools.invoker import SearchInvoker

TIME_SHARE = 1 / 3
"""Largest share of the time left for the searches."""

MAX_CONTEXT_CHARACTERS = 24_000
"""Maximum length of `rag_context`, about 6,000 tokens."""


class FoundDocument(Struct, frozen=True):
    """Passage of a collection, with its service."""

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


class RetrievalResult(Struct, frozen=True):
    """Result of phase 2.

    `service` and `collection` are those of a match; partial results may come from several collections, so each document
    has its own. `skipped` are collections that could not be searched.
    """

    result: RagClass = "none"
    service: str | None = None
    collection: str | None = None
    documents: tuple[FoundDocument, ...] = ()
    skipped: tuple[SkippedCollection, ...] = ()


def query_text(message: str, topic: str | None, *, is_first_turn: bool) -> str:
    """Return the text of the search: the message on the first turn, afterwards the topic if there is one."""
    return message if is_first_turn else topic or message


def retrieve(
    request: ChatRequest,
    *,
    topic: str | None = None,
    is_first_turn: bool,
    catalog: Catalog,
    invoker: SearchInvoker,
    deadline: Deadline,
    request_id: str,
    emit: Emit,
) -> RetrievalResult:
    """Search the selected collections of a request.

    `topic` is the detected one or that of the session; without it the request's own counts. The results are those of a
    search one after another: the first match ends the search and its passages alone are used, partial ones accumulate.
    The searches run at the same time, so that their total time is that of the slowest. A collection that cannot be
    searched is skipped with a warning; nothing is raised.
    """
    selected: list[SelectedCollection] = []
    skipped: list[SkippedCollection] = []
    for entry in select(request.selected_collections, catalog):
        if isinstance(entry, SkippedCollection):
            skipped.append(entry)
        elif not invoker.can_search:
            skipped.append(SkippedCollection(str(entry), "no function of this deployment searches collections"))
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
        _classify_results(search, text, selected, skipped, emit)
        if selected
        else RetrievalResult(skipped=tuple(skipped))
    )
    for entry in retrieved.skipped:
        logger.warning("collection skipped", collection=entry.collection, reason=entry.reason)
        emit(WarningRaised(f"collection {entry.collection!r} was not searched: {entry.reason}"))
    logger.info(
        "collections searched",
        result=retrieved.result,
        rag_service=retrieved.service,
        collection=retrieved.collection,
        documents=len(retrieved.documents),
        skipped=len(retrieved.skipped),
    )
    return retrieved


def _classify_results(
    search: CollectionSearch,
    text: str,
    selected: list[SelectedCollection],
    skipped: list[SkippedCollection],
    emit: Emit,
) -> RetrievalResult:
    """Return the first match, else all partial results."""
    partial: list[FoundDocument] = []
    with closing(search.run(text, selected)) as searches:
        for searched in searches:
            collection, outcome = searched.collection, searched.outcome
            found = isinstance(outcome, SearchResponse)
            emit(SearchFinished(str(collection), searched.started, searched.duration_ms, ok=found))
            if isinstance(outcome, SkippedCollection):
                skipped.append(outcome)
                continue
            documents = tuple(_document(hit, collection) for hit in outcome.hits)
            match _class_of_nearest(outcome):
                case "match":
                    return RetrievalResult("match", collection.service, collection.name, documents, tuple(skipped))
                case "partial":
                    partial.extend(documents)
                case "none":
                    pass
    return RetrievalResult("partial" if partial else "none", documents=tuple(partial), skipped=tuple(skipped))


def _class_of_nearest(response: SearchResponse) -> RagClass:
    nearest = min(response.hits, key=lambda hit: hit.distance, default=None)
    return nearest.relevance if nearest is not None else "none"


def _document(hit: SearchHit, collection: SelectedCollection) -> FoundDocument:
    return FoundDocument(hit.title, hit.source, hit.text, hit.distance, collection.service, collection.name)


def context_text(documents: tuple[FoundDocument, ...]) -> str:
    """Return the documents in the form of a prompt: numbered, each with its title, its source and its text.

    Text beyond `MAX_CONTEXT_CHARACTERS` is cut off.
    """
    text = "\n\n".join(_entry(number, document) for number, document in enumerate(documents, start=1))
    return truncate(text, MAX_CONTEXT_CHARACTERS)


def _entry(number: int, document: FoundDocument) -> str:
    title = document.title or document.source
    source = f" ({document.source})" if document.source not in ("", title) else ""
    return f"[{number}] {title}{source}".rstrip() + f"\n{document.text}"
