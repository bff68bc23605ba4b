"""Grader on the data of the Berkeley Function Calling Leaderboard, compared with BFCL's checker."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from cli.suites.bfcl import ANSWERS_FOLDER, CATEGORIES, BfclImport, read_bfcl
from flexchat.config.models.tools import ToolDefinition
from flexchat.messages import Json
from flexchat.validation.call_matching import LEFT_OUT, example_of, reference_arguments
from flexchat.validation.cases import Expectation, ExpectedCall, ExpectedTurn, ValidationCase
from flexchat.validation.grading import grade
from flexchat.validation.verdicts import MadeCall, Outcome, Verdict
from tests.functional import bfcl_wheel

pytestmark = pytest.mark.slow

type Call = tuple[str, dict[str, Json]]

EVERY = 12
"""One in this many cases is checked by BFCL's checker, which takes ten times as long."""

MUTATED = 2
"""Every second case is mutated: some 20,000 verdicts in a few seconds."""

LIMIT_OF_VALUES = 4
"""Number of tried values per argument, of all correct ones."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bfcl_wheel.data(tmp_path_factory.mktemp("bfcl"))


@pytest.fixture(scope="module")
def bfcl(folder: Path) -> BfclImport:
    return read_bfcl(folder)


@pytest.fixture(scope="module")
def tools(bfcl: BfclImport) -> Mapping[str, ToolDefinition]:
    return {tool.name: tool for tool in bfcl.suite.tools}


def expected_calls(case: ValidationCase) -> tuple[ExpectedCall, ...]:
    return tuple(call for turn in case.expect.turns for call in turn.calls)


def first_tool(case: ValidationCase) -> str:
    return next(iter(case.tools or ()))


def right_calls(case: ValidationCase) -> list[Call]:
    return [(call.tool, reference_arguments(call)) for call in expected_calls(case)]


def verdict(case: ValidationCase, calls: list[Call], tools: Mapping[str, ToolDefinition]) -> Verdict:
    made = tuple(MadeCall(tool, arguments, iteration=1, success=True) for tool, arguments in calls)
    return grade(case, Outcome(made, "An answer."), tools)


def golden(call: ExpectedCall, tool: ToolDefinition, choice: int) -> dict[str, Json]:
    """Return the arguments with the `choice`-th correct value each, or the last one."""
    required = tool.parameters.get("required")
    arguments: dict[str, Json] = {}
    for name, values in call.arguments.items():
        value = values[min(choice, len(values) - 1)]
        if value == LEFT_OUT and isinstance(required, list) and name in required:
            value = next((each for each in values if each != LEFT_OUT), LEFT_OUT)
        elif value == LEFT_OUT:
            continue
        arguments[name] = example_of(value)
    return arguments


def wrong_values(value: Json) -> list[Json]:
    """Return values of another type and of the same type."""
    match value:
        case bool():
            return [str(value), int(value), not value]
        case int():
            return [str(value), value + 10_001, True]
        case float():
            return [str(value), value + 10_001.5]
        case str():
            return [4711, True, [value], f"{value}zzz"]
        case list():
            return ["text", [*value, "zzz"], {"a": value}]
        case dict():
            return ["text", [value], {**value, "zzz": 1}]
        case None:
            return ["text"]


def mutations(case: ValidationCase, tools: Mapping[str, ToolDefinition]) -> Iterator[tuple[str, list[Call]]]:
    """Return calls with one error each, by the name of the error."""
    calls = right_calls(case)
    yield "missing call", calls[1:]
    yield "extra call", [*calls, calls[-1]]
    for place, (expected, (tool, arguments)) in enumerate(zip(expected_calls(case), calls, strict=True)):

        def instead(call: Call, place: int = place) -> list[Call]:
            return [*calls[:place], call, *calls[place + 1 :]]

        yield "wrong name", instead((f"{tool}_zzz", arguments))
        yield "unknown parameter", instead((tool, {**arguments, "zzz": 1}))
        required = tools[tool].parameters.get("required")
        for name, value in arguments.items():
            if LEFT_OUT not in expected.arguments[name] or (isinstance(required, list) and name in required):
                rest = {other: kept for other, kept in arguments.items() if other != name}
                yield "dropped argument", instead((tool, rest))
            # A correct value in another form is no mutation.
            mistaken = (each for each in wrong_values(value) if each not in expected.arguments[name])
            yield from (("wrong value", instead((tool, {**arguments, name: each}))) for each in mistaken)


def test_all_cases_except_contradictory_ones_can_run(bfcl: BfclImport) -> None:
    reasons = Counter(
        "offers no tool"
        if problem.message == "offers no tool"
        else "a required parameter is not in the answer"
        if "Missing required parameter" in problem.message
        else "the answer has a parameter that is not in the schema"
        if "has no parameter" in problem.message
        else "the answer has no value that would be right"
        if "needs at least one value" in problem.message
        else "the schema refuses the answer"
        if "rejects it" in problem.message
        else problem.message
        for problem in bfcl.skipped
    )
    assert len(bfcl.suite.cases) == 3_459
    assert reasons == {
        "offers no tool": 4,
        "a required parameter is not in the answer": 4,
        "the answer has a parameter that is not in the schema": 4,
        "the answer has no value that would be right": 2,
        "the schema refuses the answer": 18,
    }


def test_every_golden_answer_passes(bfcl: BfclImport, tools: Mapping[str, ToolDefinition]) -> None:
    graded: Counter[str] = Counter()
    for case in bfcl.suite.cases:
        if case.expect.any_call:
            assert verdict(case, [(first_tool(case), {})], tools) == Verdict("passed")
        for choice in range(LIMIT_OF_VALUES):
            calls = [(call.tool, golden(call, tools[call.tool], choice)) for call in expected_calls(case)]
            if not case.expect.any_call:
                assert (case.id, verdict(case, calls, tools)) == (case.id, Verdict("passed"))
        graded[case.category] += 1
    assert graded == {"single": 654, "choice": 1_250, "parallel": 216, "parallel_choice": 219, "irrelevance": 1_120}


def test_every_mutation_fails(bfcl: BfclImport, tools: Mapping[str, ToolDefinition]) -> None:
    graded: Counter[str] = Counter()
    for case in [case for case in bfcl.suite.cases if case.expect.turns][::MUTATED]:
        for kind, calls in mutations(case, tools):
            found = verdict(case, calls, tools)
            assert (case.id, kind, calls, found.result) == (case.id, kind, calls, "failed")
            graded[kind] += 1
    assert min(graded.values()) > 1_000
    assert set(graded) == {
        "missing call", "extra call", "wrong name", "unknown parameter", "dropped argument", "wrong value",
    }  # fmt: skip


def test_unexpected_calls_and_missing_calls_fail(bfcl: BfclImport, tools: Mapping[str, ToolDefinition]) -> None:
    for case in bfcl.suite.cases:
        if case.expect.any_call:
            assert verdict(case, [], tools) == Verdict("failed", ("called no tool, though one fits",))
        elif not case.expect.turns:
            tool = first_tool(case)
            assert verdict(case, [(tool, {})], tools) == Verdict("failed", (f"called {tool} though no tool fits",))


def test_call_order_is_checked_only_for_strict_cases(bfcl: BfclImport, tools: Mapping[str, ToolDefinition]) -> None:
    reversed_cases = 0
    for case in bfcl.suite.cases:
        calls, wanted = right_calls(case), expected_calls(case)
        backwards = calls[::-1]
        # Interchangeable calls have no order.
        if len(calls) < 2 or wanted[0].tool == wanted[-1].tool:
            continue
        strict = Expectation(turns=(ExpectedTurn(calls=wanted, order="strict"),))
        in_order = case.model_copy(update={"expect": strict})
        assert verdict(case, backwards, tools) == Verdict("passed")
        assert verdict(in_order, calls, tools) == Verdict("passed")
        assert verdict(in_order, backwards, tools).result == "failed"
        reversed_cases += 1
    assert reversed_cases > 150


def test_grader_agrees_with_the_checker_of_bfcl(
    bfcl: BfclImport,
    folder: Path,
    tools: Mapping[str, ToolDefinition],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_right = bfcl_wheel.checker(tmp_path, monkeypatch)
    compared: Counter[str] = Counter()
    cases = {case.id: case for case in bfcl.suite.cases if case.expect.turns}
    for category, question, answer in rows(folder):
        case = cases.get(question["id"])
        if case is None:
            continue
        names = {ours: each["name"] for ours, each in zip(case.tools or (), question["function"], strict=True)}
        for kind, calls in (("golden", right_calls(case)), ("letters", in_capitals(case)), *mutations(case, tools)):
            theirs = [(names.get(tool, tool), deepcopy(arguments)) for tool, arguments in calls]
            right = is_right(question["function"], theirs, answer["ground_truth"], category)
            assert (case.id, calls, verdict(case, calls, tools).result == "passed") == (case.id, calls, right)
            compared[kind] += 1
    assert compared["golden"] > 150
    assert compared.total() > 3_000


def rows(folder: Path) -> Iterator[tuple[str, Any, Any]]:
    """Some questions of BFCL with their answers, by category."""
    for category in CATEGORIES:
        answers = folder / ANSWERS_FOLDER / f"BFCL_v4_{category}.json"
        if answers.exists():
            questions = (folder / answers.name).read_text().splitlines()
            pairs = zip(questions, answers.read_text().splitlines(), strict=True)
            yield from ((category, json.loads(left), json.loads(right)) for left, right in list(pairs)[::EVERY])


def in_capitals(case: ValidationCase) -> list[Call]:
    """Return the correct calls with texts in capitals and with ignored punctuation."""
    return [
        (tool, {name: f"{value.upper()} ." if isinstance(value, str) else value for name, value in arguments.items()})
        for tool, arguments in right_calls(case)
    ]
