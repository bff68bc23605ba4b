"""Report of a chaos run: failures, the command that repeats them, and violations."""

from copy import replace

import pytest

from dev.chaos.outcome import Outcome
from dev.chaos.report import minimum, report
from tests.unit.dev.chaos.plans import outcome


def again(number: int | None) -> str:
    return f"again {number}"


def succeeded(number: int, *violations: str, **changes: object) -> Outcome:
    return replace(outcome(*violations, number=number, **changes), succeeded=True)


def test_a_run_without_violations_passes(capsys: pytest.CaptureFixture[str]) -> None:
    passing = report([succeeded(1), succeeded(2)], seconds=9, again=again)

    printed = capsys.readouterr().out
    assert passing
    assert ["calm", "2", "2", "2"] in [line.split() for line in printed.splitlines()]
    assert ["plain", "complete", "2", "2"] in [line.split() for line in printed.splitlines()]
    assert "at least 250 ms, 0 answers late\n" in printed
    assert printed.endswith("no violations in 2 chats; again: again None\n")


def test_each_violation_has_the_command_that_reproduces_it(capsys: pytest.CaptureFixture[str]) -> None:
    found = [succeeded(number, "it was late", fault_group="models") for number in range(25, 0, -1)]

    passing = report(found, seconds=9, again=again)

    printed = capsys.readouterr().out
    assert not passing
    assert "chat 7 (plain, models): it was late\n    again 7\n" in printed
    assert "chat 21 " not in printed
    assert printed.endswith("… and 5 more\n25 violations in 25 chats; again: again None\n")


def test_a_failed_chat_without_faults_is_a_violation(capsys: pytest.CaptureFixture[str]) -> None:
    passing = report([*map(succeeded, range(1, 100)), outcome(number=100)], seconds=9, again=again)

    assert not passing
    assert "99 of 100 chats succeeded (calm), 100 must\n" in capsys.readouterr().out


def test_a_chat_that_waited_for_a_processor_is_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    hindered = replace(outcome(number=3), waited=10.0)

    passing = report([succeeded(1), hindered], seconds=9, again=again)

    assert passing
    printed = capsys.readouterr().out
    assert ["calm", "2", "1", "1", "1"] in [line.split() for line in printed.splitlines()]


def test_the_minimum_of_a_short_run_has_a_statistical_tolerance() -> None:
    assert [minimum("calm", chats) for chats in (1, 100)] == [1, 100]
    assert [minimum("models", chats) for chats in (1, 10, 100, 1_000)] == [0, 4, 68, 762]
