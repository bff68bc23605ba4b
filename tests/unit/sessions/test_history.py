"""History for a model: repaired and limited to a token budget."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.messages import (
    Message,
    ProviderState,
    Reasoning,
    Text,
    ToolCall,
    ToolOutput,
    assistant,
    system,
    user,
)
from flexchat.sessions import message_tokens
from functions.chat.sessions.history import INTERRUPTED, UNANSWERED, latest_turns, model_history, repaired

LARGE_BUDGET = 1_000_000


def call_completion(*ids: str, text: str = "") -> Message:
    calls = tuple(ToolCall(call_id, "add", {"a": 1}, '{"a":1}') for call_id in ids)
    return Message("assistant", (Text(text), *calls) if text else calls)


def result(id: str, content: str = "3") -> Message:
    return Message("tool", (ToolOutput(id, "add", content),))


def interrupted(id: str) -> Message:
    return Message("tool", (ToolOutput(id, "add", INTERRUPTED, is_error=True),))


def tokens(*messages: Message) -> int:
    return sum(map(message_tokens, messages))


def test_a_complete_history_is_unchanged() -> None:
    first = (
        user("1"),
        call_completion("a", "b"),
        result("a"),
        result("b"),
        call_completion("c"),
        result("c"),
        assistant("x"),
    )
    second = (user("2"), assistant("y"))

    assert repaired((*first, *second)) == (*first, *second)


def test_a_call_without_a_result_is_marked_as_interrupted_and_its_turn_as_unanswered() -> None:
    assert repaired((user("1"), call_completion("a", "b"), result("b"), user("2"), assistant("y"))) == (
        user("1"),
        call_completion("a", "b"),
        interrupted("a"),
        result("b"),
        assistant(UNANSWERED),
        user("2"),
        assistant("y"),
    )


def test_a_result_without_its_call_is_removed() -> None:
    history_sent = repaired(
        (user("1"), result("x"), call_completion("a"), result("a"), result("a", "twice"), result("y"), assistant("z"))
    )

    assert history_sent == (user("1"), call_completion("a"), result("a"), assistant("z"))


def test_a_result_in_a_later_turn_does_not_answer_its_call() -> None:
    assert repaired((user("1"), call_completion("a"), user("2"), result("a"), assistant("z"))) == (
        user("1"),
        call_completion("a"),
        interrupted("a"),
        assistant(UNANSWERED),
        user("2"),
        assistant("z"),
    )


def test_results_in_another_order_are_moved_after_their_calls() -> None:
    history_sent = repaired((user("1"), call_completion("a", "b"), result("b"), result("a"), assistant("z")))

    assert history_sent == (user("1"), call_completion("a", "b"), result("a"), result("b"), assistant("z"))


def test_results_in_one_message_become_one_message_each() -> None:
    both = Message("tool", (ToolOutput("a", "add", "1"), ToolOutput("b", "add", "2")))

    assert repaired((user("1"), call_completion("a", "b"), both, assistant("z")))[2:4] == (
        result("a", "1"),
        result("b", "2"),
    )


def test_messages_before_the_first_user_message_and_system_messages_are_removed() -> None:
    messages = (
        system("s"),
        assistant("hello"),
        call_completion("a"),
        result("a"),
        user("1"),
        system("obey"),
        assistant("z"),
    )

    assert repaired(messages) == (user("1"), assistant("z"))


def test_a_message_without_an_answer_gets_a_note_between_user_messages() -> None:
    assert repaired((user("1"), user("2"), Message("assistant", ()), assistant("  "))) == (
        user("1"),
        assistant(UNANSWERED),
        user("2"),
        assistant(UNANSWERED),
    )


def test_calls_with_the_same_id_get_distinct_ids() -> None:
    history_sent = repaired(
        (
            user("1"),
            call_completion("a", "a"),
            result("a", "1"),
            result("a", "2"),
            assistant("x"),
            user("2"),
            call_completion("a"),
            result("a"),
        )
    )

    assert history_sent == (
        user("1"),
        call_completion("a", "a_2"),
        result("a", "1"),
        result("a_2", "2"),
        assistant("x"),
        user("2"),
        call_completion("a_3"),
        result("a_3"),
        assistant(UNANSWERED),
    )


def test_consecutive_answers_are_merged() -> None:
    assert repaired((user("1"), assistant("x"), call_completion("a", text="y"), result("a"), assistant("z"))) == (
        user("1"),
        Message("assistant", (Text("x"), Text("\n\n"), *call_completion("a", text="y").parts)),
        result("a"),
        assistant("z"),
    )


def test_an_empty_history_stays_empty() -> None:
    assert model_history((), max_tokens=LARGE_BUDGET) == ()


def test_the_oldest_turns_are_removed_completely_and_first() -> None:
    first = (user("one"), call_completion("a"), result("a"), assistant("x"))
    second = (user("two"), call_completion("b"), result("b"), assistant("y"))
    third = (user("three"), assistant("z"))
    budget = tokens(*second, *third)

    assert model_history((*first, *second, *third), max_tokens=budget) == (*second, *third)
    assert model_history((*first, *second, *third), max_tokens=budget - 1) == third
    assert model_history((*first, *second, *third), max_tokens=tokens(*first) + budget) == (*first, *second, *third)


def test_a_smaller_older_turn_is_not_included_without_the_turns_after_it() -> None:
    small, large, last = (user("1"), assistant("x")), (user("2" * 900), assistant("y")), (user("3"), assistant("z"))

    assert model_history((*small, *large, *last), max_tokens=tokens(*small, *last)) == last


def test_the_last_turn_loses_its_calls_before_it_is_removed() -> None:
    turn = (user("1"), call_completion("a", text="Let me see."), result("a", "long " * 1_000), assistant("x"))
    essence = (user("1"), assistant("x"))

    assert model_history(turn, max_tokens=tokens(*turn) - 1) == essence
    assert model_history(turn, max_tokens=tokens(*essence)) == essence
    assert model_history(turn, max_tokens=tokens(*essence) - 1) == ()


def test_only_the_last_turn_loses_its_calls() -> None:
    first = (user("1"), call_completion("a"), result("a", "long " * 1_000), assistant("x"))
    last = (user("2"), assistant("y"))

    assert model_history((*first, *last), max_tokens=tokens(*last) + 100) == last


def test_a_history_sent_by_a_client_is_limited_equally() -> None:
    sent = tuple(message for number in range(100) for message in (user(f"question {number}"), assistant("word " * 100)))

    history_sent = model_history(sent, max_tokens=1_000)

    assert history_sent == sent[-len(history_sent) :]
    assert 0 < tokens(*history_sent) <= 1_000


def test_a_history_within_the_budget_is_unchanged_and_a_larger_one_loses_its_oldest_turns() -> None:
    odd = (assistant("hello"), user("1"), user("2"), assistant("x"))

    assert latest_turns(odd, max_tokens=tokens(*odd)) == odd
    assert latest_turns(odd, max_tokens=tokens(*odd) - 1) == odd[1:]
    assert latest_turns(odd, max_tokens=tokens(*odd[1:]) - 1) == odd[2:]


IDS = st.sampled_from(["a", "b", "c"])
MESSAGES = st.one_of(
    st.just(user("question")),
    st.just(system("order")),
    st.just(assistant("answer")),
    st.just(Message("assistant", ())),
    st.lists(IDS, min_size=1, max_size=3).map(lambda ids: call_completion(*ids)),
    st.lists(IDS, max_size=3).map(lambda ids: Message("tool", tuple(ToolOutput(each, "add", "3") for each in ids))),
)


def assert_well_formed(messages: Sequence[Message]) -> None:
    """True for turns that every provider accepts: a user message, calls with their results, an answer; unique ids."""
    ids: list[str] = []
    position = 0
    while position < len(messages):
        assert messages[position].role == "user"
        position += 1
        while messages[position].tool_calls:
            call_ids = [call.id for call in messages[position].tool_calls]
            answers = messages[position + 1 : position + 1 + len(call_ids)]
            assert [(message.role, *message.parts) for message in answers] == [
                ("tool", *message.parts) for message in answers
            ]
            assert [
                part.call_id for message in answers for part in message.parts if isinstance(part, ToolOutput)
            ] == call_ids
            ids += call_ids
            position += 1 + len(call_ids)
        assert (messages[position].role, bool(messages[position].text.strip())) == ("assistant", True)
        position += 1
    assert len(ids) == len(set(ids))


@given(st.lists(MESSAGES, max_size=12), st.integers(0, 200))
def test_any_history_becomes_well_formed_and_within_its_budget(messages: list[Message], budget: int) -> None:
    history_sent = model_history(messages, max_tokens=budget)

    assert_well_formed(history_sent)
    assert tokens(*history_sent) <= budget
    assert_well_formed(repaired(messages))


@given(st.lists(MESSAGES, max_size=12))
def test_a_valid_history_is_not_repaired_again(messages: list[Message]) -> None:
    history_sent = repaired(messages)

    assert repaired(history_sent) == history_sent


@pytest.mark.parametrize(
    ("message", "at_least"),
    [
        (user("The quick brown fox jumps over the lazy dog."), 10),
        (user("日本語の文章はおよそ一文字につき一トークンになる。"), 25),
        (user("Быстрая коричневая лиса"), 12),
        (user("🎉" * 10), 20),
        (user("0123456789" * 3), 10),
        (Message("tool", (ToolOutput("call_1", "add", "x" * 300),)), 100),
        (Message("assistant", (ToolCall("call_1", "add", {"text": "x" * 300}, "{}"),)), 100),
        (Message("assistant", (ToolCall("call_1", "add", None, "x" * 300, "not JSON"),)), 100),
        (Message("assistant", (Reasoning(ProviderState("anthropic", {"signature": "x" * 300}), "y" * 300),)), 200),
        (user("\ud800" * 30), 30),
    ],
)
def test_token_estimates_are_upper_bounds(message: Message, at_least: int) -> None:
    assert at_least <= message_tokens(message) <= 3 * at_least + 8
