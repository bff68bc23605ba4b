"""Tools that MCP clients are offered: those of the response rules, and those of the service itself."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from flexchat.config.catalog import Catalog
from flexchat.config.models.tools import ToolDefinition
from flexchat.json import dumps
from flexchat.messages import Json
from functions.chat.mcp_server.own_tools import (
    CHAT,
    CHAT_OUTPUT,
    CHAT_SCHEMA,
    SEARCH,
    SEARCH_OUTPUT,
    own_name,
    search_schema,
)
from functions.chat.runtime import Runtime
from functions.chat.tools.schema_compiler.traversal import rebuilt

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
            *_own_tools(runtime.catalog, taken, can_search=can_search),
            *(_configured(tool, names.wire_name(tool.name)) for tool in registry.list() if tool.name in offered),
        )
    )


def offered_by_rules(runtime: Runtime) -> frozenset[str]:
    """Return the names of the configured tools that at least one response rule offers."""
    if not runtime.tools.is_enabled():
        return frozenset()
    rules = [rule.tools for rule in runtime.catalog.configuration.responses if rule.tools and rule.tools.enabled]
    return frozenset[str]().union(*(runtime.tools.offered(rule.allowed_tools) for rule in rules))


def _own_tools(catalog: Catalog, taken: frozenset[str], *, can_search: bool) -> Iterator[ListedTool]:
    configuration = catalog.configuration
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
    if can_search and configuration.rag_services:
        name = own_name(SEARCH, taken)
        yield ListedTool(
            name,
            "search",
            {
                "name": name,
                "title": "Search collections",
                "description": "Search the document collections of this deployment. Returns passages, best first.",
                "inputSchema": search_schema(_collections(catalog)),
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
