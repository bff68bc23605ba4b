"""Answers before the deadline: with tools, without tools, and partial."""

import pytest

from flexchat.config.model_names import ModelName
from flexchat.deadline import Clock
from flexchat.errors import ModelError, ModelErrorType
from flexchat.messages import ToolOutput, Usage, system, user
from flexchat.validation.grading import grade_plain
from flexchat.validation.verdicts import Verdict, outcome_of
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT
from functions.chat.generation.events import Event, IterationFinished, LimitReached, ModelFinished, ModelStarted, Trace
from functions.chat.generation.model_calls import CALLS_ARE_USED_UP, TIME_IS_UP
from functions.chat.generation.result import TIME_TEXT, GenerationResult
from functions.chat.phases.runner import PhaseResults
from functions.chat.response import chat_response
from tests.unit.chat.paced_chat import PacedChat, Step, lookup_call, text_completion
from tests.unit.chat.plain_events import plain


def limits(chat: PacedChat) -> list[Event]:
    return [event for event in chat.events if isinstance(event, LimitReached)]


def ending(result: GenerationResult) -> tuple[str, str, bool, list[str]]:
    """Ending of an answer, and the outcome of each of its calls."""
    calls = [execution.result.error_type or "ok" for execution in result.tool_calls or ()]
    return result.content, result.status, result.deadline_reached, calls


def test_enough_time_changes_no_request() -> None:
    chat = PacedChat(
        [Step(2, lookup_call("a")), Step(2, lookup_call("b")), Step(2, text_completion("Done."))],
        [Step(1, 1), Step(1, 2)],
    )

    assert ending(chat.run_chat(20)) == ("Done.", "complete", False, ["ok", "ok"])
    assert [options.tool_choice for options in chat.model.options] == ["auto"] * 3
    assert limits(chat) == []


def test_a_short_remaining_time_requests_an_answer_without_tools() -> None:
    chat = PacedChat([Step(3, lookup_call("a")), Step(3, text_completion("So far: 1."))], [Step(1, 1)])

    result = chat.run_chat(10)

    assert ending(result) == ("So far: 1.", "complete", True, ["ok"])
    assert (result.finish_reason, result.checkpoint) == ("stop", None)
    assert [options.tool_choice for options in chat.model.options] == ["auto", "none"]
    assert chat.model.options[1].tools == chat.model.options[0].tools
    assert limits(chat) == [LimitReached("deadline", 2)]


def test_the_note_about_the_time_is_sent_to_the_model_and_not_stored() -> None:
    chat = PacedChat(
        [Step(3, lookup_call("a")), Step(2, ModelError("down", type="server_error", provider="llm"))], [Step(1, 1)]
    )

    result = chat.run_chat(10)

    assert chat.model.seen[0] == (system("You help."), user("Look it up."))
    assert chat.model.seen[1][-1] is TIME_IS_UP
    assert result.checkpoint is not None
    assert result.checkpoint.messages == chat.model.seen[1][2:-1]


def test_a_slow_tool_is_interrupted_in_time_for_the_answer() -> None:
    chat = PacedChat([Step(2, lookup_call("a")), Step(2.5, text_completion("It did not answer."))], [Step(60, None)])

    result = chat.run_chat(20)

    assert ending(result) == ("It did not answer.", "complete", True, ["timeout"])
    assert chat.tool.calls[0].timeout_ms == 14_500, "18 seconds are left, 3 kept for the answer, 0.5 for the way back"
    output = chat.model.seen[1][-2].parts[0]
    assert isinstance(output, ToolOutput)
    assert output.is_error


@pytest.mark.parametrize(("tool", "choices"), [(1.4, ["auto", "auto"]), (2.0, ["auto", "none"])])
def test_slow_tools_make_the_answer_requested_earlier(tool: float, choices: list[str]) -> None:
    chat = PacedChat([Step(2, lookup_call("a")), Step(1, text_completion("a."))], [Step(tool, 1)])

    assert chat.run_chat(2 + tool + 5.5).content == "a."
    assert [options.tool_choice for options in chat.model.options] == choices


def test_calls_of_a_model_without_time_are_recorded_as_not_run() -> None:
    chat = PacedChat([Step(3, lookup_call("a")), Step(3, lookup_call("b", text="Let me look at b."))], [Step(1, 1)])

    result = chat.run_chat(10)

    assert ending(result) == (TIME_TEXT, "partial", False, ["ok", "deadline"])
    assert [call.arguments for call in chat.tool.calls] == [{"at": "a"}]
    assert result.checkpoint is not None
    assert (result.checkpoint.iterations, len(result.checkpoint.messages)) == (1, 2)
    assert result.tool_calls is not None
    not_run = result.tool_calls[1]
    assert (not_run.params, not_run.iteration, not_run.result.error) == (
        {"at": "b"},
        2,
        "Not run: no time was left for this tool call",
    )
    assert result.checkpoint.executions == result.tool_calls[:1]
    turns = [event for event in chat.events if isinstance(event, IterationFinished)]
    assert [(turn.message.text, turn.executions) for turn in turns] == [
        ("", result.tool_calls[:1]),
        ("Let me look at b.", result.tool_calls[1:]),
    ]
    assert limits(chat) == [LimitReached("deadline", 2)]


def test_an_answer_that_takes_too_long_is_partial_with_the_executed_calls() -> None:
    chat = PacedChat([Step(3, lookup_call("a")), Step(7, text_completion("Too late."))], [Step(1, 1)])

    result = chat.run_chat(10)

    assert ending(result) == (TIME_TEXT, "partial", False, ["ok"])
    assert result.checkpoint is not None
    assert result.checkpoint.executions == result.tool_calls
    assert limits(chat) == [LimitReached("deadline", 2)]


def test_a_model_too_slow_for_the_remaining_time_is_not_called_again() -> None:
    chat = PacedChat([Step(8.0, lookup_call("a"))], [Step(0.7, 1)])

    result = chat.run_chat(10)

    assert ending(result) == (TIME_TEXT, "partial", False, ["ok"])
    assert limits(chat) == [LimitReached("deadline", 2)]
    assert chat.events[-1] == LimitReached("deadline", 2)


def test_a_first_call_that_takes_too_long_leaves_a_restartable_chat() -> None:
    chat = PacedChat([Step(30, lookup_call("a"))], [])

    result = chat.run_chat(10)

    assert ending(result) == (TIME_TEXT, "partial", False, [])
    assert result.checkpoint == EMPTY_CHECKPOINT
    assert limits(chat) == [LimitReached("deadline", 1)]


def test_a_chat_without_tools_that_ran_out_of_time_is_restartable() -> None:
    chat = PacedChat([Step(30, text_completion("Hi."))], [], offers_tools=False)

    result = chat.run_chat(10)

    assert ending(result) == (TIME_TEXT, "partial", False, [])
    assert (result.tool_calls, result.checkpoint) == (None, EMPTY_CHECKPOINT)


def test_the_first_call_can_always_use_tools() -> None:
    chat = PacedChat([Step(0.1, lookup_call("a")), Step(0.1, text_completion("One."))], [Step(0.05, 1)])

    assert ending(chat.run_chat(0.7)) == ("One.", "complete", True, ["ok"])
    assert [options.tool_choice for options in chat.model.options] == ["auto", "none"]


def test_many_quick_turns_lose_their_tools_only_at_the_end() -> None:
    turns = [Step(0.4, lookup_call(f"a{turn}")) for turn in range(9)]
    chat = PacedChat([*turns, Step(0.4, text_completion("Enough."))], [Step(0.1, 1)] * 9, max_iterations=20)

    assert ending(chat.run_chat(5.9)) == ("Enough.", "complete", True, ["ok"] * 9)
    assert [options.tool_choice for options in chat.model.options] == ["auto"] * 9 + ["none"]


def test_a_fallback_after_the_first_model_used_up_the_time_must_answer_without_tools() -> None:
    chat = PacedChat(
        [
            Step(1, lookup_call("a")),
            Step(9, lookup_call("b")),
            Step(1, text_completion("From the other.")),
        ],
        [Step(1, 1)],
        waiting=(ModelName("llm", "other"),),
    )

    result = chat.run_chat(6)

    assert ending(result) == ("From the other.", "complete", True, ["ok"])
    assert result.model == "other"
    assert [options.tool_choice for options in chat.model.options] == ["auto", "auto", "none"]
    assert plain(chat.events[-3:]) == [
        LimitReached("deadline", 2),
        ModelStarted(2, "llm:other"),
        ModelFinished(2, "llm:other", "stop", Usage(10, 5)),
    ]


def test_a_server_that_rejects_the_note_after_results_is_called_without_it() -> None:
    refusal = ModelError("Unexpected role 'user' after role 'tool'", type="invalid_request", provider="llm")
    chat = PacedChat(
        [Step(3, lookup_call("a")), Step(0.1, refusal), Step(3, text_completion("So far: 1."))], [Step(1, 1)]
    )

    assert ending(chat.run_chat(10)) == ("So far: 1.", "complete", True, ["ok"])
    assert [messages[-1].role for messages in chat.model.seen] == ["user", "user", "tool"]
    assert [options.tool_choice for options in chat.model.options] == ["auto", "none", "none"]
    assert limits(chat) == [LimitReached("deadline", 2)]


def test_a_request_rejected_for_another_reason_is_not_repeated_endlessly() -> None:
    error = ModelError("no", type="invalid_request", provider="llm")
    chat = PacedChat([Step(3, lookup_call("a")), Step(0.1, error), Step(0.1, error)], [Step(1, 1)])

    result = chat.run_chat(10)

    assert (result.status, result.error, len(chat.model.seen)) == ("partial", error, 3)


@pytest.mark.parametrize("kind", ["authentication", "server_error"])
def test_a_provider_error_in_the_last_call_leaves_a_partial_answer(kind: ModelErrorType) -> None:
    error = ModelError("no", type=kind, provider="llm")
    chat = PacedChat([Step(3, lookup_call("a")), Step(1, error)], [Step(1, 1)])

    result = chat.run_chat(10)

    assert (result.status, result.error, result.deadline_reached) == ("partial", error, False)
    assert result.checkpoint is not None
    assert (result.checkpoint.iterations, result.checkpoint.executions) == (1, result.tool_calls)


def test_used_up_calls_and_a_short_time_still_allow_an_answer() -> None:
    chat = PacedChat(
        [Step(3, lookup_call("a")), Step(3, text_completion("So far: 1."))], [Step(1, 1)], limits={"max_tool_calls": 1}
    )

    result = chat.run_chat(10)

    assert ending(result) == ("So far: 1.", "complete", False, ["ok"])
    assert (result.max_tool_calls_reached, limits(chat)) == (True, [LimitReached("tool_calls", 2)])
    assert chat.model.seen[1][-1] is CALLS_ARE_USED_UP


def test_a_server_that_rejects_a_message_after_results_is_called_without_it_at_the_call_limit() -> None:
    refusal = ModelError("Unexpected role 'user' after role 'tool'", type="invalid_request", provider="llm")
    script = [Step(1, lookup_call("a")), Step(1, refusal), Step(1, text_completion("One."))]
    chat = PacedChat(script, [Step(1, 1)], limits={"max_tool_calls": 1})

    assert ending(chat.run_chat(60)) == ("One.", "complete", False, ["ok"])
    assert [messages[-1].role for messages in chat.model.seen] == ["user", "user", "tool"]
    assert [options.tool_choice for options in chat.model.options] == ["auto", "none", "none"]


def test_a_late_answer_after_the_last_call_makes_the_chat_partial() -> None:
    chat = PacedChat(
        [Step(1, lookup_call("a")), Step(90, text_completion("Late."))], [Step(1, 1)], limits={"max_tool_calls": 1}
    )

    result = chat.run_chat(60)

    assert ending(result) == (TIME_TEXT, "partial", False, ["ok"])
    assert limits(chat) == [LimitReached("tool_calls", 2), LimitReached("deadline", 2)]


def verdict(result: GenerationResult, clock: Clock) -> Verdict:
    """The verdict of a plain test of this answer."""
    response = chat_response(
        result,
        request_id="r",
        rule=None,
        phases=PhaseResults(),
        session=None,
        resume_token=None,
        explanation=None,
        trace=Trace(clock=clock),
        llms={},
    )
    return grade_plain(outcome_of(response))


def test_a_slow_model_with_correct_calls_and_answer_passes() -> None:
    chat = PacedChat([Step(9, lookup_call("a")), Step(3, text_completion("One."))], [Step(0.5, 1)])

    result = chat.run_chat(27.1)

    assert ending(result) == ("One.", "complete", True, ["ok"])
    assert verdict(result, chat.clock) == Verdict("passed")


def test_an_empty_answer_to_the_last_call_counts_as_a_time_limit() -> None:
    chat = PacedChat([Step(9, lookup_call("a")), Step(3, text_completion(" "))], [Step(0.5, 1)])

    result = chat.run_chat(27.1)

    assert ending(result) == (TIME_TEXT, "partial", False, ["ok"])
    assert result.checkpoint is not None
    assert verdict(result, chat.clock) == Verdict("failed", ("ran out of time",))


def test_a_model_that_calls_tools_after_its_time_is_up_fails() -> None:
    chat = PacedChat([Step(9, lookup_call("a")), Step(3, lookup_call("b"))], [Step(0.5, 1)])

    assert verdict(chat.run_chat(27.1), chat.clock) == Verdict("failed", ("ran out of time",))
