"""Usage from the command line."""

import json
from typing import Any

import pytest

from tests.unit.cli.command_runner import Flexchat, SentRequest

ROW: dict[str, Any] = {
    "day": "2026-11-27",
    "chats": 1200,
    "failed": 3,
    "model_calls": 2000,
    "tool_calls": 900,
    "input_tokens": 5_000_000,
    "output_tokens": 40_000,
    "cached_tokens": 4_000_000,
    "cache_write_tokens": 10,
    "reasoning_tokens": 7,
    "cost_usd": 1.25,
    "unpriced_tokens": 0,
}
FREE: dict[str, Any] = {**ROW, "day": "2026-11-26", "chats": 1, "cost_usd": 0, "unpriced_tokens": 5_040_000}


def report(group: str, *rows: dict[str, Any]) -> dict[str, Any]:
    return {"group": group, "since": "2026-11-20", "until": "2026-11-27", "rows": [*rows], "newer": 1}


def test_usage_is_a_row_for_each_day_and_a_missing_price_is_no_zero(flexchat: Flexchat) -> None:
    service = flexchat.serve(report("day", ROW, FREE))

    code, printed, _ = flexchat.type("usage", "--since", "2026-11-20", "--until", "2026-11-27", columns=160)

    assert code == 0
    assert printed.splitlines() == [
        (
            "DAY         CHATS  FAILED  MODEL CALLS  TOOL CALLS       INPUT     CACHED  CACHE WRITE  OUTPUT  REASONING"
            "       COST"
        ),
        (
            "2026-11-27  1,200       3        2,000         900   5,000,000  4,000,000           10  40,000          7"
            "      $1.25"
        ),
        (
            "2026-11-26      1       3        2,000         900   5,000,000  4,000,000           10  40,000          7"
            "          ?"
        ),
        (
            "total       1,201       6        4,000       1,800  10,000,000  8,000,000           20  80,000         14"
            "  $1.25 + ?"
        ),
        "? 5,040,000 tokens have no price; set input_price and output_price of their models",
    ]
    assert service.requests == [SentRequest("GET", "/api/usage?group=day&since=2026-11-20&until=2026-11-27")]


def test_the_days_of_a_model_are_one_row_and_the_largest_is_first(flexchat: Flexchat) -> None:
    small = {**ROW, "name": "a", "input_tokens": 1, "output_tokens": 0, "cost_usd": 0.000001}
    rows = [small, {**ROW, "name": "b"}, {**ROW, "day": "2026-11-26", "name": "b"}]
    service = flexchat.serve(report("model", *rows))

    printed = flexchat.type("usage", "--by", "model", columns=160)[1]

    assert [(line.split()[0], line.split()[-1]) for line in printed.splitlines()] == [
        ("MODEL", "COST"),
        ("b", "$2.5"),
        ("a", "$0.000001"),
    ]
    assert service.requests == [SentRequest("GET", "/api/usage?group=model")]


def test_calls_of_a_tool_have_no_cost(flexchat: Flexchat) -> None:
    row = {"day": "2026-11-27", "name": "calculate", "chats": 2, "tool_calls": 3}
    flexchat.serve(report("tool", row))

    printed = flexchat.type("usage", "--by", "tool", columns=160)[1]

    assert printed.splitlines()[1].split() == ["calculate", "2", "0", "0", "3", "0", "0", "0", "0", "0"]


def test_json_is_the_unchanged_response(flexchat: Flexchat) -> None:
    flexchat.serve(report("day", ROW))

    assert json.loads(flexchat.type("usage", "--json")[1]) == report("day", ROW)


def test_no_usage_has_its_period(flexchat: Flexchat) -> None:
    flexchat.serve(report("day"))

    assert flexchat.type("usage")[1] == "no usage from 2026-11-20 to 2026-11-27"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--by", "session"], "'session' is not one of"),
        (["--since", "soon"], "must be a time ago such as 30m, 2h or 7d, or ISO 8601"),
    ],
)
def test_wrong_options_are_usage_errors(arguments: list[str], problem: str, flexchat: Flexchat) -> None:
    flexchat.serve()

    code, _, errors = flexchat.type("usage", *arguments)

    assert code == 2
    assert problem in errors


MONTH = "2026-12-01T00:00:00Z"
LIMITS: list[dict[str, Any]] = [
    {"name": "requests_per_minute", "allowed": 600, "used": 12, "reserved": 0, "resets_at": "2026-11-29T10:30:00Z"},
    {"name": "usd_per_month", "allowed": 20, "used": 1.25, "reserved": 0.01, "resets_at": MONTH},
    {"name": "usd_per_month", "allowed": 500, "used": 1.25, "reserved": 0, "resets_at": MONTH, "role": "analyst"},
]


def test_limits_have_a_row_each_with_their_use_and_reset(flexchat: Flexchat) -> None:
    service = flexchat.serve({"principal": "k3m9x2p7qd", "roles": ["user"], "limits": LIMITS})

    code, printed, _ = flexchat.type("usage", "--limits", columns=120)

    assert code == 0
    assert printed.splitlines() == [
        "LIMIT                          USED  RESERVED    OF  RESETS AT",
        "requests_per_minute              12         0   600  2026-11-29 10:30",
        "usd_per_month                 $1.25     $0.01   $20  2026-12-01 00:00",
        "usd_per_month (role analyst)  $1.25        $0  $500  2026-12-01 00:00",
    ]
    assert service.requests == [SentRequest("GET", "/api/me")]


@pytest.mark.parametrize(("limits", "text"), [({"limits": []}, "no limits"), ({}, "the limits cannot be read now")])
def test_a_token_without_limits_is_told_so(flexchat: Flexchat, limits: dict[str, Any], text: str) -> None:
    flexchat.serve({"principal": "k3m9x2p7qd", "roles": ["user"], **limits})

    code, printed, _ = flexchat.type("usage", "--limits")

    assert (code, printed.strip()) == (0, text)


def test_limits_as_json_are_those_of_the_service(flexchat: Flexchat) -> None:
    flexchat.serve({"principal": "k3m9x2p7qd", "roles": ["user"], "limits": LIMITS})

    _, printed, _ = flexchat.type("usage", "--limits", "--json")

    assert json.loads(printed) == {"limits": LIMITS}
