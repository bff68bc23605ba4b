"""Tools of the service itself over `/mcp`: a chat, and a search of collections."""

from collections.abc import Mapping
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from tests.functional.chat.harness import CALCULATE, configuration, deploy
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.mcp_server.mcp_chat import McpClient, text

HIT = {
    "title": "Refunds",
    "source": "refunds.md",
    "text": "Refunds take 14 days.",
    "distance": 0.2,
    "collection": "handbook",
    "relevance": "match",
}


def test_a_chat_runs_the_tools_of_its_rule() -> None:
    steps = [call_completion(("calculate", {"expression": "6*7"})), text_completion("It is 42.")]
    mcp = McpClient(deploy(steps, configuration(tools=[CALCULATE])))

    result = mcp.call("chat", {"message": "What is 6*7?"})

    request_id = result["structuredContent"].pop("request_id")
    assert request_id.startswith("c6af9ac6")
    assert result == {
        "content": [{"type": "text", "text": "It is 42."}],
        "isError": False,
        "structuredContent": {"answer": "It is 42.", "status": "complete", "tools": ["calculate"]},
    }


def test_a_session_continues_a_conversation(dynamodb: DynamoDBClient) -> None:
    steps = [text_completion("Hello Ada."), text_completion("You are Ada.")]
    mcp = McpClient(deploy(steps, configuration(), dynamodb=dynamodb))

    first = mcp.call("chat", {"message": "I am Ada.", "session_id": "ada"})
    mcp.call("chat", {"message": "Who am I?", "session_id": "ada"})

    assert first["structuredContent"]["session_id"] == "ada"
    assert [message.text for message in mcp.chat.model.seen[-1]][-3:] == ["I am Ada.", "Hello Ada.", "Who am I?"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "Invalid parameters: Missing required parameter: message"),
        ({"message": ""}, "Invalid parameters: message must"),
        ({"message": "   "}, "Invalid parameters: message"),
        ({"message": "Hi", "session_id": "a b"}, "Invalid parameters: session_id"),
        ({"message": "Hi", "profile": {"role": "admin"}}, "Invalid parameters: "),
    ],
)
def test_wrong_arguments_of_a_chat_are_a_failed_result(arguments: Any, expected: str) -> None:
    result = McpClient(deploy([], configuration())).call("chat", arguments)

    assert result["isError"] is True
    assert text(result).startswith(expected)


def test_a_model_that_fails_is_a_failed_result() -> None:
    from flexchat.errors import ModelError

    failure = ModelError("down", type="overloaded", provider="openai")
    result = McpClient(deploy([failure] * 9, configuration())).call("chat", {"message": "Hi"})

    assert result["isError"] is True
    assert text(result).startswith("the provider is overloaded")


class Retrieval:
    """Retrieval function that records its events."""

    def __init__(self, reply: Mapping[str, Any]) -> None:
        self.reply = reply
        self.events: list[dict[str, Any]] = []

    def __call__(self, event: dict[str, Any], _context: Any) -> Mapping[str, Any]:
        self.events.append(event)
        return self.reply


def searching(reply: Mapping[str, Any], **service: Any) -> tuple[McpClient, Retrieval]:
    retrieval = Retrieval(reply)
    config = {**configuration(), "rag_services": {"kb": {"type": "internal", **service}}}
    return McpClient(deploy([], config, handlers={"internal": retrieval})), retrieval


def test_a_search_returns_passages_as_text_and_as_objects() -> None:
    mcp, retrieval = searching({"hits": [HIT], "searched": ["handbook"]})

    result = mcp.call("search_collections", {"query": "refund", "collection": "kb/handbook", "top_k": 3})

    assert result == {
        "content": [{"type": "text", "text": "[1] Refunds (refunds.md)\nRefunds take 14 days."}],
        "isError": False,
        "structuredContent": {"results": [HIT], "searched": ["handbook"], "skipped": []},
    }
    [event] = retrieval.events
    assert (event["query"], event["collection"], event["top_k"]) == ("refund", "handbook", 3)
    assert event["scope"]["services"] == ["kb"]


def test_a_search_without_a_collection_searches_all() -> None:
    mcp, retrieval = searching({"hits": []})

    assert text(mcp.call("search_collections", {"query": "refund"})) == "No passage was found."

    [event] = retrieval.events
    assert (event.get("collection"), event["scope"].get("services"), event["top_k"]) == (None, None, 5)


def test_a_failed_search_is_a_failed_result() -> None:
    mcp, _ = searching({"error": {"code": "not_found", "message": "collection 'x' not found"}})

    result = mcp.call("search_collections", {"query": "refund", "collection": "x"})

    assert (result["isError"], text(result)) == (True, "collection 'x' not found")


def test_an_unreachable_search_is_a_failed_result() -> None:
    mcp, _ = searching({"hits": "nonsense"})

    assert mcp.call("search_collections", {"query": "refund"})["isError"] is True


def test_the_names_of_listed_collections_are_in_the_schema() -> None:
    mcp, _ = searching({}, collections=["handbook", "laws"])

    tools = {tool["name"]: tool for tool in mcp.request("tools/list").body["result"]["tools"]}

    assert tools["search_collections"]["inputSchema"]["properties"]["collection"]["enum"] == ["handbook", "laws"]
    assert tools["search_collections"]["annotations"]["readOnlyHint"] is True


def test_no_search_is_offered_without_collections() -> None:
    assert McpClient(deploy([], configuration())).names() == ["chat"]
