"""Public MCP servers that npx and uvx install from their registries, added, approved and called as by a user."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, override

import httpx2
import pytest

from cli.layout import Layout
from dev.local_stack.environment import command_path
from tests.e2e import npm
from tests.e2e.commands import flexchat
from tests.e2e.mcp.servers import DEVELOPER
from tests.e2e.mcp.test_discovery import called, eventually, offered
from tests.e2e.serving import serving

PUBLIC: Final = "@modelcontextprotocol"
NPM: Final = "2026.8.31"
"""Version of the servers of npm."""
TIME: Final = "mcp-server-time==2026.10.19"
FETCH: Final = "mcp-server-fetch==2026.10.24"
PROBE_SECONDS: Final = 30

PAGE: Final = "<html><body><main><h1>Harbour</h1><p>The lighthouse of Oostvik is green.</p></main></body></html>"


@pytest.fixture(scope="module")
def registries(layout: Layout) -> None:
    """Skip the tests where the registries cannot be reached, such as on a machine without a network."""
    uv = shutil.which("uv", path=command_path(layout, os.environ)) or "uv"
    probes: Mapping[str, tuple[Sequence[str], str]] = {
        "npm": ((str(Path(npm.NODE).with_name("npm")), "view", f"{PUBLIC}/server-everything@{NPM}", "version"), ""),
        "PyPI": ((uv, "pip", "compile", "--quiet", "--no-deps", "-"), TIME),
    }
    for registry, (command, given) in probes.items():
        environment = {**os.environ, "NPM_CONFIG_FETCH_RETRIES": "0", "UV_HTTP_RETRIES": "0"}
        try:
            done = subprocess.run(  # noqa: S603 - the installers of this checkout
                command,
                input=given,
                capture_output=True,
                text=True,
                check=False,
                timeout=PROBE_SECONDS,
                env=environment,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            pytest.skip(f"the registry of {registry} cannot be reached: {error}")
        if done.returncode:
            pytest.skip(f"the registry of {registry} cannot be reached: {done.stderr.strip()[-300:]}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the server for files, with a note."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "notes.txt").write_text("The lamp is in the hall.")
    return folder


@pytest.fixture(scope="module", autouse=True)
def served(registries: None, folder: Path, layout: Layout, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Add each server by its command, publish the configuration and list the tools; those of `time` wait."""
    own = layout.root / "config" / "flexchat.json"
    path = tmp_path_factory.mktemp("configuration") / "mine.json"
    path.write_text(own.read_text())
    for name, command in (
        ("everything", ("npx", "-y", f"{PUBLIC}/server-everything@{NPM}")),
        ("filesystem", ("npx", "-y", f"{PUBLIC}/server-filesystem@{NPM}", str(folder))),
        ("time", ("uvx", TIME)),
        ("fetch", ("uvx", FETCH, "--ignore-robots-txt", "--allow-private-ips")),
    ):
        flexchat("mcp", "add", name, "-o", str(path), "--", *command, principal=DEVELOPER)
    configuration = json.loads(path.read_text())
    configuration["mcp_servers"]["time"]["approval"] = "every"
    path.write_text(json.dumps(configuration))
    flexchat("local", "up", "--config", str(path), principal=DEVELOPER)
    flexchat("mcp", "refresh", principal=DEVELOPER)
    yield
    flexchat("local", "up", "--config", str(own), principal=DEVELOPER)


def result(api: httpx2.Client, tool: str, **arguments: Any) -> Any:
    """Return the result of a tool that the demo model calls in a chat."""
    eventually(lambda: tool in offered(api))
    found = called(api, tool.replace("/", "_"), **arguments)
    assert found["success"], found
    return found["result"]


def test_texts_and_structured_content_are_results(api: httpx2.Client) -> None:
    assert result(api, "everything/echo", message="hello") == "Echo: hello"
    weather = result(api, "everything/get-structured-content", location="New York")
    assert set(weather) == {"temperature", "conditions", "humidity"}


def test_pictures_links_and_resources_are_described_beside_the_text(api: httpx2.Client) -> None:
    picture = result(api, "everything/get-tiny-image")
    assert "image" in picture["text"]
    [image] = picture["attachments"]
    assert (image["type"], image["mime_type"]) == ("image", "image/png")
    assert image["size_bytes"] > 100

    links = result(api, "everything/get-resource-links", count=2)
    assert [link["type"] for link in links["attachments"]] == ["resource_link"] * 2
    assert all(link["uri"] and link["name"] for link in links["attachments"])

    reference = result(api, "everything/get-resource-reference", resourceType="Text", resourceId=1)
    [resource] = reference["attachments"]
    assert (resource["type"], resource["mime_type"]) == ("resource", "text/plain")
    assert "Resource 1" in resource["text"]
    blob = result(api, "everything/get-resource-reference", resourceType="Blob", resourceId=2)
    assert blob["attachments"][0]["size_bytes"] > 0


def test_a_picture_of_a_tool_reaches_an_operator(api: httpx2.Client) -> None:
    shown = json.loads(flexchat("mcp", "call", "everything/get-tiny-image", "--json", principal=DEVELOPER))

    assert "image/png" in json.dumps(shown)


def test_a_file_is_read_by_a_server_with_an_argument(api: httpx2.Client, folder: Path) -> None:
    found = result(api, "filesystem/read_text_file", path=str(folder / "notes.txt"))

    assert "The lamp is in the hall." in json.dumps(found)


def test_tools_of_a_server_wait_for_the_approval_that_its_entry_requires(api: httpx2.Client) -> None:
    assert not [name for name in offered(api) if name.startswith("time/")]

    flexchat("mcp", "approve", "time", "--yes", principal=DEVELOPER)

    converted = result(
        api, "time/convert_time", source_timezone="Europe/Paris", time="12:00", target_timezone="Asia/Tokyo"
    )
    assert "T19:00:00+09:00" in json.dumps(converted) or "T20:00:00+09:00" in json.dumps(converted)


def test_a_page_is_fetched_by_a_server_in_python(api: httpx2.Client) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE.encode())

        @override
        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server, serving(server):
        fetched = result(api, "fetch/fetch", url=f"http://127.0.0.1:{server.server_port}/harbour")

    assert "The lighthouse of Oostvik is green." in json.dumps(fetched)
