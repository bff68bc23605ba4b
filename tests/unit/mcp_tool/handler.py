"""The handler of mcp tools with a process and a server in memory, and events for it."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

from flexchat.messages import Json

PLAIN = str(Path(__file__).parents[2] / "mcp_servers" / "plain.py")
CANARY = "c4n4ry-of-the-lamp"


class Secrets:
    """Secrets of a stage, each bound to `hosts`."""

    def __init__(self, values: Mapping[str, str], *, hosts: frozenset[str] = frozenset()) -> None:
        self._values = values
        self._hosts = hosts

    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]:
        return {name: self._values[name] for name in names}

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
        return dict.fromkeys(names, self._hosts)


def modern_server() -> MCPServer:
    server = MCPServer("lamps", version="4.5", instructions="Be brief.")

    @server.tool()
    def read(lamp_id: int) -> dict[str, int]:
        """Read a lamp"""
        return {"lamp": lamp_id, "brightness": 80}

    @server.tool()
    def broken() -> str:
        """Fail"""
        raise ToolError("the lamp is broken")

    @server.tool()
    async def ask() -> str | InputRequiredResult:
        """Ask a person"""
        schema = {"type": "object", "properties": {"lamp": {"type": "string"}}}
        question = ElicitRequest(params=ElicitRequestFormParams(message="Which lamp?", requested_schema=schema))
        return InputRequiredResult(input_requests={"lamp": question})

    @server.tool()
    async def later(ctx: Context) -> str | InputRequiredResult:
        """Ask for another request, twice"""
        state = ctx.request_state or ""
        return "done" if state == "xx" else InputRequiredResult(request_state=f"{state}x")

    @server.tool()
    async def slow(ctx: Context) -> str:
        """Report progress"""
        await ctx.report_progress(1, total=2, message="halfway")
        await ctx.report_progress(2, total=2)
        return "done"

    return server


def event(name: str, arguments: Mapping[str, Json] | None = None, *, server: str = "plain", **more: Any) -> Json:
    connection: dict[str, Json] = {
        "command": sys.executable,
        "args": ["-S", "-E", PLAIN],
        "env": {"TOKEN": "${TOKEN}"},
        "connect_timeout_ms": 20_000,
    }
    fields = ("parameters", "output_schema", "argument_names")
    own = {key: more.pop(key) for key in fields if key in more}
    return {
        "version": 1,
        "tool": f"{server}/{name}",
        "arguments": dict(arguments or {}),
        "implementation": {"type": "mcp", "server": server, "tool": name, "connection": connection, **own},
        "call_id": "call_1",
        "idempotency_key": "request-1:call_1",
        "request_id": "request-1",
        "timeout_ms": 30_000,
        **more,
    }


def error_of(reply: Mapping[str, Any]) -> tuple[str, str]:
    assert not reply["ok"]
    return reply["error"]["type"], reply["error"]["message"]
