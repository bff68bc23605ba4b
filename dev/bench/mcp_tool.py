"""Overhead of the function of mcp tools, warm and called in process, over the client of the MCP SDK alone."""

import asyncio
import io
import os
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from statistics import median
from typing import Any, cast

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from flexchat.config.models.mcp_connections import StdioConnection
from flexchat.tool_runtime import tool_handler
from functions.tools.mcp.connections import Connections, EventLoopThread, Target
from functions.tools.mcp.errors import ConnectionRetry
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.tool import McpCaller
from functions.tools.mcp.transports.stdio import Commands, StdioTransport

ROOT = Path(__file__).parents[2]
CALLS = 200
ROUNDS = 5
TOOL = "convert_units"
ARGUMENTS = {"value": 3, "from_unit": "km", "to_unit": "m"}
SERVER = {"command": sys.executable, "args": ["-m", "dev.mcp_server"], "env": {"PYTHONPATH": str(ROOT)}}


async def sdk() -> tuple[float, float]:
    """Return CPU and wall milliseconds of one call by the client of the SDK, in its own event loop."""
    parameters = StdioServerParameters.model_validate(SERVER)
    with Path(os.devnull).open("w") as errors:
        async with Client(stdio_client(parameters, errlog=errors)) as client:
            rounds: list[tuple[float, float]] = []
            for calls in (20, *(CALLS for _ in range(ROUNDS))):
                cpu, wall = time.process_time(), time.perf_counter()
                for _ in range(calls):
                    await client.call_tool(TOOL, ARGUMENTS)
                rounds.append(_elapsed(cpu, wall, calls))
    return _medians(rounds[1:])


def function() -> tuple[float, float]:
    """Return CPU and wall milliseconds of one call of the handler."""
    loop = EventLoopThread()
    handler = tool_handler(Implementation, McpCaller(Connections(_transport, retry=ConnectionRetry()), loop))
    event: dict[str, Any] = {
        "tool": TOOL,
        "arguments": ARGUMENTS,
        "implementation": {
            "type": "mcp",
            "server": "example",
            "tool": TOOL,
            "connection": {**SERVER, "connect_timeout_ms": 20_000},
        },
        "call_id": "call_1",
        "idempotency_key": "key",
        "request_id": "bench",
        "timeout_ms": 30_000,
    }

    def call() -> None:
        reply = handler(event, None)
        if not reply["ok"]:
            raise RuntimeError(f"the call failed: {reply['error']}")

    try:
        return _measured(call)
    finally:
        loop.stop()


def report() -> None:
    """Print a table of milliseconds per call, without the CPU time of the server, which is a process of its own."""
    with redirect_stdout(io.StringIO()):
        direct, through = asyncio.run(sdk()), function()
    print("\nOne call of an mcp tool over stdio, in ms\n")
    print("| Call | CPU | wall |\n|---|---|---|")
    for name, (cpu, wall) in (("client of the MCP SDK alone", direct), ("function of mcp tools", through)):
        print(f"| {name} | {cpu:.2f} | {wall:.2f} |")
    print(f"| overhead | {through[0] - direct[0]:.2f} | {through[1] - direct[1]:.2f} |")


def _transport(target: Target) -> StdioTransport:
    connection = cast("StdioConnection", target.connection)
    commands = Commands(sys.executable, path="")
    return StdioTransport(connection, server=target.server, commands=commands, environment={})


def _measured(call: Callable[[], None]) -> tuple[float, float]:
    rounds: list[tuple[float, float]] = []
    for calls in (20, *(CALLS for _ in range(ROUNDS))):
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(calls):
            call()
        rounds.append(_elapsed(cpu, wall, calls))
    return _medians(rounds[1:])


def _elapsed(cpu: float, wall: float, calls: int) -> tuple[float, float]:
    """Return CPU and wall milliseconds of one of `calls` since the start."""
    return (time.process_time() - cpu) * 1000 / calls, (time.perf_counter() - wall) * 1000 / calls


def _medians(rounds: list[tuple[float, float]]) -> tuple[float, float]:
    return median(cpu for cpu, _ in rounds), median(wall for _, wall in rounds)


if __name__ == "__main__":
    report()
