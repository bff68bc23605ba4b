"""`flexchat tools import`: files, output, exit codes."""

import io
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, override

import pytest

from cli.main import main

DOCUMENT: dict[str, Any] = {
    "openapi": "3.0.0",
    "servers": [{"url": "https://api.example.com"}],
    "paths": {
        "/a": {
            "get": {"operationId": "listA"},
            "put": {"operationId": "upload", "requestBody": {"content": {"x/y": {}}}},
        },
        "/b": {"get": {"operationId": "listB", "deprecated": True}},
    },
}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "api.json"
    path.write_text(json.dumps(DOCUMENT))
    return str(path)


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["flexchat", "tools", "import", *map(str, arguments)])
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.raises(SystemExit) as raised:
        main()
    return int(raised.value.code or 0)


def test_definitions_are_printed_and_the_report_goes_to_standard_error(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "openapi", file) == 0

    printed = capsys.readouterr()
    assert [tool["name"] for tool in json.loads(printed.out)] == ["listA"]
    assert "requires a body of type 'x/y', which cannot be sent" in printed.err
    assert "1 tool imported, 2 operations left out." in printed.err


def test_the_report_in_json_has_tools_reasons_and_secrets(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "openapi", file, "--json", "--only", "list*") == 0

    report = json.loads(capsys.readouterr().out)
    assert [tool["operation"] for tool in report.pop("tools")] == ["listA", "listB"]
    assert report == {"left_out": [], "secrets": [], "commands": []}


def test_a_named_operation_that_is_left_out_is_an_error(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "openapi", file, "--only", "listA", "--only", "upload") == 1
    assert run(monkeypatch, "openapi", file, "--only", "listC") == 1
    assert "has no operation 'listC'" in capsys.readouterr().err


def test_tools_are_added_to_a_configuration_file_and_existing_ones_stay(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "flexchat.json"
    own = {"name": "own", "implementation": {"type": "mock"}}
    output.write_text(json.dumps({"comment": "mine", "tools": {"enabled": False, "registry": [own]}}))

    assert run(monkeypatch, "openapi", file, "--output", output) == 0
    once = json.loads(output.read_text())
    assert run(monkeypatch, "openapi", file, "--output", output) == 1
    assert "--replace replaces it" in " ".join(capsys.readouterr().out.split())
    once["tools"]["registry"][1]["description"] = "changed"
    output.write_text(json.dumps(once))
    assert run(monkeypatch, "openapi", file, "--output", output, "--replace") == 0

    assert json.loads(output.read_text()) == {
        "comment": "mine",
        "tools": {
            "enabled": False,
            "registry": [own, {**once["tools"]["registry"][1], "description": "GET /a"}],
        },
    }


def test_a_new_file_offers_the_tools(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "new.json"
    assert run(monkeypatch, "openapi", file, "--output", output) == 0

    written = json.loads(output.read_text())["tools"]
    assert (written["enabled"], [tool["name"] for tool in written["registry"]]) == (True, ["listA"])


def test_interactive_choice_needs_a_terminal(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))

    assert run(monkeypatch, "openapi", file, "--interactive") == 2
    assert "needs a terminal; name the operations with --only" in capsys.readouterr().err


def test_operations_are_chosen_by_a_filter_and_a_question_each(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("/a\nn\ny\nn\n"))

    assert run(monkeypatch, "openapi", file, "--interactive") == 0
    printed = capsys.readouterr()
    assert [tool["name"] for tool in json.loads(printed.out)] == ["listA"]


def test_a_curl_line_is_read_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("curl https://api.example.com/a -u me:canary"))

    assert run(monkeypatch, "curl", "-", "--name", "a") == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)[0]["name"] == "a"
    assert "secrets set EXAMPLE_PASSWORD --stage STAGE --host api.example.com" in printed.err
    assert "canary" not in printed.out + printed.err


def test_an_address_of_this_machine_is_not_downloaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    metadata = "169.254.169.254"
    for address in ("https://127.0.0.1/api", f"https://{metadata}/latest", "http://127.0.0.1/api"):
        assert run(monkeypatch, "openapi", address) == 1

    assert capsys.readouterr().err.splitlines() == [
        "https://127.0.0.1/api: the host '127.0.0.1' is this machine, which functions reach at the local stage only",
        f"https://{metadata}/latest: the host {metadata!r} has the address {metadata!r}, which is not public",
        "http://127.0.0.1/api: the host '127.0.0.1' is this machine, which functions reach at the local stage only",
    ]


@pytest.fixture
def document_server() -> Iterator[str]:
    """Address of a server on this machine that redirects `/latest` to the document, whose server is relative."""
    document = {**DOCUMENT, "servers": [{"url": "../api"}]}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/latest":
                self.send_response(302)
                self.send_header("location", "/docs/v2/openapi.json")
                self.end_headers()
                return
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(document).encode())

        @override
        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_document_of_this_machine_is_downloaded_when_it_is_allowed(
    document_server: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"{document_server}/latest"

    assert run(monkeypatch, "openapi", address) == 1
    assert "at the local stage only" in capsys.readouterr().err
    assert run(monkeypatch, "openapi", address, "--allow-loopback") == 0
    (tool,) = json.loads(capsys.readouterr().out)
    # The server is relative to the address after the redirect.
    assert (tool["name"], tool["implementation"]["url"]) == ("listA", f"{document_server}/docs/api/a")
