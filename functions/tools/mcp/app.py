"""Lambda handler and composition root of tools of type mcp."""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import logging
import os
import time
from collections.abc import Mapping
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field

from flexchat.aws.clients import AwsClients, close_connections
from flexchat.aws.parameters import ParameterStore
from flexchat.config.models.mcp_connections import StdioConnection, is_installer, is_installer_setting
from flexchat.deadline import Clock, Deadline
from flexchat.egress.settings import EgressSettings
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.schema import load_validator
from flexchat.settings import read_environment
from flexchat.snapstart import before_snapshot
from flexchat.stage_secrets import StageSecrets
from flexchat.tool_runtime import InvocationContext, tool_handler
from flexchat.tools import CallTool
from functions.tools.mcp.connections import Connections, EventLoopThread, Target
from functions.tools.mcp.errors import ConnectionRetry
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.tool import McpCaller
from functions.tools.mcp.transports.base import McpTransport
from functions.tools.mcp.transports.commands import Commands, StageCommands

if TYPE_CHECKING:
    from flexchat.aws.mcp_listings import McpListingTable
    from flexchat.config.source import ConfigurationSource
    from flexchat.mcp import RefreshServers
    from functions.tools.mcp.discovery.refresher import Refresher, ServerTools
    from functions.tools.mcp.discovery.routes import McpApi
    from functions.tools.mcp.discovery.servers import McpServers
    from functions.tools.mcp.transports.exchange import AccessTokens

INHERITED = ("LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TZ")
"""Variables of the function that servers inherit; none of them is a secret."""

CONFIGURATION_SECONDS = 5.0
"""Time to live of the configuration: an operator refreshes a server right after a push."""


class McpFunctionSettings(EgressSettings):
    """Environment of the function.

    `FLEXCHAT_TOOL_STATE_TABLE` has the listings of configured servers. The commands that servers may be started with
    are in a parameter of the stage (`mcp_commands_name`): the environment and the description of a version are short.
    `FLEXCHAT_ALLOWED_ORIGINS` is a list separated by commas.
    """

    stage: str
    tool_state_table: str
    allowed_origins: str = ""
    catalog_ttl_seconds: float = 60.0
    configuration_bucket: str = ""
    mcp_retry_attempts: int = Field(default=ConnectionRetry().attempts, ge=1, le=10)
    mcp_retry_base_ms: int = Field(default=ConnectionRetry().base_ms, ge=0, le=30_000)
    mcp_retry_pause_ms: int = Field(default=ConnectionRetry().pause_ms, ge=0, le=600_000)

    @property
    def retry(self) -> ConnectionRetry:
        return ConnectionRetry(
            attempts=self.mcp_retry_attempts, base_ms=self.mcp_retry_base_ms, pause_ms=self.mcp_retry_pause_ms
        )


class McpToolFunction:
    """Container of one Lambda environment: connections to servers, their secrets, and the listings of their tools.

    `environment` is that of the process. `list_tools` takes the place of connections to configured servers, and `clock`
    is in seconds since the epoch.
    """

    def __init__(
        self,
        settings: McpFunctionSettings,
        clients: AwsClients | None = None,
        *,
        environment: Mapping[str, str],
        list_tools: "ServerTools | None" = None,
        clock: Clock = time.time,
    ) -> None:
        self._settings = settings
        self._list_tools = list_tools
        self._clock = clock
        self._clients = clients or AwsClients()
        self._inherited = {name: environment[name] for name in INHERITED if name in environment}
        self._settings_of_installers = {
            name: value for name, value in environment.items() if is_installer_setting(name)
        }
        self._path = environment.get("PATH", "")
        self._store = ParameterStore(self._clients.ssm)
        self.secrets = StageSecrets(store=self._store, stage=settings.stage, ttl_seconds=settings.catalog_ttl_seconds)
        self._commands = StageCommands(self._store, stage=settings.stage, ttl_seconds=settings.catalog_ttl_seconds)

    @cached_property
    def tool(self) -> McpCaller:
        _silence_sdk()
        connections = Connections(self._transport, retry=self._settings.retry, wall_clock=time.time)
        return McpCaller(connections, EventLoopThread())

    @cached_property
    def api(self) -> "McpApi":
        """HTTP API of the configured servers."""
        from functions.tools.mcp.discovery.routes import McpApi

        return McpApi(self, allowed_origins=tuple(filter(None, self._settings.allowed_origins.split(","))))

    @cached_property
    def servers(self) -> "McpServers":
        """Configured servers as operators see them."""
        from functions.tools.mcp.discovery.servers import McpServers

        return McpServers(
            configured=self._configuration.stored,
            listings=self._listings,
            refresher=self.refresher,
            list_tools=self._servers_tools,
            clock=self._clock,
        )

    @cached_property
    def refresher(self) -> "Refresher":
        from functions.tools.mcp.discovery.refresher import Refresher

        return Refresher(listings=self._listings, list_tools=self._servers_tools, clock=self._clock)

    def refresh(self, request: "RefreshServers", deadline: Deadline) -> dict[str, Json]:
        """Refresh the listings of the current configuration; return the state of each refreshed server."""
        done = self.refresher.refresh(self._configuration.current(), request, deadline=deadline)
        return {name: listing.state for name, listing in done.items()}

    @cached_property
    def _servers_tools(self) -> "ServerTools":
        from functions.tools.mcp.discovery.refresher import ConnectedServers

        return self._list_tools or ConnectedServers(self.tool.listing, self.secrets)

    @cached_property
    def _configuration(self) -> "ConfigurationSource":
        from flexchat.aws.packed_configuration import PackedObject
        from flexchat.config.source import ConfigurationSource

        stage = self._settings.stage
        return ConfigurationSource(
            self._store,
            packed=PackedObject.of(lambda: self._clients.s3, self._settings.configuration_bucket, stage=stage),
            stage=stage,
            ttl_seconds=CONFIGURATION_SECONDS,
            clock=self._clock,
        )

    @cached_property
    def _listings(self) -> "McpListingTable":
        from flexchat.aws.mcp_listings import McpListingTable

        return McpListingTable(self._clients.dynamodb, self._settings.tool_state_table)

    def _transport(self, target: Target) -> McpTransport:
        from functions.tools.mcp.transports.folders import ServerFolders
        from functions.tools.mcp.transports.http import HttpTransport
        from functions.tools.mcp.transports.stdio import StdioTransport

        if isinstance(target.connection, StdioConnection):
            return StdioTransport(
                target.connection,
                server=target.server,
                commands=Commands(self._commands(), path=self._path),
                environment=(
                    self._inherited | self._settings_of_installers
                    if is_installer(target.connection.command)
                    else self._inherited
                ),
                folders=ServerFolders(),
            )
        return HttpTransport(target.connection, server=target.server, egress=self._settings.egress, tokens=self._tokens)

    @cached_property
    def _tokens(self) -> "AccessTokens":
        from functions.tools.mcp.transports.exchange import AccessTokens

        return AccessTokens()


@cache
def mcp_tool_function() -> McpToolFunction:
    settings = read_environment(McpFunctionSettings, os.environ)
    return McpToolFunction(settings, environment=os.environ)


def _call(call: CallTool, implementation: Implementation) -> Json:
    return mcp_tool_function().tool(call, implementation)


class _Secrets:
    """Secrets of the stage, read when a call needs them."""

    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]:
        return mcp_tool_function().secrets(names)

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
        return mcp_tool_function().secrets.hosts(names)


_call_tool = tool_handler(Implementation, _call, secrets=_Secrets())


@logger.inject_lambda_context(clear_state=True)
def _handle_request(event: dict[str, Any], context: Any) -> dict[str, Any]:
    return mcp_tool_function().api.resolve(event, context)


@logger.inject_lambda_context(clear_state=True)
def _refresh(event: dict[str, Any], context: Any) -> dict[str, Json]:
    from flexchat.http_api.deadline import invocation_deadline
    from flexchat.mcp import RefreshServers

    return mcp_tool_function().refresh(RefreshServers.model_validate(event), invocation_deadline(context))


def lambda_handler(event: object, context: InvocationContext | None = None) -> dict[str, Json]:
    """Handle a call of a tool, a request for the tools of a server, a refresh, or a REST API proxy event."""
    if isinstance(event, dict) and "httpMethod" in event:
        return _handle_request(cast("dict[str, Any]", event), context)
    if isinstance(event, dict) and event.get("action") == "refresh":  # pyright: ignore[reportUnknownMemberType]
        return _refresh(cast("dict[str, Any]", event), context)
    if isinstance(event, dict) and "action" in event:
        from functions.tools.mcp.list_tools import list_tools

        return list_tools(cast("object", event), secrets=_Secrets(), listed=mcp_tool_function().tool.listing)
    return _call_tool(cast("object", event), context)


def _silence_sdk() -> None:
    """Keep the lines of the SDK out of the log: they quote messages with arguments and results."""
    for name in ("mcp", "client"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def prepare() -> None:
    """Import the SDK and read the trusted certificates before a snapshot, without a connection."""
    for module in ("mcp", "functions.tools.mcp.transports.http", "functions.tools.mcp.transports.stdio"):
        import_module(module)
    from flexchat.egress.client import trusted_certificates

    trusted_certificates()
    load_validator()
    function = mcp_tool_function()
    _ = function.tool, function.api, function.servers
    close_connections()


before_snapshot(prepare)
modules_imported()
