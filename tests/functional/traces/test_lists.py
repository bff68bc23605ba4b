"""Lists of traces that change, and what a list contains."""

from itertools import chain, product
from typing import Any

import pytest
from botocore.exceptions import ClientError

from functions.traces.aws import index, merged
from tests.functional.traces.harness import DAY, NOW, Service, chat, store_chats


def test_page_after_new_traces_continues_where_the_last_one_ended(service: Service) -> None:
    chats = store_chats(service)
    first = chats.get("/api/traces", limit=2, since="1d").body
    chats.now += 60
    chats.store(chat("r7", at=chats.now))

    assert chats.ids(limit=2, since="1d", cursor=first["cursor"]) == ["r4", "r3"]


class OrderedBounds:
    """Client of DynamoDB that rejects a range that ends before it begins, as DynamoDB does."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def query(self, **request: Any) -> Any:
        values = request["ExpressionAttributeValues"]
        if values[":first"]["S"] > values[":last"]["S"]:
            raise ClientError({"Error": {"Code": "ValidationException"}}, "Query")
        return self._client.query(**request)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def test_cursor_after_the_range_of_a_relative_time_has_passed_it_is_the_end(service: Service) -> None:
    chats = store_chats(service)
    first = chats.get("/api/traces", limit=1, since="4m").body
    assert [trace["id"] for trace in first["traces"]] == ["r6"]
    chats.now += 2 * 3_600
    chats.function = chats.of(OrderedBounds(chats.dynamodb))

    assert chats.get("/api/traces", limit=1, since="4m", cursor=first["cursor"]).body == {"traces": []}


def test_rare_traces_among_many_fill_a_page_by_a_bounded_number_of_queries(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.store(*(chat(f"r{number:03}", at=NOW - 1_000 + number) for number in range(14)))
    service.store(chat("slow1", at=NOW - 2 * DAY, duration_ms=60_000), chat("slow2", at=NOW - 9, duration_ms=60_000))
    assert service.ids(min_ms=50_000, limit=2) == ["slow2", "slow1"]

    monkeypatch.setattr(merged, "MAX_QUERIES", 2 * index.PARTITIONS)
    pages: list[list[str]] = []
    cursor: dict[str, str] = {}
    while len(pages) < 20 and (cursor or not pages):
        body = service.get("/api/traces", min_ms=50_000, limit=2, **cursor).body
        pages.append([trace["id"] for trace in body["traces"]])
        cursor = {"cursor": body["cursor"]} if "cursor" in body else {}
    assert list(chain.from_iterable(pages)) == ["slow2", "slow1"]
    assert len(pages) > 2


def test_pages_of_several_partitions_are_in_order_without_gaps(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.store(*(chat(f"r{number:02}", at=NOW - 3 * DAY + number * 12_000, spans=()) for number in range(20)))
    monkeypatch.setattr(merged, "MAX_PAGE_ITEMS", 2)
    for queries, filters in product((4, 5, 7), ({}, {"caller": "ana"})):
        monkeypatch.setattr(merged, "MAX_QUERIES", queries)
        assert service.all_ids(limit=5, **filters) == [f"r{number:02}" for number in reversed(range(20))]


class CountedQueries:
    """Client of DynamoDB that records how many items each query reads."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.read: list[int] = []

    def query(self, **request: Any) -> Any:
        answer = self._client.query(**request)
        self.read.append(answer["ScannedCount"])
        return answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def test_query_reads_as_many_items_as_the_rest_of_the_page_needs_at_the_share_of_matches(service: Service) -> None:
    for number in range(16):
        rule = "rare" if number % 4 == 0 else None
        service.store(chat(f"r{number:02}", at=NOW - 100 + number, rule=rule, session_id="s1", spans=()))
    client = CountedQueries(service.dynamodb)
    service.function = service.of(client)

    assert service.ids(session="s1", rule="rare", limit=2) == ["r12", "r08"]
    # one match in 4 items: 3 more are in some 12 items, and a quarter more is read
    assert client.read == [4, 12]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"since": "yesterday"}, "'since' is 'yesterday'; send a time such as '2026-11-27T08:00:00Z'"),
        ({"until": "2x"}, "'until' is '2x'"),
        ({"since": "1h", "until": "2h"}, "'since' '1h' is after 'until'"),
    ],
)
def test_wrong_time_is_a_request_error(service: Service, query: dict[str, Any], message: str) -> None:
    answer = service.get("/api/traces", **query)

    assert answer.status == 400
    assert message in answer.body["message"]


@pytest.mark.parametrize("query", [{"limit": 0}, {"limit": 201}, {"failed": "maybe"}, {"rating": "good"}])
def test_wrong_value_of_a_filter_is_a_request_error(service: Service, query: dict[str, Any]) -> None:
    assert service.get("/api/traces", **query).status == 400


def test_summary_has_no_more_content_than_the_start_of_the_message(service: Service) -> None:
    service.store(chat("r1", message="word " * 100, answer="secret answer"))

    (trace,) = service.get("/api/traces").body["traces"]
    assert trace == {
        "id": "r1",
        "started_at": "2026-11-27T02:59:00Z",
        "duration_ms": 900,
        "front_end": "chat",
        "caller": "ana",
        "rule": "default",
        "model": "demo:good",
        "outcome": "answered",
        "failed": False,
        "tools": ["get_weather"],
        "tool_calls": 1,
        "model_calls": 2,
        "usage": {
            "input_tokens": 200,
            "output_tokens": 40,
            "cached_tokens": 0,
            "cache_write_tokens": 0,
            "reasoning_tokens": 0,
        },
        "cost_usd": 0.00028,
        "message": ("word " * 40)[:199].rstrip() + "…",
    }
    texts = str(service.items())
    assert "secret answer" not in texts


def test_profiles_of_recorded_chats_are_listed_for_operators(service: Service) -> None:
    fields = {"topic": "weather", "user_message": "What is the weather in Bern?", "intent": None}
    service.store(
        chat("first", at=NOW - 120, profile=fields),
        chat("second", rule=None),
        chat("third", at=NOW - 90_000, profile=fields),
    )

    answer = service.get("/api/traces/profiles", since="1d")

    assert (answer.status, answer.body["without_profile"]) == (200, 1)
    (profile,) = answer.body["profiles"]
    assert (profile["id"], profile["rule"], profile["fields"]) == ("first", "default", fields)
    assert profile["message"] == "What is the weather in Bern?"
    assert service.get("/api/traces/profiles", caller="ana").status == 403
