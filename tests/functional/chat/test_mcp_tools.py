"""Chats with tools of MCP servers: offered from their listings, without contact to any server."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.mcp_listings import McpListingTable
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.mcp_listings import McpFailure, McpListing, definitions_of
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool
from functions.tools.mcp.implementation import Implementation
from tests.aws import create_table
from tests.functional.chat.harness import Chat, InProcessLambdas, configuration, mock_handler, mock_tool, serve
from tests.functional.chat.scripted_provider import ScriptedProvider, Step, call_completion, text_completion

TABLE = "flexchat-test-tool-state"
SERVERS: dict[str, Any] = {"files": {"command": "node", "approval": "changes"}, "wiki": {"command": "node"}}
READ: dict[str, Any] = {
    "name": "read",
    "description": "Reads a file.",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
}


@dataclass
class CountingDynamoDb:
    """Client that counts the requests by operation."""

    client: Any
    requests: list[str] = field(default_factory=list[str])

    def __getattr__(self, operation: str) -> Any:
        self.requests.append(operation)
        return getattr(self.client, operation)


class Lambdas(InProcessLambdas):
    """Fake Lambda service that accepts asynchronous invocations and runs none."""

    def invoke(self, *, FunctionName: str, Payload: bytes, InvocationType: str = "") -> dict[str, Any]:  # noqa: N803
        return {} if InvocationType == "Event" else super().invoke(FunctionName=FunctionName, Payload=Payload)


def listing(server: str, *tools: dict[str, Any], away: bool = False, **changes: Any) -> McpListing:
    configured = Configuration.model_validate({"mcp_servers": SERVERS}).mcp_servers[server]
    fields: dict[str, Any] = {
        "server": server,
        "state": "failed" if away else "ready",
        "checked_at": 0.0,
        "stale_at": 9e9,
        "listed_at": 0.0,
        "connection_hash": configured.connection_hash,
        "listed": definitions_of(tools),
        "accepted": definitions_of(tools),
        "failure": McpFailure(message="MCP connection failed after 3 attempts", attempts=3) if away else None,
        **changes,
    }
    return McpListing(**fields)


class McpChat:
    """A chat function with stored listings, and a client that counts its requests to tables."""

    def __init__(self, dynamodb: DynamoDBClient, script: list[Step], **config: Any) -> None:
        create_table(dynamodb, TABLE, "pk")
        self.dynamodb = CountingDynamoDb(dynamodb)
        self.listings = McpListingTable(dynamodb, TABLE)
        model = ScriptedProvider(script)
        self.lambdas = Lambdas({"mock": mock_handler, "mcp": tool_handler(Implementation, _run)})
        source = {**configuration(**config), "mcp_servers": SERVERS}
        catalog = Catalog(configuration=Configuration.model_validate(source), disabled=(), version="1")
        function = serve(
            self.lambdas,
            catalog=lambda: catalog,
            provider=lambda _name, _config: model,
            dynamodb=self.dynamodb,
            tool_state_table=TABLE,
            now=lambda: 1_000.0,
        )
        self.chat = Chat(function, model, self.lambdas)

    def store(self, *listings: McpListing) -> None:
        for each in listings:
            assert self.listings.write(each, Deadline.after(5.0))

    def answer(self, message: str = "hello") -> dict[str, Any]:
        answer = self.chat.post({"message": message})
        assert answer.status == 200, answer.body
        return answer.body


def _run(call: CallTool, implementation: Implementation) -> str:
    connection = implementation.connection
    return f"{implementation.server} {implementation.tool} {call.arguments} {connection and connection.kind}"


def test_a_model_calls_a_tool_of_a_server_with_the_connection_in_the_call(dynamodb: DynamoDBClient) -> None:
    chat = McpChat(dynamodb, [call_completion(("files/read", {"path": "a.txt"})), text_completion("done")])
    chat.store(listing("files", READ), listing("wiki"))

    body = chat.answer()

    assert [(call["tool"], call["result"]["result"]) for call in body["tool_calls"]] == [
        ("files/read", "files read {'path': 'a.txt'} stdio")
    ]


@pytest.mark.parametrize("away", [False, True])
def test_a_chat_without_mcp_tools_does_the_same_work_when_every_server_is_away(
    dynamodb: DynamoDBClient, away: bool
) -> None:
    chat = McpChat(
        dynamodb,
        [call_completion(("get_weather", {"location": "Paris"})), text_completion("22"), text_completion("again")],
        tools=[mock_tool()],
    )
    chat.store(*(listing(server, READ, away=away) for server in SERVERS))

    first, second = chat.answer(), chat.answer()

    assert ([call["tool"] for call in first["tool_calls"]], second["tool_calls"]) == (["get_weather"], [])
    assert chat.dynamodb.requests == ["batch_get_item"]
    assert len(chat.lambdas.executed) == 1


def test_no_listing_is_read_before_a_snapshot_and_the_first_chat_after_it_has_the_tools(
    dynamodb: DynamoDBClient,
) -> None:
    chat = McpChat(dynamodb, [call_completion(("files/read", {"path": "a.txt"})), text_completion("done")])
    chat.store(listing("files", READ), listing("wiki"))

    prepared = chat.chat.function.runtimes.prepared()

    assert (prepared.tools.offered(None), chat.dynamodb.requests) == (frozenset(), [])
    assert [call["tool"] for call in chat.answer()["tool_calls"]] == ["files/read"]


def test_a_chat_goes_on_while_the_table_does_not_answer(dynamodb: DynamoDBClient) -> None:
    chat = McpChat(dynamodb, [text_completion("hi")], tools=[mock_tool()])
    dynamodb.delete_table(TableName=TABLE)

    assert chat.answer()["content"] == "hi"


def test_a_configuration_without_servers_reads_no_listing(dynamodb: DynamoDBClient) -> None:
    chat = McpChat(dynamodb, [text_completion("hi")], enabled=False)

    chat.answer()

    assert chat.dynamodb.requests == []


def test_the_lists_of_an_operator_have_the_tools_and_the_reasons_of_withheld_ones(dynamodb: DynamoDBClient) -> None:
    chat = McpChat(dynamodb, [], tools=[mock_tool()])
    chat.store(
        listing("files", READ, {"name": "new"}, accepted=definitions_of([READ])), listing("wiki", READ, away=True)
    )

    tools = chat.chat.get("/api/tools/list").body
    shown = chat.chat.request("GET", "/api/config", roles="operator").body

    disabled = {
        "files/new": ["new since the last approval; approve it with `flexchat mcp approve files`"],
        "wiki/read": ["its MCP server is not available: MCP connection failed after 3 attempts"],
    }
    assert [tool["name"] for tool in tools["tools"]] == ["get_weather", "files/read"]
    assert {each["name"]: each["problems"] for each in tools["disabled"]} == disabled
    assert [(tool["name"], tool["type"], tool["problems"]) for tool in shown["tools"]] == [
        ("get_weather", "mock", []),
        ("files/read", "mcp", []),
    ]
    assert {each["name"]: each["problems"] for each in shown["disabled"]} == disabled
    assert "node" not in str(tools)


def test_a_rule_with_all_tools_of_a_server_is_explained(dynamodb: DynamoDBClient) -> None:
    chat = McpChat(
        dynamodb, [], tools=[mock_tool()], rule={"tools": {"enabled": True, "allowed_tools": ["files/*", "wiki/*"]}}
    )
    chat.store(listing("files", READ))

    body = chat.chat.request("POST", "/api/config/match", {"profile": {}}, roles="operator").body

    assert {tool["tool"]: (tool["offered"], tool["reason"]) for tool in body["tools"]} == {
        "get_weather": (False, "not in the rule's allowed_tools"),
        "files/read": (True, "allowed by the rule"),
        "wiki/*": (False, "its tools have not been listed yet"),
    }


def test_an_operator_calls_a_tool_of_a_server_and_sees_why_another_one_cannot_be_called(
    dynamodb: DynamoDBClient,
) -> None:
    chat = McpChat(dynamodb, [])
    chat.store(listing("files", READ), listing("wiki", READ, away=True))

    called, refused = (
        chat.chat.post({"tool": tool, "arguments": {"path": "a"}}, path="/api/tools/call", roles="operator")
        for tool in ("files/read", "wiki/read")
    )

    assert (called.status, called.body["result"]["result"]) == (200, "files read {'path': 'a'} stdio")
    assert (refused.status, refused.body["error"]) == (409, "tool_disabled")
    assert "its MCP server is not available" in refused.body["message"]


def test_a_quick_test_of_a_model_offers_the_tools_of_servers(dynamodb: DynamoDBClient) -> None:
    chat = McpChat(dynamodb, [call_completion(("files/read", {"path": "a.txt"})), text_completion("done")])
    chat.store(listing("files", READ), listing("wiki"))

    answer = chat.chat.post({"query": "read it", "model": "openai:gpt-4o"}, path="/api/tools/test", roles="operator")

    assert (answer.status, [call["tool"] for call in answer.body["tool_calls"]]) == (200, ["files/read"])
