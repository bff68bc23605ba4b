"""Random faults: share, kinds, and repeatability by seed."""

from collections import Counter
from copy import replace
from dataclasses import fields

import pytest

from dev.demo_model.fault_injection import Faults, read_directives
from dev.demo_model.random_faults import MAX_SLOW_SECONDS, RandomFaults
from tests.unit.dev.demo_model.openai_client import Demo, user

DIRECTIVE = Faults(chaos="7", percent=40)


def drawn_faults(requested: Faults, messages: int = 2_000) -> list[Faults]:
    chaos = RandomFaults()
    return [chaos.draw(requested, f"message {number}") for number in range(messages)]


def kind(faults: Faults) -> str:
    changed = [field.name for field in fields(Faults) if getattr(faults, field.name) != getattr(DIRECTIVE, field.name)]
    return f"status={faults.status}" if faults.status else ",".join(changed)


def test_the_directive_is_parsed_with_its_seed_and_its_share() -> None:
    assert read_directives("[demo:chaos=a-7 percent=40] hi") == (Faults(chaos="a-7", percent=40), "hi")
    assert read_directives("[demo:chaos=a of=bodies] hi") == (Faults(chaos="a", of="bodies"), "hi")
    assert read_directives("[demo:chaos]hi") == (Faults(chaos=""), "hi")


def test_every_kind_of_fault_has_about_the_requested_frequency() -> None:
    counted = Counter(kind(faults) for faults in drawn_faults(DIRECTIVE))

    assert counted.keys() == {
        "",
        "status=429",
        "status=500",
        "status=503",
        "slow_ms",
        "cut",
        "malformed",
        "bad_json",
        "empty",
        "length",
        "oversize",
        "drip",
        "bomb",
    }
    assert 1_100 < counted.pop("") < 1_300
    assert min(counted.values()) > 40


def test_only_body_faults_occur_if_only_they_are_requested() -> None:
    requested = Faults(chaos="7", percent=40, of="bodies")

    counted = Counter(kind(replace(faults, of=None)) for faults in drawn_faults(requested))

    assert counted.keys() == {"", "oversize", "drip", "bomb"}


def test_only_faults_of_streams_occur_if_only_they_are_requested() -> None:
    requested = Faults(chaos="7", percent=100, of="streams")

    counted = Counter(kind(replace(faults, of=None, percent=40)) for faults in drawn_faults(requested))

    assert counted.keys() == {"cut", "error,at", "end,at", "stream_ms"}


def test_no_delay_is_longer_than_the_model_timeout() -> None:
    waits = [faults.slow_ms for faults in drawn_faults(DIRECTIVE) if faults.slow_ms]

    assert min(waits) >= 1_000
    assert max(waits) <= MAX_SLOW_SECONDS * 1_000


def test_the_same_seed_fails_the_same_requests_and_another_seed_others() -> None:
    assert drawn_faults(DIRECTIVE, 200) == drawn_faults(DIRECTIVE, 200)
    assert drawn_faults(DIRECTIVE, 200) != drawn_faults(Faults(chaos="8", percent=40), 200)


def test_each_request_with_the_same_message_is_decided_again() -> None:
    chaos = RandomFaults()

    struck = [chaos.draw(DIRECTIVE, "the same") for _ in range(100)]

    assert 20 < sum(faults != DIRECTIVE for faults in struck) < 60


def test_other_directives_are_unchanged() -> None:
    requested = Faults(chaos="7", percent=100, think=True)

    assert all(faults.think for faults in drawn_faults(requested, 100))


def test_no_fault_occurs_without_the_directive_and_the_default_share_is_three_in_ten() -> None:
    assert drawn_faults(Faults(), 100) == [Faults()] * 100
    assert 520 < sum(faults != Faults(chaos="7") for faults in drawn_faults(Faults(chaos="7"))) < 680
    assert drawn_faults(Faults(chaos="7", percent=0), 100) == [Faults(chaos="7", percent=0)] * 100


@pytest.mark.slow
def test_the_demo_model_has_the_requested_share_of_faults() -> None:
    demo = Demo()

    answers = [demo.post([user(f"[demo:chaos=1 percent=50] hello {number}")]) for number in range(200)]

    statuses = Counter(answer.status for answer in answers)
    assert statuses.keys() == {200, 429, 500, 503}
    assert any(answer.cut for answer in answers)
    assert demo.waits
