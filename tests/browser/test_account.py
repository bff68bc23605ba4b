"""The token: landing view, account menu, expiry, rejection, sign-out, views of the role user."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from flexchat.messages import Json
from tests.browser.layout import document_width, small_targets
from tests.browser.screen import Screen
from tests.browser.trace_pages import StubApi

REJECTED: tuple[int, Json] = (401, {"error": "unauthorized", "message": "this API token is unknown", "request_id": "r"})


def account(*roles: str, expires: timedelta = timedelta(days=12, hours=1), **changes: Any) -> dict[str, Json]:
    resets = (datetime.now(UTC) + timedelta(seconds=40)).isoformat()
    limits: list[Json] = [
        {"name": "requests_per_minute", "allowed": 600, "used": 3, "reserved": 0, "resets_at": resets},
        {"name": "tokens_per_day", "allowed": 90_000, "used": 12_345, "reserved": 2_000, "resets_at": resets},
    ]
    return {
        "principal": "k3m9x2p7qd",
        "name": "laptop of Ann",
        "roles": list[Json](roles or ("operator", "user")),
        "expires_at": (datetime.now(UTC) + expires).isoformat(),
        "limits": limits,
        **changes,
    }


@pytest.fixture
def chat(stubbed: Screen, api: StubApi) -> Screen:
    """The page with empty lists; requests of the landing view are answered."""
    api.set("GET /api/me", account())
    api.set("GET /api/sessions", {"sessions": []})
    api.set("GET /api/collections", {"collections": []})
    return stubbed


def open_account(page: Page) -> None:
    page.get_by_role("button", name="Account").click()
    expect(page.locator("#account")).to_be_visible()


def test_address_without_a_path_is_the_chat(chat: Screen) -> None:
    page = chat.open()

    expect(page).to_have_title("Chat · Flexchat")
    expect(page.get_by_role("navigation", name="Views").get_by_role("link").first).to_have_text("Chat")


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_account_menu_has_name_role_expiry_and_limits(chat: Screen, width: int) -> None:
    page = chat.open(width=width)
    button = page.get_by_role("button", name="Account")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.focus()
    page.keyboard.press("Enter")

    menu = page.locator("#account")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(menu.get_by_role("heading", name="laptop of Ann")).to_be_visible()
    expect(menu).to_contain_text("operator, user")
    expiry = menu.get_by_text("expires in 12 days")
    expect(expiry).to_have_attribute("title", re.compile(r"^\d+ \w+ \d{4}, \d\d:\d\d:\d\d$"))
    expect(menu).to_contain_text("3 of 600")
    expect(menu).to_contain_text("12,345 of 90,000")
    expect(menu).to_contain_text("2,000 reserved by running chats")
    expect(menu).to_contain_text("in this tab, until you close it")
    chat.shoot("account", whole=False)
    chat.axe(within="#account")
    assert document_width(page) == width
    assert small_targets(page) == []

    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()


def test_token_without_limits_and_limits_that_cannot_be_read_are_said_in_words(chat: Screen, api: StubApi) -> None:
    api.set("GET /api/me", account(limits=[]))
    page = chat.open()
    open_account(page)
    expect(page.locator("#account")).to_contain_text("None for this token.")
    page.keyboard.press("Escape")

    unread = account()
    del unread["limits"]
    api.set("GET /api/me", unread)
    open_account(page)
    expect(page.locator("#account")).to_contain_text("The limits cannot be read now.")


@pytest.mark.parametrize("keep", ["page", "tab", "browser"])
def test_token_is_kept_where_the_person_chose(chat: Screen, keep: Any) -> None:
    page = chat.open(signed_in=False)
    chat.sign_in("fc_aaaaaaaaaa_secret", keep=keep)
    expect(page.get_by_role("dialog")).to_have_count(0)

    stored = page.evaluate(
        """() => ["sessionStorage", "localStorage"].filter((name) =>
          Object.values(window[name]).includes("fc_aaaaaaaaaa_secret"))"""
    )
    assert stored == {"page": [], "tab": ["sessionStorage"], "browser": ["localStorage"]}[keep]
    other = page.context.new_page()
    other.route("**/*", lambda route: route.fallback())
    page.reload()
    if keep == "page":
        expect(page.get_by_role("dialog", name="API token")).to_be_visible()
    else:
        expect(page.get_by_role("button", name="Account")).to_be_visible()


def test_sign_out_forgets_everything_also_in_other_tabs(chat: Screen, api: StubApi) -> None:
    page = chat.open(signed_in=False)
    chat.sign_in("fc_aaaaaaaaaa_secret", keep="browser")
    expect(page.get_by_role("button", name="Account")).to_be_visible()
    other = page.context.new_page()
    api.install(other)
    other.goto(f"{chat.url}/chat")
    expect(other.get_by_role("button", name="Account")).to_be_visible()
    other.get_by_label("Message", exact=True).fill("Not sent")

    open_account(page)
    page.get_by_role("button", name="Sign out").click()

    for each in (page, other):
        expect(each.get_by_role("dialog", name="API token")).to_be_visible()
        expect(each.get_by_label("Message", exact=True)).to_have_count(0)
        kept = each.evaluate("() => [...Object.keys(sessionStorage), ...Object.keys(localStorage)]")
        assert [key for key in kept if "token" in key or "caller" in key] == []


def test_rejected_token_leads_to_the_sign_in_and_back_with_the_typed_text(chat: Screen, api: StubApi) -> None:
    chat.watch.tolerate("the server responded with a status of 401")
    chat.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    page = chat.open("chat")
    page.get_by_label("Message", exact=True).fill("What is 15% of 45?")
    api.set("POST /api/chat", REJECTED)
    page.get_by_role("button", name="Send").click()

    dialog = page.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_contain_text("The service no longer accepts your token: it has expired or was revoked.")
    chat.shoot("sign-in-again", whole=False)
    chat.axe(within="dialog[open]")
    chat.sign_in("fc_bbbbbbbbbb_secret", keep="tab")

    expect(dialog).to_have_count(0)
    expect(page.get_by_label("Message", exact=True)).to_have_value("What is 15% of 45?")
    expect(page).to_have_title("Chat · Flexchat")


def test_expired_token_names_its_expiry(chat: Screen, api: StubApi) -> None:
    api.set("GET /api/me", account(expires=timedelta(seconds=3)))
    page = chat.open("traces")
    dialog = page.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_contain_text(re.compile(r"Your token expired on \d+ \w+ \d{4}"))
    api.set("GET /api/me", account())

    chat.sign_in("fc_bbbbbbbbbb_secret")

    expect(dialog).to_have_count(0)
    expect(page).to_have_title("Traces · Flexchat")


def test_views_of_operators_are_hidden_until_the_role_is_known(chat: Screen) -> None:
    held: list[Route] = []
    chat.page.route("**/api/me", lambda route: held.append(route))
    page = chat.open()
    expect(page.get_by_role("heading", name="Chat with the service")).to_be_visible()
    expect(page.get_by_role("link", name="Configuration")).to_have_count(0)

    for request in held:
        request.fulfill(json=account())

    expect(page.get_by_role("link", name="Configuration")).to_be_visible()


def test_user_sees_the_views_that_it_may_use(chat: Screen, api: StubApi) -> None:
    api.set("GET /api/me", account("user"))
    page = chat.open()
    expect(page.get_by_role("button", name="Account")).to_have_text(re.compile("laptop of Ann"))

    titles = page.get_by_role("navigation", name="Views").get_by_role("link").all_text_contents()

    assert "Configuration" not in titles
    assert titles[0] == "Chat"
