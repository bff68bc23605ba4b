import json

import pytest

from dev.demo_model.conversation import PlannedCall
from dev.demo_model.fault_injection import Faults, read_directives
from tests.unit.dev.demo_model.openai_client import CALCULATE, Demo, answered, called, fault, success, user


@pytest.mark.parametrize(
    ("message", "faults", "rest"),
    [
        ("hello", Faults(), "hello"),
        ("hello [demo:refuse] there", Faults(refuse=True), "hello there"),
        ("[demo:status=429 retry_after=1.5 times=2]", Faults(status=429, retry_after="1.5", times=2), ""),
        ("[demo:slow=20][demo:cut, times=1] x", Faults(slow_ms=20, cut=True, times=1), "x"),
        ("[demo:stream_ms=40 chunk=9] x", Faults(stream_ms=40, chunk=9), "x"),
        ("[demo:stream_ms=0 chunk=0]", Faults(stream_ms=0, chunk=0), ""),
        ("[demo:error at=0 times=1][demo:end]", Faults(error=True, end=True, at=0, times=1), ""),
        ("[demo:slow=99999999]", Faults(slow_ms=120_000), ""),
        (
            "[demo: malformed length ] [demo:empty bad_json]",
            Faults(malformed=True, length=True, empty=True, bad_json=True),
            "",
        ),
        ("[demo:status=200] [demo:status=no]", Faults(), ""),
        ("[demo:call=t]", Faults(calls=((PlannedCall("t", {}), 1),)), ""),
        (
            '[demo:call=t {"a": "x]"} times=3] [demo:call=u {}] go',
            Faults(calls=((PlannedCall("t", {"a": "x]"}), 3), (PlannedCall("u", {}), 1))),
            "go",
        ),
        ('[demo:call=t {"a": ] x', Faults(), '[demo:call=t {"a": ] x'),
        ("[demo:what? [demo:refuse]", Faults(refuse=True), "[demo:what?"),
        ("an [open bracket [demo:", Faults(), "an [open bracket [demo:"),
    ],
)
def test_directives_are_parsed_and_removed_from_the_message(message: str, faults: Faults, rest: str) -> None:
    assert read_directives(message) == (faults, rest)


@pytest.mark.parametrize(
    ("header", "faults"),
    [
        (None, Faults()),
        ("", Faults()),
        ("slow=5", Faults(slow_ms=5)),
        ("status=500 times=1", Faults(status=500, times=1)),
        ("?!", Faults()),
    ],
)
def test_a_header_sets_directives_too(header: str | None, faults: Faults) -> None:
    assert read_directives("hello", header) == (faults, "hello")


def test_a_status_fault_answers_every_request_with_the_error_of_the_protocol() -> None:
    demo = Demo()

    first, second = (demo.post([user("[demo:status=429 retry_after=1] hi")]) for _ in range(2))

    assert first == second
    assert (first.status, first.headers) == (429, {"Content-Type": "application/json", "Retry-After": "1"})
    assert json.loads(first.body) == {
        "error": {
            "message": "(demo model) status 429 was asked for",
            "type": "invalid_request_error",
            "param": None,
            "code": "rate_limit_exceeded",
        }
    }


def test_a_status_fault_is_limited_to_a_number_of_requests_for_each_message() -> None:
    demo = Demo()
    messages = ["[demo:status=500 times=2] a", "[demo:status=500 times=2] b"]

    statuses = [[demo.post([user(message)]).status for message in messages] for _ in range(6)]

    assert statuses == [[500, 500], [500, 500], [200, 200], [500, 500], [500, 500], [200, 200]]


def test_a_header_fault_applies_like_one_in_the_message() -> None:
    assert Demo().post([user("hi")], header="status=503").status == 503


def test_a_delay_precedes_any_other_fault() -> None:
    demo = Demo()

    answer = demo.post([user("[demo:slow=250 status=500]")])

    assert (demo.waits, answer.status) == ([0.25], 500)


def test_a_truncated_answer_is_marked_for_the_server() -> None:
    demo = Demo()
    message = [user("[demo:cut times=1] hi")]

    cut, whole = demo.post(message), demo.post(message)

    assert (cut.cut, whole.cut) == (True, False)
    assert cut.body == whole.body


def test_a_malformed_body_is_not_json() -> None:
    answer = Demo().post([user("[demo:malformed]")])

    assert (answer.status, answer.headers) == (200, {"Content-Type": "text/html"})
    assert answer.body.startswith(b"<html>")


def test_a_refusal_has_the_format_of_the_protocol() -> None:
    choice = Demo().choice([user("[demo:refuse] hi")])

    assert (choice["finish_reason"], choice["message"]) == (
        "stop",
        {"role": "assistant", "content": None, "refusal": "(demo model) I cannot help with that."},
    )


def test_an_answer_stops_in_the_middle() -> None:
    whole, half = Demo().choice([user("hi")]), Demo().choice([user("[demo:length] hi")])

    assert half["finish_reason"] == "length"
    assert whole["message"]["content"].startswith(half["message"]["content"])
    assert len(half["message"]["content"]) == len(whole["message"]["content"]) // 2


def test_an_empty_turn_has_no_content() -> None:
    choice = Demo().choice([user("[demo:empty]")])

    assert (choice["finish_reason"], choice["message"]["content"]) == ("stop", None)


def test_the_given_calls_are_requested_for_the_given_number_of_turns() -> None:
    demo, text = Demo(), '[demo:call=calculate {"expression": "1+1"} times=2] [demo:call=nope] go'
    conversation = [user(text)]

    turns: list[list[tuple[str, object]]] = []
    ids: list[str] = []
    for _ in range(3):
        turn = demo.turn(conversation, [CALCULATE])
        turns.append([*called(turn)])
        ids += [call["id"] for call in turn.get("tool_calls", [])]
        conversation += [turn, *(answered(turn, *["2"] * len(turns[-1])) if turns[-1] else [])]

    assert turns == [
        [("calculate", {"expression": "1+1"}), ("nope", {})],
        [("calculate", {"expression": "1+1"})],
        [],
    ]
    assert ids == ["call_demo_1", "call_demo_2", "call_demo_3"]
    assert conversation[-1]["content"] == "(demo model) calculate says: 2. nope says: 2."


def test_broken_arguments_are_sent_once_and_the_error_is_in_the_answer() -> None:
    demo, message = Demo(), user("[demo:bad_json] hi")

    first_turn = demo.turn([message], [CALCULATE])
    answer = demo.turn([message, first_turn, *answered(first_turn, fault("not JSON"))], [CALCULATE])

    assert first_turn["tool_calls"][0]["function"] == {"name": "calculate", "arguments": '{"broken": '}
    assert answer["content"] == "(demo model) I could not get calculate: not JSON."


def test_broken_arguments_need_a_tool() -> None:
    assert Demo().answer_text("[demo:bad_json] hi").startswith("(demo model) Hello.")


def test_a_directive_of_an_earlier_message_is_ignored() -> None:
    demo = Demo()
    history = [user("[demo:status=500]"), {"role": "assistant", "content": "sorry"}, user("What is 1+1?")]

    first_turn = demo.turn(history, [CALCULATE])

    assert called(first_turn) == [("calculate", {"expression": "1+1"})]
    assert (
        demo.turn([*history, first_turn, *answered(first_turn, success(2))], [CALCULATE])["content"]
        == "(demo model) 1+1 is 2."
    )
