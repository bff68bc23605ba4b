"""Asks the retrieval function for passages: every collection at most once, several at a time, none for too long."""

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, ValidationError

from flexchat.deadline import Deadline
from flexchat.errors import ToolError
from flexchat.observability import logger, stack_of
from flexchat.retry import UnstartedRetry
from flexchat.timeouts import call_with_timeout
from flexchat.tools import START_SECONDS, CallTool, ToolReply
from functions.chat.phases.selection import SelectedCollection, Skipped
from functions.chat.tools.invoker import MIN_TOOL_MS, ToolInvoker, invoke_until

INTERNAL = "internal"
HANDLER = "rag_query"

GRACE_SECONDS = 0.25
"""The time that an answer needs to arrive after the search's end: the retrieval function ends it at its timeout."""


class _ReplyModel(BaseModel):
    """A part of the function's result; what a search does not need of it is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Hit(_ReplyModel):
    """A passage as the retrieval function tells it, with its cosine distance to the question."""

    title: str = ""
    source: str = ""
    text: str
    distance: float


class Thresholds(_ReplyModel):
    """What a collection's own metadata says of the thresholds; what is left out is the service's."""

    match_threshold: float | None = None
    partial_threshold: float | None = None


class _SkippedByFunction(_ReplyModel):
    collection: str
    reason: str


class Found(_ReplyModel):
    """What one collection has, in the retriever's order."""

    results: tuple[Hit, ...]
    collection_metadata: Thresholds = Thresholds()
    skipped: tuple[_SkippedByFunction, ...] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """The outcome of one search; `started` is on the deadline's clock, `duration_ms` what it took."""

    collection: SelectedCollection
    outcome: Found | Skipped
    started: float
    duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionSearch:
    """Searches collections within `deadline`, at most `max_parallel` at the same time."""

    invoker: ToolInvoker
    deadline: Deadline
    request_id: str
    max_parallel: int
    retry: UnstartedRetry = field(default_factory=UnstartedRetry)

    def run(self, text: str, collections: Sequence[SelectedCollection]) -> Generator[Searched]:
        """The outcomes in the order of `collections`, each as soon as it and all before it are there.

        Whoever closes the iterator early calls off the searches that have not begun; the others' answers are dropped.
        """
        pool = ThreadPoolExecutor(max_workers=self.max_parallel, thread_name_prefix="search")
        try:
            asked = [
                pool.submit(self._search, collection, self._call(text, collection, position))
                for position, collection in enumerate(collections)
            ]
            for future in asked:
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _call(self, text: str, collection: SelectedCollection, position: int) -> CallTool:
        call_id = f"search_{position}"
        return CallTool(
            tool=HANDLER,
            arguments={"query": text, "collection": collection.name, "max_results": collection.config.top_k},
            implementation={
                "type": INTERNAL,
                "handler": HANDLER,
                "service": {**collection.config.model_dump(mode="json"), "name": collection.service},
            },
            call_id=call_id,
            idempotency_key=f"{self.request_id}:{call_id}",
            request_id=self.request_id,
            timeout_ms=collection.config.timeout_ms,
        )

    def _search(self, collection: SelectedCollection, call: CallTool) -> Searched:
        """One search, in a thread of its own; whatever happens to it is an outcome."""
        started = self.deadline.clock()
        left_ms = self.deadline.minus(GRACE_SECONDS).remaining_ms()
        if left_ms < MIN_TOOL_MS:
            outcome: Found | Skipped = Skipped(str(collection), "no time was left to search it")
        else:
            timeout_ms = min(call.timeout_ms, left_ms)
            outcome = self._outcome(collection, call.model_copy(update={"timeout_ms": timeout_ms}))
        return Searched(collection, outcome, started, round((self.deadline.clock() - started) * 1000))

    def _outcome(self, collection: SelectedCollection, call: CallTool) -> Found | Skipped:
        end = self.deadline.minus(GRACE_SECONDS).within(call.timeout_ms / 1000 + START_SECONDS)
        try:
            reply = call_with_timeout(
                end.remaining() + GRACE_SECONDS,
                lambda: invoke_until(self.invoker, INTERNAL, call, end=end, retry=self.retry),
            )
        except TimeoutError:
            return Skipped(str(collection), f"no answer within {call.timeout_ms} ms")
        except ToolError as error:
            return Skipped(str(collection), error.message)
        except Exception as error:  # noqa: BLE001 - a search that fails costs its own collection alone
            logger.error(
                "search crashed", collection=str(collection), error=type(error).__name__, stack=stack_of(error)
            )
            return Skipped(str(collection), "the search failed unexpectedly")
        return _understood(collection, reply)


def _understood(collection: SelectedCollection, reply: ToolReply) -> Found | Skipped:
    if not reply.ok:
        return Skipped(str(collection), reply.error.message if reply.error else "the search failed without saying why")
    try:
        found = Found.model_validate(reply.result)
    except ValidationError:
        return Skipped(str(collection), "the search was answered in a form that is not understood")
    return Skipped(str(collection), found.skipped[0].reason) if found.skipped else found
