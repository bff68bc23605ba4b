"""A model that knows the reference solution passes every case of the built-in suite."""

from collections import Counter
from collections.abc import Iterator

import pytest

from flexchat.errors import ToolError
from flexchat.schema import ArgumentChecker
from flexchat.tools import CallTool
from flexchat.validation.call_matching import ReferenceCall, reference_turns
from flexchat.validation.cases import ValidationCase
from flexchat.validation.grading import grade
from flexchat.validation.suites import built_in_suites, check_suite
from flexchat.validation.verdicts import CATEGORIES, MadeCall, Outcome, Verdict
from functions.tools.mock.implementation import Implementation
from functions.tools.mock.mock import MockTool

SUITE = built_in_suites()["default"]
TOOLS = {tool.name: tool for tool in SUITE.tools}
CASES = {case.id: case for case in SUITE.cases}

MOCK = MockTool(sleep=lambda _seconds: None)


def made(call: ReferenceCall, iteration: int) -> MadeCall:
    """The call with its result: checked as the chat does, and answered by the real mock tool."""
    tool = TOOLS[call.tool]
    event = CallTool(
        tool=call.tool,
        arguments=ArgumentChecker(tool.parameters).check(call.arguments),
        implementation=tool.implementation,
        call_id="call_1",
        idempotency_key="key",
        request_id="request",
        timeout_ms=1_000,
    )
    try:
        MOCK(event, Implementation.model_validate(tool.implementation))
    except ToolError as fault:
        return MadeCall(call.tool, call.arguments, iteration, success=False, error_type=fault.type)
    return MadeCall(call.tool, call.arguments, iteration, success=True)


def right_answer(case: ValidationCase) -> Outcome:
    calls = (made(call, iteration) for iteration, turn in enumerate(reference_turns(case), start=1) for call in turn)
    return Outcome(calls=tuple(calls), content=" ".join(case.expect.answer_contains))


def first_tries() -> Iterator[tuple[str, ReferenceCall]]:
    """Natural first attempt of a model in each case of recovery."""
    yield "recover-station", ReferenceCall("list_departures", {"station": "Harborview"})
    yield "recover-invoice", ReferenceCall("get_invoice", {"invoice_number": "317"})
    yield "recover-room", ReferenceCall("book_room", {"room": "Aurora", "date": "2026-03-12", "start_time": "10:00"})
    yield "recover-archive", ReferenceCall("get_customer", {"customer_id": 5512})
    yield "recover-menu", ReferenceCall("get_lunch_menu", {"day": "Wednesday"})
    yield "recover-limit", ReferenceCall("export_rows", {"table": "measurements", "rows": 5000})
    yield "recover-user-italian", ReferenceCall("reset_password", {"user": "Priya Nair"})
    yield "recover-speed", ReferenceCall("set_machine_speed", {"machine": "lathe", "speed": 870})


FIRST_TRIES = dict(first_tries())


def test_each_category_has_at_least_seven_cases_and_the_suite_sixty_three():
    counts = Counter(case.category for case in SUITE.cases)

    assert set(counts) == set(CATEGORIES)
    assert min(counts.values()) >= 7
    assert counts.total() >= 63


def test_the_default_suite_has_no_problem():
    assert check_suite(SUITE) == ()


def test_every_tool_is_offered_in_a_case():
    assert {name for case in SUITE.cases for name in case.tools or TOOLS} == set(TOOLS)


@pytest.mark.parametrize("case", SUITE.cases, ids=lambda case: case.id)
def test_a_model_with_exactly_the_expected_calls_passes(case: ValidationCase):
    assert grade(case, right_answer(case), TOOLS) == Verdict("passed")


@pytest.mark.parametrize("case", SUITE.cases, ids=lambda case: case.id)
def test_a_model_with_the_opposite_calls_fails(case: ValidationCase):
    right = right_answer(case)
    call = made(ReferenceCall(SUITE.tools[0].name, {"city": "Paris"}), 1)
    opposite = Outcome(calls=() if right.calls else (call,), content=right.content)

    assert grade(case, opposite, TOOLS).result == "failed"


def test_each_recovery_case_has_a_first_try_in_these_tests():
    assert set(FIRST_TRIES) == {case.id for case in SUITE.cases if case.category == "error_recovery"}


@pytest.mark.parametrize("name", FIRST_TRIES)
def test_the_likely_first_try_fails_and_the_expected_call_after_it_passes(name: str):
    case, first = CASES[name], made(FIRST_TRIES[name], 1)
    (second,) = (made(call, 2) for turn in reference_turns(case) for call in turn)

    assert not first.success
    assert grade(case, Outcome((first, second), " ".join(case.expect.answer_contains)), TOOLS) == Verdict("passed")
    assert grade(case, Outcome((first,), " ".join(case.expect.answer_contains)), TOOLS).result == "failed"


@pytest.mark.parametrize("name", FIRST_TRIES)
def test_the_message_of_a_first_try_contains_the_correct_form(name: str):
    tool = TOOLS[FIRST_TRIES[name].tool]
    implementation = Implementation.model_validate(tool.implementation)
    answer = implementation.answer_to(FIRST_TRIES[name].arguments)
    message = (answer.error if answer else implementation.error) or ""

    hints = {
        "recover-station": "HBV",
        "recover-invoice": "INV-2026-04471",
        "recover-room": "11:00",
        "recover-archive": "get_archived_customer",
        "recover-menu": "we",
        "recover-limit": "1000",
        "recover-user-italian": "u-17",
        "recover-speed": "steps of 50",
    }
    assert hints[name] in message


def test_results_contain_the_values_for_the_next_calls():
    """In every case of several turns, each later argument is in the message or in a result before it."""
    for case in SUITE.cases:
        if case.category != "multi_turn":
            continue
        available = case.message
        for turn in reference_turns(case):
            for call in turn:
                for value in call.arguments.values():
                    assert _is_given(value, available), (case.id, value)
                available += result_of(call)


def result_of(call: ReferenceCall) -> str:
    implementation = Implementation.model_validate(TOOLS[call.tool].implementation)
    answer = implementation.answer_to(call.arguments)
    return str(answer.response if answer else implementation.mock_response)


def _is_given(value: object, available: str) -> bool:
    paraphrased = {"savings", "EUR", "CHF", "pharmacy"}
    return value in paraphrased or str(value).casefold() in available.casefold()
