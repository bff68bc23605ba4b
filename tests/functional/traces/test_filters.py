"""Filters and pages of lists of traces that do not change."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from tests.aws import emulated_aws
from tests.functional.traces.harness import Service, store_chats


@pytest.fixture(scope="module")
def chats() -> Iterator[Service]:
    """Service with six chats, for tests that change nothing."""
    with pytest.MonkeyPatch.context() as monkeypatch, emulated_aws(monkeypatch):
        yield store_chats(Service())


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["r6", "r5", "r4", "r3", "r2", "r1"]),
        ({"caller": "bob"}, ["r6", "r2"]),
        ({"session": "s1"}, ["r2", "r1"]),
        ({"session": "s1", "caller": "bob"}, ["r2"]),
        ({"model": "demo:bad"}, ["r3"]),
        ({"rule": "other"}, ["r2"]),
        ({"tool": "get_weather"}, ["r6", "r3", "r2", "r1"]),
        ({"tool": "get_weather", "caller": "bob", "rule": "default"}, ["r6"]),
        ({"outcome": "answered", "model": "demo:good"}, ["r6", "r5", "r4", "r2", "r1"]),
        ({"outcome": "model_failed"}, ["r3"]),
        ({"failed": "true"}, ["r5", "r3"]),
        ({"failed": "false"}, ["r6", "r4", "r2", "r1"]),
        ({"failed": "true", "tool": "get_time"}, ["r5"]),
        ({"min_ms": 1_000}, ["r4"]),
        ({"since": "5m"}, ["r6", "r5", "r4"]),
        ({"since": "2h", "until": "250s"}, ["r4", "r3"]),
        ({"since": "2026-11-24T03:00:00Z", "until": "2026-11-26T00:00:00Z"}, ["r2", "r1"]),
        ({"since": "2026-11-25", "until": "2026-11-25T05:00:00+02:00"}, ["r2"]),
        ({"caller": "bob", "since": "1d"}, ["r6"]),
        ({"since": "2w"}, ["r6", "r5", "r4", "r3", "r2", "r1"]),
        ({"caller": "nobody"}, []),
    ],
)
def test_list_has_the_traces_of_all_filters_the_newest_first(
    chats: Service, query: dict[str, Any], found: list[str]
) -> None:
    assert chats.ids(**query) == found


@pytest.mark.parametrize(
    "query", [{}, {"caller": "ana"}, {"model": "demo:good"}, {"failed": "false"}, {"min_ms": 100}, {"since": "4d"}]
)
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_are_full_and_together_the_whole_list(chats: Service, query: dict[str, Any], limit: int) -> None:
    everything = chats.ids(**query)
    pages: list[list[str]] = []
    cursor: dict[str, str] = {}
    body: Any = {}
    for _ in everything:
        body = chats.get("/api/traces", limit=limit, **query, **cursor).body
        pages.append([trace["id"] for trace in body["traces"]])
        if "cursor" not in body:
            break
        cursor = {"cursor": body["cursor"]}

    assert "cursor" not in body
    assert list(chain.from_iterable(pages)) == everything
    assert all(len(page) == limit for page in pages[:-1])
    assert pages[-1]


def test_cursor_is_valid_for_the_filters_and_the_caller_it_was_made_for(chats: Service) -> None:
    cursor = chats.get("/api/traces", limit=1).body["cursor"]

    for caller, query in (("root", {"failed": "true"}), ("root", {"since": "1d"}), ("ana", {})):
        answer = chats.get("/api/traces", caller=caller, cursor=cursor, **query)
        assert (answer.status, answer.body["error"]) == (400, "invalid_cursor")
    assert chats.get("/api/traces", cursor="nonsense").status == 400


def test_user_lists_own_traces_alone(chats: Service) -> None:
    assert chats.ids(caller="bob") == ["r6", "r2"]
    assert chats.ids(caller="bob", session="s1") == ["r2"]
    answer = chats.request("GET", "/api/traces", caller="bob", query={"caller": "ana"})
    assert (answer.status, answer.body["error"]) == (403, "forbidden")
