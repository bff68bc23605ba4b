import json

import pytest

from flexchat.json import MAX_BYTES, MAX_DEPTH, MAX_DIGITS
from flexchat.messages import Json, Message, ProviderState, ToolCall, user
from functions.chat.providers.tool_calls import WireCall, parse_tool_calls


def called(*ids: str) -> Message:
    return Message("assistant", tuple(ToolCall(id=call_id, name="t", arguments={}, raw="{}") for call_id in ids))


def ids(calls: list[WireCall], conversation: list[Message]) -> list[str]:
    return [call.id for call in parse_tool_calls(calls, conversation)]


@pytest.mark.parametrize(
    ("arguments", "parsed", "raw"),
    [
        ('{"a": 1}', {"a": 1}, '{"a": 1}'),
        ({"a": [1, None]}, {"a": [1, None]}, '{"a": [1, null]}'),
        ("", {}, ""),
        (" \n", {}, " \n"),
        (None, {}, ""),
        ("{}", {}, "{}"),
        ({}, {}, "{}"),
    ],
)
def test_arguments_can_be_text_an_object_or_missing(arguments: Json, parsed: dict[str, Json], raw: str) -> None:
    state = ProviderState("openai", "signature")

    calls = parse_tool_calls([WireCall(name="t", arguments=arguments, id="x", state=state)], [])

    assert calls == (ToolCall(id="x", name="t", arguments=parsed, raw=raw, state=state),)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ('{"a": ', "the arguments cannot be read: "),
        ('{"a": 1, "a": 2}', "the arguments cannot be read: "),
        ('{"a": NaN}', "the arguments cannot be read: "),
        ("[" * 5000, "the arguments cannot be read: "),
        ("[1]", "the arguments must be a JSON object, not an array"),
        ([1], "the arguments must be a JSON object, not an array"),
        ('"text"', "the arguments must be a JSON object, not a string"),
        ("7", "the arguments must be a JSON object, not a number"),
        (7.5, "the arguments must be a JSON object, not a number"),
        ("true", "the arguments must be a JSON object, not a boolean"),
        ("null", "the arguments must be a JSON object, not null"),
    ],
)
def test_arguments_that_are_no_object_are_a_problem_and_never_guessed(arguments: Json, problem: str) -> None:
    (call,) = parse_tool_calls([WireCall(name="t", arguments=arguments, id="x")], [])

    assert call.arguments is None
    assert call.problem is not None
    assert call.problem.startswith(problem)
    assert isinstance(arguments, str) is (call.raw == arguments)


def nested(depth: int) -> Json:
    return [] if depth == 1 else [nested(depth - 1)]


@pytest.mark.parametrize(
    "value", [float("nan"), float("-inf"), "\ud800", 10**MAX_DIGITS, nested(MAX_DEPTH), "x" * MAX_BYTES]
)
def test_an_object_is_refused_as_its_text_is(value: Json) -> None:
    (call,) = parse_tool_calls([WireCall(name="t", arguments={"a": value}, id="x")], [])
    (text,) = parse_tool_calls([WireCall(name="t", arguments=json.dumps({"a": value}, ensure_ascii=False), id="x")], [])

    assert call.arguments is None
    assert call == text


@pytest.mark.parametrize(
    "value",
    ["NaN", "ä😀", -1.5, 10 ** (MAX_DIGITS - 1), nested(MAX_DEPTH - 1), ["["] * MAX_DEPTH, "x" * (MAX_BYTES // 2)],
)
def test_an_object_is_accepted_as_its_text_is(value: Json) -> None:
    (call,) = parse_tool_calls([WireCall(name="t", arguments={"a": value}, id="x")], [])

    assert call.arguments == {"a": value}


def test_new_ids_are_unchanged() -> None:
    calls = [WireCall("t", None, "b"), WireCall("t", None, "c")]

    assert ids(calls, [user("hi"), called("a")]) == ["b", "c"]


def test_a_generated_id_has_the_number_of_the_turn_and_of_the_call() -> None:
    calls = [WireCall("t", None), WireCall("t", None, "")]

    assert ids(calls, []) == ["call_1_0", "call_1_1"]
    assert ids(calls, [user("hi"), called("a", "b"), user("again"), called("c")]) == ["call_3_0", "call_3_1"]


def test_an_id_repeated_in_the_turn_or_conversation_is_replaced() -> None:
    calls = [WireCall("t", None, "a"), WireCall("t", None, "b"), WireCall("t", None, "b")]

    assert ids(calls, [called("a")]) == ["call_2_0", "b", "call_2_2"]


def test_a_generated_id_never_equals_an_existing_one() -> None:
    assert ids([WireCall("t", None)], [called("call_2_0", "call_2_0_2")]) == ["call_2_0_3"]


def test_no_calls_give_no_calls() -> None:
    assert parse_tool_calls([], [called("a")]) == ()
