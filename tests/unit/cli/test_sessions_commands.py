"""Sessions from the command line."""

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.unit.cli.command_runner import Flexchat, SentRequest

SESSION: dict[str, Any] = {
    "id": "s1",
    "title": "[Sums] of all kinds",
    "topic": "percentages",
    "turns": 2,
    "created_at": "2026-11-20T09:00:00.000000Z",
    "updated_at": "2026-11-22T10:04:59.123456Z",
    "expires_at": "2026-12-22T10:04:59.123456Z",
    "key_of_a_newer_service": 1,
}
UNTITLED = {**SESSION, "id": "s2", "title": None, "topic": None}
CALL = {
    "tool": "calculate",
    "params": {"expression": "15% of 45"},
    "result": {"success": True, "tool_name": "calculate", "execution_time_ms": 3, "result": 6.75},
    "iteration": 1,
    "call_id": "c1",
}
FAILED: dict[str, Any] = {
    **CALL,
    "params": "{broken",
    "result": {
        "success": False,
        "tool_name": "calculate",
        "execution_time_ms": 3,
        "error": "no",
        "error_type": "malformed_arguments",
    },
}
QUESTION = {"role": "user", "content": "15% of 45?", "at": "2026-11-22T10:03:00.000000Z", "turn": 1}
STEP = {
    "role": "assistant",
    "content": "",
    "at": "2026-11-22T10:03:01.000000Z",
    "turn": 1,
    "tool_calls": [CALL, FAILED],
}
REPLY = {
    "role": "assistant",
    "content": "6.75 [sic]",
    "at": "2026-11-22T10:03:02.000000Z",
    "turn": 1,
    "model": "gpt-4o",
    "rule": "fallback",
    "status": "complete",
}
CUT = {**REPLY, "content": "", "status": "partial", "rule": None, "turn": 2}


def test_every_page_of_the_sessions_is_listed(flexchat: Flexchat) -> None:
    service = flexchat.serve({"sessions": [SESSION], "cursor": "n+x"}, {"sessions": [UNTITLED], "cursor": None})

    code, printed, _ = flexchat.type("sessions", "list")

    assert code == 0
    assert printed == (
        "ID  TITLE                TURNS  CHANGED           KEPT UNTIL\n"
        "s1  [Sums] of all kinds      2  2026-11-22 10:04  2026-12-22 10:04\n"
        "s2                           2  2026-11-22 10:04  2026-12-22 10:04"
    )
    assert service.requests == [SentRequest("GET", "/api/sessions"), SentRequest("GET", "/api/sessions?cursor=n%2Bx")]


def test_an_id_is_complete_beside_a_title_of_any_length(flexchat: Flexchat) -> None:
    long = {**SESSION, "id": "s" * 64, "title": "x" * 200}
    flexchat.serve({"sessions": [long]})

    assert "s" * 64 in flexchat.type("sessions", "list")[1]


def test_without_sessions_the_command_that_creates_one_is_printed(flexchat: Flexchat) -> None:
    flexchat.serve({"sessions": []})

    assert flexchat.type("sessions", "list")[1] == "no sessions; start one: flexchat chat --session NAME Hello"


def test_a_session_is_shown_with_its_messages_and_calls(flexchat: Flexchat) -> None:
    service = flexchat.serve(SESSION, {"messages": [QUESTION, STEP, REPLY], "cursor": "2"}, {"messages": [CUT]})

    code, printed, _ = flexchat.type("sessions", "show", "s 1")

    assert code == 0
    assert printed == (
        "[Sums] of all kinds\n"
        "about percentages, changed 2026-11-22 10:04, kept until 2026-12-22 10:04\n"
        "\n"
        "> 15% of 45?\n"
        "\n"
        '    ✓ calculate {"expression": "15% of 45"}\n'
        "    ✗ calculate {broken\n"
        "\n"
        "6.75 [sic]\n"
        "2026-11-22 10:03 · gpt-4o · fallback\n"
        "\n"
        "2026-11-22 10:03 · gpt-4o · partial"
    )
    assert service.requests == [
        SentRequest("GET", "/api/sessions/s%201"),
        SentRequest("GET", "/api/sessions/s%201/messages"),
        SentRequest("GET", "/api/sessions/s%201/messages?cursor=2"),
    ]


def test_a_session_without_title_and_topic_has_its_id_as_title(flexchat: Flexchat) -> None:
    flexchat.serve(UNTITLED, {"messages": []})

    printed = flexchat.type("sessions", "show", "s2")[1]

    assert printed == "s2\nchanged 2026-11-22 10:04, kept until 2026-12-22 10:04"


def test_json_is_the_unchanged_response_with_all_pages_in_one(flexchat: Flexchat) -> None:
    flexchat.serve(SESSION, {"messages": [QUESTION], "cursor": "2"}, {"messages": [REPLY]})
    assert json.loads(flexchat.type("sessions", "show", "s1", "--json")[1]) == {
        **SESSION,
        "messages": [QUESTION, REPLY],
    }

    flexchat.serve({"sessions": [SESSION]})
    assert json.loads(flexchat.type("sessions", "list", "--json")[1]) == {"sessions": [SESSION]}

    flexchat.serve(SESSION)
    assert json.loads(flexchat.type("sessions", "rename", "s1", "x", "--json")[1]) == SESSION


def test_a_session_is_renamed(flexchat: Flexchat) -> None:
    service = flexchat.serve({**SESSION, "title": "Percentages"})

    code, printed, _ = flexchat.type("sessions", "rename", "s1", "Percentages")

    assert (code, printed) == (0, "s1: Percentages")
    assert service.requests == [SentRequest("PATCH", "/api/sessions/s1", {"title": "Percentages"})]


def test_a_session_is_deleted_without_confirmation_with_the_option_yes(flexchat: Flexchat) -> None:
    service = flexchat.serve((204, None))

    code, printed, _ = flexchat.type("sessions", "delete", "s1", "--yes")

    assert (code, printed) == (0, "s1 is deleted")
    assert service.requests == [SentRequest("DELETE", "/api/sessions/s1")]


@pytest.mark.parametrize(("answer", "code", "requests"), [("n\n", 1, 0), ("y\n", 0, 1)])
def test_a_session_is_deleted_only_after_confirmation(
    answer: str, code: int, requests: int, flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = flexchat.serve((204, None))
    monkeypatch.setattr(sys, "stdin", StringIO(answer))

    assert flexchat.type("sessions", "delete", "s1")[0] == code
    assert len(service.requests) == requests


def test_a_session_of_another_caller_is_an_error_with_the_own_sessions(flexchat: Flexchat) -> None:
    refusal = {"error": "session_not_found", "message": "session 's9' not found", "request_id": "r"}
    flexchat.serve((404, refusal), {"sessions": [{"id": "s1"}]})

    code, _, errors = flexchat.type("sessions", "show", "s9")

    assert (code, errors) == (1, "https://chat.example has no session 's9'; it has: 's1'")


def part(text: str, next_turn: int | None = None) -> httpx2.Response:
    """Part of an export; `next_turn` is the first turn of the next part."""
    headers = {} if next_turn is None else {"Link": f'<export?format=x&from_turn={next_turn}>; rel="next"'}
    return httpx2.Response(200, text=text, headers=headers, request=httpx2.Request("GET", "https://chat.example"))


def test_parts_of_a_markdown_export_are_joined(flexchat: Flexchat, tmp_path: Path) -> None:
    service = flexchat.serve(part("# Sums\n", 3), part("## 3. User\n"))
    file = tmp_path / "sums.md"

    code, printed, _ = flexchat.type("sessions", "export", "s1", "-o", str(file))

    assert (code, printed.replace("\n", "")) == (0, f"s1 is exported to {file}")
    assert file.read_text("utf-8") == "# Sums\n\n## 3. User\n"
    assert [request.target for request in service.requests] == [
        "/api/sessions/s1/export?format=markdown&from_turn=1",
        "/api/sessions/s1/export?format=markdown&from_turn=3",
    ]


def test_parts_of_a_json_export_are_one_document(flexchat: Flexchat) -> None:
    first = {"session": SESSION, "from_turn": 1, "next_turn": 2, "messages": [QUESTION]}
    last = {"session": SESSION, "from_turn": 2, "messages": [REPLY]}
    flexchat.serve(part(json.dumps(first), 2), part(json.dumps(last)))

    printed = flexchat.type("sessions", "export", "s1", "--format", "json")[1]

    assert json.loads(printed) == {"session": SESSION, "from_turn": 1, "messages": [QUESTION, REPLY]}


def test_export_replaces_no_file(flexchat: Flexchat, tmp_path: Path) -> None:
    file = tmp_path / "sums.md"
    file.write_text("mine")
    service = flexchat.serve()

    code, _, problem = flexchat.type("sessions", "export", "s1", "-o", str(file))

    assert (code, file.read_text(), service.requests) == (2, "mine", [])
    assert "exists already" in problem


def found(id: str, **match: Any) -> dict[str, Any]:
    return {**SESSION, "id": id, "match": match}


def searched(sessions: int, *, complete: bool) -> dict[str, Any]:
    return {"sessions": sessions, "until": SESSION["updated_at"], "complete": complete}


def test_search_continues_to_the_last_session_and_shows_the_found_words(flexchat: Flexchat) -> None:
    message = [{"text": "Is "}, {"text": "Rome", "marked": True}, {"text": "\ncold in winter? " + "x" * 200}]
    service = flexchat.serve(
        {"sessions": [], "searched": searched(320, complete=False), "cursor": "c"},
        {
            "sessions": [
                found("s1", title=[{"text": "Plans"}], turn=2, role="user", message=message),
                found("s2", title=[{"text": "[Rome]", "marked": True}]),
            ],
            "searched": searched(40, complete=True),
        },
    )

    code, printed, _ = flexchat.type("sessions", "search", "rome", "winter")

    assert code == 0
    assert [line.rstrip() for line in printed.splitlines()] == [
        "ID  CHANGED           TITLE   MESSAGE",
        f"s1  2026-11-22 10:04  Plans   you: Is Rome cold in winter? {'x' * 200}",
        "s2  2026-11-22 10:04  [Rome]",
    ]
    assert [request.target for request in service.requests] == [
        "/api/sessions?query=rome+winter&limit=100",
        "/api/sessions?query=rome+winter&limit=100&cursor=c",
    ]


@pytest.mark.parametrize(
    ("count", "expected"), [(3, "none of your 3 sessions has"), (0, "you have no sessions, so none has")]
)
def test_search_without_a_result_is_an_error_with_the_number_of_sessions(
    flexchat: Flexchat, count: int, expected: str
) -> None:
    flexchat.serve({"sessions": [], "searched": searched(count, complete=True)})

    code, printed, errors = flexchat.type("sessions", "search", "rome")

    assert (code, printed) == (1, "")
    assert errors == f"{expected} 'rome' in its title or its messages"


def test_search_reports_that_results_are_left_out(flexchat: Flexchat) -> None:
    flexchat.serve({"sessions": [found("s1"), found("s2")], "searched": searched(2, complete=True)})

    code, printed, errors = flexchat.type("sessions", "search", "sums", "--limit", "1")

    assert (code, "s2" in printed, errors) == (0, False, "the last changed 1 are shown; --limit shows more")


LINK: dict[str, Any] = {
    "id": "a" * 32,
    "role": "user",
    "tool_calls": False,
    "attachments": False,
    "turns": 1,
    "created_at": "2026-11-22T10:04:59.123456Z",
    "expires_at": "2026-11-29T10:04:59.123456Z",
}
SETTINGS = {"enabled": True, "may_share": True, "max_days": 5}


def test_a_link_is_created_for_the_days_that_the_service_allows(flexchat: Flexchat) -> None:
    created = {**LINK, "secret": "geheim", "path": f"shared/{LINK['id']}#geheim"}
    service = flexchat.serve({"shares": [], "settings": SETTINGS}, (201, created))

    code, printed, note = flexchat.type("sessions", "share", "s1")

    assert (code, printed) == (0, f"https://chat.example/shared/{LINK['id']}#geheim")
    assert note == (
        f"Link {LINK['id']} shows 1 turn to every token until 2026-11-29 10:04. Copy it now: it cannot be shown "
        "again. Who opens it signs in to the page first."
    )
    assert service.requests == [
        SentRequest("GET", "/api/sessions/s1/shares"),
        SentRequest(
            "POST",
            "/api/sessions/s1/shares",
            {"expires_in_days": 5, "role": "user", "tool_calls": False, "attachments": False},
        ),
    ]


def test_a_link_has_the_chosen_role_days_and_parts(flexchat: Flexchat) -> None:
    chosen = {"expires_in_days": 2, "role": "operator", "tool_calls": True, "attachments": True}
    created = {**LINK, **chosen, "turns": 2, "secret": "s", "path": "shared/a#s"}
    del created["expires_in_days"]
    service = flexchat.serve((201, created))

    code, _, note = flexchat.type(
        "sessions", "share", "s1", "--role", "operator", "--days", "2", "--tool-calls", "--attachments"
    )

    assert code == 0
    assert "shows 2 turns with tool calls and names of files to tokens with the role operator until" in note
    assert service.requests == [SentRequest("POST", "/api/sessions/s1/shares", chosen)]


def test_a_link_where_sharing_is_off_is_an_error_with_the_key(flexchat: Flexchat) -> None:
    message = "sharing is off; an operator can set `sessions.sharing.enabled` in the configuration"
    flexchat.serve((403, {"error": "sharing_disabled", "message": message, "request_id": "r"}))

    code, printed, errors = flexchat.type("sessions", "share", "s1", "--days", "2")

    assert (code, printed) == (1, "")
    assert errors.startswith(f"HTTP 403: {message}")


def test_links_are_listed_in_whole_lines(flexchat: Flexchat) -> None:
    other = {**LINK, "id": "b" * 32, "role": "operator", "tool_calls": True, "attachments": True, "turns": 12}
    flexchat.serve({"shares": [LINK, other], "settings": SETTINGS})

    code, printed, errors = flexchat.type("sessions", "links", "s1", columns=40)

    assert (code, errors) == (0, "")
    assert [line.split() for line in printed.splitlines()] == [
        ["ID", "FOR", "TURNS", "SHOWS", "CREATED", "EXPIRES"],
        ["a" * 32, "every", "token", "1", "messages", "2026-11-22", "10:04", "2026-11-29", "10:04"],
        [
            *("b" * 32, "tokens", "with", "the", "role", "operator", "12", "messages,", "tool", "calls,", "names"),
            *("of", "files", "2026-11-22", "10:04", "2026-11-29", "10:04"),
        ],
    ]


def test_without_links_the_command_that_creates_one_is_printed(flexchat: Flexchat) -> None:
    flexchat.serve({"shares": [], "settings": {**SETTINGS, "enabled": False}})

    _, printed, errors = flexchat.type("sessions", "links", "s1")

    assert printed == "no links; create one: flexchat sessions share s1"
    assert errors.startswith("sharing is off: no link opens until `sessions.sharing.enabled`")


def test_a_link_is_revoked(flexchat: Flexchat) -> None:
    service = flexchat.serve((204, None))

    code, printed, _ = flexchat.type("sessions", "revoke", "s1", "a" * 32)

    assert (code, printed) == (0, f"the link {'a' * 32} is revoked")
    assert service.requests == [SentRequest("DELETE", f"/api/sessions/s1/shares/{'a' * 32}")]


def test_a_revoked_link_that_does_not_exist_is_an_error_with_the_links(flexchat: Flexchat) -> None:
    refusal = {"error": "share_not_found", "message": "this link does not exist", "request_id": "r"}
    flexchat.serve((404, refusal), {"shares": [LINK], "settings": SETTINGS})

    code, _, errors = flexchat.type("sessions", "revoke", "s1", "b")

    assert (code, errors) == (1, f"the session 's1' has no link 'b'; it has: '{LINK['id']}'")
