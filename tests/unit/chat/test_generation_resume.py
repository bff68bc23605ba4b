"""Resumed chats: no tool call runs twice, and no partial answer is resumed twice."""

import json
from copy import replace

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, system, user
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT, Checkpoint
from functions.chat.generation.events import LimitReached, ToolFinished
from functions.chat.generation.result import LIMIT_TEXT
from functions.chat.response import call_record
from functions.chat.tools.results import TRACKED_CHARACTERS
from tests.unit.chat.paced_chat import PacedChat, Step, lookup_call, text_completion


def remaining(*looks: str) -> Checkpoint:
    """Stored checkpoint of a chat that called these tools, one in each turn, and then ran out of time."""
    chat = PacedChat(
        [*(Step(1, lookup_call(at)) for at in looks), Step(900, text_completion(""))], [Step(1, at) for at in looks]
    )
    checkpoint = chat.run_chat(300).checkpoint
    assert checkpoint is not None
    return Checkpoint.from_json(json.loads(json.dumps(checkpoint.as_json())))


def test_a_resumed_chat_continues_after_its_stored_turns_without_running_them_again() -> None:
    checkpoint = remaining("a", "b")
    chat = PacedChat([Step(1, lookup_call("c")), Step(1, text_completion("Done."))], [Step(1, "c")])

    result = chat.run_chat(60, checkpoint)

    assert (result.content, result.status, result.deadline_reached) == ("Done.", "complete", False)
    assert chat.model.seen[0] == (system("You help."), user("Look it up."), *checkpoint.messages)
    assert [call.arguments for call in chat.tool.calls] == [{"at": "c"}]
    assert result.tool_calls is not None
    assert [(execution.call_id, execution.iteration) for execution in result.tool_calls] == [
        ("call_a", 1),
        ("call_b", 2),
        ("call_c", 3),
    ]
    assert [event.execution.call_id for event in chat.events if isinstance(event, ToolFinished)] == ["call_c"]


def test_the_state_of_a_partial_chat_has_shortened_results_with_a_marker() -> None:
    chat = PacedChat([Step(1, lookup_call("a")), Step(900, text_completion(""))], [Step(1, "天" * 5_000_000)])
    result = chat.run_chat(300)
    assert result.checkpoint is not None
    assert result.tool_calls is not None
    stored = json.dumps(result.checkpoint.as_json())
    again = Checkpoint.from_json(json.loads(stored))

    assert len(stored) < 6 * TRACKED_CHARACTERS + 6 * 32_768 + 10_000
    assert again == result.checkpoint
    records = [call_record(execution)["result"] for execution in (*result.tool_calls, *again.executions)]
    assert records[0] == records[1] == again.executions[0].result.envelope()
    assert again.executions[0].result.truncated
    assert f"{5_000_000 - TRACKED_CHARACTERS + 128} characters left out" in str(again.executions[0].result.result)


def test_a_resumed_chat_can_be_partial_again_with_all_its_turns() -> None:
    before = remaining("a")
    chat = PacedChat([Step(1, lookup_call("b")), Step(900, text_completion(""))], [Step(1, "b")])

    result = chat.run_chat(60, before)

    after = result.checkpoint
    assert after is not None
    assert (result.status, result.tool_calls, after.iterations) == ("partial", after.executions, 2)
    assert (after.messages[:2], after.executions[:1]) == (before.messages, before.executions)
    assert [call.id for message in after.messages for call in message.tool_calls] == ["call_a", "call_b"]


def test_earlier_turns_count_for_the_limit() -> None:
    chat = PacedChat([Step(1, lookup_call("c"))], [Step(1, "c")], max_iterations=3)

    result = chat.run_chat(60, remaining("a", "b"))

    assert (result.content, result.max_iterations_reached) == (LIMIT_TEXT, True)


def test_a_limit_reached_earlier_ends_the_resumed_chat_at_once() -> None:
    before = remaining("a", "b")

    result = PacedChat([], [], max_iterations=2).run_chat(60, before)

    assert (result.content, result.max_iterations_reached) == (LIMIT_TEXT, True)
    assert result.tool_calls == before.executions


def test_earlier_calls_count_as_repeated() -> None:
    chat = PacedChat([Step(1, lookup_call("a")), Step(1, text_completion("Done."))], [])

    result = chat.run_chat(60, remaining("a", "a"))

    assert result.tool_calls is not None
    assert [execution.result.error_type for execution in result.tool_calls] == [None, None, "repeated_call"]


def both_again(turn: int) -> Completion:
    """A turn with calls of `look` at a and at b and new call ids."""
    calls = (*lookup_call("a").message.tool_calls, *lookup_call("b").message.tool_calls)
    parts = tuple(replace(call, id=f"{call.id}_{turn}") for call in calls)
    return replace(lookup_call("a"), message=Message("assistant", parts))


def test_calls_refused_earlier_do_not_count_as_repeated() -> None:
    one_call = {"max_calls_per_turn": 1}
    turns = [Step(1, both_again(turn)) for turn in (1, 2)]
    checkpoint = (
        PacedChat([*turns, Step(900, text_completion(""))], [Step(1, "a")] * 2, limits=one_call)
        .run_chat(300)
        .checkpoint
    )
    assert checkpoint is not None
    chat = PacedChat([Step(1, lookup_call("b")), Step(1, text_completion("Done."))], [Step(1, "b")], limits=one_call)

    result = chat.run_chat(60, checkpoint)

    assert result.tool_calls is not None
    assert [execution.result.error_type for execution in result.tool_calls] == [
        *(None, "too_many_calls") * 2,
        None,
    ]


def test_earlier_calls_count_for_the_call_limit_of_the_chat() -> None:
    chat = PacedChat([Step(1, text_completion("From both."))], [], limits={"max_tool_calls": 2})

    result = chat.run_chat(60, remaining("a", "b"))

    assert (result.content, result.status, result.max_tool_calls_reached) == ("From both.", "complete", True)
    assert [options.tool_choice for options in chat.model.options] == ["none"]
    assert [event for event in chat.events if isinstance(event, LimitReached)] == [LimitReached("tool_calls", 3)]


def test_a_resumed_chat_with_little_time_answers_from_its_results() -> None:
    chat = PacedChat([Step(0.5, text_completion("From a."))], [])

    result = chat.run_chat(1, remaining("a"))

    assert (result.content, result.status, result.deadline_reached) == ("From a.", "complete", True)
    assert [options.tool_choice for options in chat.model.options] == ["none"]


def test_a_model_that_fails_at_once_loses_no_earlier_turn() -> None:
    error = ModelError("down", type="server_error", provider="llm")
    before = remaining("a")

    result = PacedChat([Step(1, error)], []).run_chat(60, before)

    assert (result.status, result.error, result.checkpoint) == ("partial", error, before)


def test_a_failing_model_without_earlier_turns_is_an_error_again() -> None:
    with pytest.raises(ModelError, match="down"):
        PacedChat([Step(1, ModelError("down", type="server_error", provider="llm"))], []).run_chat(60, EMPTY_CHECKPOINT)


@pytest.mark.parametrize(
    ("step", "content", "status"),
    [
        (Step(1, text_completion("From a.")), "From a.", "complete"),
        (Step(1, ModelError("down", type="server_error", provider="llm")), None, "partial"),
        (Step(900, text_completion("")), None, "partial"),
    ],
    ids=["answers", "fails", "too slow"],
)
def test_earlier_results_stay_when_the_rule_offers_no_tools_any_more(
    step: Step, content: str | None, status: str
) -> None:
    checkpoint = remaining("a")

    result = PacedChat([step], [], offers_tools=False).run_chat(60, checkpoint)

    assert (result.status, result.tool_calls) == (status, checkpoint.executions)
    assert result.checkpoint == (checkpoint if status == "partial" else None)
    assert content is None or result.content == content


def test_a_chat_without_tools_has_no_time_limit_for_tools() -> None:
    chat = PacedChat([Step(0.5, text_completion("From a."))], [], offers_tools=False)
    checkpoint = remaining("a")

    result = chat.run_chat(1, checkpoint)

    assert (result.content, result.status, result.deadline_reached) == ("From a.", "complete", False)
    assert chat.model.seen[0][2:] == checkpoint.messages
