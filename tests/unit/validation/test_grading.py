from typing import Any

import pytest

from flexchat.validation.grading import MAX_REASON_CHARACTERS, MAX_REASONS, grade_plain
from flexchat.validation.verdicts import Limit, MadeCall, Outcome, Verdict
from tests.unit.validation.grading_samples import PASSED, case, failed, made, turn, verdict, wanted, wrong

PARIS = wanted("get_weather", city=["Paris", "Paris, France"], unit=["celsius", ""])
ROME = wanted("get_weather", city=["Rome"])


def test_a_call_with_an_accepted_value_passes() -> None:
    assert verdict(case(PARIS), made("get_weather", city="paris")) == PASSED
    assert verdict(case(PARIS), made("get_weather", city="Paris, France", unit="Celsius")) == PASSED


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"city": "Pariss"}, 'asked for city "Pariss", expected one of "Paris", "Paris, France"'),
        ({}, "left out city, which is required"),
        ({"city": "Paris", "unit": "kelvin"}, 'asked for unit "kelvin", expected "celsius"'),
        ({"city": "Paris", "days": 3}, "gave days 3, which was not asked for"),
        ({"city": "Paris", "colour": "red"}, "gave colour, which get_weather does not have"),
        ({"city": 75}, 'asked for city 75, expected one of "Paris", "Paris, France" (as string, not integer)'),
    ],
)
def test_a_wrong_argument_is_reported(arguments: dict[str, Any], reason: str) -> None:
    assert verdict(case(PARIS), made("get_weather", **arguments)) == wrong(reason)


def test_a_default_outside_the_case_must_not_be_given() -> None:
    assert verdict(case(ROME), made("get_weather", city="Rome", unit="celsius")) == wrong(
        'gave unit "celsius", which was not asked for'
    )


def test_every_problem_is_reported_at_once() -> None:
    found = verdict(
        case(wanted("get_weather", city=["Rome"], days=[3]), answer_contains=("sunny",)),
        made("get_weather", unit="celsius", days="3"),
        made("get_news", topic="rome"),
        limit="iterations",
    )
    assert found == wrong(
        'gave unit "celsius", which was not asked for',
        'asked for days "3", expected 3 (as integer, not string)',
        "left out city, which is required",
        "called get_news, which is not needed here",
        "went on calling tools until no more turns were left",
        'the answer does not say "sunny"',
    )


def test_an_expected_optional_argument_must_be_given() -> None:
    expected = case(wanted("get_weather", city=["Rome"], days=[3, 4]))
    assert verdict(expected, made("get_weather", city="Rome")) == wrong("left out days, expected one of 3, 4")


def test_a_required_argument_must_be_given_even_if_the_case_allows_its_absence() -> None:
    expected = case(wanted("get_weather", city=["Rome", ""]))
    assert verdict(expected, made("get_weather")) == wrong("left out city, which is required")


def test_arguments_that_are_no_object_are_a_problem() -> None:
    call = MadeCall("get_weather", None, iteration=1, success=False, error_type="malformed_arguments")
    assert verdict(case(PARIS), call) == wrong("sent arguments that are no JSON object")


def test_a_tool_outside_the_suite_is_graded_by_its_values() -> None:
    unknown = case(wanted("other", a=[1]))
    assert verdict(unknown, made("other", a=1)) == PASSED
    assert verdict(unknown, made("other", a=1.0)) == wrong("asked for a 1.0, expected 1 (as integer, not number)")


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        ((), "did not call get_weather"),
        (("get_news",), "called get_news, expected get_weather"),
        (("get_weather", "get_weather"), "get_weather was called 2 times, expected 1"),
        (("get_weather", "get_news", "get_news"), "called get_news 2 times, which is not needed here"),
    ],
)
def test_the_number_of_calls_must_match(calls: tuple[str, ...], reason: str) -> None:
    arguments = {"get_weather": {"city": "Paris"}, "get_news": {}}
    assert verdict(case(PARIS), *(made(name, **arguments[name]) for name in calls)) == wrong(reason)


def test_missing_calls_are_counted() -> None:
    both = case(turn(PARIS, ROME, wanted("get_weather", city=["Oslo"])))
    assert verdict(both, made("get_weather", city="Rome")) == wrong("get_weather was called once, expected 3")
    assert verdict(both) == wrong("did not call get_weather 3 times")


def test_calls_of_a_turn_can_be_in_any_order() -> None:
    both = case(turn(PARIS, ROME))
    assert verdict(both, made("get_weather", city="Rome"), made("get_weather", city="Paris")) == PASSED


def test_calls_are_paired_with_the_fewest_problems() -> None:
    both = case(turn(PARIS, ROME))
    assert verdict(both, made("get_weather", city="Rome"), made("get_weather", city="Pariss")) == wrong(
        'get_weather (1): asked for city "Pariss", expected one of "Paris", "Paris, France"'
    )


def test_a_complete_pairing_is_found_even_if_the_first_choice_prevents_it() -> None:
    both = case(turn(wanted("get_weather", city=["Paris", "Rome"]), wanted("get_weather", city=["Paris"])))
    assert verdict(both, made("get_weather", city="Paris"), made("get_weather", city="Rome")) == PASSED


def test_a_strict_order_is_required() -> None:
    ordered = case(turn(wanted("check_room", room=["A"]), wanted("book_room", room=["A"]), order="strict"))
    check, book = made("check_room", room="A"), made("book_room", room="A")
    assert verdict(ordered, check, book) == PASSED
    assert verdict(ordered, book, check) == wrong("called book_room before check_room, expected it after")


def test_parallel_calls_must_be_in_one_turn() -> None:
    at_once = case(turn(PARIS, wanted("get_news", topic=["rain"]), together=True))
    weather = made("get_weather", 1, city="Paris")
    assert verdict(at_once, weather, made("get_news", 1, topic="rain")) == PASSED
    assert verdict(at_once, weather, made("get_news", 2, topic="rain")) == wrong(
        "made the calls to get_weather and get_news one after another, expected them at once"
    )
    assert verdict(case(turn(PARIS, ROME)), weather, made("get_weather", 2, city="Rome")) == PASSED


ROOMS = case(wanted("check_room", room=["A"]), wanted("book_room", room=["A"]), category="multi_turn")


def test_turns_must_be_in_order() -> None:
    assert verdict(ROOMS, made("check_room", 1, room="A"), made("book_room", 2, room="A")) == PASSED


def test_a_turn_requested_before_the_results_of_the_previous_one_is_a_problem() -> None:
    reason = "called book_room before check_room was done"
    assert verdict(ROOMS, made("check_room", 1, room="A"), made("book_room", 1, room="A")) == wrong(reason)
    assert verdict(ROOMS, made("book_room", 1, room="A"), made("check_room", 2, room="A")) == wrong(reason)


def test_a_missing_turn_is_reported() -> None:
    assert verdict(ROOMS, made("check_room", 1, room="A")) == wrong("did not call book_room")


def test_the_same_call_in_two_turns_is_two_calls() -> None:
    twice = case(wanted("check_room", room=["A"]), wanted("check_room", room=["A"]))
    assert verdict(twice, made("check_room", 1, room="A"), made("check_room", 2, room="A")) == PASSED
    assert verdict(twice, made("check_room", 1, room="A")) == wrong("check_room was called once, expected 2")


def test_a_call_with_an_allowed_first_failure_passes() -> None:
    recovery = case(PARIS, category="error_recovery", failed_calls=1)
    first, second = failed("get_weather", 1, city="Pariss"), made("get_weather", 2, city="Paris")
    assert verdict(recovery, first, second) == PASSED
    assert verdict(recovery, second) == PASSED
    assert verdict(case(PARIS), first, second) == wrong("get_weather failed: execution_failed")


def test_more_failures_than_allowed_are_reported() -> None:
    recovery = case(PARIS, failed_calls=1)
    calls = (
        failed("get_weather", 1),
        failed("get_wether", 2, why="tool_not_found"),
        made("get_weather", 3, city="Paris"),
    )
    assert verdict(recovery, *calls) == wrong(
        "get_weather failed: execution_failed",
        "called get_wether, which it was not offered",
        "2 calls failed, expected no more than 1",
    )


def test_a_failure_without_a_later_success_fails() -> None:
    recovery = case(PARIS, failed_calls=1)
    assert verdict(recovery, failed("get_weather", city="Paris")) == wrong("get_weather failed: execution_failed")
    assert verdict(recovery, failed("get_weather", city="Oslo")) == wrong(
        'asked for city "Oslo", expected one of "Paris", "Paris, France"'
    )


def test_no_call_is_expected_without_a_suitable_tool() -> None:
    nothing = case(category="irrelevance")
    assert verdict(nothing) == PASSED
    assert verdict(nothing, made("get_weather", city="Paris")) == wrong("called get_weather though no tool fits")
    assert verdict(nothing, made("get_news"), made("get_news")) == wrong("called get_news 2 times though no tool fits")
    assert verdict(nothing, failed("get_news")) == wrong("get_news failed: execution_failed")


def test_a_model_requests_missing_information() -> None:
    assert verdict(case(category="clarification"), made("book_room", room="A")) == wrong(
        "called book_room before it asked for what is missing"
    )


def test_an_any_call_case_needs_one_successful_call() -> None:
    relevance = case(any_call=True, category="choice")
    assert verdict(relevance, made("get_news")) == PASSED
    assert verdict(relevance) == wrong("called no tool, though one fits")
    assert verdict(relevance, failed("get_news")) == wrong("get_news failed: execution_failed", "no call succeeded")
    assert verdict(relevance, made("get_weather", city="Rome"), failed("get_news")) == wrong(
        "get_news failed: execution_failed"
    )


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ("iterations", "went on calling tools until no more turns were left"),
        ("repeated_calls", "made the same call over and over"),
        ("tool_calls", "went on calling tools when no more calls were left"),
        ("deadline", "ran out of time"),
    ],
)
def test_a_reached_limit_fails_a_case(limit: Limit, reason: str) -> None:
    assert verdict(case(PARIS), made("get_weather", city="Paris"), limit=limit) == wrong(reason)
    assert grade_plain(Outcome((made("get_news"),), "", limit=limit)) == wrong(reason)


def test_the_answer_must_contain_one_of_its_texts() -> None:
    tip = case(PARIS, answer_contains=("20 °C", "twenty degrees"))
    call = made("get_weather", city="Paris")
    assert verdict(tip, call, content="It has TWENTY\n degrees.") == PASSED
    assert verdict(tip, call, content="It is mild.") == wrong(
        'the answer does not say any of "20 °C", "twenty degrees"'
    )


def test_a_provider_failure_is_no_evidence_about_the_model() -> None:
    error = Verdict("error", ("the provider could not go on: overloaded: later",))
    assert verdict(case(PARIS), error="overloaded: later") == error
    assert grade_plain(Outcome((), "", error="overloaded: later")) == error


def test_a_tool_that_could_not_run_is_no_evidence_about_the_model() -> None:
    call = failed("get_weather", city="Paris", why="unavailable")
    error = Verdict("error", ("get_weather could not be run: unavailable",))
    assert verdict(case(PARIS), call) == error
    assert grade_plain(Outcome((call,), "")) == error
    assert verdict(case(PARIS, failed_calls=1), call, made("get_weather", 2, city="Paris")) == PASSED


def test_reasons_are_limited_in_number_and_length() -> None:
    many = {f"{number:03}{'x' * 400}": 1 for number in range(500)}
    found = verdict(case(PARIS), made("get_weather", city="Paris", **many))
    assert len(found.reasons) == MAX_REASONS
    assert found.reasons[-1] == "and more"
    assert {len(reason) for reason in found.reasons[:-1]} == {MAX_REASON_CHARACTERS}


def test_long_and_many_values_are_truncated() -> None:
    expected = case(wanted("get_weather", city=[f"City {number}" for number in range(9)]))
    assert verdict(expected, made("get_weather", city="y" * 500)) == wrong(
        f'asked for city "{"y" * 58}…, expected one of "City 0", "City 1", "City 2", "City 3", "City 4" and 4 more'
    )


def test_only_the_first_hundred_calls_are_graded() -> None:
    rome = made("get_weather", city="Rome")
    assert verdict(case(turn(*[ROME] * 30)), *[rome] * 5_000) == wrong(
        "made 5,000 calls, expected 30; the first 100 are looked at", "get_weather was called 100 times, expected 30"
    )
    assert verdict(case(turn(*[ROME] * 100)), *[rome] * 100) == PASSED
    assert verdict(case(turn(*[ROME] * 100)), *[rome] * 101) == wrong(
        "made 101 calls, expected 100; the first 100 are looked at"
    )


def test_a_plain_test_passes_when_a_tool_call_succeeded() -> None:
    assert grade_plain(Outcome((failed("get_news"), made("get_news", 2)), "")) == PASSED


def test_a_plain_test_answered_directly_has_no_tool_call() -> None:
    assert grade_plain(Outcome((), "4")) == Verdict("no_tool_call")


def test_a_plain_test_with_only_failed_calls_fails() -> None:
    found = grade_plain(Outcome((failed("get_news"), failed("get_weather", why="timeout")), ""))
    assert found == wrong("get_news failed: execution_failed", "get_weather failed: timeout")
