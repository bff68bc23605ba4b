"""The configured tools together with those of MCP servers.

Imported only for a configuration with MCP servers, or with tools of type mcp.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.mcp_servers import McpServerConfig, McpToolSettings
from flexchat.config.models.tools import ToolDefinition
from flexchat.mcp_listings import McpListing
from flexchat.mcp_tools import McpTool, server_tools, type_problems
from flexchat.messages import Json
from flexchat.text import truncate
from flexchat.tool_traits import server_traits
from flexchat.tool_types import ToolTraits
from flexchat.tools import ToolFault
from functions.chat.tools.discovered.listings import Listed
from functions.chat.tools.manager import AvailableTools, WithheldTool

MAX_DESCRIPTION: Final = 4_096

_DEFAULTS: Final = McpToolSettings()


def available_tools(configuration: Configuration, listed: Listed) -> AvailableTools:
    """Return the tools of a configuration and of its servers, as far as they are listed and approved."""
    tools, servers = configuration.tools, configuration.mcp_servers
    withheld: dict[str, WithheldTool] = {}
    registry: list[ToolDefinition] = []
    for tool in tools.registry:
        found = _pinned(tool, servers) if tool.implementation_type == "mcp" else tool
        if isinstance(found, ToolDefinition):
            registry.append(found)
        else:
            withheld[tool.name] = found
    for name, config in servers.items():
        if "mcp" in tools.disabled_types:
            withheld[f"{name}/*"] = _withheld(f"{name}/*", "tools of type 'mcp' are disabled in the configuration")
            continue
        if reason := _unknown(name, config, listed):
            withheld[f"{name}/*"] = _withheld(f"{name}/*", reason)
            continue
        for found in _discovered(config, listed.by_server[name], tools.registry):
            if isinstance(found, ToolDefinition):
                registry.append(found)
            else:
                withheld.setdefault(found[0], found[1])
    return AvailableTools(tools.model_copy(update={"registry": tuple(registry)}), withheld)


def _pinned(tool: ToolDefinition, servers: Mapping[str, McpServerConfig]) -> ToolDefinition | WithheldTool:
    """Return a configured tool of a server with the connection that its calls need."""
    name = str(tool.implementation.get("server"))
    config = servers.get(name)
    if config is None:
        return _withheld(tool.name, f"the MCP server {name!r} is not configured or cannot be used")
    if not config.enabled:
        return _withheld(tool.name, f"the MCP server {name!r} is disabled in the configuration")
    names: Json = {**config.argument_names.get(str(tool.implementation.get("tool")), {})}
    implementation: dict[str, Json] = {"argument_names": names, **tool.implementation, "connection": config.connection}
    if config.timeout_ms is not None:
        implementation.setdefault("timeout_ms", config.timeout_ms)
    traits = {name: getattr(config, name) for name in ToolTraits._fields if getattr(tool, name) is None}
    return tool.model_copy(update={"implementation": implementation, **traits})


def _unknown(name: str, config: McpServerConfig, listed: Listed) -> str:
    """Return the reason why no tool of a server is known; empty otherwise."""
    if not config.enabled:
        return "the server is disabled in the configuration"
    if not listed.is_read:
        return "the list of its tools could not be read yet"
    listing = listed.by_server.get(name)
    if listing is None:
        return "its tools have not been listed yet"
    if not listing.names:
        return listing.failure.message if listing.failure is not None else "the server has no tools"
    return ""


def _discovered(
    config: McpServerConfig, listing: McpListing, configured: tuple[ToolDefinition, ...]
) -> Iterator[ToolDefinition | tuple[str, WithheldTool]]:
    """Yield the tools of a server, those that are withheld with their reason.

    Tools that a configured one replaces, and those that the server's configuration leaves out, are not yielded.
    """
    # The registry checks the schemas.
    for tool in server_tools(listing, config, configured, problems_of=type_problems):
        if tool.state in ("shadowed", "not_taken"):
            continue
        if listing.state == "failed":
            reason = f"its MCP server is not available: {listing.failure.message if listing.failure else 'no answer'}"
            fault = ToolFault(
                type="unavailable",
                message=f"Tool '{tool.name}' is not available: its MCP server does not answer at the moment",
                user_message="The service of this tool is unavailable at the moment. Please try again later.",
            )
            yield tool.name, WithheldTool(reason, fault)
        elif tool.problem is not None:
            yield tool.name, _withheld(tool.name, tool.problem)
        else:
            yield _definition(tool, listing.server, config)


def _definition(tool: McpTool, server: str, config: McpServerConfig) -> ToolDefinition:
    settings, definition = config.tool_settings.get(tool.tool, _DEFAULTS), tool.definition
    description = definition.description or f"Tool {tool.tool!r} of the MCP server {server!r}."
    implementation: dict[str, Json] = {
        "type": "mcp",
        "server": server,
        "tool": tool.tool,
        "connection": config.connection,
        "argument_names": {**config.argument_names.get(tool.tool, {})},
        "parameters": definition.parameters,
    }
    if definition.output_schema is not None:
        implementation["output_schema"] = definition.output_schema
    if (timeout_ms := settings.timeout_ms or config.timeout_ms) is not None:
        implementation["timeout_ms"] = timeout_ms
    return ToolDefinition(
        name=tool.name,
        description=truncate(description, MAX_DESCRIPTION),
        parameters=definition.parameters,
        implementation=implementation,
        idempotent=settings.idempotent,
        repeatable=settings.repeatable,
        sequential=settings.sequential,
        per_principal=settings.per_principal,
        approval=settings.approval,
        approvers=settings.approvers,
        max_result_size=settings.max_result_size,
        **server_traits(config, settings, reads_only=definition.reads_only)._asdict(),
    )


def _withheld(name: str, reason: str) -> WithheldTool:
    return WithheldTool(
        reason, ToolFault(type="tool_disabled", message=f"Tool '{name}' is disabled in this deployment")
    )
