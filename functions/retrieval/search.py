"""Search of the collections in a request's scope: one by name, or all of them at the same time."""

import contextvars
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final

from msgspec import Struct

from flexchat.config.suggestions import did_you_mean
from flexchat.deadline import Clock, Deadline
from flexchat.errors import RetrievalError, ToolInputError
from flexchat.json import byte_size
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from flexchat.retrieval import Hit, MetadataValue, RagClass, SearchQuery, SearchResult, classify, hit_view
from flexchat.search import SearchError, SearchHit, SearchRequest, SearchResponse, SkippedCollection
from functions.retrieval.operations import OperationHandler, operation_handler
from functions.retrieval.services import Searchable, SearchServices
from functions.retrieval.thresholds import Thresholds, thresholds_of
from functions.retrieval.truncation import within

MAX_COLLECTIONS = 16
"""Limit of collections that one search without a collection's name covers."""

MAX_PARALLEL = 8

MAX_NAMES_SHOWN = 30

FRAME_BYTES = 100
"""Part of `max_bytes` reserved for the JSON around the hits and the names of the collections."""

RESPONSE_SECONDS = 0.1
"""Part of a search's time reserved for its response."""

_ORDER: dict[RagClass, int] = {"match": 0, "partial": 1, "none": 2}


class NoCollectionsError(RetrievalError):
    """The scope of a search contains no collection."""

    def __init__(self) -> None:
        super().__init__("no collections are configured for this search", code="not_found")


class _Found(Struct, frozen=True):
    """Search result of one collection."""

    place: Searchable
    result: SearchResult

    def relevance(self, hit: Hit) -> RagClass:
        """Classify a hit by its collection's own thresholds, else by those of the service."""
        own, service = self.result.metadata, self.place.config
        thresholds = thresholds_of(own, Thresholds(service.match_threshold, service.partial_threshold))
        return classify(hit.distance, match_threshold=thresholds.match, partial_threshold=thresholds.partial)


class Search(Struct, frozen=True, kw_only=True):
    """Search on the services of a stage."""

    services: SearchServices
    clock: Clock = time.monotonic

    def __call__(self, request: SearchRequest) -> SearchResponse:
        """Return the hits of a request.

        Raises RetrievalError: `not_found` for a collection outside the scope (NoCollectionsError when the scope is
        empty), `unavailable`, `configuration`, or another code when no collection could be searched.
        """
        deadline = Deadline.after(request.timeout_ms / 1000, clock=self.clock).minus(RESPONSE_SECONDS)
        if request.collection is not None:
            found, skipped = [self._one(request, request.collection, deadline)], list[SkippedCollection]()
        else:
            found, skipped = self._several(request, deadline)
        searched = tuple(each.place.collection for each in found)
        frame = FRAME_BYTES + byte_size([*searched]) + byte_size([entry.model_dump() for entry in skipped])
        views = within(_merged(found)[: request.top_k], request.max_bytes - frame)
        is_whole_service = request.scope.service is not None
        return SearchResponse(
            hits=tuple(SearchHit.model_validate(view) for view in views),
            searched=searched,
            skipped=tuple(skipped),
            collection_metadata=found[0].result.metadata if is_whole_service and len(found) == 1 else None,
        )

    def _one(self, request: SearchRequest, name: str, deadline: Deadline) -> _Found:
        place = self.services.named(request.scope, name)
        if place is None:
            raise self._unknown(request, name, deadline)
        try:
            return self._search(place, request, deadline)
        except RetrievalError as exc:
            logger.warning("collection not searched", collection=name, rag_service=place.service, reason=exc.message)
            if exc.code == "not_found":
                raise self._unknown(request, name, deadline) from exc
            raise RetrievalError(f"the collection {name!r} cannot be searched: {exc.message}", code=exc.code) from exc

    def _several(self, request: SearchRequest, deadline: Deadline) -> tuple[list[_Found], list[SkippedCollection]]:
        """Search every collection in scope at the same time; one that fails or is late is skipped."""
        places, skipped = self.services.all(request.scope, deadline)
        if not places:
            raise _nothing_searched(skipped)
        skipped += [
            _skipped(place.collection, f"only {MAX_COLLECTIONS} collections are searched at once; name this one")
            for place in places[MAX_COLLECTIONS:]
        ]
        found: list[_Found] = []
        for place, outcome in self._outcomes(places[:MAX_COLLECTIONS], request, deadline):
            if isinstance(outcome, _Found):
                found.append(outcome)
            else:
                logger.warning(
                    "collection not searched",
                    collection=place.collection,
                    rag_service=place.service,
                    reason=outcome.reason,
                )
                skipped.append(outcome)
        if not found:
            raise _nothing_searched(skipped)
        return found, skipped

    def _outcomes(
        self, places: Sequence[Searchable], request: SearchRequest, deadline: Deadline
    ) -> list[tuple[Searchable, _Found | SkippedCollection]]:
        pool = ThreadPoolExecutor(max_workers=min(MAX_PARALLEL, len(places)), thread_name_prefix="search")
        try:
            futures = [
                pool.submit(contextvars.copy_context().run, self._search, place, request, deadline) for place in places
            ]
            wait(futures, timeout=deadline.remaining())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return [(place, _outcome(place, future)) for place, future in zip(places, futures, strict=True)]

    def _search(self, place: Searchable, request: SearchRequest, deadline: Deadline) -> _Found:
        """Search one collection. Raises RetrievalError."""
        query = SearchQuery(
            text=request.query,
            top_k=request.top_k,
            filters=request.filters or None,
            max_distance=place.config.max_distance,
        )
        return _Found(place, self.services.search(place, query, deadline.within(place.config.timeout_ms / 1000)))

    def _unknown(self, request: SearchRequest, name: str, deadline: Deadline) -> RetrievalError:
        places, _ = self.services.all(request.scope, deadline)
        names = sorted(place.collection for place in places if place.collection != name)
        listed = ", ".join(names[:MAX_NAMES_SHOWN]) + (", …" if len(names) > MAX_NAMES_SHOWN else "")
        hint = did_you_mean(name[:100], names) or "."
        there_are = f"The collections are: {listed}" if listed else "No collections are configured"
        return RetrievalError(f"collection {name[:100]!r} not found{hint} {there_are}", code="not_found")


def _outcome(place: Searchable, future: Future[_Found]) -> _Found | SkippedCollection:
    if not future.done() or future.cancelled():
        return _skipped(place.collection, "it did not answer in time")
    try:
        return future.result()
    except RetrievalError as exc:
        return _skipped(place.collection, exc.message)


def _skipped(collection: str, reason: str) -> SkippedCollection:
    return SkippedCollection(collection=collection, reason=reason)


def _nothing_searched(skipped: Sequence[SkippedCollection]) -> RetrievalError:
    if not skipped:
        return NoCollectionsError()
    reasons = "; ".join(f"{entry.collection}: {entry.reason}" for entry in skipped[:5])
    return RetrievalError(f"no collection could be searched ({reasons})", code="unavailable")


def _merged(found: Sequence[_Found]) -> list[dict[str, Json]]:
    """Return all hits, best first.

    Hits of one collection keep the order of their retriever. Distances of different embeddings are not comparable, so
    hits of several collections are ordered by their class, then by their rank in their collection.
    """
    ranked = [
        (_ORDER[relevance] if len(found) > 1 else 0, rank, hit.distance, _view(hit, each, relevance))
        for each in found
        for rank, hit in enumerate(each.result.hits)
        for relevance in (each.relevance(hit),)
    ]
    return [view for *_, view in sorted(ranked, key=lambda entry: entry[:3])]


def _view(hit: Hit, found: _Found, relevance: RagClass) -> dict[str, Json]:
    return {**hit_view(hit), "collection": found.place.collection, "relevance": relevance}


MAX_RESULTS = 20
MAX_FILTERS = 10
MAX_NAME = 128
DEFAULT_RESULTS = 5


class SearchArguments(Struct, frozen=True):
    """Arguments of one call. `query` is text of any kind."""

    query: str
    collection: str | None
    max_results: int
    filters: Mapping[str, MetadataValue]


def read_arguments(arguments: Mapping[str, Json], *, max_results: int = MAX_RESULTS) -> SearchArguments:
    """Parse query, collection?, max_results? (1 to `max_results`) and filters? ({field: value}).

    Raises ToolInputError with every error.
    """
    errors: list[str] = []
    query = arguments.get("query")
    if query is None:
        errors.append("Missing required parameter: query")
    elif not isinstance(query, str):
        errors.append("query must be a string")
    collection = arguments.get("collection")
    if collection is not None and not isinstance(collection, str):
        errors.append("collection must be a string")
    wanted = _whole(arguments.get("max_results"))
    if wanted is None:
        errors.append("max_results must be an integer")
    elif not 1 <= wanted <= max_results:
        errors.append(f"max_results must be at least 1 and at most {max_results}")
    filters = arguments.get("filters")
    chosen = _filters({} if filters is None else filters)
    if chosen is None:
        errors.append(f"filters must be an object of at most {MAX_FILTERS} fields, each a string, number or boolean")
    if errors or not isinstance(query, str) or not isinstance(collection, str | None) or not wanted or chosen is None:
        raise ToolInputError(tuple(errors))
    return SearchArguments(
        query=query, collection=(collection or "").strip() or None, max_results=wanted, filters=chosen
    )


def _whole(value: Json) -> int | None:
    """Return an integer, also for 5.0; the default for None; None for anything else."""
    if value is None:
        return DEFAULT_RESULTS
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _filters(value: Json) -> dict[str, MetadataValue] | None:
    if not isinstance(value, dict) or len(value) > MAX_FILTERS or any(len(name) > MAX_NAME for name in value):
        return None
    chosen = {name: item for name, item in value.items() if isinstance(item, str | int | float | bool)}
    return chosen if len(chosen) == len(value) else None


METRICS_NAME: Final = "rag_query"
"""Value of the dimension `tool` in the metrics of searches."""


def search_handler(
    search: Callable[[SearchRequest], SearchResponse], *, clock: Clock = time.monotonic
) -> OperationHandler:
    """Return the Lambda handler of search events, which raises nothing: a failure is a response with an `error`."""
    return operation_handler("search", SearchRequest, search, fail=_failed, report=_report, clock=clock)


def _failed(error: RetrievalError) -> SearchResponse:
    return SearchResponse(error=SearchError(code=error.code, message=error.message))


def _report(request: SearchRequest, response: SearchResponse, duration_ms: int) -> None:
    error = response.error
    log = logger.info if error is None else logger.warning
    log(
        "search finished",
        collection=request.collection,
        hits=len(response.hits),
        skipped=len(response.skipped),
        error=error.code if error else None,
        duration_ms=duration_ms,
    )
    emit_metrics(
        dimension=("tool", METRICS_NAME),
        counts={"ToolCalls": 1, "ToolFaults": 0 if error is None else 1},
        milliseconds={"ToolDuration": duration_ms},
    )
