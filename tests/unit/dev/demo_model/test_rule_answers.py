"""Answers of the demo model to tool results and other messages."""

import pytest

from tests.unit.dev.demo_model.openai_client import CALCULATE, EVERY_TOOL, Demo, answered, called, fault, success, user

BOTH = "What is 15% of 45, and the weather in Paris?"

ABILITIES = "I only follow rules: I know arithmetic, and what my tools can tell me (offered now: none)."


@pytest.mark.parametrize(
    ("message", "result", "answer"),
    [
        ("What is 2*3?", success({"result": 6.0}), "2*3 is 6."),
        ("What is 2*3?", success(6), "2*3 is 6."),
        ("What is 2*3?", "6", "2*3 is 6."),
        ("What is 2*3?", "six", "2*3 is six."),
        ("What is 2*3?", '{"a":1,"b_c":[true,null,"x"]}', "2*3 is a 1, b c yes, nothing, x."),
        ("What is 2*3?", success([]), "2*3 is nothing."),
        ("What is 2*3?", success({}), "2*3 is nothing."),
        ("What is 2*3?", success({"result": False}), "2*3 is no."),
        ("What is 2*3?", "Error: no such function.", "I could not get 2*3: no such function."),
        ("What is 2*3?", fault("Math evaluation failed: x"), "I could not get 2*3: Math evaluation failed: x."),
        ("What is 2*3?", fault("raw", user_message="Try later."), "I could not get 2*3: Try later."),
        ("What is 2*3?", '{"success": false}', "I could not get 2*3: the tool failed."),
        ("Weather in Rome?", success("fine"), "The weather in Rome: fine."),
        (
            "Weather in Rome?",
            success({"temperature": 9.5, "wind_speed": 3}),
            "The weather in Rome: 9.5 degrees, wind speed 3.",
        ),
        ("What time is it?", success({"result": "2026-01-02T03:04:05Z"}), "The time: 2026-01-02T03:04:05Z."),
        ("Days between 2026-01-01 and 2026-01-03?", success({"days": 2}), "Between 2026-01-01 and 2026-01-03: 2."),
        ("Reverse 'hello'", success({"result": "olleh"}), '"hello" reversed: olleh.'),
        ("Search the docs for pay", success({"results": []}), "The documents about pay: nothing was found."),
        ("Search the docs for pay", success("Nothing."), "The documents about pay: Nothing."),
        (
            "Search the docs for pay",
            success({"count": 3, "passages": [{"text": "A", "source": "a.md"}, {"content": "B"}, "C", "D"]}),
            'The documents about pay: "A" (a.md). "B". "C".',
        ),
        (
            "Search the docs for pay",
            success(
                {
                    "results": [
                        {"title": "Pay", "source": "pay.md", "text": "On the\n\n  1st."},
                        {"title": "pay.md", "source": "pay.md", "text": "x" * 161},
                    ],
                    "searched": ["hr"],
                    "skipped": [],
                }
            ),
            f'The documents about pay: "On the 1st." (Pay, pay.md). "{"x" * 159}…" (pay.md).',
        ),
        (
            "Search the docs for pay",
            success({"results": [], "searched": [], "skipped": [{"collection": "hr", "reason": "there is none"}]}),
            "The documents about pay: nothing was found; not searched: collection hr, reason there is none.",
        ),
    ],
)
def test_a_tool_result_is_written_as_a_sentence(message: str, result: str, answer: str) -> None:
    assert Demo().after(message, result) == f"(demo model) {answer}"


def test_a_long_passage_is_truncated_and_tool_results_precede_it() -> None:
    system = {"role": "system", "content": "[1] Pay\n" + "x" * 241}

    final_turn = Demo().turn([system, user("Who pays?")])["content"]
    calculated = Demo().turn([system, user("What is 2+2?")], [CALCULATE])

    assert final_turn == f'(demo model) The passages I was given say: "{"x" * 239}…" [1] Pay.'
    assert called(calculated) == [("calculate", {"expression": "2+2"})]


def test_each_call_is_made_once_with_any_result() -> None:
    demo = Demo()
    first_turn = demo.turn([user(BOTH)], EVERY_TOOL)

    answer = demo.turn([user(BOTH), first_turn, *answered(first_turn, fault("down"), fault("too"))], EVERY_TOOL)

    assert answer["content"] == (
        "(demo model) I could not get 15% of 45: down. I could not get the weather in Paris: too."
    )


def test_only_the_latest_message_is_used() -> None:
    demo = Demo()
    history = [user(BOTH), {"role": "assistant", "content": "(demo model) done"}, user("Thank you")]

    assert demo.turn(history, EVERY_TOOL)["content"].startswith('(demo model) You said: "Thank you".')


@pytest.mark.parametrize("message", ["Weather in Rome?", "What time is it?", "Search the docs for pay", BOTH])
def test_a_tool_that_is_not_offered_is_not_called(message: str) -> None:
    assert "no " in Demo().answer_text(message)


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("Hello!", f"Hello. {ABILITIES}"),
        (
            "Tell me a joke",
            f'You said: "Tell me a joke". {ABILITIES}',
        ),
    ],
)
def test_a_message_without_a_task_gets_a_description_of_the_demo_model(message: str, answer: str) -> None:
    assert Demo().answer_text(message) == f"(demo model) {answer}"


def test_a_long_message_is_truncated_in_the_answer() -> None:
    assert f'"{"a" * 200}…"' in Demo().answer_text("a" * 1000)
