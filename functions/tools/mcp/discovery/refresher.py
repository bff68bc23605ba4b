"""Refresh of the stored listings of configured servers."""

from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import replace
from typing import Final, Protocol

from msgspec import Struct

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ConfigError, ToolError, UnavailableError
from flexchat.mcp import DEFAULT_INTERVAL_MINUTES, ListTools, RefreshServers, ServerListing
from flexchat.mcp_listings import ListingTooLargeError, McpFailure, McpListing
from flexchat.observability import emit_metrics, logger
from flexchat.tool_secrets import SecretReader
from functions.tools.mcp.discovery.transitions import failed, refreshed
from functions.tools.mcp.errors import ConnectionFailedError, failure_headline, failure_report
from functions.tools.mcp.list_tools import List, resolved_connection

WRITE_ATTEMPTS: Final = 3
"""Writes of one listing while other writers replace it."""

STORE_SECONDS: Final = 2.0
"""Part of the time of a refresh that remains to store the result."""

MIN_TIMEOUT_MS: Final = 1_000


class Listings(Protocol):
    """Stored listings. Methods raise UnavailableError and ConfigError."""

    def read_all(self, servers: Collection[str], deadline: Deadline) -> dict[str, McpListing]: ...

    def read(self, server: str, deadline: Deadline) -> McpListing | None: ...

    def write(self, listing: McpListing, deadline: Deadline) -> bool: ...


class ServerTools(Protocol):
    """Lists the tools of a server by its configuration, within milliseconds; a failure is returned, not raised."""

    def __call__(self, server: str, config: McpServerConfig, timeout_ms: int) -> ServerListing | McpFailure: ...


class Refresher(Struct, frozen=True, kw_only=True):
    """Lists the tools of servers and stores the result; `clock` is in seconds since the epoch.

    Servers are listed at the same time: each of those that are away takes the time of all attempts to connect.
    """

    listings: Listings
    list_tools: ServerTools
    clock: Clock

    def refresh(
        self, configuration: Configuration, request: RefreshServers, *, deadline: Deadline
    ) -> Mapping[str, McpListing]:
        """Refresh all enabled servers, or the requested ones that are due; return the new listings.

        Chats request a refresh of single servers, many of them possibly at the same time.
        """
        servers, interval = request.servers, request.interval_minutes
        enabled = {name: config for name, config in configuration.mcp_servers.items() if config.enabled}
        if servers is not None:
            now = self.clock()
            stored = self.listings.read_all([name for name in servers if name in enabled], deadline)
            enabled = {
                name: config
                for name, config in enabled.items()
                if name in servers and (name not in stored or stored[name].needs_refresh(config.connection_hash, now))
            }
        if not enabled:
            return {}
        with ThreadPoolExecutor(max_workers=len(enabled), thread_name_prefix="mcp-refresh") as threads:
            refreshing = {
                name: threads.submit(
                    self.refresh_server, configuration, name, deadline=deadline, interval_minutes=interval
                )
                for name in enabled
            }
        done: dict[str, McpListing] = {}
        for name, future in refreshing.items():
            try:
                done[name] = future.result()
            except (ConfigError, UnavailableError) as exc:
                logger.error("mcp listing not stored", server=name, reason=str(exc))
        states = [listing.state for listing in done.values()]
        logger.info("mcp servers refreshed", ready=states.count("ready"), failed=len(enabled) - states.count("ready"))
        return done

    def refresh_server(
        self,
        configuration: Configuration,
        name: str,
        *,
        deadline: Deadline,
        interval_minutes: int = DEFAULT_INTERVAL_MINUTES,
    ) -> McpListing:
        """List one configured server and return the stored result, also of a failure.

        Raises UnavailableError and ConfigError when it cannot be stored.
        """
        config = configuration.mcp_servers[name]
        work = deadline.minus(STORE_SECONDS)
        try:
            found = self.list_tools(name, config, max(MIN_TIMEOUT_MS, int(work.remaining() * 1000)))
        except Exception as exc:  # the refresh goes on with the other servers
            logger.exception("mcp listing failed unexpectedly", server=name)
            found = McpFailure(message=f"its list of tools could not be read ({type(exc).__name__})")
        emit_metrics(dimension=("mcp_server", name), counts={"McpRefreshFailures": int(isinstance(found, McpFailure))})
        if isinstance(found, McpFailure):
            _report_failure(name, found, configuration)
        return self._stored(name, config, found, deadline, interval_minutes)

    def _stored(
        self,
        name: str,
        config: McpServerConfig,
        found: ServerListing | McpFailure,
        deadline: Deadline,
        interval_minutes: int,
    ) -> McpListing:
        for _ in range(WRITE_ATTEMPTS):
            previous, now = self.listings.read(name, deadline), self.clock()
            if isinstance(found, McpFailure):
                listing = failed(previous, name, config, found, now=now)
            else:
                listing = refreshed(previous, name, config, found, now=now, interval_minutes=interval_minutes)
            try:
                written = self.listings.write(listing, deadline)
            except ListingTooLargeError as exc:
                found = McpFailure(message=f"its list of tools is too large: {exc}")
                continue
            if written:
                _report_change(previous, listing)
                return replace(listing, revision=listing.revision + 1)
        raise UnavailableError(f"could not write the listing of {name!r}: other writers replaced it")


def _report_failure(name: str, failure: McpFailure, configuration: Configuration) -> None:
    """Log a server whose tools are withheld, and report which tools models are still offered (decision C55)."""
    tools = configuration.tools
    local = [
        tool.name
        for tool in tools.registry
        if tool.enabled and tool.implementation_type not in ("mcp", *tools.disabled_types)
    ]
    local = local if tools.enabled else []
    servers = [other for other, config in configuration.mcp_servers.items() if other != name and config.enabled]
    config, headline = configuration.mcp_servers[name], failure_headline(failure.attempts)
    report = failure_report(
        name,
        kind=config.transport,
        headline=headline,
        reason=failure.message.removeprefix(f"{headline}: "),
        stderr=failure.stderr,
        hints=config.hints,
    )
    names = f"({', '.join(local) or 'none'})"
    working = f"local tools {names} and those of {', '.join(servers)}" if servers else f"local tools only {names}"
    logger.error(
        "mcp tools disabled",
        server=name,
        summary=f"{failure.message}. Continuing without the tools of {name!r}",
        stderr=failure.stderr,
        hints=config.hints,
        local_tools=local,
        other_servers=servers,
        report=f"{report}\nContinuing with {working}",
    )


def _report_change(previous: McpListing | None, listing: McpListing) -> None:
    """Log a server that is available again, or whose tools have changed."""
    if listing.state == "failed":
        return
    is_new = previous is None or (previous.state, previous.listed_hash) != (listing.state, listing.listed_hash)
    losses = {name: definition.losses for name, definition in listing.listed.items() if definition.losses}
    if is_new and losses:
        logger.warning("mcp definitions cut", server=listing.server, losses=losses)
    states = [listing.tool_state(tool) for tool in listing.names]
    counts = {state: states.count(state) for state in ("offered", "new", "changed", "removed")}
    if is_new:
        logger.info("mcp tools listed", server=listing.server, protocol_version=listing.protocol_version, tools=counts)
    if counts["new"] or counts["changed"]:
        logger.warning(
            "mcp definitions not approved", server=listing.server, new=counts["new"], changed=counts["changed"]
        )


class ConnectedServers(Struct, frozen=True):
    """Servers with the secrets of their connections; `listed` returns the tools at a connection."""

    listed: List
    secrets: SecretReader

    def __call__(self, server: str, config: McpServerConfig, timeout_ms: int) -> ServerListing | McpFailure:
        """Return the tools of a server, or the reason why they are unknown."""
        request = ListTools(
            server=server, connection=config.connection, request_id=f"refresh-{server}", timeout_ms=timeout_ms
        )
        try:
            return self.listed(server, resolved_connection(request, self.secrets), timeout_ms)
        except ConnectionFailedError as exc:
            message = f"{exc.headline}: {exc.reason}"
            return McpFailure(message=message, attempts=exc.attempts, stderr=exc.stderr, is_starting=exc.is_starting)
        except ToolError as exc:
            return McpFailure(message=exc.message)
        except TimeoutError:
            return McpFailure(message=f"no list of tools within {timeout_ms} ms")
