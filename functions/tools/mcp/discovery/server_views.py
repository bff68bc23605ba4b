"""Views of configured servers and of trials for operators."""

from datetime import UTC, datetime
from typing import Final

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.egress.errors import EgressError
from flexchat.egress.urls import parse_address
from flexchat.mcp import ServerListing
from flexchat.mcp_listings import McpDefinition, McpListing, definitions_of, model_names
from flexchat.mcp_tools import McpTool, definition_problems, server_tools
from functions.tools.mcp.discovery.definition_diff import definition_diff
from functions.tools.mcp.views import (
    McpServerInfo,
    McpServerView,
    McpToolView,
    McpTrialTool,
    McpTrialView,
    ServerState,
)

WAITING: Final = ("new", "changed")
"""States of tools that wait for an approval."""


def server_view(name: str, configuration: Configuration, listing: McpListing | None) -> McpServerView:
    """Return the view of a configured server with its stored listing."""
    config = configuration.mcp_servers[name]
    state: ServerState = "disabled" if not config.enabled else "not_checked" if listing is None else listing.state
    if listing is None:
        return McpServerView(
            name=name, transport=config.transport, target=_target(config), state=state, hints=config.hints
        )
    tools = server_tools(listing, config, configuration.tools.registry, problems_of=definition_problems)
    return McpServerView(
        name=name,
        transport=config.transport,
        target=_target(config),
        state=state,
        checked_at=datetime.fromtimestamp(listing.checked_at, UTC),
        protocol_version=listing.protocol_version,
        server=_info(listing.server_name, listing.server_version),
        error=_error(listing),
        hints=config.hints,
        pending_hash=listing.listed_hash if any(tool.state in WAITING for tool in tools) else None,
        tools=tuple(_tool_view(tool, listing) for tool in tools),
    )


def trial_view(name: str, config: McpServerConfig, found: ServerListing) -> McpTrialView:
    """Return the view of a server that is not configured."""
    definitions = definitions_of(found.tools)
    names = model_names(name, definitions)
    server = found.server
    return McpTrialView(
        name=name,
        protocol_version=found.protocol_version,
        server=None if server is None else _info(server.name, server.version),
        instructions=found.instructions,
        tools=tuple(
            McpTrialTool(
                name=names[tool],
                tool=tool,
                title=_title(definition),
                description=definition.description,
                idempotent=_is_idempotent(definition),
                problems=definition_problems(definition),
                definition={**definition.content},
                diff=definition_diff(None, definition),
            )
            for tool, definition in definitions.items()
            if config.takes(tool)
        ),
    )


def _target(config: McpServerConfig) -> str:
    """Return the command of a server, or the host of its address."""
    if config.command is not None:
        return config.command
    try:
        # The path may have a reference to a secret, which is no valid address.
        scheme, _, rest = (config.url or "").partition("://")
        return parse_address(f"{scheme}://{rest.partition('/')[0]}").host
    except EgressError:
        return ""


def _error(listing: McpListing) -> str | None:
    failure = listing.failure
    if failure is None:
        return None
    return f"{failure.message}\nMCP server stderr: {failure.stderr}" if failure.stderr else failure.message


def _info(name: str | None, version: str | None) -> McpServerInfo | None:
    return None if name is None else McpServerInfo(name=name, version=version or "")


def _tool_view(tool: McpTool, listing: McpListing) -> McpToolView:
    waits = tool.state in WAITING
    return McpToolView(
        name=tool.name,
        tool=tool.tool,
        title=_title(tool.definition),
        description=tool.definition.description,
        state=tool.state,
        problems=() if tool.problem is None else (tool.problem,),
        definition={**tool.definition.content} if waits else None,
        diff=definition_diff(listing.accepted.get(tool.tool), tool.definition) if waits else (),
    )


def _title(definition: McpDefinition) -> str | None:
    title = definition.content.get("title")
    return title if isinstance(title, str) else None


def _is_idempotent(definition: McpDefinition) -> bool:
    annotations = definition.content.get("annotations")
    return isinstance(annotations, dict) and (
        annotations.get("idempotentHint") is True or annotations.get("readOnlyHint") is True
    )
