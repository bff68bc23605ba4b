"""Searches of the selected collections in the retrieval function, several at a time, within a deadline."""

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct, field

from flexchat.deadline import Deadline
from flexchat.errors import ToolError
from flexchat.observability import logger, stack_of
from flexchat.retry import Retry
from flexchat.search import NamedService, SearchRequest, SearchResponse, SearchScope
from flexchat.timeouts import call_with_timeout
from flexchat.tools import START_SECONDS
from functions.chat.phases.selection import SelectedCollection, SkippedCollection
from functions.chat.tools.invoker import MIN_TOOL_MS, SearchInvoker, invoke_until

GRACE_SECONDS = 0.25
"""Time for a response to arrive after its search's end: the retrieval function ends a search at its timeout."""


class CollectionSearchResult(Struct, frozen=True):
    """Outcome of one search; `started` is on the deadline's clock."""

    collection: SelectedCollection
    outcome: SearchResponse | SkippedCollection
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
            outcome: SearchResponse | SkippedCollection = SkippedCollection(
                str(collection), "no time was left to search it"
            )
        else:
            outcome = self._outcome(collection, text, min(collection.config.timeout_ms, left_ms))
        return CollectionSearchResult(collection, outcome, started, round((self.deadline.clock() - started) * 1000))

    def _outcome(
        self, collection: SelectedCollection, text: str, timeout_ms: int
    ) -> SearchResponse | SkippedCollection:
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
            return SkippedCollection(str(collection), f"no answer within {timeout_ms} ms")
        except ToolError as error:
            return SkippedCollection(str(collection), error.message)
        except Exception as error:  # noqa: BLE001 - a failed search affects its own collection alone
            logger.error(
                "search crashed", collection=str(collection), error=type(error).__name__, stack=stack_of(error)
            )
            return SkippedCollection(str(collection), "the search failed unexpectedly")
        if response.error is not None:
            return SkippedCollection(str(collection), response.error.message)
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
