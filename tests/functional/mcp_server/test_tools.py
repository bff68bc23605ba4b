"""Tools of `/mcp`: those of the response rules, their calls, and limits of callers."""

import json
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from tests.functional.chat.harness import CALCULATE, configuration, deploy, mock_tool
from tests.functional.chat.limited_chat import MORNING
from tests.functional.mcp_server.mcp_chat import McpClient, text
from tests.metrics import emitted

PARIS = {"location": "Paris"}
PIXEL = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}


def client(*tools: dict[str, Any], rule: Any = None, **settings: Any) -> McpClient:
    return McpClient(deploy([], configuration(tools=tools, rule=rule, **settings)))


def rule(name: str, tools: Any) -> dict[str, Any]:
    match = {"topic": name} if name else {}
    return {"llm": "openai", "model": "gpt-4o", "prompt": "You help.", "match": match, "tools": tools}


def test_a_tool_has_its_description_its_schema_and_its_hints() -> None:
    search = {**mock_tool("github/search:code"), "idempotent": True}

    tools = client(search, CALCULATE).request("tools/list").body["result"]["tools"]

    assert [tool["name"] for tool in tools] == ["chat", "github_search_code", "calculate"]
    assert tools[1] == {
        "name": "github_search_code",
        "title": "github/search:code",
        "description": "The tool github/search:code",
        "inputSchema": search["parameters"],
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


def test_tools_of_every_rule_are_listed_and_no_other() -> None:
    tools = [
        mock_tool("first"),
        mock_tool("second"),
        mock_tool("third"),
        mock_tool("of_no_rule"),
        {**mock_tool("off"), "enabled": False},
        {**mock_tool("broken"), "parameters": {"type": "array"}},
        mock_tool("elsewhere", type="internal"),
    ]
    every = [tool["name"] for tool in tools if tool["name"] not in ("of_no_rule", "third")]
    config = configuration(tools=tools)
    config["responses"] = [
        rule("a", {"enabled": True, "allowed_tools": every}),
        rule("b", {"enabled": True, "allowed_tools": ["third", "unknown"]}),
        rule("c", {"enabled": False}),
        rule("d", None),
        rule("", {"enabled": True, "allowed_tools": []}),
    ]
    chat = McpClient(deploy([], config))

    assert chat.names() == ["chat", "first", "second", "third"]
    answer = chat.request("tools/call", {"name": "of_no_rule", "arguments": PARIS})
    assert answer.body["error"] == {"code": -32602, "message": "Unknown tool: of_no_rule"}
    assert chat.chat.lambdas.executed == []


def test_a_chat_remains_where_tools_are_disabled() -> None:
    assert client(CALCULATE, enabled=False).names() == ["chat"]


def test_configured_tools_keep_their_names() -> None:
    assert client(mock_tool("chat"), mock_tool("flexchat_chat")).names() == ["flexchat_chat_2", "chat", "flexchat_chat"]


def test_a_long_list_has_pages() -> None:
    mcp = client(*(mock_tool(f"tool_{number}") for number in range(150)))

    first = mcp.request("tools/list").body["result"]
    second = mcp.request("tools/list", {"cursor": first["nextCursor"]}).body["result"]

    assert (len(first["tools"]), len(second["tools"]), "nextCursor" in second) == (100, 51, False)
    assert len({tool["name"] for tool in (*first["tools"], *second["tools"])}) == 151


def test_a_cursor_of_a_removed_tool_is_refused() -> None:
    cursor = client(*(mock_tool(f"tool_{number}") for number in range(150))).request("tools/list")

    answer = client(CALCULATE).request("tools/list", {"cursor": cursor.body["result"]["nextCursor"]})

    assert answer.body["error"]["code"] == -32602
    assert "has changed" in answer.body["error"]["message"]


def test_annotations_for_headers_are_not_passed_on() -> None:
    properties = {
        "x-mcp-header": {"type": "string"},
        "region": {"type": "string", "x-mcp-header": "Region"},
        "list": {"type": "array", "items": {"type": "object", "x-mcp-header": "Item", "default": {"x-mcp-header": 1}}},
    }
    tool = {**mock_tool(), "parameters": {"type": "object", "properties": properties}}

    listed = client(tool).request("tools/list").body["result"]["tools"][1]["inputSchema"]["properties"]

    assert listed == {
        "x-mcp-header": {"type": "string"},
        "region": {"type": "string"},
        "list": {"type": "array", "items": {"type": "object", "default": {"x-mcp-header": 1}}},
    }


def test_a_call_returns_its_result_as_text_and_as_an_object() -> None:
    mcp = client(mock_tool())

    result = mcp.call("get_weather", PARIS)

    assert result == {
        "content": [{"type": "text", "text": '{"temperature":22}'}],
        "isError": False,
        "structuredContent": {"temperature": 22},
    }
    [event] = mcp.chat.lambdas.executed
    assert (event["arguments"], event["tool"]) == ({"location": "Paris", "units": "celsius"}, "get_weather")
    assert "trial" not in event


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ("It rains.", {"content": [{"type": "text", "text": "It rains."}], "isError": False}),
        ([1, 2], {"content": [{"type": "text", "text": "[1,2]"}], "isError": False}),
        (None, {"content": [{"type": "text", "text": "null"}], "isError": False}),
        ({"content": [PIXEL]}, {"content": [PIXEL], "isError": False}),
    ],
)
def test_results_of_other_shapes(returned: Any, expected: Any) -> None:
    assert client(mock_tool(mock_response=returned)).call("get_weather", PARIS) == expected


def test_a_large_result_is_truncated_and_has_no_object() -> None:
    tool = {**mock_tool(mock_response={"text": "x" * 500}), "max_result_size": 100}

    result = client(tool).call("get_weather", PARIS)

    assert "structuredContent" not in result
    assert "characters left out" in text(result)


def test_a_result_of_the_later_era_names_the_server() -> None:
    answer = client(mock_tool()).modern("tools/call", {"name": "get_weather", "arguments": PARIS})

    assert answer.body["result"]["resultType"] == "complete"
    assert answer.body["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "flexchat"
    assert answer.body["result"]["structuredContent"] == {"temperature": 22}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (PARIS, "no such place"),
        ({}, "Invalid parameters: Missing required parameter: location"),
        ({"location": 7}, "Invalid parameters: location must be a string"),
    ],
)
def test_a_failed_call_is_a_result_that_the_model_reads(arguments: Any, expected: str) -> None:
    result = client(mock_tool(error="no such place")).call("get_weather", arguments)

    assert (result["isError"], text(result)) == (True, expected)


def test_a_call_is_logged_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    mcp = client(mock_tool("github/search", error="no such place"))
    capsys.readouterr()

    mcp.call("github_search", PARIS)

    output = capsys.readouterr().out
    logged = [json.loads(line) for line in output.splitlines() if '"message":"mcp tool called"' in line]
    assert [(line["tool"], line["principal"], line["success"]) for line in logged] == [
        ("github/search", "k7m2p9qx4d", False)
    ]
    counted = {(metric.name, metric.dimensions) for metric in emitted(output)}
    assert ("ToolCallFailures", frozenset({("tool", "github/search")})) in counted
    assert ("McpRequests", frozenset({("method", "tools/call")})) in counted


def test_arguments_and_results_are_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    mcp = client(mock_tool(mock_response={"answer": "private-result"}))
    capsys.readouterr()

    mcp.call("get_weather", {"location": "private-argument"})
    mcp.request("private-method")

    assert "private" not in capsys.readouterr().out


def limited(dynamodb: DynamoDBClient, **limits: Any) -> McpClient:
    config = {**configuration(tools=[mock_tool()]), "limits": {"caller": limits}}
    return McpClient(deploy([], config, dynamodb=dynamodb, now=lambda: MORNING))


def test_calls_count_as_requests_of_their_caller(dynamodb: DynamoDBClient) -> None:
    mcp = limited(dynamodb, requests_per_minute=1)

    assert mcp.call("get_weather", PARIS)["isError"] is False
    refused = mcp.request("tools/call", {"name": "get_weather", "arguments": PARIS})

    assert (refused.status, refused.headers["retry-after"]) == (429, "20")
    assert refused.body["id"] == 1
    assert refused.body["error"]["code"] == -32000
    assert refused.body["error"]["message"].startswith("the limit of this token is 1 requests a minute")
    assert refused.body["error"]["data"]["limit"]["name"] == "requests_per_minute"
    assert mcp.request("tools/list").status == 200


def test_a_chat_beyond_the_limits_of_its_caller_is_refused(dynamodb: DynamoDBClient) -> None:
    mcp = limited(dynamodb, requests_per_minute=1)
    mcp.call("get_weather", PARIS)

    refused = mcp.request("tools/call", {"name": "chat", "arguments": {"message": "Hello"}})

    assert (refused.status, refused.body["error"]["data"]["error"]) == (429, "rate_limited")


def test_calls_beyond_the_tool_calls_of_a_minute_are_failed_results(dynamodb: DynamoDBClient) -> None:
    mcp = limited(dynamodb, tool_calls_per_minute=1)

    assert mcp.call("get_weather", PARIS)["isError"] is False
    refused = mcp.call("get_weather", PARIS)

    assert refused["isError"] is True
    assert text(refused).startswith("Not run: the limit of 1 tool calls a minute is reached")


def test_a_budget_of_a_month_is_in_the_data_of_the_refusal(dynamodb: DynamoDBClient) -> None:
    mcp = limited(dynamodb, requests_per_month=1)
    mcp.call("get_weather", PARIS)

    refused = mcp.request("tools/call", {"name": "get_weather", "arguments": PARIS})

    assert refused.status == 429
    assert refused.body["error"]["data"]["limit"] == {
        "name": "requests_per_month",
        "scope": "caller",
        "allowed": 1,
        "used": 1,
        "resets_at": "2026-12-01T00:00:00Z",
    }


def test_calls_of_a_batch_have_their_own_keys() -> None:
    mcp = client(mock_tool())
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "get_weather", "arguments": PARIS}}

    answer = mcp.send([{**call, "id": 1}, {**call, "id": 2}])

    answered: Any = answer.body
    assert [each["result"]["isError"] for each in answered] == [False, False]
    keys = [event["idempotency_key"] for event in mcp.chat.lambdas.executed]
    assert len(set(keys)) == 2
