"""Validation cases that are made of traces."""

import json
from typing import Any

import pytest

from flexchat.traces import Span
from flexchat.validation.suites import load_suite
from tests.functional.traces.harness import MESSAGES, TOOLS, Service, chat, model_call, tool_call

FIRST = model_call(content={"messages": [0, 1, 2, 3]})


def suite(service: Service, *spans: Span, **fields: Any) -> dict[str, Any]:
    service.store(chat("r1", spans=(FIRST, *spans), **fields))
    answer = service.get("/api/traces/r1/case")
    assert answer.status == 200, answer.body
    load_suite(json.dumps(answer.body))
    return answer.body


def implementations(made: dict[str, Any]) -> dict[str, Any]:
    return {tool["name"]: tool["implementation"] for tool in made["tools"]}


def test_case_has_the_message_the_offered_tools_and_the_calls(service: Service) -> None:
    made = suite(service, tool_call(arguments={"city": "Bern"}, result={"celsius": 6}))

    (case,) = made["cases"]
    assert made["prompt"] == "You help."
    assert (case["id"], case["category"], case["message"]) == ("r1", "choice", "What is the weather in Bern?")
    assert case["history"] == [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi, what can I do?"},
    ]
    assert case["expect"]["turns"] == [
        {"calls": [{"tool": "get_weather", "arguments": {"city": ["Bern"]}}], "order": "any", "together": False}
    ]
    assert [tool["parameters"] for tool in made["tools"]] == [tool["parameters"] for tool in TOOLS]
    assert implementations(made) == {
        "get_weather": {
            "type": "mock",
            "error": "The trace has no result for these arguments.",
            "answers": [{"when": {"city": "Bern"}, "response": {"celsius": 6}}],
        },
        "get_time": {"type": "mock", "error": "The trace has no result for these arguments."},
    }


CALLS: list[tuple[list[Any], str]] = [
    ([], "irrelevance"),
    ([("get_weather", 1, {"city": "Bern"})], "choice"),
    ([("get_weather", 1, {"city": "Bern"}), ("get_weather", 1, {"city": "Rome"})], "parallel"),
    ([("get_weather", 1, {"city": "Bern"}), ("get_time", 1, {})], "parallel_choice"),
    ([("get_time", 1, {}), ("get_weather", 2, {"city": "Bern"})], "multi_turn"),
]


@pytest.mark.parametrize(("calls", "category"), CALLS)
def test_category_follows_from_the_calls(service: Service, calls: list[Any], category: str) -> None:
    spans = [tool_call(name, turn, arguments=arguments, result="ok") for name, turn, arguments in calls]

    (case,) = suite(service, *spans)["cases"]

    assert case["category"] == category
    assert len(case["expect"]["turns"]) == len({turn for _, turn, _ in calls})


def test_failed_call_is_allowed_and_its_error_is_the_result_of_the_mock(service: Service) -> None:
    made = suite(
        service,
        tool_call(arguments={"city": "Brn"}, result="No such city: Brn", error="execution_failed"),
        tool_call(iteration=2, arguments={"city": "Bern"}, result=6),
    )

    (case,) = made["cases"]
    assert (case["category"], case["expect"]["failed_calls"], len(case["expect"]["turns"])) == ("error_recovery", 1, 1)
    assert implementations(made)["get_weather"]["answers"] == [
        {"when": {"city": "Bern"}, "response": 6},
        {"when": {"city": "Brn"}, "error": "No such city: Brn"},
    ]


def test_first_result_of_equal_calls_and_of_more_arguments_comes_first(service: Service) -> None:
    made = suite(
        service,
        tool_call(arguments={"city": "Bern"}, result=1),
        tool_call(iteration=2, arguments={"city": "Bern"}, result=2),
        tool_call(iteration=3, arguments={"city": "Bern", "days": [1, 2]}, result=3),
        tool_call("get_time", iteration=4, arguments={}, result="noon"),
    )

    assert implementations(made) == {
        "get_weather": {
            "type": "mock",
            "error": "The trace has no result for these arguments.",
            "answers": [
                {"when": {"city": "Bern", "days": [1, 2]}, "response": 3},
                {"when": {"city": "Bern"}, "response": 1},
            ],
        },
        "get_time": {"type": "mock", "mock_response": "noon"},
    }
    assert made["cases"][0]["expect"]["turns"][2]["calls"][0]["arguments"] == {"city": ["Bern"], "days": [[1, 2]]}


PAINT: Any = {
    "type": "object",
    "properties": {
        "area": {
            "type": "object",
            "properties": {"levels": {"type": "array", "items": {"type": "integer"}}},
        }
    },
}


def test_list_in_an_object_is_one_expected_value(service: Service) -> None:
    tool = {"name": "paint", "description": "Paint", "parameters": PAINT}

    made = suite(service, tool_call("paint", arguments={"area": {"levels": [1, 2]}}, result="ok"), tools=[tool])

    (call,) = made["cases"][0]["expect"]["turns"][0]["calls"]
    assert call["arguments"] == {"area": [{"levels": [[1, 2]]}]}


def test_trace_without_content_makes_no_case(service: Service) -> None:
    service.store(chat("r1", has_content=False, message="", messages=[], tools=[], spans=(model_call(),)))

    answer = service.get("/api/traces/r1/case")

    assert (answer.status, answer.body["error"]) == (409, "no_content")
    assert answer.body["message"] == (
        "no validation case can be made of this trace: it has no content: set `traces.content` to 'all' in the "
        "configuration for later chats"
    )


UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"message": " "}, "no_message"),
    ({"message": "x" * 32_001}, "message_too_long"),
    ({"messages": [{"role": "user", "parts": [{"type": "picture", "text": "map.png"}]}]}, "has_attachments"),
    ({"tools": []}, "no_tools"),
    ({"spans": (tool_call(error="timeout", arguments={"city": "Bern"}),)}, "no_successful_call"),
    ({"spans": (tool_call("lost", arguments={}),)}, "invalid_case"),
    ({"tools": [{"name": "no name", "parameters": {}}]}, "invalid_case"),
    (
        {"spans": (*(tool_call(error="timeout") for _ in range(11)), tool_call(arguments={"city": "Bern"}))},
        "too_many_failed_calls",
    ),
]


@pytest.mark.parametrize(("fields", "error"), UNFIT)
def test_trace_that_no_suite_can_have_makes_no_case(service: Service, fields: Any, error: str) -> None:
    service.store(chat("r1", **fields))

    answer = service.get("/api/traces/r1/case")

    assert (answer.status, answer.body["error"]) == (409, error)
    assert answer.body["message"].startswith("no validation case can be made of this trace: ")
    assert ("details" in answer.body) == (error == "invalid_case")


def test_case_of_a_trace_without_messages_has_the_usual_prompt(service: Service) -> None:
    service.store(chat("r1", spans=(), messages=MESSAGES[:1]))

    made = service.get("/api/traces/r1/case").body

    assert made["prompt"].startswith("You are a helpful assistant with access to tools.")
    assert made["cases"][0]["history"] == []
