"""Traits of tools that decide which of them may be combined in one conversation."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from flexchat.secret_references import SECRET_REFERENCE, texts_in
from flexchat.tool_types import EVERY_TRAIT, TOOL_TYPES, ToolTraits

if TYPE_CHECKING:
    from flexchat.config.models.mcp_servers import McpServerConfig, McpToolSettings
    from flexchat.config.models.tools import DeclaredTraits, ToolDefinition
    from flexchat.messages import Json

_READING_METHODS: Final = ("GET", "HEAD")


def traits_of(tool: "ToolDefinition") -> ToolTraits:
    """Return the traits of a tool: its own, else those of its type.

    An http tool reads private data where its request has a secret, and writes unless its method is GET or HEAD. A tool
    of an unknown type has every trait.
    """
    row = TOOL_TYPES.get(tool.implementation_type)
    default = EVERY_TRAIT if row is None else row.traits
    if tool.implementation_type == "http":
        default = _of_request(tool.implementation, default)
    return _stated(tool, default)


def server_traits(server: "McpServerConfig", settings: "McpToolSettings", *, reads_only: bool) -> ToolTraits:
    """Return the traits of a discovered tool of an MCP server.

    They are those of its `settings`, else of the server, else of the type. A server declares that a tool `reads_only`.
    """
    default = TOOL_TYPES["mcp"].traits
    if reads_only:
        default = default._replace(writes=False)
    return _stated(settings, _stated(server, default))


def is_lethal(traits: Iterable[ToolTraits]) -> bool:
    """Return whether tools with these traits can read private data, read untrusted content, and let data out."""
    found = tuple(traits)
    lets_out = any(each.egress or each.writes for each in found)
    return lets_out and any(each.reads_private for each in found) and any(each.untrusted for each in found)


def _of_request(implementation: "Mapping[str, Json]", default: ToolTraits) -> ToolTraits:
    has_secret = any(SECRET_REFERENCE.search(text) for _, text in texts_in(dict(implementation)))
    writes = implementation.get("method", "GET") not in _READING_METHODS
    return default._replace(reads_private=has_secret, writes=writes)


def _stated(stated: "DeclaredTraits", default: ToolTraits) -> ToolTraits:
    own = ((name, getattr(stated, name)) for name in ToolTraits._fields)
    return default._replace(**{name: value for name, value in own if value is not None})
