"""Servers in memory, a manual clock and the log of a test."""

import json
import sys
from collections.abc import Callable, Generator
from typing import Any

import pytest

from flexchat.tool_runtime import ToolHandler, tool_handler
from functions.tools.mcp.connections import Connections, EventLoopThread, Target
from functions.tools.mcp.errors import ConnectionRetry
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.tool import McpCaller
from functions.tools.mcp.transports.base import McpTransport
from functions.tools.mcp.transports.commands import Commands
from functions.tools.mcp.transports.folders import ServerFolders
from functions.tools.mcp.transports.stdio import StdioTransport
from tests.unit.mcp_tool.handler import CANARY, Secrets, modern_server
from tests.unit.mcp_tool.memory import MemoryTransport

type Logged = Callable[[str], list[dict[str, Any]]]


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Logged:
    """Return the fields of all lines with an event, each call from the beginning of the test."""
    read: list[dict[str, Any]] = []
    standard = ("level", "location", "timestamp", "service", "message", "request_id", "xray_trace_id", "taskName")

    def lines(event: str) -> list[dict[str, Any]]:
        read.extend(json.loads(line) for line in capsys.readouterr().out.splitlines())
        found = [line for line in read if line.get("message") == event]
        return [{name: value for name, value in line.items() if name not in standard} for line in found]

    return lines


@pytest.fixture
def folders(tmp_path_factory: pytest.TempPathFactory) -> ServerFolders:
    """Folders of servers that are removed with the test, also the caches of installers."""
    return ServerFolders(tmp_path_factory.mktemp("servers"))


@pytest.fixture
def tool() -> Generator[McpCaller]:
    loop = EventLoopThread()

    def transport(target: Target) -> McpTransport:
        if target.server == "lamps":
            return MemoryTransport(modern_server())
        assert target.connection.kind == "stdio"
        return StdioTransport(
            target.connection,
            server=target.server,
            commands=Commands(sys.executable, path=""),
            environment={},
            folders=ServerFolders(),
        )

    yield McpCaller(Connections(transport, retry=ConnectionRetry(attempts=1)), loop)
    loop.stop()


@pytest.fixture
def handler(tool: McpCaller) -> ToolHandler:
    return tool_handler(Implementation, tool, secrets=Secrets({"TOKEN": CANARY}))
