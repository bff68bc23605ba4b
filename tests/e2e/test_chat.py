"""Chats over HTTP through authorizer, chat function and tool functions."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx2

from flexchat.api import ChatResponse, ToolSuccessView
from flexchat.messages import Json
from tests.e2e.commands import flexchat
from tests.e2e.conftest import AwsClients

QUESTION = "What is 15% of 45, and the weather in Paris?"
WEATHER = {"temperature": 22, "condition": "sunny", "humidity": 65}
CHATS = 200
AT_A_TIME = 8


def tools_used(answer: ChatResponse) -> list[tuple[str, bool]]:
    return sorted((call.tool, call.result.success) for call in answer.tool_calls)


def results(answer: ChatResponse) -> dict[str, Json]:
    """Return the results of the successful tool calls."""
    return {call.tool: call.result.result for call in answer.tool_calls if isinstance(call.result, ToolSuccessView)}


def test_chat_calls_two_tool_functions_and_returns_their_results(api: httpx2.Client) -> None:
    response = api.post("/api/chat", json={"message": QUESTION})

    assert response.status_code == 200
    answer = ChatResponse.model_validate(response.json())
    assert tools_used(answer) == [("calculate", True), ("get_weather", True)]
    assert results(answer)["get_weather"] == WEATHER
    assert "6.75" in answer.content
    assert "22" in answer.content
    assert (answer.status, answer.finish_reason) == ("complete", "stop")
    assert [step.step for step in answer.timings.steps] == ["model", "tool", "tool", "model"]
    assert answer.usage.total_tokens == answer.usage.input_tokens + answer.usage.output_tokens > 0


def test_counted_model_test_is_recorded_for_its_model(api: httpx2.Client) -> None:
    model = "openai:gpt-4o-mini"
    tested = api.post("/api/tools/test", json={"query": "What is 15% of 45?", "model": model, "count": True})
    listed = api.get(f"/api/tools/validate/{model}")
    api.delete(f"/api/tools/validate/{model}")

    assert tested.status_code == 200, tested.text
    assert listed.json()["status"]["test_count"] > 0


def test_chat_without_tools_is_answered_by_the_model(api: httpx2.Client) -> None:
    answer = ChatResponse.model_validate(api.post("/api/chat", json={"message": "Hello!"}).json())

    assert answer.tool_calls == ()
    assert answer.content
    assert answer.status == "complete"


def test_direct_invocation_of_the_chat_function_returns_an_answer(aws: AwsClients) -> None:
    event = {"message": "What is 15% of 45?"}
    response = aws.lambdas().invoke(FunctionName="flexchat-local-chat", Payload=json.dumps(event))

    answer = ChatResponse.model_validate_json(response["Payload"].read())
    assert tools_used(answer) == [("calculate", True)]
    assert "6.75" in answer.content


def test_chat_command_prints_the_answer_with_its_tool_calls() -> None:
    shown = flexchat("chat", QUESTION)

    assert "6.75" in shown
    assert "✓ calculate" in shown
    assert "✓ get_weather" in shown
    assert tools_used(ChatResponse.model_validate_json(flexchat("chat", "--json", QUESTION))) == [
        ("calculate", True),
        ("get_weather", True),
    ]


def test_two_hundred_concurrent_chats_each_get_their_own_answer(api: httpx2.Client) -> None:
    def send_chat(number: int) -> httpx2.Response:
        return api.post("/api/chat", json={"message": f"What is {number} * 7?"})

    with ThreadPoolExecutor(AT_A_TIME) as callers:
        responses = list(callers.map(send_chat, range(CHATS)))

    assert [response.status_code for response in responses] == [200] * CHATS
    answers = [ChatResponse.model_validate(response.json()) for response in responses]
    assert [number_in(results(answer)["calculate"]) for answer in answers] == [n * 7 for n in range(CHATS)]
    assert len({answer.request_id for answer in answers}) == CHATS
    assert all(tools_used(answer) == [("calculate", True)] for answer in answers)


def number_in(result: Json) -> float:
    """Return the number of a calculation, alone or as the `result` of an object."""
    number = result["result"] if isinstance(result, dict) else result
    assert isinstance(number, int | float | str)
    return float(number)


def test_history_of_a_request_reaches_the_model(api: httpx2.Client) -> None:
    history: Sequence[dict[str, str]] = [
        {"role": "user", "content": "My name is Ada."},
        {"role": "assistant", "content": "Hello Ada."},
    ]
    response = api.post("/api/chat", json={"message": "What is 2 + 2?", "history": history})

    assert response.status_code == 200
    assert "4" in ChatResponse.model_validate(response.json()).content
