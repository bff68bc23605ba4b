"""Example MCP server: its tools in memory, and its process over stdio."""

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.types import CallToolResult, ImageContent, ResourceLink, TextContent

from dev.mcp_server.faults import CRASH, NOISE, START_FAILURE
from dev.mcp_server.server import NAME, ExampleServer

ROOT = Path(__file__).parents[3]
FIRST = ["cancelled_calls", "control_device", "convert_units", "count_stock", "inventory", "manual", "picture", "wait"]
REQUEST: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def with_client[R](use: Callable[[Client], Awaitable[R]], *, server: ExampleServer | None = None) -> R:
    async def connected() -> R:
        async with Client((server or ExampleServer(version=lambda: 1)).mcp) as client:
            return await use(client)

    return anyio.run(connected)


def called(tool: str, server: ExampleServer | None = None, **arguments: Any) -> CallToolResult:
    return with_client(lambda client: client.call_tool(tool, arguments), server=server)


def text(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


def process(*switches: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dev.mcp_server", *switches]
    return subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True, timeout=60)  # noqa: S603


def test_inventory_has_an_output_schema_and_a_structured_result_that_agrees_with_it() -> None:
    tools = with_client(lambda client: client.list_tools()).tools
    schema = next(tool.output_schema for tool in tools if tool.name == "inventory")

    assert schema is not None
    assert sorted(schema["required"]) == ["items", "total"]
    assert called("inventory", name="lamp").structured_content == {
        "items": [{"name": "lamp", "count": 12}],
        "total": 12,
    }


def test_lengths_are_converted() -> None:
    assert text(called("convert_units", value=3, from_unit="km", to_unit="m")) == "3 km = 3000 m"


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("convert_units", {"value": 1, "from_unit": "m", "to_unit": "ell"}, "There is no unit 'ell'. Units: mm, cm, m"),
        ("inventory", {"name": "tree"}, "There is no article 'tree'. Articles: lamp, switch, sensor"),
        ("control_device", {"deviceName": "Oven", "action": "on"}, "There is no device 'Oven'. Devices: Switch One"),
    ],
)
def test_a_failed_call_returns_an_error_result_with_the_right_values(
    tool: str, arguments: dict[str, Any], message: str
) -> None:
    result = called(tool, **arguments)

    assert (result.is_error, message in text(result)) == (True, True)


def test_device_parameters_are_in_camel_case() -> None:
    switched = called("control_device", deviceName="Switch One", action="toggle")
    refused = called("control_device", device_name="Switch One", command="on")

    assert switched.structured_content == {"deviceName": "Switch One", "on": True}
    assert refused.is_error
    assert "deviceName" in text(refused)


def test_pictures_and_links_are_blocks_of_their_own() -> None:
    [picture], [manual] = called("picture").content, called("manual").content

    assert isinstance(picture, ImageContent)
    assert (picture.mime_type, isinstance(manual, ResourceLink)) == ("image/png", True)


def test_long_call_reports_its_progress() -> None:
    reported: list[tuple[float, float | None, str | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        reported.append((progress, total, message))

    result = with_client(lambda client: client.call_tool("count_stock", {}, progress_callback=on_progress))

    assert text(result) == "Counted 16 pieces of 3 articles"
    assert reported == [(1, 3, "counted lamp"), (2, 3, "counted switch"), (3, 3, "counted sensor")]


def test_cancelled_call_ends_and_is_recorded() -> None:
    server = ExampleServer(version=lambda: 1)

    async def cancel(client: Client) -> str:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "wait", {"seconds": 600})
            await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()
        await anyio.wait_all_tasks_blocked()
        return text(await client.call_tool("cancelled_calls", {}))

    assert with_client(cancel, server=server) == "wait 600"


def test_second_version_changes_adds_and_removes_tools_while_the_server_runs() -> None:
    version = 1
    server = ExampleServer(version=lambda: version)

    async def listed(client: Client) -> list[dict[str, bool]]:
        nonlocal version
        found: list[dict[str, bool]] = []
        for version in (1, 2, 1):  # noqa: B007
            tools = (await client.list_tools(cache_mode="bypass")).tools
            found.append({tool.name: "digits" in tool.input_schema.get("properties", {}) for tool in tools})
        return found

    first, second, again = with_client(listed, server=server)

    assert [name for name, _ in sorted(first.items())] == FIRST
    assert sorted(second) == sorted({*FIRST, "restock"} - {"picture"})
    assert (first["convert_units"], second["convert_units"], again) == (False, True, first)


@pytest.mark.slow
def test_stdout_of_the_process_has_messages_only() -> None:
    done = process(lines=json.dumps(REQUEST) + "\n")

    [answer] = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, answer["id"], answer["result"]["serverInfo"]["name"]) == (0, 1, NAME)
    assert "serving over stdio" in done.stderr


@pytest.mark.slow
def test_polluting_process_writes_a_line_that_is_no_message() -> None:
    done = process("--pollute", lines=json.dumps(REQUEST) + "\n")

    noise, answer = done.stdout.splitlines()
    assert (noise, json.loads(answer)["id"]) == (NOISE.decode().rstrip(), 1)


@pytest.mark.slow
def test_process_that_crashes_at_start_gives_its_reason_on_stderr() -> None:
    done = process("--crash-at-start")

    assert (done.returncode, done.stdout, done.stderr) == (1, "", START_FAILURE + "\n")


@pytest.mark.slow
def test_process_that_crashes_after_a_call_answers_that_call() -> None:
    call: dict[str, Any] = {
        "jsonrpc": "2.0",
        "method": "tools/call",
        "params": {"name": "cancelled_calls", "arguments": {}},
    }
    messages: list[dict[str, Any]] = [
        REQUEST,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {**call, "id": 2},
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "dev.mcp_server", "--crash-after", "1"],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        answers: list[str] = []
        for message in messages:
            server.stdin.write(f"{json.dumps(message)}\n")
            server.stdin.flush()
            if "id" in message:
                answers.append(server.stdout.readline())
        rest, diagnostics = server.communicate(f"{json.dumps({**call, 'id': 3})}\n", timeout=60)

    assert [json.loads(answer)["id"] for answer in answers] == [1, 2]
    assert (server.returncode, rest, CRASH in diagnostics) == (3, "", True)


@pytest.mark.slow
def test_silent_process_answers_nothing() -> None:
    done = process("--silent", lines=json.dumps(REQUEST) + "\n")

    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("header", [{"Origin": "null"}, {"Sec-Fetch-Site": "same-site"}, {"Host": "evil.example"}])
def test_over_http_requests_of_web_pages_are_refused(header: dict[str, str]) -> None:
    command = [sys.executable, "-m", "dev.mcp_server", "--http", "0"]
    with subprocess.Popen(  # noqa: S603
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            url = json.loads(server.stdout.readline())["url"]
            with httpx2.Client(trust_env=False) as client:
                refused = client.post(url, json=REQUEST, headers=header)
                accepted = client.post(url, json=REQUEST, headers={"Accept": "application/json, text/event-stream"})
        finally:
            server.terminate()

    assert (refused.status_code, refused.json()["error"]) == (403, "forbidden")
    assert accepted.status_code == 200
