"""The function of mcp tools with a server as a process: its environment, its commands and its retry settings."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from flexchat.aws.clients import AwsClients
from flexchat.aws.parameters import ParameterStore
from flexchat.errors import ToolError, UnavailableError
from flexchat.messages import Json
from flexchat.settings import read_environment
from flexchat.tools import CallTool
from functions.tools.mcp.app import McpFunctionSettings, McpToolFunction
from functions.tools.mcp.errors import ConnectionRetry
from functions.tools.mcp.implementation import Implementation
from tests.aws import aws_client, emulated_aws

SERVER = str(Path(__file__).parents[2] / "mcp_servers" / "plain.py")

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "canary-id",
    "AWS_SECRET_ACCESS_KEY": "canary-secret",
    "AWS_SESSION_TOKEN": "canary-token",
    "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:9001",
    "FLEXCHAT_STAGE": "test",
    "FLEXCHAT_TOOL_STATE_TABLE": "tool-state",
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "SECRET_OF_THE_FUNCTION": "canary-own",
}


COMMANDS = f"node,{sys.executable}"


@pytest.fixture(autouse=True)
def _aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with emulated_aws(monkeypatch):
        yield


def list_commands(commands: str) -> None:
    """Write the parameter of the template's stack."""
    aws_client("ssm").put_parameter(
        Name="/flexchat/test/deployment/mcp-commands", Value=commands, Type="String", Overwrite=True
    )


def function(*, commands: str = COMMANDS, **changes: str) -> McpToolFunction:
    environment = {**ENVIRONMENT, **changes}
    settings = read_environment(McpFunctionSettings, environment)
    list_commands(commands)
    return McpToolFunction(settings, AwsClients(ssm=aws_client("ssm"), dynamodb=None), environment=environment)


def result(of: McpToolFunction, tool: str, **connection: Json) -> Json:
    implementation: Mapping[str, Json] = {
        "type": "mcp",
        "server": "plain",
        "tool": tool,
        "connection": {
            "command": sys.executable,
            "args": ["-S", "-E", SERVER],
            "connect_timeout_ms": 20_000,
            **connection,
        },
    }
    call = CallTool(
        tool=f"plain/{tool}",
        arguments={},
        implementation=dict(implementation),
        call_id="call_1",
        idempotency_key="request-1:call_1",
        request_id="request-1",
        timeout_ms=30_000,
    )
    return of.tool(call, Implementation.model_validate(implementation))


def test_a_process_has_no_credentials_and_no_variable_of_the_function_but_the_listed_ones() -> None:
    found = json.loads(str(result(function(), "environment", env={"FILES_TOKEN": "t-1"})))

    found.pop("LC_CTYPE", None)  # set by Python
    assert Path(found.pop("HOME")).parent == Path(found.pop("TMPDIR")).parent
    assert found == {"FILES_TOKEN": "t-1", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}


def test_a_deployment_without_commands_starts_no_process() -> None:
    with pytest.raises(ToolError, match="not among the deployment's commands"):
        result(function(commands=","), "echo")


def test_a_list_of_four_thousand_characters_is_read_once_for_a_while() -> None:
    long = ",".join((*(f"/opt/servers/server-{number}" for number in range(150)), sys.executable))
    tools = function(commands=long)
    assert 3_500 < len(long) < 4_096

    assert result(tools, "pid")
    list_commands(",")

    assert result(tools, "pid", env={"ANOTHER": "process"})


def test_a_stage_whose_commands_cannot_be_read_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = function()
    monkeypatch.setattr(ParameterStore, "read", _unavailable)

    with pytest.raises(ToolError, match="commands cannot be read") as refused:
        result(tools, "echo")

    assert refused.value.type == "unavailable"


def test_the_last_list_is_used_while_it_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = function(FLEXCHAT_CATALOG_TTL_SECONDS="0.001")
    assert result(tools, "pid")
    monkeypatch.setattr(ParameterStore, "read", _unavailable)

    assert result(tools, "pid", env={"ANOTHER": "process"})


def _unavailable(*_: object) -> None:
    raise UnavailableError("SSM does not answer")


def test_a_path_of_the_configuration_does_not_select_another_program() -> None:
    with pytest.raises(ToolError) as caught:
        result(
            function(PATH="/nowhere", FLEXCHAT_MCP_RETRY_ATTEMPTS="1"),
            "echo",
            command="node",
            env={"PATH": str(Path(sys.executable).parent)},
        )

    assert caught.value.type == "unavailable"


def test_attempts_are_configured_by_the_environment() -> None:
    changed = {
        "FLEXCHAT_MCP_RETRY_ATTEMPTS": "5",
        "FLEXCHAT_MCP_RETRY_BASE_MS": "500",
        "FLEXCHAT_MCP_RETRY_PAUSE_MS": "1000",
    }

    assert read_environment(McpFunctionSettings, ENVIRONMENT).retry == ConnectionRetry(
        attempts=3, base_ms=2_000, pause_ms=15_000
    )
    assert read_environment(McpFunctionSettings, {**ENVIRONMENT, **changed}).retry == ConnectionRetry(
        attempts=5, base_ms=500, pause_ms=1_000
    )
