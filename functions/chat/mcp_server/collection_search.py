"""Search of the configured collections by the retrieval function."""

from collections.abc import Collection, Mapping
from typing import Final

from flexchat.deadline import Deadline
from flexchat.errors import ToolError
from flexchat.messages import Json
from flexchat.retry import Retry
from flexchat.search import SearchRequest, SearchResponse, SearchScope
from flexchat.text import truncate
from flexchat.timeouts import call_with_timeout
from flexchat.tools import START_SECONDS
from functions.chat.mcp_server.results import CallResult, failed_result, text_result
from functions.chat.tools.invoker import ANSWER_SECONDS, MIN_TOOL_MS, SearchInvoker, invoke_until

SEARCH_MS: Final = 15_000
"""Maximum time of one search."""

MAX_TEXT_CHARACTERS: Final = 24_000

DEFAULT_TOP_K: Final = 5


def search_collections(
    arguments: Mapping[str, Json],
    services: Collection[str],
    *,
    invoker: SearchInvoker,
    deadline: Deadline,
    request_id: str,
) -> CallResult:
    """Return the passages for checked arguments, as text and as an object.

    A collection is named alone, or as `service/collection` of one of the configured `services`.
    """
    end = deadline.minus(ANSWER_SECONDS).within(SEARCH_MS / 1000 + START_SECONDS)
    timeout_ms = min(SEARCH_MS, end.remaining_ms())
    if timeout_ms < MIN_TOOL_MS:
        return failed_result("Not run: no time was left for the search")
    request = _request(arguments, services, request_id=request_id, timeout_ms=timeout_ms)
    try:
        response = call_with_timeout(
            end.remaining() + ANSWER_SECONDS,
            lambda: invoke_until(
                lambda left_ms: invoker.search(request.model_copy(update={"timeout_ms": left_ms})),
                timeout_ms,
                end=end,
                retry=Retry.until_started(),
            ),
        )
    except TimeoutError:
        return failed_result(f"the search timed out after {timeout_ms} ms")
    except ToolError as error:
        return failed_result(error.message)
    return failed_result(response.error.message) if response.error else _found(response)


def _request(
    arguments: Mapping[str, Json], services: Collection[str], *, request_id: str, timeout_ms: int
) -> SearchRequest:
    collection, scope, top_k = arguments.get("collection"), SearchScope(), arguments.get("top_k")
    if isinstance(collection, str):
        service, slash, name = collection.partition("/")
        if slash and service in services:
            collection, scope = name, SearchScope(services=(service,))
    return SearchRequest(
        query=str(arguments["query"]),
        collection=collection if isinstance(collection, str) else None,
        top_k=top_k if isinstance(top_k, int) else DEFAULT_TOP_K,
        scope=scope,
        request_id=request_id,
        timeout_ms=timeout_ms,
    )


def _found(response: SearchResponse) -> CallResult:
    passages = [
        f"[{number}] {hit.title or hit.source or hit.collection}"
        + (f" ({hit.source})" if hit.source not in ("", hit.title) else "")
        + f"\n{hit.text}"
        for number, hit in enumerate(response.hits, start=1)
    ]
    structured: dict[str, Json] = response.model_dump(mode="json", include={"searched", "skipped"})
    results: list[Json] = [
        hit.model_dump(mode="json", include={"title", "source", "text", "distance", "collection", "relevance"})
        for hit in response.hits
    ]
    text = truncate("\n\n".join(passages), MAX_TEXT_CHARACTERS) if passages else "No passage was found."
    return text_result(text, {"results": results, **structured})
