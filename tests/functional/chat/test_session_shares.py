"""Read-only links to sessions."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from flexchat.config.models.limits import SharingConfig
from flexchat.messages import Image, Text
from functions.chat.sessions.shares import MAX_SHARES
from functions.chat.stored_files import Scope
from tests.functional.chat.session_api import OWNER, Api, served
from tests.unit.runs.table import CHATS, empty_tables
from tests.unit.sessions.harness import SessionHarness, closed

SHARES = "/api/sessions/s1/shares"
DAY = 86_400


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> Iterator[SessionHarness]:
    with empty_tables(monkeypatch) as client:
        yield SessionHarness(client)


@pytest.fixture
def api(harness: SessionHarness) -> Api:
    harness.chat("What is 15% of 45?", run="r1", steps=1, owner=OWNER)
    return served(harness, sharing=SharingConfig(enabled=True, max_days=14))


def created(api: Api, **changes: Any) -> dict[str, Any]:
    status, share = api.call("POST", SHARES, {"expires_in_days": 7, **changes})
    assert status == 201, share
    return share


def opened(api: Api, share: dict[str, Any], **options: Any) -> tuple[int, Any]:
    headers = {"X-Flexchat-Share": options.pop("secret", share["secret"])}
    return api.call("GET", f"/api/shared/{share['id']}", headers=headers, principal="bob", **options)


def test_link_shows_the_conversation_to_another_token(api: Api) -> None:
    share = created(api)

    status, shown = opened(api, share)

    assert status == 200
    assert share["path"] == f"shared/{share['id']}#{share['secret']}"
    assert {name: value for name, value in shown.items() if name != "messages"} == {
        "title": "What is 15% of 45?",
        "turns": 1,
        "shared_at": "2027-01-15T08:00:00.000000+00:00",
        "expires_at": "2027-01-22T08:00:00.000000+00:00",
        "tool_calls": False,
        "attachments": False,
    }
    assert [message["role"] for message in shown["messages"]] == ["user", "assistant", "assistant"]
    assert shown["messages"][-1]["content"] == "WHAT IS 15% OF 45?"


def test_link_shows_no_ids_of_requests_rules_owner_or_session(api: Api) -> None:
    text = json.dumps(opened(api, created(api, tool_calls=True, attachments=True))[1])

    for hidden in ("request_id", '"rule"', OWNER, '"s1"', 'r1"'):
        assert hidden not in text


def test_tool_calls_are_shown_only_where_chosen(api: Api) -> None:
    def calls(share: dict[str, Any]) -> int:
        return sum(len(message["tool_calls"]) for message in opened(api, share)[1]["messages"])

    assert calls(created(api)) == 0
    assert calls(created(api, tool_calls=True)) == 1


def test_later_messages_are_not_part_of_a_link(api: Api) -> None:
    share = created(api)
    api.harness.chat("A later secret", run="r2", owner=OWNER)

    assert "later secret" not in json.dumps(opened(api, share)[1]).lower()
    assert created(api)["turns"] == 2


def test_message_without_an_answer_is_not_shared(api: Api) -> None:
    api.harness.open("Being answered", run="r2", owner=OWNER)

    share = created(api)

    assert share["turns"] == 1
    assert "Being answered" not in json.dumps(opened(api, share)[1])


def test_session_without_an_answer_cannot_be_shared(api: Api) -> None:
    session = api.call("POST", "/api/sessions", {})[1]["id"]

    status, error = api.call("POST", f"/api/sessions/{session}/shares", {"expires_in_days": 1})

    assert (status, error["error"]) == (409, "nothing_to_share")


def test_pages_of_a_link_end_with_its_last_turn(api: Api) -> None:
    api.harness.chat("Two", run="r2", owner=OWNER)
    share = created(api)
    api.harness.chat("Three", run="r3", owner=OWNER)

    texts: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        _, page = opened(api, share, limit="2", **cursor)
        texts += [message["content"] for message in page["messages"] if message["role"] == "user"]
        if "cursor" not in page:
            break
        cursor = {"cursor": page["cursor"]}

    assert texts == ["What is 15% of 45?", "Two"]


def test_unknown_wrong_expired_revoked_and_deleted_links_are_the_same_404(api: Api) -> None:
    share, revoked = created(api), created(api)
    assert api.call("DELETE", f"{SHARES}/{revoked['id']}") == (204, None)

    unknown = opened(api, {"id": "0" * 32, "secret": "x"})
    odd = opened(api, {"id": "nothing", "secret": "x"})
    wrong = opened(api, share, secret="x" * 43)
    missing = api.call("GET", f"/api/shared/{share['id']}", principal="bob")
    gone = opened(api, revoked)
    api.harness.now += 7 * DAY
    expired = opened(api, share)
    api.harness.now -= 7 * DAY
    assert opened(api, share)[0] == 200
    api.call("DELETE", "/api/sessions/s1")
    deleted = opened(api, share)

    answers = [unknown, odd, wrong, missing, gone, expired, deleted]
    assert {status for status, _ in answers} == {404}
    assert {(error["error"], error["message"]) for _, error in answers} == {
        (
            "share_not_found",
            "this link does not exist, has expired, was revoked or is not for this token; ask for a new one",
        )
    }


def test_link_for_operators_is_not_found_by_a_user(api: Api) -> None:
    share = created(api, role="operator")

    assert opened(api, share)[0] == 404
    assert opened(api, share, roles="operator")[0] == 200


def test_new_session_of_the_same_id_is_not_shown(api: Api) -> None:
    share = created(api)
    api.call("DELETE", "/api/sessions/s1")
    api.harness.chat("Another conversation", run="r9", owner=OWNER)

    assert opened(api, share)[0] == 404
    assert api.call("GET", SHARES)[1]["shares"] == []


def test_deleted_session_leaves_no_items_of_its_links(api: Api) -> None:
    created(api)
    created(api)

    api.call("DELETE", "/api/sessions/s1")

    assert api.harness.client.scan(TableName=CHATS)["Items"] == []


def test_secret_is_not_stored(api: Api) -> None:
    share = created(api)

    assert share["secret"] not in repr(api.harness.client.scan(TableName=CHATS)["Items"])


def test_links_are_listed_without_secrets_the_newest_first(api: Api) -> None:
    first = created(api)
    api.harness.now += 1
    second = created(api, role="operator", tool_calls=True)

    status, listed = api.call("GET", SHARES)

    assert status == 200
    assert [share["id"] for share in listed["shares"]] == [second["id"], first["id"]]
    assert listed["settings"] == {"enabled": True, "may_share": True, "max_days": 14}
    assert "secret" not in json.dumps(listed)
    api.harness.now += 8 * DAY
    assert api.call("GET", SHARES)[1]["shares"] == []


def test_link_expires_with_the_first_message(api: Api) -> None:
    api.harness.now += 25 * DAY
    api.harness.chat("Later", run="r2", owner=OWNER)

    assert created(api, expires_in_days=14)["expires_at"] == "2027-02-14T08:00:00.000000+00:00"


def test_links_of_another_principal_cannot_be_created_listed_or_revoked(api: Api) -> None:
    share = created(api)

    for method, path, body in (
        ("POST", SHARES, {"expires_in_days": 1}),
        ("GET", SHARES, None),
        ("DELETE", f"{SHARES}/{share['id']}", None),
    ):
        status, error = api.call(method, path, body, principal="bob")
        assert (status, error["error"]) == (404, "session_not_found")
    assert opened(api, share)[0] == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"expires_in_days": 0},
        {"expires_in_days": 15},
        {"expires_in_days": "7"},
        {"expires_in_days": 7, "role": "admin"},
        {"expires_in_days": 7, "secret": "mine"},
    ],
)
def test_invalid_link_is_rejected(api: Api, body: dict[str, Any]) -> None:
    assert api.call("POST", SHARES, body)[0] == 400


def test_number_of_links_of_a_session_is_limited(api: Api) -> None:
    for _ in range(MAX_SHARES):
        created(api)

    status, error = api.call("POST", SHARES, {"expires_in_days": 1})

    assert (status, error["error"]) == (409, "too_many_shares")


def test_sharing_is_off_by_default(harness: SessionHarness, api: Api) -> None:
    share = created(api)
    off = served(harness)

    status, error = off.call("POST", SHARES, {"expires_in_days": 1})

    assert (status, error["error"]) == (403, "sharing_disabled")
    assert "sessions.sharing.enabled" in error["message"]
    assert opened(off, share)[0] == 404
    assert off.call("GET", SHARES)[1]["settings"] == {"enabled": False, "may_share": False, "max_days": 30}
    assert off.call("DELETE", f"{SHARES}/{share['id']}")[0] == 204


def test_only_tokens_with_a_configured_role_create_links(harness: SessionHarness, api: Api) -> None:
    strict = served(harness, sharing=SharingConfig(enabled=True, roles=("operator",)))

    status, error = strict.call("POST", SHARES, {"expires_in_days": 1})

    assert (status, error["error"]) == (403, "forbidden")
    assert strict.call("GET", SHARES)[1]["settings"]["may_share"] is False
    assert strict.call("POST", SHARES, {"expires_in_days": 1}, roles="operator")[0] == 201
    assert opened(strict, created(api))[0] == 200


def test_names_of_files_are_shown_only_where_chosen_and_never_their_ids(harness: SessionHarness, api: Api) -> None:
    reference = f"{Scope.session('s2').prefix}picture-7"
    picture = Image(media_type="image/png", name="secret-name.png", size=12, reference=reference)
    turn = harness.conversations().open(
        owner=OWNER,
        session_id="s2",
        message="See this",
        run="r2",
        settings=harness.settings,
        deadline=harness.deadline,
        content=(Text("See this"), picture),
    )
    closed(turn, "Seen.")

    def shown(**chosen: bool) -> str:
        share = api.call("POST", "/api/sessions/s2/shares", {"expires_in_days": 1, **chosen})[1]
        return json.dumps(opened(api, share)[1])

    assert "secret-name" not in shown()
    assert "secret-name" in shown(attachments=True)
    assert "picture-7" not in shown(attachments=True)


def test_links_and_exports_are_audited(api: Api) -> None:
    share = created(api)
    api.call("DELETE", f"{SHARES}/{share['id']}")
    api.call("GET", "/api/sessions/s1/export")
    api.call("GET", "/api/sessions/s1/export", principal="bob")
    api.call("POST", SHARES, {"expires_in_days": 7}, principal="bob")

    assert api.exports == [
        ("share", "s1", {"by": OWNER, "share": share["id"]}),
        ("unshare", "s1", {"by": OWNER, "share": share["id"]}),
        ("export", "s1", {"by": OWNER, "format": "json", "from_turn": 1}),
    ]
    assert share["secret"] not in str(api.exports)
