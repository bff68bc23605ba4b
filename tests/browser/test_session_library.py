"""Chat: search over sessions, export, links to share, and titles that a model writes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from flexchat.messages import Json
from tests.browser.screen import Screen
from tests.browser.trace_pages import StubApi

WIDTHS = (1280, 390)
TIMES: dict[str, Json] = {
    "created_at": "2026-11-27T02:00:00.000000+00:00",
    "updated_at": "2026-11-27T02:00:00.000000+00:00",
    "expires_at": "2026-12-27T02:00:00.000000+00:00",
}
SHARE: dict[str, Json] = {
    "id": "a" * 32,
    "role": "user",
    "tool_calls": False,
    "attachments": False,
    "turns": 1,
    "created_at": "2026-11-27T02:00:00.000000+00:00",
    "expires_at": "2026-12-04T02:00:00.000000+00:00",
}
HOSTILE = "<img src=x onerror=alert(1)> Rome"


def session(id: str = "s1", title: str = "Trip to Rome", **changes: Json) -> dict[str, Json]:
    return {"id": id, "title": title, "turns": 1, **TIMES, **changes}


def message(role: str, content: str, **changes: Json) -> dict[str, Json]:
    return {"role": role, "content": content, "at": TIMES["created_at"], "turn": 1, "tool_calls": [], **changes}


MESSAGES: list[Json] = [
    message("user", "What is worth seeing in Rome?"),
    message("assistant", "The Forum.", service="openai", model="gpt-4o", status="complete", outcome="answered"),
]


def found(request: Request) -> Json:
    """Answer the list, or a search that finds one session per page."""
    if "query=" not in request.url:
        return {"sessions": [session(), session("s2", "Kettle")]}
    parts: list[Json] = [{"text": "see in "}, {"text": "Rome", "marked": True}, {"text": " <b>now</b>"}]
    match: Json = {"title": [{"text": HOSTILE}], "turn": 1, "role": "user", "message": parts}
    if "cursor=" in request.url:
        until = TIMES["updated_at"]
        last: Json = {"sessions": 40, "until": until, "complete": True}
        return {
            "sessions": [session("s3", "Roman recipes", match={"title": [{"text": "Roman recipes"}]})],
            "searched": last,
        }
    return {
        "sessions": [session(title=HOSTILE, match=match)],
        "searched": {"sessions": 320, "until": TIMES["updated_at"], "complete": False},
        "cursor": "c",
    }


@pytest.fixture
def page_of(stubbed: Screen, api: StubApi) -> StubApi:
    api.handlers.update(
        {
            "GET /api/sessions": found,
            "GET /api/sessions/s1": session(),
            "GET /api/sessions/s1/messages": {"messages": MESSAGES},
            "GET /api/sessions/s3": session("s3", "Roman recipes"),
            "GET /api/sessions/s3/messages": {"messages": MESSAGES},
            "GET /api/collections": {"collections": []},
            "GET /api/sessions/s1/shares": {
                "shares": [],
                "settings": {"enabled": True, "may_share": True, "max_days": 14},
            },
        }
    )
    return api


def open_list(page: Page, width: int) -> None:
    """Open the drawer with the list of sessions of a narrow screen."""
    if width == min(WIDTHS):
        page.get_by_role("button", name="Conversations").click()


@pytest.mark.parametrize("width", WIDTHS)
def test_search_shows_marked_words_as_text_and_how_far_it_went(stubbed: Screen, page_of: StubApi, width: int) -> None:
    page = stubbed.open("chat?session=s1", width=width)
    open_list(page, width)

    page.get_by_label("Search sessions").fill("rome")

    results = page.get_by_role("region", name="Sessions")
    expect(results.get_by_role("listitem")).to_have_count(1)
    expect(results.get_by_role("listitem")).to_contain_text(HOSTILE)
    expect(results.get_by_role("listitem")).to_contain_text("You: see in Rome <b>now</b>")
    expect(results.locator("mark")).to_have_text(["Rome"])
    expect(results.get_by_role("status")).to_contain_text("1 result in the last 320 sessions, back to")
    assert page.locator("img[src=x]").count() == 0
    stubbed.shoot("session-search", whole=False)
    stubbed.axe(within=None if width > min(WIDTHS) else ".drawer")
    results.get_by_role("button", name="Search older sessions").click()
    expect(results.get_by_role("listitem")).to_have_count(2)
    expect(results.get_by_role("status")).to_contain_text("2 results in all 360 sessions")


def test_search_works_by_keyboard_alone(stubbed: Screen, page_of: StubApi) -> None:
    page = stubbed.open("chat")
    field = page.get_by_label("Search sessions")
    expect(field).to_be_visible()

    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    page.keyboard.type("rome")
    results = page.get_by_role("region", name="Sessions")
    expect(results.get_by_role("button", name="Search older sessions")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(results.get_by_role("listitem").get_by_role("button")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(results.get_by_role("button", name="Search older sessions")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Trip to Rome")).to_be_visible()
    field.press("Escape")
    expect(field).to_have_value("")
    expect(results.get_by_role("button", name="Rename Kettle")).to_be_visible()
    results.get_by_role("button", name="Rename Kettle").focus()
    page.keyboard.press("/")
    expect(field).to_be_focused()


def test_failed_search_can_be_repeated(stubbed: Screen, page_of: StubApi) -> None:
    stubbed.expects("the server responded with a status of 503")
    page_of.handlers["GET /api/sessions"] = (503, {"error": "unavailable", "message": "down", "request_id": "r"})
    page = stubbed.open("chat")

    page.get_by_label("Search sessions").fill("rome")
    problem = page.get_by_role("region", name="Sessions").get_by_role("alert")
    expect(problem).to_contain_text("down")
    page_of.handlers["GET /api/sessions"] = found
    problem.get_by_role("button", name="Try again").click()

    expect(page.get_by_role("region", name="Sessions").locator("mark")).to_have_text(["Rome"])


def test_parts_of_an_export_become_one_file(stubbed: Screen, page_of: StubApi, tmp_path: Path) -> None:
    page = stubbed.open("chat?session=s1")

    def fulfil(route: Any) -> None:
        first = "from_turn=1" in route.request.url
        link = {"Link": '<export?format=markdown&from_turn=2>; rel="next"'} if first else {}
        route.fulfill(body="# Trip\n" if first else "## 2. User\n", content_type="text/markdown", headers=link)

    page.route("**/api/sessions/s1/export?**", fulfil)

    with page.expect_download() as download:
        page.get_by_role("button", name="Export Markdown").click()

    assert download.value.suggested_filename == "s1.md"
    download.value.save_as(tmp_path / "s1.md")
    assert (tmp_path / "s1.md").read_text() == "# Trip\n\n## 2. User\n"


@pytest.mark.parametrize("width", WIDTHS)
def test_link_is_created_copied_listed_and_revoked(stubbed: Screen, page_of: StubApi, width: int) -> None:
    secret = "x" * 43
    shares: list[Json] = []

    def create(_request: Request) -> Json:
        shares.append(SHARE)
        return {**SHARE, "secret": secret, "path": f"shared/{SHARE['id']}#{secret}"}

    def revoke(_request: Request) -> Json:
        shares.clear()
        return {}

    settings: Json = {"enabled": True, "may_share": True, "max_days": 14}
    page_of.handlers["GET /api/sessions/s1/shares"] = lambda _request: {"shares": [*shares], "settings": settings}
    page_of.handlers["POST /api/sessions/s1/shares"] = create
    page_of.handlers[f"DELETE /api/sessions/s1/shares/{SHARE['id']}"] = revoke
    page = stubbed.open("chat?session=s1", width=width)

    page.get_by_role("button", name="Share").press("Enter")
    dialog = page.get_by_role("dialog", name="Share conversation")
    expect(dialog).to_contain_text("No links to this conversation.")
    expect(dialog).to_contain_text("to people who have a token of this service: they sign in before it opens")
    dialog.get_by_label("Show tool calls").check()
    dialog.get_by_role("button", name="Create link").press("Enter")

    link = dialog.get_by_label("Link", exact=True)
    expect(link).to_have_value(f"{stubbed.url}/shared/{SHARE['id']}#{secret}")
    assert page_of.bodies("POST /api/sessions/s1/shares") == [
        {"expires_in_days": 7, "role": "user", "tool_calls": True, "attachments": False}
    ]
    expect(dialog.get_by_role("listitem")).to_contain_text("1 turn · every token")
    stubbed.shoot("share-dialog", whole=False)
    stubbed.axe(within="dialog[open]")
    dialog.get_by_role("button", name="Revoke").press("Enter")
    expect(dialog).to_contain_text("No links to this conversation.")


def test_dialog_says_that_sharing_is_off(stubbed: Screen, page_of: StubApi) -> None:
    page_of.handlers["GET /api/sessions/s1/shares"] = {
        "shares": [],
        "settings": {"enabled": False, "may_share": False, "max_days": 30},
    }
    page = stubbed.open("chat?session=s1")

    page.get_by_role("button", name="Share").click()

    dialog = page.get_by_role("dialog", name="Share conversation")
    expect(dialog).to_contain_text("Sharing is off. An operator can set sessions.sharing.enabled in the configuration.")
    expect(dialog.get_by_role("button", name="Create link")).to_have_count(0)


@pytest.mark.parametrize("width", WIDTHS)
def test_shared_conversation_is_read_only(stubbed: Screen, page_of: StubApi, width: int) -> None:
    page_of.handlers[f"GET /api/shared/{SHARE['id']}"] = {
        "title": HOSTILE,
        "turns": 1,
        "shared_at": SHARE["created_at"],
        "expires_at": SHARE["expires_at"],
        "tool_calls": False,
        "attachments": False,
        "messages": MESSAGES,
    }
    page = stubbed.open(f"shared/{SHARE['id']}#secret", width=width)

    expect(page.get_by_role("heading", name=HOSTILE)).to_be_visible()
    expect(page.locator(".chat-turn")).to_contain_text("The Forum.")
    expect(page.get_by_role("button", name="Edit")).to_have_count(0)
    expect(page.get_by_role("button", name="Regenerate")).to_have_count(0)
    expect(page.get_by_text("Read-only, 1 turn")).to_be_visible()
    assert page.get_by_role("textbox").count() == 0
    assert (
        page.get_by_role("link", name="Trace").count()
        == page.locator("header").get_by_role("link", name="Trace").count()
    )
    (request,) = page_of.sent(f"GET /api/shared/{SHARE['id']}")
    assert request.headers["x-flexchat-share"] == "secret"
    assert "secret" not in request.url
    stubbed.shoot("shared-session")
    stubbed.axe()


@pytest.mark.parametrize("width", WIDTHS)
def test_link_without_a_token_leads_to_the_sign_in_and_back_to_the_conversation(
    stubbed: Screen, page_of: StubApi, width: int
) -> None:
    page_of.handlers[f"GET /api/shared/{SHARE['id']}"] = {
        "title": "Trip to Rome",
        "turns": 1,
        "shared_at": SHARE["created_at"],
        "expires_at": SHARE["expires_at"],
        "tool_calls": False,
        "attachments": False,
        "messages": MESSAGES,
    }
    page = stubbed.open(f"shared/{SHARE['id']}#secret", width=width, signed_in=False)

    dialog = page.get_by_role("dialog", name="API token")
    expect(dialog).to_contain_text("This link shows a shared conversation to people with a token of this service.")
    assert not page_of.sent(f"GET /api/shared/{SHARE['id']}")
    stubbed.axe(within="dialog[open]")
    dialog.get_by_label("Token", exact=True).fill(stubbed.token)
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Trip to Rome")).to_be_visible()
    expect(dialog).to_be_hidden()
    assert page.url.endswith(f"shared/{SHARE['id']}#secret")


def test_unknown_link_says_so(stubbed: Screen, page_of: StubApi) -> None:
    stubbed.expects("the server responded with a status of 404")
    page_of.handlers[f"GET /api/shared/{SHARE['id']}"] = (
        404,
        {"error": "share_not_found", "message": "this link does not exist", "request_id": "r"},
    )
    page = stubbed.open(f"shared/{SHARE['id']}#secret")

    expect(page.get_by_role("alert")).to_contain_text("Link not found")


ANSWER: dict[str, Json] = {
    "content": "The Forum.",
    "service": "openai",
    "model": "gpt-4o",
    "status": "complete",
    "outcome": "answered",
    "finish_reason": "stop",
    "tool_calls": [],
    "request_id": "r1",
    "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
    "timings": {"total_ms": 5, "steps": []},
}


def test_title_of_a_model_appears_without_a_reload(stubbed: Screen, page_of: StubApi) -> None:
    reads = 0

    def answered(request: Request) -> Json:
        name = str(json.loads(request.post_data or "{}")["session_id"])
        reference: Json = {"id": name, "title": "What is worth seeing", "saved": True, "title_pending": True}

        def read(_request: Request) -> Json:
            nonlocal reads
            reads += 1
            return session(name, "What is worth seeing" if reads < 3 else "Sights of Rome")

        page_of.handlers[f"GET /api/sessions/{name}"] = read
        page_of.handlers[f"GET /api/sessions/{name}/messages"] = {"messages": MESSAGES}
        return {**ANSWER, "session": reference}

    page_of.handlers["POST /api/chat"] = answered
    page = stubbed.open("chat")
    page.get_by_label("Message").fill("What is worth seeing in Rome?")
    page.keyboard.press("Control+Enter")

    expect(page.get_by_role("heading", name="What is worth seeing")).to_be_visible()
    expect(page.get_by_role("heading", name="Sights of Rome")).to_be_visible()
    expect(page.get_by_role("region", name="Sessions")).to_contain_text("Sights of Rome")


def test_title_of_a_person_is_not_replaced_by_an_earlier_read(stubbed: Screen, page_of: StubApi) -> None:
    held: list[Route] = []

    def answered(request: Request) -> Json:
        name = str(json.loads(request.post_data or "{}")["session_id"])
        page_of.handlers[f"GET /api/sessions/{name}"] = session(name, "What is worth seeing")
        page_of.handlers[f"GET /api/sessions/{name}/messages"] = {"messages": MESSAGES}
        page_of.handlers[f"PATCH /api/sessions/{name}"] = session(name, "Mine")
        reference: Json = {"id": name, "title": "What is worth seeing", "saved": True, "title_pending": True}
        return {**ANSWER, "session": reference}

    def hold_read(route: Route) -> None:
        if route.request.method == "GET":
            held.append(route)
        else:
            route.fallback()

    page_of.handlers["POST /api/chat"] = answered
    page = stubbed.open("chat")
    page.get_by_label("Message").fill("What is worth seeing in Rome?")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="What is worth seeing")).to_be_visible()
    with page.expect_request(re.compile(r"/api/sessions/[0-9a-f]+$")):
        page.route(re.compile(r"/api/sessions/[0-9a-f]+$"), hold_read)

    page.get_by_role("button", name="Rename What is worth seeing").click()
    page.get_by_label("Title", exact=True).fill("Mine")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Mine")).to_be_visible()
    with page.expect_response(re.compile(r"/api/sessions/[0-9a-f]+$")):
        held[0].fulfill(json=session(held[0].request.url.rpartition("/")[2], "Of the model"))

    page.wait_for_timeout(300)
    expect(page.get_by_role("heading", name="Mine")).to_be_visible()
    expect(page.get_by_role("region", name="Sessions")).not_to_contain_text("Of the model")
