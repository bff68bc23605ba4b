"""Configured servers for operators: their state, their tools, refreshes, approvals, and trials of new ones."""

from collections.abc import Callable
from http import HTTPStatus

from msgspec import Struct

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.config.source import StoredConfiguration
from flexchat.config.suggestions import known_names
from flexchat.deadline import Clock, Deadline
from flexchat.errors import Problem, RequestError
from flexchat.mcp_listings import McpFailure, McpListing
from flexchat.mcp_tools import definition_problems, server_tools
from flexchat.observability import logger
from functions.tools.mcp.discovery.refresher import Listings, ListTools, Refresher
from functions.tools.mcp.discovery.server_views import WAITING, server_view, trial_view
from functions.tools.mcp.discovery.transitions import approved
from functions.tools.mcp.views import McpApproval, McpServerList, McpServerView, McpTrial, McpTrialView

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
    list_tools: ListTools
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

    def approve(self, name: str, approval: McpApproval, *, by: str, deadline: Deadline) -> McpServerView:
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
        listing = approved(previous, seen=approval.hash, tools=tools, by=by, now=self.clock())
        if not self.listings.write(listing, deadline):
            message = f"the server {name!r} was refreshed or approved at the same time; look at its tools again"
            raise RequestError(message, status=HTTPStatus.CONFLICT, code="definitions_changed")
        _audit(previous, listing, by)
        return server_view(name, configuration, listing)

    def try_out(self, trial: McpTrial, *, deadline: Deadline) -> McpTrialView:
        """Return the tools of a server that is not configured; nothing is stored.

        Raises RequestError (502) for one that cannot be reached.
        """
        left = deadline.within(REFRESH_SECONDS).remaining()
        found = self.list_tools(trial.name, trial.server, max(1, int(left * 1000)))
        if isinstance(found, McpFailure):
            stderr = f"\n{found.stderr}" if found.stderr else ""
            raise RequestError(f"{found.message}{stderr}", status=HTTPStatus.UNPROCESSABLE_ENTITY, code="mcp_failed")
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


def _audit(before: McpListing, after: McpListing, by: str) -> None:
    """Log an approval: its caller, and the tools with their states before it."""
    states = {
        tool: before.tool_state(tool)
        for tool in before.names
        if tool not in after.names or before.tool_state(tool) != after.tool_state(tool)
    }
    logger.info(
        "mcp definitions approved",
        server=after.server,
        principal=by,
        definitions=after.listed_hash,
        tools=states,
    )
