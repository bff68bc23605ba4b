"""Search over the caller's sessions."""

from collections.abc import Iterator

import pytest

from tests.functional.chat.session_api import OWNER, Api, served
from tests.unit.runs.table import empty_tables
from tests.unit.sessions.harness import SessionHarness


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    with empty_tables(monkeypatch) as client:
        yield served(SessionHarness(client))


def add(api: Api, *messages: str, owner: str = OWNER) -> None:
    for message in messages:
        api.harness.now += 1
        number = f"{api.harness.now:.0f}"
        api.harness.chat(message, run=f"r{number}", steps=1, session=f"s{number}", owner=owner)


def test_search_returns_own_sessions_with_the_place_of_their_words(api: Api) -> None:
    add(api, "Plan a trip to Rome", "What is 15% of 45?", "Rome in winter")
    add(api, "Rome is a secret", owner="bob")

    status, found = api.call("GET", "/api/sessions", query="rome TRIP")

    assert status == 200
    assert [session["title"] for session in found["sessions"]] == ["Plan a trip to Rome"]
    assert found["sessions"][0]["match"] == {
        "title": [
            {"text": "Plan a "},
            {"text": "trip", "marked": True},
            {"text": " to "},
            {"text": "Rome", "marked": True},
        ]
    }
    assert found["searched"]["sessions"] == 3
    assert found["searched"]["complete"] is True
    assert "cursor" not in found


def test_search_reads_messages_and_not_tool_calls(api: Api) -> None:
    long = "one two three " * 10 + "needle"
    add(api, long)

    _, found = api.call("GET", "/api/sessions", query="needle")
    match = found["sessions"][0]["match"]
    assert (match["turn"], match["role"]) == (1, "assistant")
    assert {"text": "NEEDLE", "marked": True} in match["message"]

    assert api.call("GET", "/api/sessions", query="calculate")[1]["sessions"] == []


def test_search_is_paginated_and_says_how_far_it_went(api: Api) -> None:
    add(api, *(f"needle {number}" for number in range(5)))

    _, first = api.call("GET", "/api/sessions", query="needle", limit="2")
    _, second = api.call("GET", "/api/sessions", query="needle", limit="2", cursor=first["cursor"])
    _, third = api.call("GET", "/api/sessions", query="needle", limit="2", cursor=second["cursor"])

    titles = [session["title"] for page in (first, second, third) for session in page["sessions"]]
    assert titles == [f"needle {number}" for number in reversed(range(5))]
    assert [page["searched"]["complete"] for page in (first, second, third)] == [False, False, True]
    assert [page["searched"]["sessions"] for page in (first, second, third)] == [2, 2, 1]
    assert first["searched"]["until"] == first["sessions"][-1]["updated_at"]


def test_search_of_nothing_is_complete(api: Api) -> None:
    assert api.call("GET", "/api/sessions", query="x") == (
        200,
        {"sessions": [], "searched": {"sessions": 0, "complete": True}},
    )


@pytest.mark.parametrize("query", ["", "  ", "x" * 201, " ".join(map(str, range(17)))])
def test_invalid_query_is_rejected(api: Api, query: str) -> None:
    assert api.call("GET", "/api/sessions", query=query)[0] == 400


def test_cursor_of_another_search_is_rejected(api: Api) -> None:
    add(api, "needle 1", "needle 2")
    cursor = api.call("GET", "/api/sessions", query="needle", limit="1")[1]["cursor"]

    assert api.call("GET", "/api/sessions", query="other", cursor=cursor)[1]["error"] == "invalid_cursor"
    assert api.call("GET", "/api/sessions", cursor=cursor)[1]["error"] == "invalid_cursor"
    assert api.call("GET", "/api/sessions", query="needle", cursor=cursor, principal="bob")[0] == 400


def test_expired_sessions_are_not_found(api: Api) -> None:
    add(api, "needle")
    api.harness.now += 31 * 86_400

    assert api.call("GET", "/api/sessions", query="needle")[1]["sessions"] == []
