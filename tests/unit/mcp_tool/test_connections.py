"""Open connections: their reuse, the check after a pause, and their end."""

import asyncio

import pytest

from flexchat.config.models.mcp_connections import StdioConnection
from functions.tools.mcp.connections import MAX_CONNECTIONS, Target
from functions.tools.mcp.errors import McpSessionLostError
from functions.tools.mcp.session import McpSession
from tests.unit.mcp_tool.conftest import Logged
from tests.unit.mcp_tool.memory import TARGET, Home, MemoryTransport, failures, names, targets


def test_calls_one_after_another_use_one_connection() -> None:
    home = Home()

    async def calls() -> None:
        for _ in range(3):
            assert await home.use(names) == ["switch"]
        home.clock.sleep(30)
        await home.use(names)

    asyncio.run(calls())
    assert len(home.opened) == 1


def test_another_secret_is_another_connection() -> None:
    home = Home()

    async def calls() -> None:
        for token in ("one", "two", "one"):
            await home.use(names, target=Target("zwave", StdioConnection(command="zwave", env={"TOKEN": token})))

    asyncio.run(calls())
    assert len(home.opened) == 2


def test_the_connection_that_was_not_used_for_longest_is_closed_beyond_the_maximum() -> None:
    home = Home()
    several = targets(MAX_CONNECTIONS + 1)

    async def calls() -> list[bool]:
        for target in several[:MAX_CONNECTIONS]:
            await home.use(names, target=target)
        await home.use(names, target=several[0])
        await home.use(names, target=several[MAX_CONNECTIONS])
        await home.closed_one()
        return [transport.closed for transport in home.opened]

    assert asyncio.run(calls()) == [False, True, *[False] * (MAX_CONNECTIONS - 1)]


def test_a_connection_that_ended_between_two_calls_is_opened_again(logged: Logged) -> None:
    home = Home(MemoryTransport(stderr="out of memory"))

    async def calls() -> None:
        await home.use(names)
        home.opened[0].end("the process ended with exit code 3")
        assert await home.use(names) == ["switch"]

    asyncio.run(calls())
    assert len(home.opened) == 2
    assert logged("mcp connection ended") == [
        {"server": "zwave", "reason": "the process ended with exit code 3", "stderr": "out of memory"}
    ]


def test_after_a_pause_a_connection_is_checked_before_it_is_used() -> None:
    home = Home()

    async def calls() -> None:
        await home.use(names)
        home.clock.sleep(31)
        await home.use(names)

    asyncio.run(calls())
    assert len(home.opened) == 1


def test_a_connection_that_does_not_survive_a_pause_is_opened_again(logged: Logged) -> None:
    home = Home()

    async def calls() -> None:
        await home.use(names)
        await home.opened[0].cut()
        home.clock.sleep(31)
        assert await home.use(names) == ["switch"]
        await home.closed_one()
        assert [transport.closed for transport in home.opened] == [True, False]

    asyncio.run(calls())
    assert [line["reason"] for line in logged("mcp connection ended")] == ["the connection was closed"]


@pytest.mark.parametrize(("sent", "repeatable"), [(False, False), (True, True)])
def test_a_request_runs_again_on_a_new_connection_once_when_it_cannot_have_run_or_may_run_twice(
    sent: bool, repeatable: bool
) -> None:
    home = Home()
    used: list[McpSession] = []

    async def operation(session: McpSession) -> str:
        used.append(session)
        if len(used) == 1:
            raise McpSessionLostError("it ended", sent=sent)
        return "done"

    assert asyncio.run(home.use(operation, repeatable=repeatable)) == "done"
    assert len(home.opened) == 2


def test_a_request_that_may_have_run_is_not_sent_again_and_the_next_one_has_a_new_connection() -> None:
    home = Home()

    async def lost(_session: McpSession) -> None:
        raise McpSessionLostError("it ended", sent=True)

    async def calls() -> None:
        with pytest.raises(McpSessionLostError):
            await home.use(lost)
        assert len(home.opened) == 1
        assert await home.use(names) == ["switch"]

    asyncio.run(calls())
    assert len(home.opened) == 2


def test_a_server_that_ends_again_at_once_is_started_once() -> None:
    home = Home()

    async def lost(_session: McpSession) -> None:
        raise McpSessionLostError("it ended", sent=False)

    with pytest.raises(McpSessionLostError):
        asyncio.run(home.use(lost))

    assert len(home.opened) == 2


def test_a_server_that_is_away_does_not_delay_another_one() -> None:
    home = Home(*failures(1))
    other = targets(1)[0]

    async def calls() -> list[list[str]]:
        return [*await asyncio.gather(home.use(names, target=TARGET), home.use(names, target=other))]

    assert asyncio.run(calls()) == [["switch"], ["switch"]]
