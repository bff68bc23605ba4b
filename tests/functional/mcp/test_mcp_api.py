"""The routes and refreshes of the MCP function on a stored configuration."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flexchat.aws.clients import AwsClients
from flexchat.config.parameters import split
from flexchat.deadline import Deadline
from flexchat.mcp import RefreshServers
from flexchat.messages import Json
from functions.tools.mcp.app import McpFunctionSettings, McpToolFunction
from tests.aws import aws_client, create_table, emulated_aws
from tests.functional.test_roles import Context
from tests.unit.mcp.memory_listings import AWAY, READ, FakeServers

EVENT = json.loads((Path(__file__).parents[3] / "events" / "chat-http.json").read_text())
TABLE = "flexchat-test-tool-state"
ORIGIN = "https://app.example.com"
SERVERS: dict[str, Json] = {"files": {"command": "node"}, "issues": {"url": "https://issues.example.com/mcp"}}


class Operated:
    """The function with fakes of the servers; `configure` stores another configuration."""

    def __init__(self) -> None:
        self.fakes = FakeServers({"files": (READ,), "issues": AWAY})
        self.now = 1_000.0
        self.function = McpToolFunction(
            McpFunctionSettings(stage="test", tool_state_table=TABLE, allowed_origins=ORIGIN),
            AwsClients(ssm=aws_client("ssm"), dynamodb=aws_client("dynamodb")),
            environment={},
            list_tools=self.fakes,
            clock=lambda: self.now,
        )

    def configure(self, servers: dict[str, Json]) -> None:
        self.now += 60.0
        for name, value in split({"mcp_servers": servers}, stage="test").items():
            aws_client("ssm").put_parameter(Name=name, Value=value, Type="String", Overwrite=True)

    def request(self, method: str, path: str, body: Json = None) -> tuple[int, Any]:
        answer = self.send(method, path, body)
        return answer["statusCode"], json.loads(answer["body"])

    def send(self, method: str, path: str, body: Json = None, *, origin: str | None = None) -> dict[str, Any]:
        context = {
            **EVENT["requestContext"],
            "httpMethod": method,
            "authorizer": {"principal": "k7m2p9qx4d", "roles": "operator"},
        }
        event: dict[str, Any] = {
            **EVENT,
            "httpMethod": method,
            "path": path,
            "resource": path,
            "requestContext": context,
        }
        if origin is not None:
            event["headers"] = {**event["headers"], "Origin": origin}
            event["multiValueHeaders"] = {name: [value] for name, value in event["headers"].items()}
        return self.function.api.resolve({**event, "body": None if body is None else json.dumps(body)}, Context())


@pytest.fixture
def operated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Operated]:
    with emulated_aws(monkeypatch):
        create_table(aws_client("dynamodb"), TABLE, "pk")
        operated = Operated()
        operated.configure(SERVERS)
        yield operated


def test_a_scheduled_refresh_lists_every_server_and_operators_see_the_result(operated: Operated) -> None:
    assert operated.function.refresh(RefreshServers(), Deadline.after(60.0)) == {"files": "ready", "issues": "failed"}

    status, body = operated.request("GET", "/api/mcp/servers")

    assert (status, [(server["name"], server["state"]) for server in body["servers"]]) == (
        200,
        [("files", "ready"), ("issues", "failed")],
    )
    assert [tool["name"] for tool in body["servers"][0]["tools"]] == ["files/read"]


@pytest.mark.parametrize(("origin", "allowed"), [(ORIGIN, [ORIGIN]), ("https://evil.example", None)])
def test_pages_of_allowed_origins_may_read_the_responses(
    operated: Operated, origin: str, allowed: list[str] | None
) -> None:
    answer = operated.send("GET", "/api/mcp/servers", origin=origin)

    assert (answer["statusCode"], answer["multiValueHeaders"].get("Access-Control-Allow-Origin")) == (200, allowed)


def test_a_changed_definition_is_approved_as_it_was_seen(operated: Operated) -> None:
    operated.request("POST", "/api/mcp/servers/files/refresh")
    operated.fakes.tools["files"] = ({**READ, "description": "Reads any file."},)

    status, seen = operated.request("POST", "/api/mcp/servers/files/refresh")
    assert (status, seen["tools"][0]["state"]) == (200, "changed")
    assert '+  "description": "Reads any file.",' in seen["tools"][0]["diff"]

    wrong = operated.request("POST", "/api/mcp/servers/files/approve", {"hash": "0" * 32})
    assert (wrong[0], wrong[1]["error"]) == (409, "definitions_changed")

    status, body = operated.request("POST", "/api/mcp/servers/files/approve", {"hash": seen["pending_hash"]})
    assert (status, body["tools"][0]["state"]) == (200, "offered")
    assert operated.request("GET", "/api/mcp/servers")[1]["servers"][0] == body


def test_a_server_is_found_right_after_it_was_pushed(operated: Operated) -> None:
    assert operated.request("POST", "/api/mcp/servers/wiki/refresh")[0] == 404
    operated.configure({**SERVERS, "wiki": {"command": "node"}})
    operated.fakes.tools["wiki"] = (READ,)

    status, body = operated.request("POST", "/api/mcp/servers/wiki/refresh")

    assert (status, body["state"]) == (200, "ready")


def test_a_trial_lists_tools_and_stores_nothing(operated: Operated) -> None:
    operated.fakes.tools["wiki"] = (READ,)

    status, body = operated.request("POST", "/api/mcp/trials", {"name": "wiki", "server": {"command": "node"}})

    assert (status, [tool["name"] for tool in body["tools"]]) == (200, ["wiki/read"])
    assert aws_client("dynamodb").scan(TableName=TABLE)["Items"] == []


def test_a_trial_of_an_invalid_server_names_the_problem(operated: Operated) -> None:
    status, body = operated.request("POST", "/api/mcp/trials", {"name": "wiki", "server": {}})

    assert (status, "must have either 'command' or 'url'" in json.dumps(body)) == (400, True)


def test_a_trial_of_a_server_that_is_away_has_its_reason_and_output(operated: Operated) -> None:
    status, body = operated.request("POST", "/api/mcp/trials", {"name": "issues", "server": {"command": "node"}})

    assert (status, body["error"], body["message"]) == (422, "mcp_failed", f"{AWAY.message}\nno broker")
