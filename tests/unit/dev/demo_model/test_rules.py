"""Calls that the demo model makes for a message."""

import pytest

from tests.unit.dev.demo_model.openai_client import (
    CALCULATE,
    DATETIME,
    EVERY_TOOL,
    SEARCH,
    STRINGS,
    UUID,
    WEATHER,
    Demo,
    answered,
    called,
    success,
    tool,
    user,
)

BOTH = "What is 15% of 45, and the weather in Paris?"


def test_a_message_for_two_tools_gets_both_calls_in_one_turn_and_one_answer() -> None:
    demo = Demo()

    first_turn = demo.turn([user(BOTH)], EVERY_TOOL)
    results = (success({"result": 6.75}), success({"temperature": 22, "condition": "sunny", "humidity": 65}))
    answer = demo.turn([user(BOTH), first_turn, *answered(first_turn, *results)], EVERY_TOOL)

    assert called(first_turn) == [("calculate", {"expression": "15% of 45"}), ("get_weather", {"location": "Paris"})]
    assert first_turn["content"] is None
    assert answer == {
        "role": "assistant",
        "content": "(demo model) 15% of 45 is 6.75. The weather in Paris: 22 degrees, sunny, humidity 65.",
        "refusal": None,
    }


def test_the_same_conversation_has_the_same_answer() -> None:
    assert Demo().post([user(BOTH)], tools=[CALCULATE]) == Demo().post([user(BOTH)], tools=[CALCULATE])


@pytest.mark.parametrize(
    ("message", "expressions"),
    [
        ("What is 17 * 23?", ["17 * 23"]),
        ("calculate (1+2)*3^2", ["(1+2)*3^2"]),
        ("what is 12 times 7 plus 1", ["12 * 7 + 1"]),
        ("What is the square root of 16?", ["sqrt(16)"]),
        ("Compute 2 x 3 and 10 ÷ 4", ["2 * 3", "10 / 4"]),
        ("How much is 1,000*2, and how much is 2 to the power of 8?", ["1,000*2", "2 ^ 8"]),
        ("1/0", ["1/0"]),
        ("what is 2+2, really 2+2?", ["2+2"]),
        ("what is 20% of 150 minus 5", ["20% of 150 - 5"]),
    ],
)
def test_arithmetic_uses_the_calculator(message: str, expressions: list[str]) -> None:
    assert Demo().calls(message) == [("calculate", {"expression": expression}) for expression in expressions]


@pytest.mark.parametrize(
    "message",
    [
        "What is 3.5?",
        "What happened on 2024-05-01 at 10:30?",
        "I have 3-5 days for it, in all likelihood",
        "What is (((?",
        "What is 50%?",
        "What is 007+1?",
        "What is " + "1+" * 200 + "1?",
        "Tell me of the sea",
    ],
)
def test_text_similar_to_arithmetic_causes_no_call(message: str) -> None:
    assert Demo().calls(message) == []


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("What is 2+2?", "2+2 is 4."),
        ("What is 0.1+0.2?", "0.1+0.2 is 0.3."),
        ("What is 15% of 45?", "15% of 45 is 6.75."),
        ("Calculate 15% tip on $45", "15% of 45 is 6.75."),
        ("What is a 20% discount on €80?", "20% of 80 is 16."),
        ("What is 10 - 20%?", "10 - 20% is 9.8."),
        ("What is -5*+3 / 2?", "-5*+3 / 2 is -7.5."),
        ("What is sqrt(16)^2?", "sqrt(16)^2 is 16."),
        ("What is 1/0?", "I cannot work out 1/0."),
        ("What is 9**9**9?", "I cannot work out 9**9**9."),
        ("What is 2//3*2?", "I cannot work out 2//3*2."),
        ("What is sqrt(1-5)?", "I cannot work out sqrt(1-5)."),
        ("What is 3(4)?", "I cannot work out 3(4)."),
    ],
)
def test_without_a_tool_arithmetic_is_answered_directly(message: str, answer: str) -> None:
    assert Demo().answer_text(message) == f"(demo model) {answer}"


@pytest.mark.parametrize(
    "message",
    [
        "What is 2+2? Answer directly, without tools.",
        "What is 2+2? Do not use any tool.",
        "No tools please: what is 2+2?",
    ],
)
def test_a_user_can_forbid_tools(message: str) -> None:
    assert Demo().answer_text(message, EVERY_TOOL).startswith("(demo model) 2+2 is 4.")


def test_a_request_can_forbid_tools() -> None:
    assert Demo().answer_text("What is 2+2?", EVERY_TOOL, tool_choice="none") == "(demo model) 2+2 is 4."


@pytest.mark.parametrize(
    ("message", "places"),
    [
        ("weather in new york", ["new york"]),
        ("What's the weather in Paris, France?", ["Paris, France"]),
        ("Weather in Oslo, Rome and Bonn please", ["Oslo", "Rome", "Bonn"]),
        ("What is the weather in Paris and what time is it now?", ["Paris"]),
        ("What's the forecast for tomorrow in Berlin", ["Berlin"]),
        ("How warm is it in Rome right now?", ["Rome"]),
        ("Forecast for Oslo", ["Oslo"]),
        ("Will it be sunny in 'Lima'?", ["Lima"]),
        ("What is the weather?", []),
        ("What is the weather in ?", []),
        ("I live in Paris", []),
    ],
)
def test_the_weather_is_requested_for_each_place(message: str, places: list[str]) -> None:
    assert Demo().calls(message, [WEATHER]) == [("get_weather", {"location": place}) for place in places]


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("What time is it?", {"operation": "now"}),
        ("What time is it in Tokyo right now?", {"operation": "now", "timezone": "Asia/Tokyo"}),
        ("what's the date in new york", {"operation": "now", "timezone": "America/New_York"}),
        ("What time is it in Europe/Rome?", {"operation": "now", "timezone": "Europe/Rome"}),
        ("What time is it in Atlantis?", {"operation": "now"}),
        (
            "How many days are between 2026-01-01 and 2026-03-01?",
            {"operation": "difference", "start": "2026-01-01", "end": "2026-03-01"},
        ),
    ],
)
def test_a_question_about_the_time_uses_the_clock_tool(message: str, arguments: dict[str, str]) -> None:
    assert Demo().calls(message, [DATETIME]) == [("datetime", arguments)]


@pytest.mark.parametrize(
    ("message", "query"),
    [
        ("Search the documents for refund rules.", "refund rules"),
        ("Please look in the manual about 'error 7'", "error 7"),
        ("What does the documentation say about setting up?", "setting up"),
        ("According to our docs, who may approve it?", "who may approve it"),
        ("Search for Python decorators in the docs", "Python decorators"),
    ],
)
def test_a_question_about_documents_uses_the_search_tool(message: str, query: str) -> None:
    assert Demo().calls(message, [SEARCH]) == [("search_documents", {"query": query})]


@pytest.mark.parametrize(
    ("message", "operation"),
    [
        ("Reverse 'hello'", "reverse"),
        ('Write "hello" in upper case', "upper"),
        ("lowercase “hello” please", "lower"),
        ("How many characters has 'hello'?", "length"),
        ("Make a slug of 'hello'", "slug"),
    ],
)
def test_exact_text_operations_use_the_text_tool(message: str, operation: str) -> None:
    assert Demo().calls(message, [STRINGS]) == [("string", {"operation": operation, "text": "hello"})]


def test_a_request_for_an_identifier_uses_the_uuid_tool() -> None:
    assert Demo().calls("Give me a UUID", [UUID]) == [("uuid", {})]
    assert Demo().after("Give me a UUID", success({"uuids": ["u-1"]}), tools=[UUID]) == (
        "(demo model) Here is a UUID: u-1."
    )


@pytest.mark.parametrize(
    ("message", "offer"),
    [
        ("What is 2+2?", tool("calculate")),
        ("What is the weather in Rome?", tool("get_weather", "latitude", "longitude")),
        ("Reverse 'hello'", tool("string", "text", "pattern")),
        ("Reverse 'hello'", tool("string", "text")),
        ("Give me a UUID", tool("uuid", "namespace")),
        ("What time is it?", tool("datetime", "moment")),
        ("How many days between 2026-01-01 and 2026-03-01?", tool("datetime", "moment")),
        ("Search the documents for refunds", tool("search_documents", "a", "b")),
        ("What is the weather in Rome?", tool("get_weather", place_id={"type": "integer"})),
    ],
)
def test_a_tool_with_unknown_parameters_is_not_called(message: str, offer: dict[str, object]) -> None:
    assert Demo().calls(message, [offer]) == []


@pytest.mark.parametrize("name", ["city", "anything"])
def test_the_parameter_names_of_the_offered_schema_are_used(name: str) -> None:
    assert Demo().calls("Weather in Rome?", [tool("weather_now", name)]) == [("weather_now", {name: "Rome"})]
