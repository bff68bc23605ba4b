"""Session routes: creation, pagination, messages and changes."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from flexchat.http_api.openapi import openapi_document
from functions.chat.api.sessions import router
from tests.functional.chat.session_api import OWNER, ROUTES_OF_ONE, Api, served
from tests.unit.runs.table import CHATS, empty_tables
from tests.unit.sessions.harness import PatientTurns, SessionHarness, closed, step_of


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    with empty_tables(monkeypatch) as client:
        yield served(SessionHarness(client))


def test_session_is_created_with_a_new_id_and_can_be_chatted_in(api: Api) -> None:
    status, created = api.call("POST", "/api/sessions", {"title": "  Holiday plans "})

    assert status == 201
    assert created == {
        "id": created["id"],
        "title": "Holiday plans",
        "turns": 0,
        "created_at": "2027-01-15T08:00:00.000000+00:00",
        "updated_at": "2027-01-15T08:00:00.000000+00:00",
        "expires_at": "2027-02-14T08:00:00.000000+00:00",
    }
    api.harness.chat("Where to?", run="r1", session=created["id"], owner=OWNER)
    status, shown = api.call("GET", f"/api/sessions/{created['id']}")
    assert (status, shown["title"], shown["turns"]) == (200, "Holiday plans", 1)


def test_session_title_is_optional(api: Api) -> None:
    status, created = api.call("POST", "/api/sessions", {})

    assert (status, "title" in created) == (201, False)


def test_sessions_are_paginated(api: Api) -> None:
    for number in range(5):
        api.harness.chat(f"message {number}", run=f"r{number}", session=f"s{number}", owner=OWNER)
        api.harness.now += 1

    _, first = api.call("GET", "/api/sessions", limit="2")
    _, second = api.call("GET", "/api/sessions", limit="2", cursor=first["cursor"])
    _, third = api.call("GET", "/api/sessions", limit="2", cursor=second["cursor"])

    assert [session["id"] for page in (first, second, third) for session in page["sessions"]] == [
        "s4",
        "s3",
        "s2",
        "s1",
        "s0",
    ]
    assert set(third) == {"sessions"}


def test_session_has_its_topic(api: Api) -> None:
    closed(api.harness.open("Hello", run="r1", owner=OWNER), "Hi!", topic="greetings")

    assert api.call("GET", "/api/sessions/s1") == (
        200,
        {
            "id": "s1",
            "title": "Hello",
            "topic": "greetings",
            "turns": 1,
            "created_at": "2027-01-15T08:00:00.000000+00:00",
            "updated_at": "2027-01-15T08:00:00.000000+00:00",
            "expires_at": "2027-02-14T08:00:00.000000+00:00",
        },
    )


def test_messages_have_their_tool_calls_and_model(api: Api) -> None:
    conversation = api.harness.open("What is it?", run="r1", owner=OWNER)
    conversation.observe(step_of("a", result={"sum": 3}))
    api.harness.now += 2
    closed(conversation, "Three.", status="partial")

    at = "2027-01-15T08:00:0{}.000000+00:00"
    assert api.call("GET", "/api/sessions/s1/messages") == (
        200,
        {
            "messages": [
                {"role": "user", "content": "What is it?", "at": at.format(0), "turn": 1, "tool_calls": []},
                {
                    "role": "assistant",
                    "content": "Let me see.",
                    "at": at.format(0),
                    "turn": 1,
                    "tool_calls": [
                        {
                            "tool": "add",
                            "params": {"a": 1},
                            "result": {
                                "success": True,
                                "tool_name": "add",
                                "execution_time_ms": 3,
                                "result": {"sum": 3},
                            },
                            "iteration": 1,
                            "call_id": "a",
                        }
                    ],
                },
                {
                    "role": "assistant",
                    "content": "Three.",
                    "at": at.format(2),
                    "turn": 1,
                    "tool_calls": [],
                    "service": "openai",
                    "model": "gpt-4o",
                    "status": "partial",
                    "rule": "general",
                    "request_id": "r1",
                },
            ],
            "turns": [1],
        },
    )


def test_messages_are_paginated(api: Api) -> None:
    api.harness.chat("one", run="r1", owner=OWNER)
    api.harness.chat("two", run="r2", owner=OWNER)

    _, first = api.call("GET", "/api/sessions/s1/messages", limit="3")
    _, second = api.call("GET", "/api/sessions/s1/messages", limit="3", cursor=first["cursor"])

    assert [message["content"] for page in (first, second) for message in page["messages"]] == [
        "one",
        "ONE",
        "two",
        "TWO",
    ]
    assert "cursor" not in second


def test_messages_are_read_from_a_given_turn(api: Api) -> None:
    api.harness.chat("one", run="r1", owner=OWNER)
    api.harness.chat("two", run="r2", owner=OWNER)

    _, page = api.call("GET", "/api/sessions/s1/messages", from_turn="2")

    assert [(message["turn"], message["content"]) for message in page["messages"]] == [(2, "two"), (2, "TWO")]
    assert api.call("GET", "/api/sessions/s1/messages", from_turn="0")[0] == 400
    assert api.call("GET", "/api/sessions/s1/messages", from_turn="1000000")[0] == 400


@pytest.mark.slow
def test_large_results_are_truncated(api: Api) -> None:
    api.harness.turns_type = PatientTurns
    conversation = api.harness.open("Hello", run="r1", owner=OWNER)
    for iteration in (1, 2, 3):
        calls = (f"call_{iteration}_{number}" for number in range(60))
        conversation.observe(step_of(*calls, iteration=iteration, result="x" * 20_000))
    conversation.observe(step_of("large", iteration=4, result="y" * 400_000))
    closed(conversation, "Bye")

    _, first = api.call("GET", "/api/sessions/s1/messages")
    _, second = api.call("GET", "/api/sessions/s1/messages", cursor=first["cursor"])

    (_, *many), (one, _) = first["messages"], second["messages"]
    assert [len(message["tool_calls"]) for message in many] == [60, 60, 60]
    assert all(call["result"]["truncated"] for message in (*many, one) for call in message["tool_calls"])
    assert "characters left out" in one["tool_calls"][0]["result"]["result"]
    assert len(json.dumps(first)) < 2_000_000


def test_large_arguments_are_truncated(api: Api) -> None:
    step = step_of("a")
    arguments = {"text": "x" * 900_000}
    execution = type(step.executions[0])("add", arguments, step.executions[0].result, 1, "a")
    api.harness.turns_type = PatientTurns
    conversation = api.harness.open("Hello", run="r1", owner=OWNER)
    conversation.observe(type(step)(1, step.message, step.outputs, (execution,)))
    closed(conversation, "Bye")

    _, page = api.call("GET", "/api/sessions/s1/messages")

    assert "characters left out" in page["messages"][1]["tool_calls"][0]["params"]


def test_session_is_renamed(api: Api) -> None:
    api.harness.chat("one", run="r1", owner=OWNER)

    status, renamed = api.call("PATCH", "/api/sessions/s1", {"title": "Another"})

    assert (status, renamed["title"]) == (200, "Another")
    assert api.call("GET", "/api/sessions/s1")[1] == renamed


@pytest.mark.parametrize(
    "body", [{}, {"title": ""}, {"title": "   "}, {"title": "x" * 201}, {"title": 5}, {"title": "x", "topic": "y"}]
)
def test_invalid_title_is_rejected(api: Api, body: Any) -> None:
    api.harness.chat("one", run="r1", owner=OWNER)

    status, error = api.call("PATCH", "/api/sessions/s1", body)

    assert (status, error["error"]) == (400, "invalid_request")
    assert api.call("GET", "/api/sessions/s1")[1]["title"] == "one"


def test_deleted_session_is_not_found(api: Api) -> None:
    api.harness.chat("one", run="r1", owner=OWNER, steps=2)

    assert api.call("DELETE", "/api/sessions/s1") == (204, None)
    assert api.headers["Content-Type"] == ["text/plain"]
    assert api.harness.client.scan(TableName=CHATS)["Count"] == 0
    for method, path, body in ROUTES_OF_ONE:
        assert api.call(method, path, body)[0] == 404


def test_openapi_document_has_every_response_of_the_session_routes(api: Api) -> None:
    paths = openapi_document(router.endpoints)["paths"]

    documented = {
        (path, method): set(route["responses"])
        for path, operations in paths.items()
        for method, route in operations.items()
    }
    assert documented == {
        ("/api/sessions", "get"): {"200", "400", "401", "403", "429", "500", "503"},
        ("/api/sessions", "post"): {"201", "400", "401", "403", "413", "415", "429", "500", "503"},
        ("/api/sessions/{id}", "get"): {"200", "400", "401", "403", "404", "429", "500", "503"},
        ("/api/sessions/{id}", "patch"): {"200", "400", "401", "403", "404", "413", "415", "429", "500", "503"},
        ("/api/sessions/{id}", "delete"): {"204", "400", "401", "403", "404", "429", "500", "503"},
        ("/api/sessions/{id}/messages", "get"): {"200", "400", "401", "403", "404", "429", "500", "503"},
        ("/api/sessions/{id}/export", "get"): {"200", "400", "401", "403", "404", "429", "500", "503"},
        ("/api/sessions/{id}/files/{file}", "get"): {"200", "400", "401", "403", "404", "429", "500", "503"},
    }
