"""Sessions over HTTP against a real table: history and concurrent requests."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import httpx2
import pytest

from flexchat.api import ChatResponse
from flexchat.api.sessions import SessionList, SessionMessages, SessionMessageView, SessionView

AT_ONCE = 8
ROUNDS = 3
WAITING = httpx2.Timeout(60)


@pytest.fixture
def session_id() -> str:
    return f"e2e-{uuid4().hex}"


def send_chat(api: httpx2.Client, session_id: str, message: str) -> httpx2.Response:
    return api.post("/api/chat", json={"message": message, "session_id": session_id}, timeout=WAITING)


def answered(response: httpx2.Response) -> ChatResponse:
    assert response.status_code == 200, response.text
    return ChatResponse.model_validate(response.json())


def messages(api: httpx2.Client, session_id: str, *, limit: int = 100) -> list[SessionMessageView]:
    """Return all messages of a session, read page by page."""
    found: list[SessionMessageView] = []
    cursor: str | None = None
    while not found or cursor:
        query = {"limit": str(limit), **({"cursor": cursor} if cursor else {})}
        response = api.get(f"/api/sessions/{session_id}/messages", params=query)
        assert response.status_code == 200, response.text
        page = SessionMessages.model_validate(response.json())
        found += page.messages
        cursor = page.cursor
    return found


def assert_well_formed(found: list[SessionMessageView]) -> None:
    """Assert that each turn has a question, its steps with all results, and one answer."""
    turns: dict[int, list[SessionMessageView]] = {}
    for message in found:
        turns.setdefault(message.turn, []).append(message)
    assert list(turns) == list(range(1, len(turns) + 1))
    for turn in turns.values():
        assert [message.role for message in turn] == ["user", *["assistant"] * (len(turn) - 1)]
        assert [message.status is not None for message in turn] == [False] * (len(turn) - 1) + [True]
        assert all(message.tool_calls for message in turn[1:-1])


def test_session_history_reaches_the_model_with_the_next_message(api: httpx2.Client, session_id: str) -> None:
    first = answered(send_chat(api, session_id, "What is 15% of 45?"))
    second = answered(send_chat(api, session_id, "What is 2 + 2?"))

    assert first.session is not None
    assert (first.session.id, first.session.saved, first.session.title) == (session_id, True, "What is 15% of 45?")
    found = messages(api, session_id)
    assert_well_formed(found)
    assert [message.content for message in found if message.role == "user"] == ["What is 15% of 45?", "What is 2 + 2?"]
    assert [call.call_id for message in found for call in message.tool_calls] == [
        call.call_id for answer in (first, second) for call in answer.tool_calls
    ]
    assert [message.request_id for message in found if message.status] == [first.request_id, second.request_id]
    assert messages(api, session_id, limit=1) == found


def test_concurrent_messages_are_answered_or_rejected_with_a_delay(api: httpx2.Client, session_id: str) -> None:
    def send(number: int) -> httpx2.Response:
        return send_chat(api, session_id, f"What is {number} * 7?")

    accepted: set[str] = set()
    with ThreadPoolExecutor(AT_ONCE) as callers:
        for _ in range(ROUNDS):
            responses = list(callers.map(send, range(AT_ONCE)))
            assert {response.status_code for response in responses} <= {200, 409}
            refused = [response for response in responses if response.status_code == 409]
            assert {response.json()["error"] for response in refused} <= {"session_busy"}
            assert all(int(response.headers["retry-after"]) >= 1 for response in refused)
            answers = [answered(response) for response in responses if response.status_code == 200]
            assert answers
            assert all(answer.session is not None and answer.session.saved for answer in answers)
            accepted |= {answer.request_id for answer in answers}

    found = messages(api, session_id)
    assert_well_formed(found)
    assert {message.request_id for message in found if message.status} == accepted
    assert answered(send_chat(api, session_id, "What is 1 + 1?")).session


def test_session_is_listed_renamed_and_deleted(api: httpx2.Client) -> None:
    created = api.post("/api/sessions", json={"title": "Plans"})
    assert created.status_code == 201
    session = SessionView.model_validate(created.json())
    answered(send_chat(api, session.id, "Hello!"))

    renamed = api.patch(f"/api/sessions/{session.id}", json={"title": "Other plans"})
    assert (renamed.status_code, renamed.json()["title"]) == (200, "Other plans")
    listed = SessionList.model_validate(api.get("/api/sessions").json())
    assert (listed.sessions[0].id, listed.sessions[0].title) == (session.id, "Other plans")

    assert api.delete(f"/api/sessions/{session.id}").status_code == 204
    assert api.get(f"/api/sessions/{session.id}").status_code == 404
    assert api.delete(f"/api/sessions/{session.id}").status_code == 404


def test_sessions_require_a_token(anonymous: httpx2.Client) -> None:
    assert anonymous.get("/api/sessions").status_code == 401
