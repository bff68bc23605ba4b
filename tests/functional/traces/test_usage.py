"""Reports of usage."""

from typing import Any

import pytest

from flexchat.traces import TraceUsage
from tests.functional.traces.harness import DAY, NOW, Service, chat, model_call, tool_call


def rows(service: Service, *, caller: str = "root", **query: Any) -> list[dict[str, Any]]:
    answer = service.get("/api/usage", caller=caller, **query)
    assert answer.status == 200, answer.body
    return [{name: value for name, value in row.items() if value} for row in answer.body["rows"]]


@pytest.fixture
def chats(service: Service) -> Service:
    """Service with three chats of two callers on two days."""
    unpriced = model_call(name="demo:free", cost_usd=None)
    service.store(
        chat("r1", at=NOW - 2 * DAY),
        chat("r2", caller="bob", rule="other", outcome="model_failed", spans=(model_call(), unpriced)),
        chat("r3", spans=(model_call(), tool_call(error="timeout"), tool_call(), tool_call("get_time"), model_call(2))),
    )
    return service


def test_usage_by_day_is_the_sum_of_its_chats(chats: Service) -> None:
    assert rows(chats) == [
        {
            "day": "2026-11-27",
            "chats": 2,
            "failed": 2,
            "model_calls": 4,
            "tool_calls": 3,
            "input_tokens": 400,
            "output_tokens": 80,
            "cost_usd": 0.00042,
            "unpriced_tokens": 120,
        },
        {
            "day": "2026-11-25",
            "chats": 1,
            "model_calls": 2,
            "tool_calls": 1,
            "input_tokens": 200,
            "output_tokens": 40,
            "cost_usd": 0.00028,
        },
    ]


def test_usage_by_caller_rule_model_and_tool(chats: Service) -> None:
    today = {"since": "2026-11-27"}

    def numbers(group: str, *names: str) -> list[tuple[Any, ...]]:
        found = rows(chats, group=group, **today)
        return [tuple(row.get(name, 0) for name in ("name", *names)) for row in found]

    assert numbers("caller", "chats", "cost_usd") == [("ana", 1, 0.00028), ("bob", 1, 0.00014)]
    assert numbers("rule", "chats", "failed") == [("default", 1, 1), ("other", 1, 1)]
    assert numbers("model", "chats", "model_calls", "input_tokens", "cost_usd", "unpriced_tokens") == [
        ("demo:good", 2, 3, 300, 0.00042, 0),
        ("demo:free", 1, 1, 100, 0, 120),
    ]
    assert numbers("tool", "chats", "failed", "tool_calls") == [("get_time", 1, 0, 1), ("get_weather", 1, 1, 2)]


def test_tokens_of_a_trace_without_cost_are_unpriced(service: Service) -> None:
    usage = TraceUsage(input_tokens=70, output_tokens=30, cached_tokens=20, reasoning_tokens=10)
    service.store(chat(spans=(), usage=usage, cost_usd=None))

    (row,) = rows(service)
    assert (row["input_tokens"], row["unpriced_tokens"], row.get("cost_usd")) == (70, 100, None)


def test_user_sees_own_usage_alone(chats: Service) -> None:
    assert [(row["day"], row.get("name"), row["chats"]) for row in rows(chats, caller="ana")] == [
        ("2026-11-27", None, 1),
        ("2026-11-25", None, 1),
    ]
    assert [(row["name"], row["chats"]) for row in rows(chats, caller="bob", group="caller")] == [("bob", 1)]
    for group in ("model", "tool", "rule"):
        assert chats.get("/api/usage", caller="ana", group=group).status == 403


def test_caller_whose_name_begins_like_another_has_usage_of_their_own(service: Service) -> None:
    service.store(chat(caller="ana"), chat(caller="ana#1"), chat(caller="anab"))

    assert [row["chats"] for row in rows(service, caller="ana")] == [1]
    assert sorted(row["name"] for row in rows(service, group="caller")) == ["ana", "ana#1", "anab"]


def test_report_has_the_last_thirty_days_by_default(service: Service) -> None:
    answer = service.get("/api/usage")

    assert answer.body == {"group": "day", "since": "2026-10-29", "until": "2026-11-27", "rows": []}


def test_usage_is_kept_longer_than_the_trace(chats: Service) -> None:
    chats.now += 40 * DAY

    assert chats.ids() == []
    assert len(rows(chats, since="2026-11-01", until="2026-11-30")) == 2


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"since": "2026-11-28"}, "'since' '2026-11-28' is after 'until' '2026-11-27'; send an earlier one"),
        ({"since": "2026-01-01"}, "the days from '2026-01-01' to '2026-11-27' are more than 100; send fewer"),
    ],
)
def test_wrong_range_is_a_request_error(service: Service, query: dict[str, str], message: str) -> None:
    answer = service.get("/api/usage", **query)

    assert (answer.status, answer.body["message"]) == (400, message)


@pytest.mark.parametrize("query", [{"group": "hour"}, {"since": "2h"}])
def test_wrong_group_or_day_is_a_request_error(service: Service, query: dict[str, str]) -> None:
    assert service.get("/api/usage", **query).status == 400
