"""Tools that MCP clients are offered: those of the response rules, and those of the service itself."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from flexchat.api import MAX_MESSAGE_CHARACTERS
from flexchat.api.request import SESSION_ID_PATTERN
from flexchat.config.catalog import Catalog
from flexchat.config.models.tools import ToolDefinition
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.errors import ToolError
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.retry import Retry
from flexchat.search import MAX_TOP_K, SearchRequest, SearchResponse, SearchScope
from flexchat.text import truncate
from flexchat.tools import START_SECONDS
from functions.chat.mcp_server.protocol import CallResult, failed_result, text_result
from functions.chat.runtime import Runtime
from functions.chat.tools.executor import ANSWER_SECONDS, MIN_TOOL_MS, SearchInvoker, invoke_until
from functions.chat.tools.schema_compiler.traversal import rebuilt

CHAT: Final = "chat"
SEARCH: Final = "search_collections"

MAX_QUERY_CHARACTERS: Final = 32_000

CHAT_SCHEMA: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        "message": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_MESSAGE_CHARACTERS,
            "description": "The message or question",
        },
        "session_id": {
            "type": "string",
            "pattern": SESSION_ID_PATTERN,
            "description": "A name of your choice for a conversation; later messages with it continue the conversation",
        },
    },
    "required": ["message"],
    "additionalProperties": False,
}

CHAT_OUTPUT: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string"},
        "status": {"type": "string", "enum": ["complete", "partial"]},
        "session_id": {"type": "string"},
        "tools": {"type": "array", "items": {"type": "string"}, "description": "The tools that were called, in order"},
        "request_id": {"type": "string"},
    },
    "required": ["answer", "status", "tools", "request_id"],
}

_SEARCH_PROPERTIES: Final[dict[str, Json]] = {
    "query": {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_QUERY_CHARACTERS,
        "description": "The question or the keywords",
    },
    "top_k": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_TOP_K,
        "default": 5,
        "description": "Maximum number of passages",
    },
}

SEARCH_OUTPUT: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "title": {"type": "string"},
                    "source": {"type": "string"},
                    "text": {"type": "string"},
                    "distance": {"type": "number", "description": "Cosine distance to the query; smaller is nearer"},
                    "collection": {"type": "string"},
                    "relevance": {"type": "string", "enum": ["match", "partial", "none"]},
                },
                "required": ["text", "distance", "collection", "relevance"],
            },
        },
        "searched": {"type": "array", "items": {"type": "string"}},
        "skipped": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["results", "searched", "skipped"],
}


def search_schema(collections: Collection[str]) -> dict[str, Json]:
    """Return the schema of the arguments of a search; `collections` are the names that are listed, if all are."""
    collection: dict[str, Json] = {
        "type": "string",
        "minLength": 1,
        "maxLength": 256,
        "description": "The collection to search. Without it, all collections are searched.",
    }
    if collections:
        collection["enum"] = [*collections]
    properties: dict[str, Json] = {**_SEARCH_PROPERTIES, "collection": collection}
    return {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}


def own_name(name: str, taken: Collection[str]) -> str:
    """Return the name of a tool of the service: a configured tool keeps a name that both have."""
    candidate, number = name, 1
    while candidate in taken:
        candidate = f"flexchat_{name}" if number == 1 else f"flexchat_{name}_{number}"
        number += 1
    return candidate


type Kind = Literal["tool", "chat", "search"]

HEADER_ANNOTATION: Final = "x-mcp-header"

READ_ONLY_TYPES: Final = frozenset(("builtin", "internal", "mock"))
"""Tool types whose calls change nothing."""


class ListedTool(Struct, frozen=True):
    """One tool of the list; `name` is that of MCP, `tool` its configured definition unless the service has it."""

    name: str
    kind: Kind
    definition: dict[str, Json]
    tool: ToolDefinition | None = None


class ToolListing(Struct, frozen=True):
    """Tools of one configuration, in the order of the list."""

    tools: Sequence[ListedTool]

    def get(self, name: str) -> ListedTool | None:
        return next((tool for tool in self.tools if tool.name == name), None)

    @property
    def configured(self) -> frozenset[str]:
        """Names of the offered tools in the configuration."""
        return frozenset(listed.tool.name for listed in self.tools if listed.tool is not None)


def list_tools(runtime: Runtime, *, can_search: bool) -> ToolListing:
    """Return the tools of a configuration; a tool that no response rule offers is not among them."""
    registry = runtime.tools.get_registry()
    names, offered = registry.names, offered_by_rules(runtime)
    taken = frozenset(names.wire_name(tool.name) for tool in registry.list())
    return ToolListing(
        (
            *_own_tools(runtime, taken, can_search=can_search),
            *(_configured(tool, names.wire_name(tool.name)) for tool in registry.list() if tool.name in offered),
        )
    )


def offered_by_rules(runtime: Runtime) -> frozenset[str]:
    """Return the names of the configured tools that at least one response rule offers."""
    if not runtime.tools.is_enabled():
        return frozenset()
    rules = [rule.tools for rule in runtime.catalog.configuration.responses if rule.tools and rule.tools.enabled]
    return frozenset[str]().union(*(runtime.tools.offered(rule.allowed_tools) for rule in rules))


def _own_tools(runtime: Runtime, taken: frozenset[str], *, can_search: bool) -> Iterator[ListedTool]:
    configuration, rights = runtime.catalog.configuration, runtime.rights
    if configuration.responses:
        name = own_name(CHAT, taken)
        yield ListedTool(
            name,
            "chat",
            {
                "name": name,
                "title": "Chat",
                "description": (
                    "Ask the assistant of this deployment. It answers with its own instructions, documents and tools."
                ),
                "inputSchema": CHAT_SCHEMA,
                "outputSchema": CHAT_OUTPUT,
                "annotations": {"title": "Chat"},
            },
        )
    listed = _collections(runtime.catalog)
    searchable = tuple(filter(rights.may_search, listed))
    if can_search and configuration.rag_services and (searchable if listed else rights.collections):
        name = own_name(SEARCH, taken)
        yield ListedTool(
            name,
            "search",
            {
                "name": name,
                "title": "Search collections",
                "description": "Search the document collections of this deployment. Returns passages, best first.",
                "inputSchema": search_schema(searchable),
                "outputSchema": SEARCH_OUTPUT,
                "annotations": {"title": "Search collections", "readOnlyHint": True, "openWorldHint": False},
            },
        )


def _collections(catalog: Catalog) -> tuple[str, ...]:
    """Return the names of all collections; empty where a service may have others than those that are listed."""
    named = [config.collection_names(service) for service, config in catalog.configuration.rag_services.items()]
    return tuple(dict.fromkeys(name for names in named for name in names)) if all(named) else ()


def _configured(tool: ToolDefinition, name: str) -> ListedTool:
    annotations: dict[str, Json] = {}
    if tool.implementation_type in READ_ONLY_TYPES:
        annotations |= {"readOnlyHint": True, "openWorldHint": False}
    elif tool.idempotent:
        annotations |= {"idempotentHint": True}
    definition: dict[str, Json] = {
        "name": name,
        **({"title": tool.name} if name != tool.name else {}),
        "description": tool.description,
        "inputSchema": without_header_annotations(tool.parameters),
        **({"annotations": annotations} if annotations else {}),
    }
    return ListedTool(name, "tool", definition, tool)


def without_header_annotations(schema: dict[str, Json]) -> dict[str, Json]:
    """Return a schema without `x-mcp-header`, which would make clients repeat arguments in headers of their requests.

    Definitions from other MCP servers may have it, for intermediaries before those servers.
    """
    return _stripped(schema) if HEADER_ANNOTATION in dumps(schema) else schema


def _stripped(schema: dict[str, Json]) -> dict[str, Json]:
    kept = {keyword: value for keyword, value in schema.items() if keyword != HEADER_ANNOTATION}
    return rebuilt(kept, (), lambda sub, _pointer: _stripped(sub) if isinstance(sub, dict) else sub)


SEARCH_MS: Final = 15_000
"""Maximum time of one search."""

MAX_TEXT_CHARACTERS: Final = 24_000

DEFAULT_TOP_K: Final = 5


def search_collections(
    arguments: Mapping[str, Json],
    services: Collection[str],
    *,
    permitted: tuple[str, ...] | None,
    invoker: SearchInvoker,
    deadline: Deadline,
    request_id: str,
) -> CallResult:
    """Return the passages for checked arguments, as text and as an object.

    A collection is named alone, or as `service/collection` of one of the configured `services`. `permitted` are the
    names of the collections that the caller may search, None for every one.
    """
    end = deadline.minus(ANSWER_SECONDS).within(SEARCH_MS / 1000 + START_SECONDS)
    timeout_ms = min(SEARCH_MS, end.remaining_ms())
    if timeout_ms < MIN_TOOL_MS:
        return failed_result("Not run: no time was left for the search")
    request = _request(arguments, services, permitted, request_id=request_id, timeout_ms=timeout_ms)
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
    arguments: Mapping[str, Json],
    services: Collection[str],
    permitted: tuple[str, ...] | None,
    *,
    request_id: str,
    timeout_ms: int,
) -> SearchRequest:
    collection, scope, top_k = arguments.get("collection"), SearchScope(permitted=permitted), arguments.get("top_k")
    if isinstance(collection, str):
        service, slash, name = collection.partition("/")
        if slash and service in services:
            collection, scope = name, SearchScope(services=(service,), permitted=permitted)
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
