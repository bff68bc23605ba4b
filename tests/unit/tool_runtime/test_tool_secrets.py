"""Secrets in the implementation of a tool."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import pytest
from pydantic import model_validator

from flexchat.errors import ToolError, UnavailableError
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.secret_references import secret_hosts_name, secret_name
from flexchat.stage_secrets import StageSecrets
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_runtime import ToolHandler, tool_handler
from flexchat.tools import CallTool
from tests.unit.config.sources import STAGE, MemoryParameters

CANARY = "c4n4ry-key-of-the-service"


class Part(ToolImplementation):
    secret_fields: ClassVar = ("headers.*",)

    type: str
    headers: dict[str, str]
    note: str = ""


@pytest.fixture
def store() -> MemoryParameters:
    return MemoryParameters({secret_name(STAGE, "KEY"): CANARY})


def event(**implementation: Json) -> dict[str, Any]:
    return {
        "tool": "t",
        "arguments": {},
        "implementation": {"type": "part", "headers": {"Authorization": "Bearer ${KEY}"}, **implementation},
        "call_id": "call_1",
        "idempotency_key": "k",
        "request_id": "r",
        "timeout_ms": 1_000,
    }


def part_tool(store: MemoryParameters, run: Callable[[CallTool, Part], object]) -> ToolHandler:
    return tool_handler(Part, run, secrets=StageSecrets(store=store, stage=STAGE, ttl_seconds=60))


def test_secrets_are_resolved_only_in_the_fields_of_their_type(store: MemoryParameters) -> None:
    parts: list[Part] = []
    handler = part_tool(store, lambda _call, part: parts.append(part))

    handler(event(note="${KEY}"), None)

    assert [(part.headers, part.note) for part in parts] == [({"Authorization": f"Bearer {CANARY}"}, "${KEY}")]


def test_a_tool_without_references_reads_no_secret(store: MemoryParameters) -> None:
    handler = part_tool(store, lambda _call, part: part.headers)

    assert handler(event(headers={"X-Team": "a"}), None)["result"] == {"X-Team": "a"}
    assert store.calls == []


@pytest.mark.parametrize("name", ["OTHER", "AWS_SECRET_ACCESS_KEY"])
def test_a_secret_that_is_missing_or_reserved_is_a_configuration_error(store: MemoryParameters, name: str) -> None:
    reply: Any = part_tool(store, lambda _call, _part: None)(event(headers={"X": f"${{{name}}}"}), None)

    assert reply["error"]["type"] == "configuration"
    assert f"secret {name!r}" in reply["error"]["message"]


def test_unreadable_secrets_make_the_tool_unavailable(store: MemoryParameters) -> None:
    store.failure = UnavailableError("SSM answered ThrottlingException")

    reply: Any = part_tool(store, lambda _call, _part: None)(event(), None)

    assert (reply["error"]["type"], "ThrottlingException" in str(reply)) == ("unavailable", False)


def echoes(_call: CallTool, part: Part) -> Json:
    return {"sent": [dict(part.headers)], part.headers["Authorization"]: "escaped " + json.dumps(part.headers)}


def refuses(_call: CallTool, part: Part) -> Json:
    raise ToolError(f"The service refused {part.headers['Authorization']}")


def crashes(_call: CallTool, part: Part) -> Json:
    raise ValueError(part.headers["Authorization"])


def logs(_call: CallTool, part: Part) -> Json:
    logger.info("request sent", header=part.headers["Authorization"])
    return "done"


@pytest.mark.parametrize("run", [echoes, refuses, crashes, logs])
def test_replies_and_log_lines_contain_no_secret(
    store: MemoryParameters, run: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    level = logger.log_level
    logger.setLevel("DEBUG")
    try:
        reply = part_tool(store, run)(event(), None)
    finally:
        logger.setLevel(level)

    output = capsys.readouterr()
    assert CANARY not in json.dumps(reply) + output.out + output.err
    assert "tool called" in output.out


class QuotingPart(Part):
    """Part whose errors quote a secret."""

    @model_validator(mode="after")
    def refuse(self) -> Self:
        raise ValueError(f"the header {self.headers['X-Team']!r} is too long")


def test_the_error_of_a_misconfigured_tool_contains_no_secret(
    store: MemoryParameters, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets = StageSecrets(store=store, stage=STAGE, ttl_seconds=60)

    reply: Any = tool_handler(QuotingPart, lambda _call, _part: None, secrets=secrets)(
        event(headers={"X-Team": "${KEY}"}), None
    )

    assert reply["error"] == {
        "type": "configuration",
        "message": "Tool 't' is misconfigured: implementation: Value error, the header '[redacted]' is too long",
        "user_message": None,
        "validation_errors": [],
    }
    output = capsys.readouterr()
    assert "tool misconfigured" in output.out
    assert CANARY not in output.out + output.err


def test_a_compute_tool_cannot_have_secrets(store: MemoryParameters) -> None:
    with pytest.raises(ValueError, match="child process"):
        tool_handler(
            Part,
            lambda _call, _part: None,
            preload=lambda _part: None,
            secrets=StageSecrets(store=store, stage=STAGE, ttl_seconds=60),
        )


def test_the_mock_function_imports_neither_the_configuration_nor_aws() -> None:
    code = "import sys, functions.tools.mock.app; print(*sorted(name for name in sys.modules if name.startswith('flexchat.config')))"  # noqa: E501
    heavy = "print(sorted({'boto3', 'httpx2', 'jsonschema', 'flexchat.aws'} & sys.modules.keys()))"

    ran = subprocess.run([sys.executable, "-c", f"{code}\n{heavy}"], capture_output=True, text=True, check=True)  # noqa: S603

    assert ran.stdout.splitlines() == ["flexchat.config flexchat.config.models flexchat.config.models.base", "[]"]


class HostBoundPart(Part):
    @classmethod
    def secret_host(cls, path: str, implementation: Mapping[str, Json]) -> str:
        return str(implementation["note"]) if path == "headers.Authorization" else ""


@pytest.mark.parametrize(
    ("hosts", "sent"),
    [
        ("api.example.com", True),
        ("a.example.com, api.example.com", True),
        ("example.com", False),
        ("", False),
        (None, False),
    ],
)
def test_a_secret_is_sent_only_to_a_host_that_it_is_bound_to(
    store: MemoryParameters, capsys: pytest.CaptureFixture[str], hosts: str | None, sent: bool
) -> None:
    if hosts is not None:
        store.put(secret_hosts_name(STAGE, "KEY"), hosts)
    parts: list[Part] = []
    handler = tool_handler(
        HostBoundPart,
        lambda _call, part: parts.append(part),
        secrets=StageSecrets(store=store, stage=STAGE, ttl_seconds=60),
    )

    reply: Any = handler(event(note="api.example.com"), None)

    assert (reply["ok"], len(parts)) == (sent, int(sent))
    if not sent:
        assert reply["error"] | {"user_message": None} == {
            "type": "configuration",
            "message": "The tool's secrets cannot be resolved: secret 'KEY' is not bound to the host of this tool",
            "user_message": None,
            "validation_errors": [],
        }
        logged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert {"reference": "KEY", "host": "api.example.com"}.items() <= logged[0].items()
