"""Servers as processes: messages, other lines on stdout, stderr, environment and exit."""

import asyncio
import json
import os
import signal
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from flexchat.config.models.mcp_connections import StdioConnection, is_listed_command
from flexchat.deadline import Deadline
from flexchat.errors import ToolError
from functions.tools.mcp import connections as connections_module
from functions.tools.mcp.connections import Connections, Target
from functions.tools.mcp.errors import ConnectionFailedError, ConnectionRetry, McpSessionLostError
from functions.tools.mcp.session import McpSession
from functions.tools.mcp.transports.commands import Commands
from functions.tools.mcp.transports.folders import ServerFolders
from functions.tools.mcp.transports.stdio import MAX_LINE_BYTES, MAX_STDERR_BYTES, StdioTransport
from tests.unit.mcp_tool.conftest import Logged

SERVER = str(Path(__file__).parents[2] / "mcp_servers" / "plain.py")


def connection(*switches: str, **fields: Any) -> StdioConnection:
    arguments = ("-S", "-E", SERVER, *switches)
    return StdioConnection(command=sys.executable, args=arguments, connect_timeout_ms=20_000, **fields)


class Home:
    """Connections to processes; `transports` are those of all attempts."""

    def __init__(
        self,
        *,
        commands: str = sys.executable,
        max_line_bytes: int = MAX_LINE_BYTES,
        exit_seconds: float = 5.0,
        environment: Mapping[str, str] = types.MappingProxyType({"LANG": "C.UTF-8"}),
        folders: ServerFolders | None = None,
    ) -> None:
        self.transports: list[StdioTransport] = []
        self._commands = Commands(commands, path="")
        self._environment = environment
        self._folders = folders or ServerFolders()
        self._max_line_bytes = max_line_bytes
        self._exit_seconds = exit_seconds
        self.connections = Connections(self._transport, retry=ConnectionRetry(attempts=1))

    def _transport(self, target: Target) -> StdioTransport:
        assert isinstance(target.connection, StdioConnection)
        transport = StdioTransport(
            target.connection,
            server=target.server,
            commands=self._commands,
            environment=self._environment,
            folders=self._folders,
            max_line_bytes=self._max_line_bytes,
            exit_seconds=self._exit_seconds,
        )
        self.transports.append(transport)
        return transport

    async def text(
        self, tool: str, arguments: dict[str, Any] | None = None, *, used: StdioConnection, server: str = "plain"
    ) -> str:
        """Return the text of a call's result."""

        async def call(session: McpSession) -> str:
            result = await session.call(tool, arguments or {}, seconds=30, trace_headers={})
            block = result.content[0]
            assert block.type == "text"
            return block.text

        return await self.connections.use(Target(server, used), call, due=Deadline.after(60), repeatable=False)


def run[T](home: Home, *calls: Any) -> list[Any]:
    async def all_calls() -> list[Any]:
        try:
            return [await call for call in calls]
        finally:
            await home.connections.close()
            # A failed attempt ends its process in the background.
            current = asyncio.current_task()
            await asyncio.gather(*(task for task in asyncio.all_tasks() if task is not current), return_exceptions=True)

    return asyncio.run(all_calls())


def test_a_process_lists_and_runs_its_tools_and_ends_with_its_connection() -> None:
    home, used = Home(), connection()

    assert run(home, home.text("echo", {"text": "hello"}, used=used), home.text("echo", {"text": "ü"}, used=used)) == [
        "hello",
        "ü",
    ]
    (transport,) = home.transports
    assert transport.failure() == "the process ended with exit code 0"


def test_lines_on_stdout_that_are_no_messages_are_logged_with_their_content_and_skipped(logged: Logged) -> None:
    home, used = Home(), connection("--dirty")

    assert run(home, home.text("echo", {"text": "hello"}, used=used)) == ["hello"]

    skipped = logged("mcp line skipped")
    assert len(skipped) >= 2
    assert skipped[0] == {
        "server": "plain",
        "reason": "not a JSON-RPC message on stdout; a server writes its log to stderr",
        "line": "starting up, please wait",
        "line_bytes": 25,
    }


def test_a_process_that_ends_at_its_start_is_an_error_with_its_stderr(logged: Logged) -> None:
    home = Home()

    with pytest.raises(ConnectionFailedError) as caught:
        run(home, home.text("echo", used=connection("--crash-at-start")))

    assert (caught.value.reason, caught.value.stderr) == (
        "the process ended with exit code 1",
        "the broker does not answer",
    )
    assert [line["stderr"] for line in logged("mcp connection failed")] == ["the broker does not answer"]


def test_a_process_that_ends_during_a_call_is_an_error_with_its_stderr_and_started_for_the_next_call() -> None:
    home, used = Home(), connection()

    async def calls() -> str:
        with pytest.raises(McpSessionLostError) as caught:
            await home.text("crash", used=used)
        assert (caught.value.reason, caught.value.stderr, caught.value.sent) == (
            "the process ended with exit code 3",
            "out of memory in the cellar",
            True,
        )
        return await home.text("echo", {"text": "again"}, used=used)

    assert run(home, calls()) == ["again"]
    assert len(home.transports) == 2


def test_a_process_that_was_killed_between_two_calls_is_started_again() -> None:
    home, used = Home(), connection()

    async def calls() -> str:
        os.kill(int(await home.text("pid", used=used)), signal.SIGKILL)
        async with asyncio.timeout(20):
            while home.transports[0].is_open:
                await asyncio.sleep(0)
        return await home.text("echo", {"text": "second"}, used=used)

    assert run(home, calls()) == ["second"]
    assert home.transports[0].failure() == "the process was ended by signal 9"


def test_a_process_has_the_environment_of_its_configuration_and_nothing_else_of_the_function(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_SESSION_TOKEN", "canary-token")
    monkeypatch.setenv("FLEXCHAT_STAGE", "canary-stage")
    home = Home()

    (found,) = run(home, home.text("environment", used=connection(env={"FILES_TOKEN": "t-1"})))

    environment = {name: value for name, value in json.loads(found).items() if name != "LC_CTYPE"}
    folders = [environment.pop(name) for name in ("HOME", "TMPDIR")]
    assert environment == {"LANG": "C.UTF-8", "FILES_TOKEN": "t-1"}
    assert [Path(folder).parts[:3] for folder in folders] == [("/", "tmp", f"flexchat-mcp-{os.getuid()}")] * 2


def test_a_call_that_takes_too_long_is_cancelled_on_the_server() -> None:
    home, used = Home(), connection()

    async def silent(session: McpSession) -> None:
        await session.call("silent", {}, seconds=0.05, trace_headers={})

    async def calls() -> str:
        with pytest.raises(TimeoutError):
            await home.connections.use(Target("plain", used), silent, due=Deadline.after(60), repeatable=False)
        return await home.text("cancelled", used=used)

    (cancelled,) = run(home, calls())
    assert len(json.loads(cancelled)) == 1


def test_a_request_of_the_server_for_a_completion_is_declined() -> None:
    home = Home()

    (answer,) = run(home, home.text("ask", used=connection()))

    assert json.loads(answer)["message"] == "Sampling not supported"


@pytest.mark.slow
def test_a_message_that_is_too_long_ends_the_connection(logged: Logged) -> None:
    home = Home(max_line_bytes=100_000)

    with pytest.raises(McpSessionLostError, match="a message has more than 100000 bytes"):
        run(home, home.text("large", used=connection()))

    assert logged("mcp message refused: too long") == [{"server": "plain", "limit": 100_000}]


def test_the_end_of_stderr_is_stored_within_its_limit() -> None:
    home = Home()
    script = f"import sys; sys.stderr.write('x' * {MAX_STDERR_BYTES * 4} + 'the end'); sys.exit(1)"
    used = StdioConnection(command=sys.executable, args=("-S", "-E", "-c", script), connect_timeout_ms=20_000)

    with pytest.raises(ConnectionFailedError):
        run(home, home.text("echo", used=used))

    (transport,) = home.transports
    assert len(transport.diagnostics()) == MAX_STDERR_BYTES
    assert transport.diagnostics().endswith("xthe end")


def test_a_command_that_is_not_listed_is_refused(logged: Logged) -> None:
    home = Home(commands="node,/opt/servers/*")

    with pytest.raises(ToolError) as caught:
        run(home, home.text("echo", used=connection()))

    assert caught.value.type == "configuration"
    assert caught.value.message == (
        "The command of the MCP server 'plain' is not among the deployment's commands (McpCommands)"
    )
    assert [line["command"] for line in logged("mcp command refused")] == [sys.executable]


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("node", True),
        ("/usr/bin/node", False),
        ("/opt/servers/files", True),
        ("/opt/servers/*", False),
        ("/opt/servers/../bin/sh", False),
        ("/opt/servers/deep/files", False),
        ("/opt/servers/", False),
        ("*", False),
        ("sh", False),
    ],
)
def test_commands_are_exact_or_directly_in_a_listed_folder(command: str, allowed: bool) -> None:
    assert is_listed_command(command, "node, /opt/servers/*,*") is allowed


def test_a_listed_command_that_is_not_installed_is_an_error_with_its_name() -> None:
    home = Home(commands="no-such-server")

    with pytest.raises(ConnectionFailedError) as caught:
        run(home, home.text("echo", used=StdioConnection(command="no-such-server")))

    assert caught.value.reason == "the command 'no-such-server' is not installed in the function or its layers"


def test_a_process_that_does_not_answer_at_its_start_ends_after_the_time_of_an_attempt() -> None:
    home = Home(exit_seconds=0.05)
    script = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    used = StdioConnection(command=sys.executable, args=("-S", "-E", "-c", script), connect_timeout_ms=1_000)

    with pytest.raises(ConnectionFailedError) as caught:
        run(home, home.text("echo", used=used))

    assert caught.value.reason == "no answer within 1000 ms, its connect_timeout_ms"
    assert home.transports[0].failure() == "the process was ended by signal 9"


def test_a_process_starts_in_an_empty_folder_that_goes_with_it() -> None:
    home, used = Home(), connection()

    (found,) = run(home, home.text("folder", used=used))

    folder, content = json.loads(found)
    assert content == []
    assert folder != str(Path.cwd())
    assert not Path(folder).exists()


def test_an_answer_that_is_no_message_ends_its_request_at_once(logged: Logged) -> None:
    home = Home()

    with pytest.raises(MCPError, match="the response does not fit JSON-RPC: ") as refused:
        run(home, home.text("pid", used=connection("--malformed")))

    assert refused.value.code == -32603
    assert len(logged("mcp response refused")) == 1


@pytest.fixture
def npx(tmp_path: Path) -> StdioConnection:
    """A command of the name of an installer, whose server starts once the file `ready` beside it exists."""
    command = tmp_path / "npx"
    command.symlink_to(sys.executable)
    arguments = ("-S", "-E", SERVER, "--installer", str(tmp_path / "ready"))
    return StdioConnection(command=str(command), args=arguments, connect_timeout_ms=20_000)


async def started(session: McpSession) -> str:
    return (await session.listing(30)).protocol_version


def test_a_server_that_is_being_installed_is_ready_for_a_later_call(
    npx: StdioConnection, folders: ServerFolders, logged: Logged
) -> None:
    home = Home(commands=npx.command, folders=folders)
    target = Target("plain", npx)

    async def calls() -> str:
        early = await _failed_call(home, target)
        assert early.is_starting
        assert early.message == "The MCP server 'plain' is still starting; try again in a while"
        assert early.reason == "the command is still installing or starting the server; try again in a while"
        Path(npx.args[-1]).touch()
        return await home.connections.use(target, started, due=Deadline.after(60), repeatable=True)

    assert run(home, calls()) == ["2025-11-25"]
    assert len(home.transports) == 1
    assert logged("mcp server still starting")


async def _failed_call(home: "Home", target: Target) -> ConnectionFailedError:
    with pytest.raises(ConnectionFailedError) as failed:
        await home.connections.use(target, started, due=Deadline.after(0.1), repeatable=True)
    return failed.value


def test_a_call_reports_what_an_installer_writes(
    npx: StdioConnection, folders: ServerFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections_module, "WAIT_SECONDS", 0.01)
    home, written = Home(commands=npx.command, folders=folders), list[str]()

    def on_start(line: str) -> None:
        written.append(line)
        Path(npx.args[-1]).touch()

    work = home.connections.use(
        Target("plain", npx), started, due=Deadline.after(60), repeatable=True, on_start=on_start
    )

    assert run(home, work) == ["2025-11-25"]
    assert written == ["downloading 1 of 2"]


def test_an_installation_that_failed_while_nobody_waited_is_the_reason_of_the_next_call(
    npx: StdioConnection, folders: ServerFolders
) -> None:
    home = Home(commands=npx.command, folders=folders)
    target = Target("plain", npx)

    async def calls() -> ConnectionFailedError:
        await _failed_call(home, target)
        reason = Path(f"{npx.args[-1]}.new")
        reason.write_text("404 Not Found")
        reason.rename(npx.args[-1])
        async with asyncio.timeout(20):
            while not home.transports or home.transports[0].failure() is None:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        return await _failed_call(home, target)

    (error,) = run(home, calls())
    assert not error.is_starting
    assert (error.reason, error.stderr.splitlines()[-1]) == ("the process ended with exit code 1", "404 Not Found")
