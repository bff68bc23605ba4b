"""Attempts to connect to a server: pauses, log lines and errors."""

import asyncio

import pytest

from flexchat.errors import ToolError
from functions.tools.mcp.errors import ConnectionFailedError, ConnectionRetry
from tests.unit.mcp_tool.conftest import Logged
from tests.unit.mcp_tool.memory import Home, MemoryTransport, failures, names

REPORT = """\
MCP connection failed after 3 attempts: tools of 'zwave' are not available
   Reason: Connection to stdio server 'zwave' failed: no route
   MCP server stderr: broker unreachable
   Check: MQTT broker running, zwave-mcp-server installed"""


def test_a_server_that_answers_at_once_is_connected_without_a_pause(logged: Logged) -> None:
    home = Home()

    assert asyncio.run(home.use(names)) == ["switch"]

    assert home.pauses == []
    assert logged("mcp connection attempted") == [{"server": "zwave", "attempt": 1, "delay_ms": 0}]
    assert logged("mcp server connected") == [
        {"server": "zwave", "transport": "stdio", "summary": "MCP connection succeeded on attempt 1"}
    ]


def test_a_server_that_is_away_for_a_moment_is_connected_after_two_seconds(logged: Logged) -> None:
    home = Home(*failures(1))

    assert asyncio.run(home.use(names)) == ["switch"]

    assert home.pauses == [2.0]
    assert [line["summary"] for line in logged("mcp server connected")] == ["MCP connection succeeded on attempt 2"]


def test_a_server_that_stays_away_fails_after_three_attempts_with_its_stderr_in_the_log(logged: Logged) -> None:
    home = Home(*failures(3))

    with pytest.raises(ConnectionFailedError) as caught:
        asyncio.run(home.use(names))

    assert home.pauses == [2.0, 4.0]
    assert [(line["attempt"], line["delay_ms"]) for line in logged("mcp connection attempted")] == [
        (1, 0),
        (2, 2_000),
        (3, 4_000),
    ]
    assert [line["stderr"] for line in logged("mcp connection attempt failed")] == ["broker unreachable"] * 3
    assert logged("mcp connection failed") == [
        {
            "server": "zwave",
            "summary": "MCP connection failed after 3 attempts",
            "reason": "no route",
            "stderr": "broker unreachable",
            "hints": ["MQTT broker running", "zwave-mcp-server installed"],
            "report": REPORT,
        }
    ]
    assert caught.value.type == "unavailable"
    assert caught.value.message == (
        "MCP connection failed after 3 attempts: the MCP server 'zwave' is not available and is tried again in 15 s. "
        "Check: MQTT broker running, zwave-mcp-server installed"
    )


def test_a_failed_server_is_not_tried_again_for_a_while(logged: Logged) -> None:
    home = Home(*failures(3))

    async def calls() -> None:
        for _ in range(2):
            with pytest.raises(ConnectionFailedError):
                await home.use(names)
        home.clock.sleep(10)
        with pytest.raises(ConnectionFailedError, match="tried again in 5 s"):
            await home.use(names)
        home.clock.sleep(5)
        assert await home.use(names) == ["switch"]

    asyncio.run(calls())

    assert len(home.opened) == 4
    assert len(logged("mcp connection failed")) == 1


def test_calls_at_the_same_time_share_the_attempts() -> None:
    home = Home(*failures(1))

    async def calls() -> list[list[str]]:
        return await asyncio.gather(*(home.use(names) for _ in range(5)))

    assert asyncio.run(calls()) == [["switch"]] * 5
    assert len(home.opened) == 2


def test_attempts_and_pauses_are_configurable_in_one_place() -> None:
    home = Home(*failures(4), retry=ConnectionRetry(attempts=4, base_ms=100))

    with pytest.raises(ConnectionFailedError, match="failed after 4 attempts: "):
        asyncio.run(home.use(names))

    assert home.pauses == [0.1, 0.2, 0.4]


def test_a_call_waits_for_attempts_no_longer_than_its_time(logged: Logged) -> None:
    home = Home(*failures(3), wakes=False)

    async def call() -> None:
        with pytest.raises(ConnectionFailedError, match="failed after 1 attempt: "):
            await home.use(names, seconds=0.05)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        with pytest.raises(ConnectionFailedError, match="tried again in 15 s"):
            await home.use(names)

    asyncio.run(call())
    assert len(home.opened) == 1
    assert [line["summary"] for line in logged("mcp connection failed")] == ["MCP connection failed after 1 attempt"]


def test_a_server_that_is_slow_for_a_short_call_is_tried_by_the_next_one() -> None:
    home = Home(MemoryTransport(answers=False))

    async def calls() -> None:
        with pytest.raises(ConnectionFailedError) as caught:
            await home.use(names, seconds=0.05)
        assert caught.value.reason == "no answer in the time of the call"
        assert [transport.closed for transport in home.opened] == [True]
        assert await home.use(names) == ["switch"]

    asyncio.run(calls())


def test_a_connection_that_the_deployment_refuses_is_not_tried_again(logged: Logged) -> None:
    refusal = ToolError("The command is not among the deployment's commands", type="configuration")
    home = Home(MemoryTransport(error=refusal))

    with pytest.raises(ToolError) as caught:
        asyncio.run(home.use(names))

    assert caught.value.type == "configuration"
    assert (home.pauses, logged("mcp connection failed")) == ([], [])
