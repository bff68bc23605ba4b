"""`rag_query`: what the collections a call may search have about a question.

Arguments: query, collection?, max_results? (default 5), filters? ({metadata field: value}). Result:
{"results": [passage + collection + relevance], "searched": [collection], "skipped": [{collection, reason}]}.
"""

import contextvars
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from flexchat.config.suggestions import did_you_mean
from flexchat.deadline import Clock, Deadline
from flexchat.errors import RetrievalError, ToolError
from flexchat.json import byte_size
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.retrieval import Hit, RagClass, SearchQuery, SearchResult, classify, hit_view
from flexchat.tools import CallTool
from functions.retrieval.implementation import Implementation, NamedService
from functions.retrieval.search_args import MAX_RESULTS, Question, read_question
from functions.retrieval.services import Searchable, Services, Skipped
from functions.retrieval.truncation import within

MAX_COLLECTIONS = 16
"""As many are searched at most for a question that names none."""

MAX_PARALLEL = 8

MAX_TOP_K = 100
"""What phase 2 may ask of one service."""

MAX_NAMES_SHOWN = 30

FRAME_BYTES = 100
"""Kept of a result's size for what stands around its passages and the names of the collections."""

ANSWER_SECONDS = 0.1
"""Kept of a call's time for its answer."""

_USER_MESSAGE = "The documents cannot be searched at the moment."

_NEAREST_FIRST: dict[RagClass, int] = {"match": 0, "partial": 1, "none": 2}


@dataclass(frozen=True, slots=True)
class _Found:
    """What one collection has."""

    place: Searchable
    result: SearchResult

    def relevance(self, hit: Hit) -> RagClass:
        """What a hit amounts to by its collection's own thresholds, else by the service's."""
        own, service = self.result.metadata, self.place.config
        return classify(
            hit.distance,
            match_threshold=service.match_threshold if own.match_threshold is None else own.match_threshold,
            partial_threshold=service.partial_threshold if own.partial_threshold is None else own.partial_threshold,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RagQuery:
    """The handler `rag_query`, on the services of a stage."""

    services: Services
    clock: Clock = time.monotonic

    def __call__(self, call: CallTool, implementation: Implementation) -> dict[str, Json]:
        """The result for a call. Raises ToolInputError, and ToolError when nothing can be searched."""
        whole_service = isinstance(implementation.service, NamedService)
        question = read_question(call.arguments, max_results=MAX_TOP_K if whole_service else MAX_RESULTS)
        deadline = Deadline.after(call.timeout_ms / 1000, clock=self.clock).minus(ANSWER_SECONDS)
        if question.collection is not None:
            found, skipped = [self._one(question, question.collection, implementation, deadline)], list[Skipped]()
        else:
            found, skipped = self._several(question, implementation, deadline)
        result = _view(found, skipped, question.max_results, implementation.max_bytes)
        if whole_service and len(found) == 1:
            metadata = found[0].result.metadata
            result["collection_metadata"] = metadata.model_dump(mode="json", exclude_none=True, exclude_unset=True)
        return result

    def _one(self, question: Question, name: str, implementation: Implementation, deadline: Deadline) -> _Found:
        place = self.services.named(implementation, name)
        if place is None:
            raise self._not_searchable(name, implementation, deadline)
        try:
            return self._search(place, question, deadline)
        except RetrievalError as exc:
            logger.warning("collection not searched", collection=name, service=place.service, reason=exc.message)
            if exc.code == "not_found":
                raise self._not_searchable(name, implementation, deadline) from exc
            kind = exc.code if exc.code in ("unavailable", "configuration") else "execution_failed"
            raise ToolError(
                f"The collection {name!r} cannot be searched: {exc.message}", type=kind, user_message=_USER_MESSAGE
            ) from exc

    def _several(
        self, question: Question, implementation: Implementation, deadline: Deadline
    ) -> tuple[list[_Found], list[Skipped]]:
        """What every collection has, searched at the same time; who fails or is late is skipped."""
        places, skipped = self.services.all(implementation, deadline)
        if not places:
            raise _nothing_to_search(skipped)
        skipped += [
            Skipped(place.collection, f"only {MAX_COLLECTIONS} collections are searched at once; name this one")
            for place in places[MAX_COLLECTIONS:]
        ]
        found: list[_Found] = []
        for place, outcome in self._outcomes(places[:MAX_COLLECTIONS], question, deadline):
            if isinstance(outcome, _Found):
                found.append(outcome)
            else:
                logger.warning(
                    "collection not searched", collection=place.collection, service=place.service, reason=outcome.reason
                )
                skipped.append(outcome)
        if not found:
            raise _nothing_to_search(skipped)
        return found, skipped

    def _outcomes(
        self, places: Sequence[Searchable], question: Question, deadline: Deadline
    ) -> list[tuple[Searchable, _Found | Skipped]]:
        pool = ThreadPoolExecutor(max_workers=min(MAX_PARALLEL, len(places)), thread_name_prefix="search")
        try:
            futures = [
                pool.submit(contextvars.copy_context().run, self._search, place, question, deadline) for place in places
            ]
            wait(futures, timeout=deadline.remaining())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return [(place, _outcome(place, future)) for place, future in zip(places, futures, strict=True)]

    def _search(self, place: Searchable, question: Question, deadline: Deadline) -> _Found:
        """What one collection has. Raises RetrievalError."""
        query = SearchQuery(
            text=question.text,
            top_k=question.max_results,
            filters=question.filters or None,
            max_distance=place.config.max_distance,
        )
        return _Found(place, self.services.search(place, query, deadline.within(place.config.timeout_ms / 1000)))

    def _not_searchable(self, name: str, implementation: Implementation, deadline: Deadline) -> ToolError:
        places, _ = self.services.all(implementation, deadline)
        names = sorted(place.collection for place in places if place.collection != name)
        known = ", ".join(names[:MAX_NAMES_SHOWN]) + (", …" if len(names) > MAX_NAMES_SHOWN else "")
        hint = did_you_mean(name[:100], names) or "."
        there_are = f"There are: {known}" if known else "There is none at all"
        return ToolError(f"There is no collection {name[:100]!r} to search{hint} {there_are}", type="invalid_arguments")


def _outcome(place: Searchable, future: Future[_Found]) -> _Found | Skipped:
    if not future.done() or future.cancelled():
        return Skipped(place.collection, "it did not answer in time")
    try:
        return future.result()
    except RetrievalError as exc:
        return Skipped(place.collection, exc.message)


def _nothing_to_search(skipped: Sequence[Skipped]) -> ToolError:
    if not skipped:
        return ToolError("There is no collection to search", user_message="There are no documents to search.")
    reasons = "; ".join(f"{entry.name}: {entry.reason}" for entry in skipped[:5])
    return ToolError(f"No collection could be searched ({reasons})", type="unavailable", user_message=_USER_MESSAGE)


def _view(found: Sequence[_Found], skipped: Sequence[Skipped], max_results: int, max_bytes: int) -> dict[str, Json]:
    """The result, its passages cut to what `max_bytes` leaves for them."""
    searched: list[Json] = [each.place.collection for each in found]
    left_out: list[Json] = [{"collection": entry.name, "reason": entry.reason} for entry in skipped]
    frame = FRAME_BYTES + byte_size(searched) + byte_size(left_out)
    return {
        "results": [*within(_merged(found)[:max_results], max_bytes - frame)],
        "searched": searched,
        "skipped": left_out,
    }


def _merged(found: Sequence[_Found]) -> list[dict[str, Json]]:
    """All passages, best first.

    One collection's stay as its retriever ranked them. Distances of different embeddings say little side by side: what
    counts is what each amounts to in its own collection, then its rank there.
    """
    ranked = [
        (_NEAREST_FIRST[relevance] if len(found) > 1 else 0, rank, hit.distance, _passage(hit, each, relevance))
        for each in found
        for rank, hit in enumerate(each.result.hits)
        for relevance in (each.relevance(hit),)
    ]
    return [passage for *_, passage in sorted(ranked, key=lambda entry: entry[:3])]


def _passage(hit: Hit, found: _Found, relevance: RagClass) -> dict[str, Json]:
    return {**hit_view(hit), "collection": found.place.collection, "relevance": relevance}
