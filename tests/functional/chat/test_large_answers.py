"""Answers within the response limit of Lambda, with results in any script."""

import json
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.dynamodb import from_item
from flexchat.http_api.api import MAX_RESPONSE_BYTES
from flexchat.sessions import call_characters
from functions.chat.sessions.store.items import read_call
from tests.functional.chat.background import deploy_with_background
from tests.functional.chat.harness import EVENTS, Chat, LambdaContext, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.unit.runs.table import CHATS

pytestmark = pytest.mark.slow

CALLS = 12
TEXT = "天気\n" * 80_000
"""240,000 characters, 640 kB of UTF-8 and more with the escapes of a proxy response."""


def talkative(dynamodb: Any = None, *, content: str = "done") -> Chat:
    """Return a chat whose model calls a tool with large results twelve times."""
    places = [("get_weather", {"location": str(place)}) for place in range(CALLS)]
    config = configuration(tools=[mock_tool(mock_response=TEXT)])
    return deploy([call_completion(*places), text_completion(content)], config, dynamodb=dynamodb)


def answered(chat: Chat, body: dict[str, Any], path: str = "/api/chat") -> tuple[int, Any]:
    """Return the serialized response of the real handler."""
    event = json.loads((EVENTS / "chat-http.json").read_text())
    event |= {"body": json.dumps(body), "path": path, "resource": path}
    event["requestContext"]["authorizer"]["roles"] = "operator"
    response = chat.function.handle(event, LambdaContext())
    assert len(json.dumps(response, ensure_ascii=False).encode()) <= MAX_RESPONSE_BYTES
    return response["statusCode"], json.loads(response["body"])


def assert_cut(body: dict[str, Any]) -> None:
    assert body["content"] == "done"
    assert len(body["tool_calls"]) == CALLS
    assert {call["result"]["truncated"] for call in body["tool_calls"]} == {True}
    assert len(json.dumps(body, ensure_ascii=False).encode()) > MAX_RESPONSE_BYTES * 0.8


def test_chat_with_large_results_is_answered_with_shortened_records() -> None:
    status, body = answered(talkative(), {"message": "Hello"})
    assert status == 200
    assert_cut(body)


def test_background_run_of_many_calls_with_large_results_can_be_read(dynamodb: DynamoDBClient) -> None:
    large = [("get_weather", {"location": str(place)}) for place in range(CALLS)]
    unknown = [("天" * 200, {"location": str(place)}) for place in range(1_400)]
    config = configuration(tools=[mock_tool(mock_response=TEXT)])
    chat = deploy_with_background([call_completion(*large, *unknown), text_completion("done")], config, dynamodb)
    run = chat.post({"message": "Hello"}, headers={"Prefer": "respond-async"}).body["id"]
    chat.deliver()
    answer = chat.get(f"/api/runs/{run}")
    assert (answer.status, len(answer.body["steps"])) == (200, 1_414)
    assert (answer.body["answer"]["content"], len(answer.body["answer"]["tool_calls"])) == ("done", 1_412)


def test_test_of_a_model_with_large_results_is_answered_with_shortened_records() -> None:
    status, body = answered(talkative(), {"query": "Hello", "model": "openai:gpt-4o"}, "/api/tools/test")
    assert status == 200
    assert_cut(body)


def test_messages_of_a_session_with_large_results_can_be_listed(dynamodb: DynamoDBClient) -> None:
    chat = talkative(dynamodb)
    assert answered(chat, {"message": "Hello", "session_id": "s1"})[0] == 200
    answer = chat.get("/api/sessions/s1/messages")
    assert answer.status == 200
    shown = [call["result"] for call in answer.body["messages"][1]["tool_calls"]]
    items = map(from_item, dynamodb.scan(TableName=CHATS)["Items"])
    stored_calls = [read_call(item["call"]) for item in items if "call" in item]
    assert [result["result"] for result in shown] == [call.execution.result.result for call in stored_calls]
    assert {len(result["result"]) <= call_characters(CALLS) for result in shown} == {True}
    assert {result["truncated"] for result in shown} == {call.truncated for call in stored_calls} == {True}
    assert all(f"{len(TEXT) - call_characters(CALLS) + 64} characters left out" in result["result"] for result in shown)


def test_answer_over_the_response_limit_is_an_error_with_the_reason() -> None:
    status, body = answered(talkative(content="天" * 2_200_000), {"message": "Hello"})
    assert (status, body["error"]) == (500, "response_too_large")
