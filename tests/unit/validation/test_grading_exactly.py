"""A case is passed exactly when its calls match those made: compared with trying every pairing."""

from itertools import pairwise, permutations
from random import Random

import pytest

from flexchat.validation.cases import Expectation, ExpectedCall, ExpectedTurn, ValidationCase
from flexchat.validation.verdicts import MadeCall
from tests.unit.validation.grading_samples import case, failed, made, turn, verdict, wanted

ROOMS = ("A", "B")
TOOLS = ("check_room", "book_room")


def some_case(draw: Random) -> ValidationCase:
    turns = [
        turn(
            *(
                wanted(draw.choice(TOOLS), room=draw.sample(ROOMS, draw.randint(1, 2)))
                for _ in range(draw.randint(1, 2))
            ),
            order=draw.choice(("any", "strict")),
            together=draw.random() < 0.3,
        )
        for _ in range(draw.randint(1, 2))
    ]
    return case(*turns, failed_calls=draw.randint(0, 1))


def some_calls(draw: Random) -> tuple[MadeCall, ...]:
    iteration, calls = 1, list[MadeCall]()
    for _ in range(draw.randint(0, 4)):
        iteration += draw.random() < 0.5
        of = made if draw.random() < 0.85 else failed
        calls.append(of(draw.choice(TOOLS), iteration, room=draw.choice(ROOMS)))
    return tuple(calls)


def is_right(expect: Expectation, calls: tuple[MadeCall, ...]) -> bool:
    done = [call for call in calls if call.success]
    places = [(number, each) for number, turn in enumerate(expect.turns) for each in turn.calls]
    if len(calls) - len(done) > expect.failed_calls or len(done) != len(places):
        return False
    return any(fits(expect.turns, places, order, done) for order in permutations(range(len(done))))


def fits(
    turns: tuple[ExpectedTurn, ...],
    places: list[tuple[int, ExpectedCall]],
    order: tuple[int, ...],
    done: list[MadeCall],
) -> bool:
    """Return true when the calls in this order are the expected ones, one after another."""
    if any(
        done[at].tool != each.tool or (done[at].arguments or {})["room"] not in each.arguments["room"]
        for at, (_, each) in zip(order, places, strict=True)
    ):
        return False
    of_turn = [
        [at for at, (number, _) in zip(order, places, strict=True) if number == turn] for turn in range(len(turns))
    ]
    waits = all(
        max(done[at].iteration for at in before) < min(done[at].iteration for at in after)
        for before, after in pairwise(of_turn)
    )
    orders = all(turn.order == "any" or ats == sorted(ats) for turn, ats in zip(turns, of_turn, strict=True))
    at_once = all(
        not turn.together or len({done[at].iteration for at in ats}) == 1
        for turn, ats in zip(turns, of_turn, strict=True)
    )
    return waits and orders and at_once


@pytest.mark.slow
def test_a_case_passes_exactly_if_its_expected_and_actual_calls_can_be_paired() -> None:
    draw = Random(11)  # noqa: S311 # repeatable, no secret
    passed = 0
    for _ in range(12_000):
        each, calls = some_case(draw), some_calls(draw)
        found = verdict(each, *calls)
        assert (each.expect, calls, found.result == "passed") == (each.expect, calls, is_right(each.expect, calls))
        assert (found.result == "passed") is (found.reasons == ())
        passed += found.result == "passed"
    assert passed > 200
