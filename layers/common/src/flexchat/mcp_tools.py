"""Tools of a configured MCP server: their names in chats, and the reasons why models are not offered some of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from flexchat.config.models.tools import ToolDefinition
from flexchat.mcp_listings import McpDefinition, McpListing, ToolState, model_names
from flexchat.schema import check_schema

if TYPE_CHECKING:
    from flexchat.config.models.mcp_servers import McpServerConfig

type McpToolState = ToolState | Literal["invalid", "shadowed", "not_taken"]
"""`invalid`: no model can be offered the definition; `shadowed`: a configured tool is used instead; `not_taken`: left
out by the `tools` of the server's configuration."""


class McpTool(Struct, frozen=True):
    """A tool of a server: `name` in chats, `tool` at the server. `problem` is the reason why it is not offered."""

    name: str
    tool: str
    definition: McpDefinition
    state: McpToolState
    problem: str | None = None


def server_tools(
    listing: McpListing,
    config: "McpServerConfig",
    configured: Sequence[ToolDefinition],
    *,
    problems_of: Callable[[McpDefinition], tuple[str, ...]],
) -> tuple[McpTool, ...]:
    """Return the tools of a listing; `configured` are the tools of the configuration, which take precedence.

    `problems_of` checks a definition that would be offered.
    """
    return tuple(_tools(listing, config, configured, problems_of))


def _tools(
    listing: McpListing,
    config: "McpServerConfig",
    configured: Sequence[ToolDefinition],
    problems_of: Callable[[McpDefinition], tuple[str, ...]],
) -> Iterator[McpTool]:
    server = listing.server
    names = {tool.name for tool in configured}
    pinned = {
        tool.implementation.get("tool"): tool.name
        for tool in configured
        if (tool.implementation_type, tool.implementation.get("server")) == ("mcp", server)
    }
    for tool, name in model_names(server, listing.names).items():
        state: McpToolState = listing.tool_state(tool)
        definition = (listing.accepted if state == "removed" else listing.listed)[tool]
        problem = _PROBLEMS.get(state)
        if not config.takes(tool):
            state, problem = "not_taken", f"the tools of mcp_servers.{server} do not name it"
        elif name in names or tool in pinned:
            state, problem = "shadowed", f"the configured tool {pinned.get(tool, name)!r} is used instead"
        elif state == "offered" and (problems := problems_of(definition)):
            state, problem = "invalid", "; ".join(problems)
        yield McpTool(name, tool, definition, state, problem and problem.format(server=server))


_PROBLEMS: dict[McpToolState, str] = {
    "new": "new since the last approval; approve it with `flexchat mcp approve {server}`",
    "changed": "its definition has changed since it was approved; approve it with `flexchat mcp approve {server}`",
    "removed": "the server does not list it any more",
}


def definition_problems(definition: McpDefinition) -> tuple[str, ...]:
    """Return the reasons why no model can be offered a definition; takes about 2 ms."""
    return type_problems(definition) or tuple(
        f"its inputSchema is not usable: {problem}" for problem in check_schema(definition.parameters)
    )


def type_problems(definition: McpDefinition) -> tuple[str, ...]:
    """Return the reason why arguments of another type than an object cannot be sent."""
    is_object = definition.parameters.get("type") == "object"
    return () if is_object else ("its inputSchema is not of type 'object'",)
