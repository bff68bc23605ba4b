"""Single use of resume tokens: leases, crashes and failed writes."""

from copy import replace

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, FlexchatError, Problem, RequestError, UnavailableError
from functions.chat.resumption.tokens import LIFETIME_SECONDS
from tests.unit.chat.token_fakes import ALICE, BOB, STATE, Tokens
from tests.unit.config.sources import logged

USED = (409, "resume_token_used")
IN_USE = (409, "resume_token_in_use")


def test_token_is_valid_for_one_answer(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.complete(tokens.redeem(token))

    assert [tokens.refusal(token), tokens.refusal(token, run="one")] == [USED, USED]
    tokens.clock.now += LIFETIME_SECONDS - 1
    assert tokens.refusal(token) == USED


def test_a_token_in_use_is_rejected_with_the_end_of_its_lease(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.redeem(token)

    with pytest.raises(RequestError, match="after 1970-01-12T13:47:10") as caught:
        tokens.redeem(token, run="two")
    assert (caught.value.status, caught.value.code) == IN_USE


def test_a_token_of_a_crashed_request_is_usable_after_its_lease(tokens: Tokens) -> None:
    token = tokens.issue()
    crashed = tokens.redeem(token)
    tokens.clock.now += 30

    resumption = tokens.redeem(token, run="two")
    assert resumption.state == STATE

    tokens.complete(crashed)
    assert tokens.refusal(token, run="three") == IN_USE
    tokens.complete(resumption)
    assert tokens.refusal(token, run="three") == USED


def test_redelivered_request_redeems_its_token_again(tokens: Tokens) -> None:
    token = tokens.issue()

    first, again = tokens.redeem(token, run="one"), tokens.redeem(token, run="one")

    assert replace(first, deadline=again.deadline) == again


def test_a_token_of_a_failed_request_is_usable_again_at_once(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.fail(tokens.redeem(token))

    assert tokens.redeem(token, run="two").state == STATE


def test_tokens_of_two_callers_are_independent(tokens: Tokens) -> None:
    mine, other = tokens.issue(), tokens.issue(caller=BOB)
    tokens.complete(tokens.redeem(mine))

    assert tokens.redeem(other, BOB).state == STATE


@pytest.mark.parametrize(
    "failure", [UnavailableError("not now"), ConfigError((Problem("table", "denied"),))], ids=["unavailable", "denied"]
)
@pytest.mark.parametrize("part", ["key", "states"])
def test_a_failed_write_of_the_state_is_logged_and_no_token_is_issued(
    tokens: Tokens, capsys: pytest.CaptureFixture[str], part: str, failure: FlexchatError
) -> None:
    (tokens.key if part == "key" else tokens.states).failure = failure

    assert tokens.resume_tokens.issue(STATE, caller=ALICE, deadline=Deadline.after(30)) is None

    (line,) = logged(capsys.readouterr().out)
    assert (line["level"], line["message"]) == ("WARNING", "resume token not issued")
    assert line["reason"] == str(failure)


@pytest.mark.parametrize("part", ["key", "states"])
def test_a_token_that_cannot_be_checked_stays_valid(tokens: Tokens, part: str) -> None:
    token = tokens.issue()
    broken = tokens.key if part == "key" else tokens.states
    broken.failure = UnavailableError("not now")
    with pytest.raises(UnavailableError):
        tokens.redeem(token)

    broken.failure = None
    assert tokens.redeem(token, run="two").state == STATE


def test_failed_write_at_the_end_is_logged_and_not_raised(tokens: Tokens, capsys: pytest.CaptureFixture[str]) -> None:
    late = replace(tokens.redeem(tokens.issue()), deadline=Deadline.after(0))
    capsys.readouterr()

    tokens.complete(late)
    tokens.fail(late)

    lines = logged(capsys.readouterr().out)
    assert [(line["level"], line["message"]) for line in lines] == [
        ("WARNING", "resume token not marked as used"),
        ("WARNING", "resume token not released"),
    ]


def test_a_token_of_a_crashed_long_request_is_usable_again_after_half_a_minute(tokens: Tokens) -> None:
    token = tokens.issue()
    tokens.redeem(token, run="one", seconds=600)
    tokens.clock.now += 29
    assert tokens.refusal(token, run="two") == IN_USE
    tokens.clock.now += 2
    assert tokens.redeem(token, run="two").state == STATE
    assert not tokens.beats[0]()


def test_a_token_of_a_running_long_request_stays_in_use(tokens: Tokens) -> None:
    token = tokens.issue()
    resumption = tokens.redeem(token, run="one", seconds=600)
    for _ in range(6):
        tokens.clock.now += 10
        assert tokens.beats[0]()
    tokens.clock.now += 29
    assert tokens.refusal(token, run="two") == IN_USE
    tokens.complete(resumption)
    assert not tokens.beats[0]()
    assert tokens.refusal(token, run="two") == USED
