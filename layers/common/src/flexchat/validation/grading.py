"""Grading of cases: the rules of BFCL for one turn, our own for several turns and for recovery."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, assert_never

from flexchat.config.models.tools import ToolDefinition
from flexchat.text import truncate
from flexchat.validation.call_matching import assign
from flexchat.validation.cases import Expectation, ExpectedTurn, ValidationCase
from flexchat.validation.mismatch_report import explained, is_right
from flexchat.validation.verdicts import Limit, MadeCall, Outcome, Verdict

MAX_REASONS: Final = 20
MAX_REASON_CHARACTERS: Final = 300

NOT_THE_MODELS: Final = frozenset({"unavailable", "configuration"})
"""Failures of tools that no model can prevent; prepared answers never fail in these ways."""


def grade(case: ValidationCase, outcome: Outcome, tools: Mapping[str, ToolDefinition]) -> Verdict:
    """Return the verdict on an outcome, with every reason of a failure.

    `tools` are those of the case's suite by name: their schemas define the required arguments and where any number is
    accepted. `error` is no evidence about the model: its provider did not answer, or a tool was unavailable.
    """
    return _verdict(outcome, _reasons(case, outcome, tools))


def grade_plain(outcome: Outcome) -> Verdict:
    """Return the verdict on a query that only expects a suitable tool call (decision C57)."""
    if outcome.error is None and not outcome.calls:
        return Verdict("no_tool_call")
    return _verdict(outcome, _plain_reasons(outcome))


def _verdict(outcome: Outcome, reasons: Iterator[str]) -> Verdict:
    if outcome.error is not None:
        return Verdict("error", _bounded((f"the provider could not go on: {outcome.error}",)))
    wrong = _bounded(reasons)
    if not wrong:
        return Verdict("passed")
    if absent := {call.tool: call.error_type for call in outcome.calls if call.error_type in NOT_THE_MODELS}:
        return Verdict("error", _bounded(f"{tool} could not be run: {kind}" for tool, kind in absent.items()))
    return Verdict("failed", wrong)


def _reasons(case: ValidationCase, outcome: Outcome, tools: Mapping[str, ToolDefinition]) -> Iterator[str]:
    expect = case.expect
    if not _calls_are_right(expect, outcome.calls, tools):
        yield from explained(case, outcome.calls, tools)
    if outcome.limit:
        yield _limit(outcome.limit)
    if expect.answer_contains and not _holds_one(outcome.content, expect.answer_contains):
        texts = ", ".join(f'"{text}"' for text in expect.answer_contains)
        yield f"the answer does not say {'any of ' if len(expect.answer_contains) > 1 else ''}{texts}"


def _plain_reasons(outcome: Outcome) -> Iterator[str]:
    if not any(call.success for call in outcome.calls):
        yield from (f"{call.tool} failed: {call.error_type}" for call in outcome.calls)
    if outcome.limit:
        yield _limit(outcome.limit)


def _calls_are_right(expect: Expectation, calls: tuple[MadeCall, ...], tools: Mapping[str, ToolDefinition]) -> bool:
    """Return whether the successful calls are the expected ones, turn by turn, with no more failures than allowed."""
    done = tuple(call for call in calls if call.success)
    if len(calls) - len(done) > expect.failed_calls:
        return False
    if expect.any_call and not expect.turns:
        return bool(done)
    if len(done) != sum(len(turn.calls) for turn in expect.turns):
        return False
    start, last = 0, 0
    for turn in expect.turns:
        made = done[start : start + len(turn.calls)]
        if made[0].iteration <= last or not _turn_is_right(turn, made, tools):
            return False
        start, last = start + len(turn.calls), made[-1].iteration
    return True


def _turn_is_right(turn: ExpectedTurn, made: tuple[MadeCall, ...], tools: Mapping[str, ToolDefinition]) -> bool:
    """Return true when a turn has the expected number of calls and they match one to one."""
    if turn.together and made[0].iteration != made[-1].iteration:
        return False
    wrong = [[int(not is_right(call, wanted, tools.get(wanted.tool))) for call in made] for wanted in turn.calls]
    match turn.order:
        case "strict":
            return not any(wrong[index][index] for index in range(len(made)))
        case "any":
            return not any(wrong[row][column] for row, column in enumerate(assign(wrong)) if column is not None)
        case _:
            assert_never(turn.order)


def _limit(limit: Limit) -> str:
    match limit:
        case "iterations":
            return "went on calling tools until no more turns were left"
        case "repeated_calls":
            return "made the same call over and over"
        case "tool_calls":
            return "went on calling tools when no more calls were left"
        case "deadline":
            return "ran out of time"
        case _:
            assert_never(limit)


def _holds_one(content: str, texts: tuple[str, ...]) -> bool:
    answer = _folded(content)
    return any(_folded(text) in answer for text in texts)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _bounded(reasons: Iterable[str]) -> tuple[str, ...]:
    """Return each reason once, truncated so that records stay small."""
    found = tuple(dict.fromkeys(islice(reasons, 10 * MAX_REASONS)))
    shown = tuple(truncate(text, MAX_REASON_CHARACTERS) for text in found)
    return shown if len(shown) <= MAX_REASONS else (*shown[: MAX_REASONS - 1], "and more")
