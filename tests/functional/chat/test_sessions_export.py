"""Exports of a session as JSON and Markdown."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from flexchat.api.answer import ToolCallView, ToolSuccessView
from flexchat.api.sessions import AttachmentView, SessionMessageView, SessionView
from functions.chat.sessions.export import export
from tests.functional.chat.harness import LambdaContext
from tests.functional.chat.session_api import EVENT, OWNER, Api, served
from tests.unit.runs.table import empty_tables
from tests.unit.sessions.harness import SessionHarness


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    with empty_tables(monkeypatch) as client:
        yield served(SessionHarness(client))


def exported(api: Api, *, principal: str = OWNER, **query: str) -> dict[str, Any]:
    path = "/api/sessions/s1/export"
    event = {
        **EVENT,
        "httpMethod": "GET",
        "path": path,
        "resource": path,
        "body": None,
        "queryStringParameters": query or None,
        "multiValueQueryStringParameters": {name: [value] for name, value in query.items()} or None,
        "requestContext": {
            **EVENT["requestContext"],
            "httpMethod": "GET",
            "authorizer": {"principal": principal, "roles": "user"},
        },
    }
    return api.api.resolve(event, LambdaContext())


def test_json_export_has_the_session_and_all_messages_with_their_calls(api: Api) -> None:
    api.harness.chat("What is 15% of 45?", run="r1", steps=1, owner=OWNER)
    api.harness.chat("And in Rome?", run="r2", owner=OWNER)

    response = exported(api)
    body = json.loads(response["body"])

    assert response["statusCode"] == 200
    assert response["multiValueHeaders"]["Content-Disposition"] == ['attachment; filename="s1.json"']
    assert "Link" not in response["multiValueHeaders"]
    assert (body["session"]["title"], body["session"]["turns"], body["from_turn"]) == ("What is 15% of 45?", 2, 1)
    assert "next_turn" not in body
    messages = api.call("GET", "/api/sessions/s1/messages")[1]["messages"]
    assert body["messages"] == messages
    assert [len(message["tool_calls"]) for message in messages] == [0, 1, 0, 0, 0]


def test_markdown_export_is_a_readable_file(api: Api) -> None:
    api.harness.chat("What is 15% of 45?", run="r1", steps=1, owner=OWNER)

    response = exported(api, format="markdown")

    assert response["multiValueHeaders"]["Content-Type"] == ["text/markdown; charset=utf-8"]
    text = response["body"]
    assert text.startswith("# What is 15% of 45?\n\n- Session: `s1`\n")
    assert "## 1. User, 2027-01-15 08:00 UTC\n\nWhat is 15% of 45?\n" in text
    assert "#### Tool call `" in text
    assert "### Assistant · " in text
    assert text.count("\n## ") == 1


def test_session_of_another_principal_is_not_exported(api: Api) -> None:
    api.harness.chat("secret", run="r1", owner=OWNER)

    response = exported(api, principal="bob")

    assert response["statusCode"] == 404
    assert "secret" not in response["body"]


def test_unknown_format_is_rejected(api: Api) -> None:
    api.harness.chat("one", run="r1", owner=OWNER)

    assert exported(api, format="pdf")["statusCode"] == 400
    assert exported(api, from_turn="0")["statusCode"] == 400


def test_large_session_is_exported_in_parts(api: Api) -> None:
    for number in range(1, 14):
        api.harness.chat("x" * 260_000, run=f"r{number}", owner=OWNER)
        api.harness.now += 60

    first = exported(api, format="markdown")
    second = exported(api, format="markdown", from_turn="12")

    assert first["multiValueHeaders"]["Link"] == ['<export?format=markdown&from_turn=12>; rel="next"']
    assert "*Turns 1 to 11 of 13; turn 12 and later ones are in the next part (`from_turn=12`).*" in first["body"]
    assert "## 12. User" not in first["body"]
    assert second["body"].startswith("## 12. User")
    assert "## 13. User" in second["body"]
    assert "Link" not in second["multiValueHeaders"]
    assert json.loads(exported(api)["body"])["next_turn"] == 12


SESSION = SessionView(
    id="s1", title="T", turns=1, created_at="2027-01-15T08", updated_at="2027-01-15T08", expires_at=""
)


def message(content: str, **fields: Any) -> SessionMessageView:
    given = {"role": "user", "content": content, "at": "2027-01-15T08:00:00", "turn": 1, **fields}
    return SessionMessageView.model_validate(given)


def markdown(*messages: SessionMessageView, room: int = 1_000_000) -> str:
    return export(SESSION, messages, "markdown", exported_at="2027-01-15T09:00:00", from_turn=1, room=room).text


def call(result: Any, params: Any = "x") -> ToolCallView:
    success = ToolSuccessView(success=True, tool_name="t", execution_time_ms=1, result=result)
    return ToolCallView(tool="t", params=params, result=success, iteration=1, call_id="c1")


def test_result_cannot_end_its_block() -> None:
    text = markdown(message("", role="assistant", tool_calls=(call("```\n# Not a heading\n````"),)))

    assert "`````\n```\n# Not a heading\n````\n`````" in text


def test_attachments_are_named() -> None:
    picture = AttachmentView(type="image", media_type="image/png", name="a `b`.png", size=12)

    assert "- Image: `` a `b`.png `` (image/png, 12 bytes)" in markdown(message("See", attachments=(picture,)))


def test_turn_larger_than_a_response_has_truncated_results_that_say_so() -> None:
    text = markdown(message("", role="assistant", tool_calls=(call("y" * 100_000), call("small"))), room=20_000)

    assert "Result, truncated:" in text
    assert "characters left out" in text
    assert "small" in text
    assert len(text) < 20_000


def test_lone_surrogate_is_replaced() -> None:
    assert "a?b" in markdown(message("a\ud800b"))
