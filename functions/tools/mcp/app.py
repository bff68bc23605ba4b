"""Lambda handler and composition root of tools of type mcp."""

import logging
import os
import time
from collections.abc import Mapping
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, cast

from pydantic import Field

from flexchat.aws.clients import close_connections, ssm
from flexchat.aws.parameters import ParameterStore
from flexchat.config.models.mcp_connections import StdioConnection
from flexchat.egress.settings import EgressSettings
from flexchat.messages import Json
from flexchat.settings import read_environment
from flexchat.snapstart import before_snapshot
from flexchat.stage_secrets import StageSecrets
from flexchat.tool_runtime import InvocationContext, tool_handler
from flexchat.tools import CallTool
from functions.tools.mcp.connections import Connections, Target
from functions.tools.mcp.event_loop import EventLoopThread
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.retry import ConnectionRetry
from functions.tools.mcp.tool import McpTool
from functions.tools.mcp.transports.base import McpTransport
from functions.tools.mcp.transports.commands import Commands

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

    from functions.tools.mcp.transports.tokens import AccessTokens

INHERITED = ("LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TZ")
"""Variables of the function that servers inherit; none of them is a secret."""

HOME = "/tmp"  # noqa: S108 # the only folder of a function that can be written


class McpToolSettings(EgressSettings):
    """Environment of the function.

    `FLEXCHAT_MCP_COMMANDS` are the commands that servers may be started with, separated by commas.
    """

    stage: str
    catalog_ttl_seconds: float = 60.0
    mcp_commands: str = ""
    mcp_retry_attempts: int = Field(default=ConnectionRetry().attempts, ge=1, le=10)
    mcp_retry_base_ms: int = Field(default=ConnectionRetry().base_ms, ge=0, le=30_000)
    mcp_retry_pause_ms: int = Field(default=ConnectionRetry().pause_ms, ge=0, le=600_000)

    @property
    def retry(self) -> ConnectionRetry:
        return ConnectionRetry(
            attempts=self.mcp_retry_attempts, base_ms=self.mcp_retry_base_ms, pause_ms=self.mcp_retry_pause_ms
        )


class McpToolFunction:
    """Container of one Lambda environment: connections to servers and secrets. `environment` is that of the process."""

    def __init__(self, settings: McpToolSettings, *, parameters: "SSMClient", environment: Mapping[str, str]) -> None:
        self._settings = settings
        self._inherited = {name: environment[name] for name in INHERITED if name in environment}
        self._commands = Commands(settings.mcp_commands, path=environment.get("PATH", ""))
        store = ParameterStore(parameters)
        self.secrets = StageSecrets(store=store, stage=settings.stage, ttl_seconds=settings.catalog_ttl_seconds)

    @cached_property
    def tool(self) -> McpTool:
        _silence_sdk()
        connections = Connections(self._transport, retry=self._settings.retry, wall_clock=time.time)
        return McpTool(connections, EventLoopThread())

    def _transport(self, target: Target) -> McpTransport:
        from functions.tools.mcp.transports.http import HttpTransport
        from functions.tools.mcp.transports.stdio import StdioTransport

        if isinstance(target.connection, StdioConnection):
            return StdioTransport(
                target.connection,
                server=target.server,
                commands=self._commands,
                environment={**self._inherited, "HOME": HOME},
            )
        return HttpTransport(target.connection, server=target.server, egress=self._settings.egress, tokens=self._tokens)

    @cached_property
    def _tokens(self) -> "AccessTokens":
        from functions.tools.mcp.transports.tokens import AccessTokens

        return AccessTokens()


@cache
def mcp_tool_function() -> McpToolFunction:
    settings = read_environment(McpToolSettings, os.environ)
    return McpToolFunction(settings, parameters=ssm(), environment=os.environ)


def _call(call: CallTool, implementation: Implementation) -> Json:
    return mcp_tool_function().tool(call, implementation)


class _Secrets:
    """Secrets of the stage, read when a call needs them."""

    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]:
        return mcp_tool_function().secrets(names)

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
        return mcp_tool_function().secrets.hosts(names)


_call_tool = tool_handler(Implementation, _call, secrets=_Secrets())


def lambda_handler(event: object, context: InvocationContext | None = None) -> dict[str, Json]:
    """Handle a call of a tool, or a request for the tools of a server."""
    if isinstance(event, dict) and "action" in event:
        from functions.tools.mcp.list_tools import list_tools

        return list_tools(cast("object", event), secrets=_Secrets(), listed=mcp_tool_function().tool.listing)
    return _call_tool(cast("object", event), context)


def _silence_sdk() -> None:
    """Keep the lines of the SDK out of the log: they quote messages with arguments and results."""
    for name in ("mcp", "client"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def prepare() -> None:
    """Import the SDK before a snapshot, without a connection."""
    for module in ("mcp", "functions.tools.mcp.transports.http", "functions.tools.mcp.transports.stdio"):
        import_module(module)
    _ = mcp_tool_function().tool
    close_connections()


before_snapshot(prepare)
