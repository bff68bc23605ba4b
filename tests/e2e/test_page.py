"""HTTP requests for the page, to the stack and to the development server."""

import re
from collections.abc import Iterator
from threading import Thread

import httpx2
import pytest

from cli.layout import Layout
from cli.local_stack import StackState
from dev.local_stack.page import PageServer


def test_page_and_its_assets_are_public_and_cacheable(anonymous: httpx2.Client) -> None:
    document = anonymous.get("/tools-testing")
    named = re.findall(r'(?:src|href)="(assets/[^"]+)"', document.text)
    files = [anonymous.get(f"/{name}") for name in named]

    assert document.status_code == 200
    assert "default-src 'none'" in document.headers["Content-Security-Policy"]
    assert [name.rpartition("/")[2] for name in named] == ["icon.svg", "style.css", "app.js"]
    assert {file.status_code for file in files} == {200}
    assert {file.headers["Cache-Control"] for file in files} == {"public, max-age=31536000, immutable"}
    assert anonymous.get("/tools-testing", headers={"If-None-Match": document.headers["ETag"]}).status_code == 304
    assert anonymous.get(f"/{named[0]}", headers={"If-None-Match": files[0].headers["ETag"]}).status_code == 304


@pytest.mark.parametrize("view", ["", "chat", "validation", "traces", "usage", "retrieval", "configuration"])
def test_every_view_has_its_own_url(anonymous: httpx2.Client, view: str) -> None:
    assert "<title>Flexchat</title>" in anonymous.get(f"/{view}").text


def test_permalink_of_a_trace_has_the_files_of_the_page(anonymous: httpx2.Client) -> None:
    document = anonymous.get("/runs/0f6d2c9e")
    named = re.findall(r'(?:src|href)="\.\./(assets/[^"]+)"', document.text)

    assert [name.rpartition("/")[2] for name in named] == ["icon.svg", "style.css", "app.js"]
    assert {anonymous.get(f"/{name}").status_code for name in named} == {200}


def test_asset_of_another_deployment_is_not_found(anonymous: httpx2.Client) -> None:
    answered = anonymous.get("/assets/0123456789ab/app.js")

    assert answered.status_code == 404
    assert answered.json()["message"] == "file not found; reload the page"


@pytest.fixture
def from_files(layout: Layout, stack: StackState) -> Iterator[httpx2.Client]:
    """Client of the development server of `make page`."""
    with PageServer(layout.root / "functions" / "page" / "src", lambda: stack.url) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with httpx2.Client(base_url=server.url, timeout=60, trust_env=False) as client:
            yield client
        server.shutdown()


def test_development_server_serves_source_files_with_the_api_of_the_stack(
    from_files: httpx2.Client, stack: StackState
) -> None:
    document = from_files.get("/chat")
    script = from_files.get("/assets/of-an-older-version/app.js")
    token = {"Authorization": f"Bearer {stack.token}"}

    assert (document.status_code, document.headers["Cache-Control"]) == (200, "no-store")
    assert 'import "./main.js"' in script.text
    assert "./shell/app.js" in from_files.get("/assets/of-an-older-version/main.js").text
    assert from_files.get("/health").json() == {"status": "ok"}
    assert from_files.get("/api/tools/list").status_code == 401
    assert from_files.get("/api/tools/list", headers=token).json()["tools"]
    refused = from_files.post("/api/tools/test", headers=token, json={})
    assert (refused.status_code, refused.json()["error"]) == (400, "Missing query or model")


def test_development_server_closes_api_connections_when_the_stack_does_not_answer(layout: Layout) -> None:
    with PageServer(layout.root / "functions" / "page" / "src", lambda: "http://127.0.0.1:9") as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with httpx2.Client(base_url=server.url, timeout=60, trust_env=False) as client:
            with pytest.raises(httpx2.RemoteProtocolError):
                client.get("/health")
            assert client.get("/").status_code == 200
        server.shutdown()
