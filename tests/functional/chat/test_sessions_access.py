"""Session routes: access of callers, invalid requests and failures."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from flexchat.cursors import make_cursor
from functions.chat.sessions.store.sessions import SessionStore
from tests.functional.chat.session_api import OWNER, ROUTES_OF_ONE, Api, served
from tests.unit.runs.table import CHATS, empty_tables
from tests.unit.sessions.clients import FailingClient, throttled
from tests.unit.sessions.harness import NOW, TTL_DAYS, SessionHarness


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    with empty_tables(monkeypatch) as client:
        yield served(SessionHarness(client))


@pytest.mark.parametrize(("method", "path", "body"), ROUTES_OF_ONE)
def test_session_of_another_principal_is_not_found(api: Api, method: str, path: str, body: Any) -> None:
    api.harness.chat("secret", run="r1", owner=OWNER)

    status, error = api.call(method, path, body, principal="bob")

    assert (status, error["error"]) == (404, "session_not_found")
    assert "secret" not in json.dumps(error)
    assert api.call("GET", "/api/sessions", principal="bob") == (200, {"sessions": []})
    assert len(api.call("GET", "/api/sessions/s1/messages")[1]["messages"]) == 2


@pytest.mark.parametrize(("method", "path", "body"), [*ROUTES_OF_ONE, ("GET", "/api/sessions", None)])
def test_request_without_an_authorizer_is_rejected(api: Api, method: str, path: str, body: Any) -> None:
    assert api.call(method, path, body, principal=None)[0] == 403


def test_cursor_of_another_caller_is_rejected(api: Api) -> None:
    for number in range(3):
        api.harness.chat("one", run=f"r{number}", session=f"s{number}", owner=OWNER)
    cursor = api.call("GET", "/api/sessions", limit="1")[1]["cursor"]

    status, error = api.call("GET", "/api/sessions", cursor=cursor, principal="bob")

    assert (status, error["error"]) == (400, "invalid_cursor")


@pytest.mark.parametrize(
    "query", [{"limit": "0"}, {"limit": "101"}, {"limit": "many"}, {"cursor": "nonsense"}, {"cursor": "x" * 2_001}]
)
def test_invalid_page_parameters_are_rejected(api: Api, query: dict[str, Any]) -> None:
    api.harness.chat("one", run="r1", owner=OWNER)

    assert api.call("GET", "/api/sessions", **query)[0] == 400
    assert api.call("GET", "/api/sessions/s1/messages", **query)[0] == 400


POSITIONS = ("", "0", "-1", "9" * 10, "9" * 1_000, "\u0663", "ü" * 600, "\0", "#")


@pytest.mark.parametrize(
    ("first", "second"), [*((position, "1") for position in POSITIONS), *(("1", position) for position in POSITIONS)]
)
def test_a_forged_cursor_is_an_empty_page_or_rejected(api: Api, first: str, second: str) -> None:
    """The digest of a cursor is no signature: any position can be sent."""
    api.harness.chat("one", run="r1", owner=OWNER)
    session = api.harness.store.get(OWNER, "s1", now=NOW, deadline=api.harness.deadline)

    sessions, _ = api.call("GET", "/api/sessions", cursor=make_cursor(f"sessions {OWNER}", first, second))
    scope = f"messages {OWNER} s1 {session.incarnation}"
    messages, _ = api.call("GET", "/api/sessions/s1/messages", cursor=make_cursor(scope, first, second))

    is_position = all(0 < len(text.encode()) <= 1_024 for text in (first, second))
    assert sessions == (200 if is_position else 400)
    assert messages == (200 if {first, second} <= {"0", "1"} else 400)


def test_invalid_session_id_is_rejected(api: Api) -> None:
    assert api.call("GET", "/api/sessions/" + "x" * 65)[0] == 400
    assert api.call("GET", "/api/sessions/a.b")[0] == 400


def test_throttled_table_is_a_503(api: Api) -> None:
    harness = api.harness
    refusing = FailingClient(harness.client, "query", throttled())

    status, error = served(harness, SessionStore(refusing.as_client(), CHATS)).call("GET", "/api/sessions")

    assert (status, error["error"]) == (503, "unavailable")


def test_expired_session_is_not_found(api: Api) -> None:
    api.harness.chat("one", run="r1", owner=OWNER)
    api.harness.now = NOW + TTL_DAYS * 86_400

    assert api.call("GET", "/api/sessions/s1")[0] == 404
    assert api.call("GET", "/api/sessions")[1] == {"sessions": []}
