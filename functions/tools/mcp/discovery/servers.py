"""Configured servers for operators: their state, their tools, refreshes, approvals, and trials of new ones."""

from collections.abc import Callable
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final

from msgspec import Struct

from flexchat.audit import AuditRecord, print_record, safe_name
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.config.source import StoredConfiguration
from flexchat.config.suggestions import known_names
from flexchat.deadline import Clock, Deadline
from flexchat.egress.errors import EgressError
from flexchat.egress.urls import parse_address
from flexchat.errors import Problem, RequestError
from flexchat.http_api.caller import Caller
from flexchat.mcp import ServerListing
from flexchat.mcp_listings import McpDefinition, McpFailure, McpListing, definitions_of, model_names
from flexchat.mcp_tools import McpTool, definition_problems, server_tools
from flexchat.observability import logger
from functions.tools.mcp.discovery.definition_diff import definition_diff
from functions.tools.mcp.discovery.refresher import Listings, Refresher, ServerTools
from functions.tools.mcp.discovery.transitions import approved
from functions.tools.mcp.views import (
    McpApproval,
    McpServerInfo,
    McpServerList,
    McpServerView,
    McpToolView,
    McpTrial,
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
        left_out=dict(listing.left_out),
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
        left_out={entry.tool: entry.reason for entry in found.left_out},
        tools=tuple(
            McpTrialTool(
                name=names[tool],
                tool=tool,
                title=_title(definition),
                description=definition.description,
                idempotent=_is_idempotent(definition),
                problems=definition_problems(definition),
                losses=definition.losses,
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
        losses=tool.definition.losses,
        definition={**tool.definition.content} if waits else None,
        diff=definition_diff(listing.accepted.get(tool.tool), tool.definition) if waits else (),
    )


def _title(definition: McpDefinition) -> str | None:
    title = definition.content.get("title")
    return title if isinstance(title, str) else None


def _is_idempotent(definition: McpDefinition) -> bool:
    annotations = definition.content.get("annotations")
    return definition.reads_only or (isinstance(annotations, dict) and annotations.get("idempotentHint") is True)


REFRESH_SECONDS = 25.0
"""Time of a refresh by an operator: all attempts to connect, and the list."""


class McpServers(Struct, frozen=True, kw_only=True):
    """Servers of the current configuration; `clock` is in seconds since the epoch.

    Methods raise ConfigError and UnavailableError when the configuration or the listings cannot be read, and
    RequestError (404) for an unknown server.
    """

    configured: Callable[[], StoredConfiguration]
    listings: Listings
    refresher: Refresher
    list_tools: ServerTools
    clock: Clock

    def list(self, *, deadline: Deadline) -> McpServerList:
        """Return all servers, without contact to any."""
        configuration = self.configured().configuration
        servers = configuration.mcp_servers
        stored = self.listings.read_all(tuple(servers), deadline) if servers else {}
        return McpServerList(servers=tuple(server_view(name, configuration, stored.get(name)) for name in servers))

    def refresh(self, name: str, *, deadline: Deadline) -> McpServerView:
        """Return a server after a refresh, also a failed one. Raises RequestError (409) for a disabled one."""
        configuration, config = self._server(name)
        if not config.enabled:
            message = f"the server {name!r} is disabled in the configuration"
            raise RequestError(message, status=HTTPStatus.CONFLICT, code="server_disabled")
        listing = self.refresher.refresh_server(configuration, name, deadline=deadline.within(REFRESH_SECONDS))
        return server_view(name, configuration, listing)

    def approve(
        self, name: str, approval: McpApproval, *, by: Caller, request_id: str, deadline: Deadline
    ) -> McpServerView:
        """Return a server whose definitions are approved as the operator `by` has seen them.

        Only definitions that wait are: those of tools that the configuration replaces or leaves out are not shown.

        Raises RequestError: 409 when they have changed since or nothing is listed yet, 400 for unknown tools.
        """
        configuration, config = self._server(name)
        previous = self.listings.read(name, deadline)
        if previous is None or previous.listed_at is None:
            message = f"the tools of the server {name!r} have not been listed yet; refresh it first"
            raise RequestError(message, status=HTTPStatus.CONFLICT, code="not_listed")
        tools = approval.tools
        if tools is None:
            found = server_tools(previous, config, configuration.tools.registry, problems_of=definition_problems)
            tools = tuple(tool.tool for tool in found if tool.state in (*WAITING, "removed"))
        listing = approved(previous, seen=approval.hash, tools=tools, by=by.principal, now=self.clock())
        if not self.listings.write(listing, deadline):
            message = f"the server {name!r} was refreshed or approved at the same time; look at its tools again"
            raise RequestError(message, status=HTTPStatus.CONFLICT, code="definitions_changed")
        _audit(previous, listing, by, request_id, at=self.clock())
        return server_view(name, configuration, listing)

    def try_out(self, trial: McpTrial, *, deadline: Deadline) -> McpTrialView:
        """Return the tools of a server that is not configured; nothing is stored.

        Raises RequestError (502) for one that cannot be reached.
        """
        left = deadline.within(REFRESH_SECONDS).remaining()
        found = self.list_tools(trial.name, trial.server, max(1, int(left * 1000)))
        if isinstance(found, McpFailure):
            stderr = f"\n{found.stderr}" if found.stderr else ""
            code = "mcp_starting" if found.is_starting else "mcp_failed"
            raise RequestError(f"{found.message}{stderr}", status=HTTPStatus.UNPROCESSABLE_ENTITY, code=code)
        return trial_view(trial.name, trial.server, found)

    def _server(self, name: str) -> tuple[Configuration, McpServerConfig]:
        configured = self.configured()
        config = configured.configuration.mcp_servers.get(name)
        if config is None:
            problems = [
                problem
                for entry in configured.disabled
                if (entry.kind, entry.name) == ("mcp_server", name)
                for problem in entry.problems
            ]
            names = known_names(name, configured.configuration.mcp_servers)
            reason = (
                f"cannot be used: {'; '.join(problems)}" if problems else f"is not configured; the servers are {names}"
            )
            message = f"the server {name!r} {reason}"
            details = (Problem("name", message),)
            raise RequestError(message, status=HTTPStatus.NOT_FOUND, code="server_not_found", details=details)
        return configured.configuration, config


def _audit(before: McpListing, after: McpListing, by: Caller, request_id: str, *, at: float) -> None:
    """Log and audit an approval: its caller, and the tools with their states before it."""
    states = {
        tool: before.tool_state(tool)
        for tool in before.names
        if tool not in after.names or before.tool_state(tool) != after.tool_state(tool)
    }
    logger.info(
        "mcp definitions approved",
        server=after.server,
        principal=by.principal,
        definitions=after.listed_hash,
        tools=states,
    )
    print_record(
        AuditRecord(
            id=f"{request_id}:approve_definitions",
            at=at,
            kind="approval",
            action="approve_definitions",
            principal=by.principal,
            request_id=request_id,
            outcome="succeeded",
            name=by.name or None,
            target=after.server,
            front_end="api",
            details={"definitions": after.listed_hash, "tools": {safe_name(tool): states[tool] for tool in states}},
        )
    )
