"""Adapter of tools of type `internal`: translates the tool contract to the search contract.

Arguments: query, collection?, max_results? (default 5), filters? ({metadata field: value}). Result:
{"results": [passage + collection + relevance], "searched": [collection], "skipped": [{collection, reason}]}.
"""

from msgspec import Struct

from flexchat.errors import RetrievalError, ToolError, ToolErrorType
from flexchat.messages import Json
from flexchat.search import MAX_TOP_K, NamedService, SearchRequest, SearchResponse, SearchScope
from flexchat.tools import CallTool
from functions.retrieval.implementation import Implementation
from functions.retrieval.search import MAX_RESULTS, NoCollectionsError, Search, read_arguments

_USER_MESSAGE = "The documents cannot be searched at the moment."


class SearchTool(Struct, frozen=True):
    """Handler `rag_query` of tools of type `internal`."""

    search: Search

    def __call__(self, call: CallTool, implementation: Implementation) -> dict[str, Json]:
        """Return the result of a call. Raises ToolInputError, and ToolError when nothing can be searched."""
        try:
            return _result(self.search(_request(call, implementation)))
        except NoCollectionsError as exc:
            raise ToolError(exc.message, user_message="No documents are available for this search.") from exc
        except RetrievalError as exc:
            raise _tool_error(exc) from exc


def _request(call: CallTool, implementation: Implementation) -> SearchRequest:
    service = implementation.service if isinstance(implementation.service, NamedService) else None
    arguments = read_arguments(call.arguments, max_results=MAX_RESULTS if service is None else MAX_TOP_K)
    return SearchRequest(
        query=arguments.query,
        collection=arguments.collection,
        top_k=arguments.max_results,
        filters=dict(arguments.filters),
        scope=SearchScope(
            service=service,
            services=None if service else implementation.service_names,
            collections=implementation.collections,
            permitted=call.collections,
        ),
        max_bytes=implementation.max_bytes,
        request_id=call.request_id,
        timeout_ms=call.timeout_ms,
    )


def _result(response: SearchResponse) -> dict[str, Json]:
    view = response.model_dump(mode="json", include={"hits", "searched", "skipped"})
    result: dict[str, Json] = {"results": view["hits"], "searched": view["searched"], "skipped": view["skipped"]}
    if response.collection_metadata is not None:
        metadata = response.collection_metadata
        result["collection_metadata"] = metadata.model_dump(mode="json", exclude_none=True, exclude_unset=True)
    return result


def _tool_error(exc: RetrievalError) -> ToolError:
    if exc.code == "not_found":
        return ToolError(exc.message, type="invalid_arguments")
    kind: ToolErrorType = exc.code if exc.code in ("unavailable", "configuration") else "execution_failed"
    return ToolError(exc.message, type=kind, user_message=_USER_MESSAGE)
