"""Handler of search events."""

import time
from collections.abc import Callable
from typing import Final

from flexchat.deadline import Clock
from flexchat.errors import RetrievalError
from flexchat.observability import emit_metrics, logger
from flexchat.search import SearchError, SearchRequest, SearchResponse
from functions.retrieval.operations import OperationHandler, operation_handler

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
