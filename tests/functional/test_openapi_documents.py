"""Import of real OpenAPI documents, and calls of the imported tools against a mock of the same document."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.tool_import.document import Document, read_document
from cli.tool_import.openapi import import_operations, operations
from cli.tool_import.report import ImportReport
from flexchat.egress.client import GuardedTransport
from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient
from flexchat.messages import Json
from flexchat.secret_references import SECRET_REFERENCE
from flexchat.tools import CallTool
from functions.tools.http.implementation import Implementation
from functions.tools.http.sender import HttpSender
from functions.tools.http.tool import HttpTool
from tests.functional.openapi_packages import DIRECTORY, PRISM, document

pytestmark = pytest.mark.slow

LEFT_OUT = (
    "requires a body of type ",
    "requires a body in a ",
    "requires the nested form field ",
    "uses the method ",
)
"""Reasons for which operations of these documents may be left out."""

LIMIT = 0.05
"""Largest share of the operations of a document that is left out, where it has no file uploads."""

UPLOADS = ("openai.com", "telegram.org")
"""APIs whose operations send files to a fifth."""


def read(name: str) -> Document:
    return read_document(document(name).read_bytes(), name=name)


def imported(name: str, *only: str, server: str | None = None) -> ImportReport:
    source = read(name)
    selected = [each for each in operations(source) if not only or each.is_selected(only)]
    return import_operations(source, selected, server=server, deprecated=True)


@pytest.mark.parametrize("name", ["api.github.com", "okta.com", *DIRECTORY])
def test_every_operation_becomes_a_valid_tool_or_is_left_out_with_a_reason(name: str) -> None:
    found = operations(read(name))
    report = imported(name)
    labels = [each.operation for each in (*report.tools, *report.left_out)]

    assert sorted(labels) == sorted(operation.label for operation in found)
    assert [each for each in report.left_out if not each.reason.startswith(LEFT_OUT)] == []
    assert len(report.left_out) <= max(1, (0.25 if name in UPLOADS else LIMIT) * len(found))
    assert len({tool.name for tool in report.tools}) == len(report.tools)


def test_a_document_in_yaml_gives_the_tools_of_the_one_in_json() -> None:
    in_yaml = read_document(document("okta.com", "yaml").read_bytes(), name="okta.com")

    assert (in_yaml.version, in_yaml) == ("2.0", read("okta.com"))


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def mock_server(name: str, tmp_path: Path) -> Generator[str]:
    """Yield the address of a mock that validates requests against the document and answers with its examples."""
    port = free_port()
    node = Path(sys.executable).parent / "node"
    command = [str(node), str(PRISM.resolve()), "mock", "--errors", "--host", "127.0.0.1", "--port", str(port)]
    with (tmp_path / "prism.log").open("w+") as log:
        # `node` is a Python program that starts the real one: both are ended.
        process = subprocess.Popen(  # noqa: S603
            [*command, str(document(name))], stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            while "Prism is listening" not in (tmp_path / "prism.log").read_text():
                assert process.poll() is None, (tmp_path / "prism.log").read_text()
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


@pytest.fixture
def call() -> Generator[Callable[[dict[str, Json], dict[str, Json]], Json]]:
    """Yield a function that calls a definition with arguments, by loopback connections alone."""
    policy = EgressPolicy(local=True)
    transport = GuardedTransport(policy)
    tool = HttpTool(HttpSender(BoundedHttpClient(transport=transport, compressed=False), policy))

    def run(definition: dict[str, Json], arguments: dict[str, Json]) -> Json:
        resolved = json.loads(SECRET_REFERENCE.sub("secret", json.dumps(definition["implementation"])))
        request = CallTool(
            tool=str(definition["name"]),
            arguments=arguments,
            implementation={},
            call_id="call-1",
            idempotency_key="request-1:call-1",
            request_id="request-1",
            timeout_ms=30_000,
        )
        return tool(request, Implementation.model_validate(resolved))

    yield run
    transport.close()


CALLS: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    (
        "spotify.com",
        [
            ("get-an-album", {"id": "4aawyAB9vmqN3uQ7FjRGTy"}),
            ("search", {"q": "remaster", "type": "album", "limit": 5}),
            ("create-playlist", {"user_id": "smedjan", "name": "New", "public": False}),
        ],
    ),
    ("circleci.com", [("GET /me", {}), ("GET /projects", {})]),
    (
        "openai.com",
        [("listModels", {}), ("retrieveModel", {"model": "m"}), ("createEmbedding", {"model": "m", "input": "a"})],
    ),
    (
        "okta.com",
        [
            ("listGroups", {"limit": 3}),
            ("getGroup", {"groupId": "g1"}),
            ("createGroup", {"profile": {"name": "Operators", "description": "On call"}}),
            ("updateGroup", {"groupId": "g1", "profile": {"name": "Operators"}}),
        ],
    ),
    (
        "digitalocean.com",
        [
            ("account_get", {}),
            ("droplets_list", {"per_page": 2}),
            ("sshKeys_get", {"ssh_key_identifier": 512189}),
            ("sshKeys_create", {"name": "laptop", "public_key": "ssh-ed25519 AAAA"}),
        ],
    ),
    ("notion.com", [("retrieveComments", {"block_id": "b"})]),
]
"""Operations with arguments, by API.

Other operations of Notion have an example of `Content-Encoding`, which the mock sends with a plain body. With the
document of Stripe the mock does not start within minutes.
"""


@pytest.mark.parametrize(("name", "calls"), CALLS, ids=[name for name, _ in CALLS])
def test_imported_tools_send_requests_that_the_document_allows(
    name: str,
    calls: list[tuple[str, dict[str, Any]]],
    tmp_path: Path,
    call: Callable[[dict[str, Json], dict[str, Json]], Json],
) -> None:
    with mock_server(name, tmp_path) as server:
        for operation, arguments in calls:
            (tool,) = imported(name, operation, server=server).tools
            assert isinstance(call(tool.definition, arguments), dict | list), operation
