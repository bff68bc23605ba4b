"""Discovery of tools of MCP servers on the local stack: lists, changed definitions, approval, a server that is away."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from cli.layout import Layout
from dev.mcp_server.faults import START_FAILURE
from tests.e2e.commands import flexchat
from tests.e2e.mcp import servers
from tests.e2e.mcp.servers import DEVELOPER

WAIT_SECONDS: Final = 60.0
"""Longest time until the chat function has read a new list."""


@pytest.fixture(scope="module")
def version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """File with the version of the tools of the server `changing`."""
    path = tmp_path_factory.mktemp("version") / "version"
    path.write_text("1")
    return path


@pytest.fixture(scope="module", autouse=True)
def served(version: Path, layout: Layout, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Serve the project's configuration with the servers; its fallback rule offers every tool."""
    servers.install()
    own = layout.root / "config" / "flexchat.json"
    authored = json.loads(own.read_text())
    authored["mcp_servers"] = {
        "everything": servers.npm_server("server-everything"),
        "filesystem": servers.npm_server("server-filesystem", str(version.parent)),
        "memory": servers.npm_server("server-memory", MEMORY_FILE_PATH=str(version.with_name("memory.jsonl"))),
        "changing": servers.example("--tools-version-file", str(version)),
        "devices": servers.plain(tools=["strict"], argument_names={"strict": {"state": "newState"}}),
        "away": servers.example("--crash-at-start"),
    }
    path = tmp_path_factory.mktemp("configuration") / "flexchat.json"
    path.write_text(json.dumps(authored))
    flexchat("local", "up", "--config", str(path), principal=DEVELOPER)
    yield
    flexchat("local", "up", "--config", str(own), principal=DEVELOPER)


def refreshed(api: httpx2.Client, server: str) -> dict[str, Any]:
    response = api.post(f"/api/mcp/servers/{server}/refresh")
    assert response.status_code == 200, response.text
    return response.json()


def states(view: dict[str, Any]) -> dict[str, str]:
    return {tool["tool"]: tool["state"] for tool in view["tools"]}


def eventually(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < end, "the chat function has not read the new list"
        time.sleep(0.5)


def offered(api: httpx2.Client) -> set[str]:
    """Return the names of the tools that models are offered."""
    return {tool["name"] for tool in api.get("/api/tools/list").json()["tools"]}


def called(api: httpx2.Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the result of a tool that the demo model calls in a chat."""
    response = api.post("/api/chat", json={"message": f"[demo:call={tool} {json.dumps(arguments)}]"})
    assert response.status_code == 200, response.text
    [call] = response.json()["tool_calls"]
    return call["result"]


@pytest.mark.parametrize(
    ("server", "tool"), [("everything", "echo"), ("filesystem", "list_directory"), ("memory", "read_graph")]
)
def test_tools_of_public_servers_are_listed_and_offered(api: httpx2.Client, server: str, tool: str) -> None:
    view = refreshed(api, server)

    assert (view["state"], states(view)[tool]) == ("ready", "offered")
    eventually(lambda: f"{server}/{tool}" in offered(api))


def test_discovered_tools_are_called_in_a_chat(api: httpx2.Client, version: Path) -> None:
    refreshed(api, "filesystem")
    eventually(lambda: "filesystem/list_directory" in offered(api))

    result = called(api, "filesystem_list_directory", path=str(version.parent))

    assert result["success"], result
    assert "version" in json.dumps(result["result"])


def test_arguments_are_renamed_before_they_are_checked_against_a_strict_schema(api: httpx2.Client) -> None:
    """The server requires `deviceName` and takes no other name; `state` is renamed by the configuration."""
    refreshed(api, "devices")
    eventually(lambda: "devices/strict" in offered(api))

    result = called(api, "devices_strict", device_name="Switch One", state="on")
    refused = called(api, "devices_strict", device_name="Switch One", state="dim")

    assert result["success"], result
    assert json.loads(result["result"]) == {"deviceName": "Switch One", "newState": "on"}
    assert refused["error_type"] == "invalid_arguments", refused


def test_a_server_that_is_away_costs_its_own_tools_only(api: httpx2.Client) -> None:
    view = refreshed(api, "away")

    assert view["state"] == "failed"
    assert START_FAILURE in view["error"]
    assert view["error"].startswith("MCP connection failed after 3 attempts")
    refreshed(api, "memory")
    eventually(lambda: "memory/read_graph" in offered(api))
    disabled = {entry["name"]: entry["problems"] for entry in api.get("/api/tools/list").json()["disabled"]}
    assert disabled["away/*"]
    assert START_FAILURE not in json.dumps(disabled)


def test_changed_definitions_are_withheld_until_they_are_approved(api: httpx2.Client, version: Path) -> None:
    first = refreshed(api, "changing")
    if "pending_hash" in first:  # an earlier run on this stack approved the other version
        api.post("/api/mcp/servers/changing/approve", json={"hash": first["pending_hash"]})
    assert states(refreshed(api, "changing"))["convert_units"] == "offered"
    eventually(lambda: "changing/convert_units" in offered(api))
    version.write_text("2")

    view = refreshed(api, "changing")
    found = states(view)
    assert (found["convert_units"], found["restock"], found["inventory"]) == ("changed", "new", "offered")
    [changed] = (tool for tool in view["tools"] if tool["tool"] == "convert_units")
    assert any(line.startswith("+") for line in changed["diff"])
    eventually(lambda: "changing/convert_units" not in offered(api))
    assert "changing/inventory" in offered(api)
    assert "changing/restock" not in offered(api)

    stale = api.post("/api/mcp/servers/changing/approve", json={"hash": "0" * 32})
    assert (stale.status_code, stale.json()["error"]) == (409, "definitions_changed")
    approved = api.post("/api/mcp/servers/changing/approve", json={"hash": view["pending_hash"]})

    assert states(approved.json())["convert_units"] == "offered", approved.text
    eventually(lambda: {"changing/convert_units", "changing/restock"} <= offered(api))
    # Each environment reads the list again by itself.
    eventually(lambda: called(api, "changing_convert_units", value=3, from_unit="km", to_unit="m")["success"])
