"""Calls of tools of MCP servers through chats of the local stack, over stdio and HTTP."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from cli.layout import Layout
from dev.mcp_server.faults import START_FAILURE
from flexchat.api import ChatResponse, ToolFailureView, ToolSuccessView
from tests.e2e.commands import flexchat
from tests.e2e.conftest import AwsClients
from tests.e2e.mcp import servers
from tests.e2e.mcp.servers import DEVELOPER

CONVERTED: Final = {"value": 3, "from_unit": "km", "to_unit": "m"}

TOOLS: Final = {
    "everything_echo": ("everything", "echo"),
    "everything_http_echo": ("everything_http", "echo"),
    "read_file": ("filesystem", "read_text_file"),
    "create_entities": ("memory", "create_entities"),
    "read_graph": ("memory", "read_graph"),
    "convert": ("example", "convert_units"),
    "inventory": ("example", "inventory"),
    "picture": ("example", "picture"),
    "device": ("example", "control_device"),
    "convert_polluted": ("polluting", "convert_units"),
    "convert_crashing": ("crashing", "convert_units"),
    "convert_away": ("away", "convert_units"),
    "convert_http": ("example_http", "convert_units"),
    "convert_stateless": ("example_stateless", "convert_units"),
}
"""Server and own name by the name for models."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    (folder / "notes.txt").write_text("The lamp is in the hall.")
    return folder


@pytest.fixture(scope="module")
def entries(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Entries of `mcp_servers`; servers over HTTP run meanwhile."""
    servers.install()
    logs = tmp_path_factory.mktemp("logs")
    with ExitStack() as running:
        enter = running.enter_context
        yield {
            "everything": servers.npm_server("server-everything"),
            "filesystem": servers.npm_server("server-filesystem", str(folder)),
            "memory": servers.npm_server("server-memory", MEMORY_FILE_PATH=str(logs / "memory.jsonl")),
            "example": servers.example(),
            "polluting": servers.example("--pollute"),
            "crashing": servers.example("--crash-after", "1"),
            "away": servers.example("--crash-at-start"),
            "everything_http": servers.at(enter(servers.everything_over_http(logs / "everything.log"))),
            "example_http": servers.at(enter(servers.example_over_http(logs / "http.log"))),
            "example_stateless": servers.at(enter(servers.example_over_http(logs / "stateless.log", "--stateless"))),
        }


@pytest.fixture(scope="module", autouse=True)
def served(entries: dict[str, Any], layout: Layout, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Serve the project's configuration with the servers and one tool definition for each tool of the tests."""
    own = layout.root / "config" / "flexchat.json"
    authored = json.loads(own.read_text())
    authored["mcp_servers"] = entries
    authored["tools"]["registry"] += [
        {
            "name": name,
            "description": name,
            "parameters": {"type": "object"},
            "implementation": {"type": "mcp", "server": server, "tool": tool},
        }
        for name, (server, tool) in TOOLS.items()
    ]
    path = tmp_path_factory.mktemp("configuration") / "flexchat.json"
    path.write_text(json.dumps(authored))
    flexchat("local", "up", "--config", str(path), principal=DEVELOPER)
    yield
    flexchat("local", "up", "--config", str(own), principal=DEVELOPER)


def call(api: httpx2.Client, tool: str, **arguments: Any) -> ToolSuccessView | ToolFailureView:
    """Return the result of a tool that the demo model calls in a chat."""
    response = api.post("/api/chat", json={"message": f"[demo:call={tool} {json.dumps(arguments)}]"})
    assert response.status_code == 200, response.text
    [called] = ChatResponse.model_validate(response.json()).tool_calls
    return called.result


def result(api: httpx2.Client, tool: str, **arguments: Any) -> Any:
    called = call(api, tool, **arguments)
    assert isinstance(called, ToolSuccessView), called
    return called.result


def error(api: httpx2.Client, tool: str, **arguments: Any) -> str:
    called = call(api, tool, **arguments)
    assert isinstance(called, ToolFailureView), called
    return called.error


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ("everything", {"echo", "get-sum"}),
        ("everything_http", {"echo", "get-sum"}),
        ("filesystem", {"read_text_file", "write_file", "list_directory"}),
        ("memory", {"create_entities", "read_graph", "search_nodes"}),
        ("example_stateless", {"convert_units", "inventory"}),
    ],
)
def test_tools_of_a_server_are_listed_by_the_function(
    aws: AwsClients, entries: dict[str, Any], server: str, expected: set[str]
) -> None:
    event = {
        "version": 1,
        "action": "list_tools",
        "server": server,
        "connection": entries[server],
        "request_id": "test",
        "timeout_ms": 30_000,
    }
    answer = aws.lambdas().invoke(FunctionName="flexchat-local-tool-mcp:live", Payload=json.dumps(event).encode())

    reply = json.loads(answer["Payload"].read())
    assert reply["ok"], reply
    assert expected <= {tool["name"] for tool in reply["result"]["tools"]}


@pytest.mark.parametrize("tool", ["everything_echo", "everything_http_echo"])
def test_echo_of_server_everything_is_called_in_a_chat(api: httpx2.Client, tool: str) -> None:
    assert "hello" in json.dumps(result(api, tool, message="hello"))


def test_file_is_read_by_server_filesystem(api: httpx2.Client, folder: Path) -> None:
    assert "The lamp is in the hall." in json.dumps(result(api, "read_file", path=str(folder / "notes.txt")))


def test_error_of_server_filesystem_is_returned_in_its_own_words(api: httpx2.Client) -> None:
    assert "Access denied - path outside allowed directories" in error(api, "read_file", path="/etc/passwd")


def test_entity_is_stored_by_one_chat_and_read_by_another(api: httpx2.Client) -> None:
    entity = {"name": "lamp", "entityType": "device", "observations": ["is in the hall"]}

    result(api, "create_entities", entities=[entity])

    assert "is in the hall" in json.dumps(result(api, "read_graph"))


@pytest.mark.parametrize("tool", ["convert", "convert_http", "convert_stateless", "convert_polluted"])
def test_units_are_converted_over_each_transport(api: httpx2.Client, tool: str) -> None:
    assert "3 km = 3000 m" in json.dumps(result(api, tool, **CONVERTED))


def test_structured_result_and_picture_of_the_example_server(api: httpx2.Client) -> None:
    assert "12" in json.dumps(result(api, "inventory", name="lamp"))
    assert "image/png" in json.dumps(result(api, "picture"))


def test_arguments_in_snake_case_are_renamed_for_the_server(api: httpx2.Client) -> None:
    assert "Switch One" in json.dumps(result(api, "device", device_name="Switch One", action="on"))


def test_crashed_server_is_started_again_for_the_next_call(api: httpx2.Client) -> None:
    """Each environment of the function has a process of its own, which answers one call and ends in its second.

    Without a new start, no environment would answer twice: with the two or three of this stack, ten calls would have
    as many successes.
    """
    succeeded = [isinstance(call(api, "convert_crashing", **CONVERTED), ToolSuccessView) for _ in range(10)]

    assert succeeded.count(True) >= 5
    assert succeeded.count(False) >= 1


def test_server_that_is_away_fails_its_own_tools_only(api: httpx2.Client) -> None:
    assert START_FAILURE not in error(api, "convert_away", **CONVERTED)
    assert "3 km = 3000 m" in json.dumps(result(api, "convert", **CONVERTED))
