"""Phase 2: search of the selected collections and class of the result (decision C48)."""

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import ClassVar

from msgspec import Struct, field

from flexchat.api import ChatRequest
from flexchat.config.access import ALL_RIGHTS, Rights
from flexchat.config.catalog import Catalog
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.suggestions import known_names
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.errors import ToolError
from flexchat.messages import Json
from flexchat.observability import logger, stack_of
from flexchat.redacted_struct import RedactedStruct
from flexchat.retrieval import RagClass
from flexchat.retry import Retry
from flexchat.search import NamedService, SearchHit, SearchRequest, SearchResponse, SearchScope
from flexchat.text import truncate
from flexchat.tools import START_SECONDS
from functions.chat.generation.events import Emit, SearchFinished, WarningRaised
from functions.chat.tools.executor import MIN_TOOL_MS, SearchInvoker, invoke_until


class SelectedCollection(RedactedStruct, frozen=True):
    """A collection to search, and its service."""

    redacted: ClassVar = ("config",)

    service: str
    name: str
    config: RagServiceConfig

    def __str__(self) -> str:
        return f"{self.service}/{self.name}"


class UnsearchedCollection(Struct, frozen=True):
    """A collection that is not searched, with the reason for the caller."""

    collection: str
    reason: str


def select(
    names: Sequence[str], catalog: Catalog, rights: Rights = ALL_RIGHTS
) -> Iterator[SelectedCollection | UnsearchedCollection]:
    """Yield the selected collections in their order, each once.

    A name is `service/collection`, or a collection's alone where exactly one configured service serves it. One that the
    caller has no right to search is not searched, whether it exists or not.
    """
    seen: set[tuple[str, str]] = set()
    for name in dict.fromkeys(names):
        service, slash, collection = name.partition("/")
        if not rights.may_search(collection if slash else name):
            yield UnsearchedCollection(name, "your role may not search it")
            continue
        chosen = _named(service, collection, catalog, rights) if slash else _only(name, catalog, rights)
        if isinstance(chosen, UnsearchedCollection):
            yield chosen
        elif (chosen.service, chosen.name) not in seen:
            seen.add((chosen.service, chosen.name))
            yield chosen


def _named(
    service: str, collection: str, catalog: Catalog, rights: Rights
) -> SelectedCollection | UnsearchedCollection:
    name = f"{service}/{collection}"
    services = catalog.configuration.rag_services
    config = services.get(service)
    if config is None:
        disabled = "; ".join(catalog.why_disabled("service", service))
        reason = f": {disabled}" if disabled else f"; the services are: {known_names(service, services)}"
        return UnsearchedCollection(name, f"no service named {service!r}{reason}")
    served = config.collection_names(service)
    if served and collection not in served:
        known = known_names(collection, tuple(filter(rights.may_search, served)))
        return UnsearchedCollection(name, f"the service {service!r} has no collection {collection!r}; it has: {known}")
    return SelectedCollection(service, collection, config)


def _only(name: str, catalog: Catalog, rights: Rights) -> SelectedCollection | UnsearchedCollection:
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
                for collection in filter(rights.may_search, config.collection_names(service))
            ]
            known = known_names(name, configured)
            return UnsearchedCollection(
                name, f"no service has a collection {name!r}; the configured collections are: {known}"
            )
        case _:
            several = ", ".join(str(collection) for collection in serving)
            return UnsearchedCollection(name, f"several services may have it; write one of {several}")


GRACE_SECONDS = 0.25
"""Time for a response to arrive after its search's end: the retrieval function ends a search at its timeout."""


class CollectionSearchResult(Struct, frozen=True):
    """Outcome of one search; `started` is on the deadline's clock."""

    collection: SelectedCollection
    outcome: SearchResponse | UnsearchedCollection
    started: float
    duration_ms: int


class CollectionSearch(Struct, frozen=True, kw_only=True):
    """Searches within `deadline`, at most `max_parallel` at the same time."""

    invoker: SearchInvoker
    deadline: Deadline
    request_id: str
    max_parallel: int
    retry: Retry = field(default_factory=Retry.until_started)

    def run(self, text: str, collections: Sequence[SelectedCollection]) -> Generator[CollectionSearchResult]:
        """Yield the outcomes in the order of `collections`, each as soon as it and all before it are complete.

        Closing the iterator early cancels the searches that have not begun; the responses of the others are dropped.
        """
        pool = ThreadPoolExecutor(max_workers=self.max_parallel, thread_name_prefix="search")
        try:
            futures = [pool.submit(self._search, collection, text) for collection in collections]
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _search(self, collection: SelectedCollection, text: str) -> CollectionSearchResult:
        """Search one collection, in its own thread; a failure is an outcome too."""
        started = self.deadline.clock()
        left_ms = self.deadline.minus(GRACE_SECONDS).remaining_ms()
        if left_ms < MIN_TOOL_MS:
            outcome: SearchResponse | UnsearchedCollection = UnsearchedCollection(
                str(collection), "no time was left to search it"
            )
        else:
            outcome = self._outcome(collection, text, min(collection.config.timeout_ms, left_ms))
        return CollectionSearchResult(collection, outcome, started, round((self.deadline.clock() - started) * 1000))

    def _outcome(
        self, collection: SelectedCollection, text: str, timeout_ms: int
    ) -> SearchResponse | UnsearchedCollection:
        end = self.deadline.minus(GRACE_SECONDS).within(timeout_ms / 1000 + START_SECONDS)
        try:
            request = self._request(collection, text, timeout_ms)
            response = call_with_timeout(
                end.remaining() + GRACE_SECONDS,
                lambda: invoke_until(
                    lambda left_ms: self.invoker.search(request.model_copy(update={"timeout_ms": left_ms})),
                    timeout_ms,
                    end=end,
                    retry=self.retry,
                ),
            )
        except TimeoutError:
            return UnsearchedCollection(str(collection), f"no answer within {timeout_ms} ms")
        except ToolError as error:
            return UnsearchedCollection(str(collection), error.message)
        except Exception as error:  # noqa: BLE001 - a failed search affects its own collection alone
            logger.error(
                "search crashed", collection=str(collection), error=type(error).__name__, stack=stack_of(error)
            )
            return UnsearchedCollection(str(collection), "the search failed unexpectedly")
        if response.error is not None:
            return UnsearchedCollection(str(collection), response.error.message)
        return response

    def _request(self, collection: SelectedCollection, text: str, timeout_ms: int) -> SearchRequest:
        config = collection.config
        service = NamedService.model_validate({**config.model_dump(mode="json"), "name": collection.service})
        return SearchRequest(
            query=text,
            collection=collection.name,
            top_k=config.top_k,
            scope=SearchScope(service=service),
            request_id=self.request_id,
            timeout_ms=timeout_ms,
        )


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
    skipped: tuple[UnsearchedCollection, ...] = ()


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
    rights: Rights = ALL_RIGHTS,
) -> RetrievalResult:
    """Search the selected collections of a request, as far as the caller has the right to.

    `topic` is the detected one or that of the session; without it the request's own counts. The results are those of a
    search one after another: the first match ends the search and its passages alone are used, partial ones accumulate.
    The searches run at the same time, so that their total time is that of the slowest. A collection that cannot be
    searched is skipped with a warning; nothing is raised.
    """
    selected: list[SelectedCollection] = []
    skipped: list[UnsearchedCollection] = []
    for entry in select(request.selected_collections, catalog, rights):
        if isinstance(entry, UnsearchedCollection):
            skipped.append(entry)
        elif not invoker.can_search:
            skipped.append(UnsearchedCollection(str(entry), "no function of this deployment searches collections"))
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
    skipped: list[UnsearchedCollection],
    emit: Emit,
) -> RetrievalResult:
    """Return the first match, else all partial results."""
    partial: list[FoundDocument] = []
    with closing(search.run(text, selected)) as searches:
        for searched in searches:
            collection, outcome = searched.collection, searched.outcome
            found = isinstance(outcome, SearchResponse)
            emit(SearchFinished(str(collection), searched.started, searched.duration_ms, ok=found))
            if isinstance(outcome, UnsearchedCollection):
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
