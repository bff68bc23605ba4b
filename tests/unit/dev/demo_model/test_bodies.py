"""Response bodies with a high cost for the client."""

import gzip
import json

import pytest

from dev.demo_model.bodies import BOMB_BYTES, DRIP_SECONDS, OVERSIZE_BYTES
from tests.unit.dev.demo_model.openai_client import CALCULATE, Demo, user

pytestmark = pytest.mark.slow


def test_an_oversized_body_contains_the_answer() -> None:
    plain, padded = (Demo().post([user("hello")], header=directive) for directive in (None, "oversize"))

    assert len(padded.body) == len(plain.body) + OVERSIZE_BYTES
    assert json.loads(padded.body) == json.loads(plain.body)


def test_a_gzip_bomb_is_small_in_transfer_and_contains_the_answer() -> None:
    plain, bomb = (Demo().post([user("hello")], header=directive) for directive in (None, "bomb"))

    assert bomb.headers["Content-Encoding"] == "gzip"
    assert len(bomb.body) < BOMB_BYTES / 200
    expanded = gzip.decompress(bomb.body)
    assert len(expanded) == BOMB_BYTES + len(plain.body)
    assert json.loads(expanded[: len(plain.body)]) == json.loads(plain.body)


def test_a_slow_body_pauses_after_each_byte() -> None:
    assert Demo().post([user("[demo:drip]hello")]).pause_seconds == DRIP_SECONDS


def test_a_status_fault_starts_after_the_given_number_of_turns_with_calls() -> None:
    demo = Demo()
    first_turn = user('[demo:status=400 after=1 times=1] [demo:call=calculate {"expression": "1+1"}]')
    first = demo.post([first_turn], tools=[CALCULATE])
    message = json.loads(first.body)["choices"][0]["message"]
    result = {"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": '{"success":true,"result":2}'}

    statuses = [demo.post([first_turn, message, result], tools=[CALCULATE]).status for _ in range(2)]

    assert (first.status, statuses) == (200, [400, 200])
