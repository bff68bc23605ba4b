"""Handler of search events: one response for every event, within the time of its request."""

import time
from collections.abc import Callable
from typing import Final

from pydantic import ValidationError

from flexchat.deadline import Clock
from flexchat.errors import RetrievalError
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger, stack_of
from flexchat.search import SearchError, SearchRequest, SearchResponse
from flexchat.timeouts import call_with_timeout
from flexchat.tool_runtime import MARGIN_MS, InvocationContext

METRICS_NAME: Final = "rag_query"
"""Value of the dimension `tool` in the metrics of searches."""

type SearchHandler = Callable[[object, InvocationContext | None], dict[str, Json]]


def search_handler(
    search: Callable[[SearchRequest], SearchResponse], *, clock: Clock = time.monotonic
) -> SearchHandler:
    """Return the Lambda handler of search events.

    It raises nothing: a failure, a timeout and an event outside the contract are responses with an `error`.
    """

    def handler(event: object, context: InvocationContext | None = None) -> dict[str, Json]:
        started = clock()
        try:
            request = SearchRequest.model_validate(event)
        except ValidationError as exc:
            logger.remove_keys(["request_id"])
            fields = sorted({".".join(map(str, error["loc"])) for error in exc.errors(include_input=False)})
            logger.error("search event refused", fields=fields)
            return _reply(_failed(f"Not a search request: {', '.join(fields)} invalid", code="configuration"))
        logger.append_keys(request_id=request.request_id)
        if context is not None:
            left_ms = context.get_remaining_time_in_millis() - MARGIN_MS
            request = request.model_copy(update={"timeout_ms": min(request.timeout_ms, left_ms)})
        response = _search(search, request)
        _report(request, response, duration_ms=round((clock() - started) * 1000))
        return _reply(response)

    return handler


def _search(search: Callable[[SearchRequest], SearchResponse], request: SearchRequest) -> SearchResponse:
    if request.timeout_ms <= 0:
        return _timed_out(request)
    try:
        return call_with_timeout(request.timeout_ms / 1000, lambda: search(request))
    except RetrievalError as exc:
        return SearchResponse(error=SearchError(code=exc.code, message=exc.message))
    except TimeoutError:
        return _timed_out(request)
    except Exception as exc:  # noqa: BLE001 # a failed search is a response, whatever its cause
        logger.error("search crashed", collection=request.collection, error=type(exc).__name__, stack=stack_of(exc))
        return _failed("the search failed unexpectedly", code="damaged")


def _timed_out(request: SearchRequest) -> SearchResponse:
    return _failed(f"the search timed out after {max(0, request.timeout_ms)} ms", code="unavailable")


def _failed(message: str, *, code: str) -> SearchResponse:
    return SearchResponse(error=SearchError.model_validate({"code": code, "message": message}))


def _reply(response: SearchResponse) -> dict[str, Json]:
    return response.model_dump(mode="json", exclude_none=True)


def _report(request: SearchRequest, response: SearchResponse, *, duration_ms: int) -> None:
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
