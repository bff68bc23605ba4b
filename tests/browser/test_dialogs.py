"""Focus of dialogs and drawers by keyboard alone: the first field when one opens, its opener again when it closes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from flexchat.messages import Json
from tests.browser.layout import document_width
from tests.browser.screen import Screen
from tests.browser.test_session_library import MESSAGES, session
from tests.browser.test_tokens import stage_of
from tests.browser.trace_pages import ID, StubApi

WIDTHS = (1280, 390)
SHARES = "GET /api/sessions/s1/shares"
SUITE: Json = {
    "name": "recorded",
    "tools": [],
    "cases": [{"id": "paris", "category": "single", "message": "Weather?", "tools": [], "expect": {"turns": []}}],
}


@dataclass(frozen=True)
class Opening:
    """A dialog, the name of the button that opens it, and the label or name of what has the focus then."""

    path: str
    opener: str
    title: str
    focused: Callable[[Page], Locator]
    before: Callable[[Page], None] = lambda _page: None

    def __str__(self) -> str:
        return self.title


def field(label: str) -> Callable[[Page], Locator]:
    return lambda page: page.get_by_role("dialog").get_by_label(label, exact=True)


def button(name: str) -> Callable[[Page], Locator]:
    return lambda page: page.get_by_role("dialog").get_by_role("button", name=name, exact=True)


def edit_prompt(page: Page) -> None:
    page.get_by_label("Prompt", exact=True).press("End")
    page.keyboard.type("Be warm.")


EDIT, TOKENS = "configuration?mode=edit", "configuration?mode=tokens"
OPENINGS = (
    Opening(TOKENS, "Create token", "Create token", field("Name")),
    Opening(TOKENS, "Set limits of Ada's laptop", "Limits of “Ada's laptop”", field("Requests a minute")),
    Opening(TOKENS, "Revoke Support desk", "Revoke “Support desk”?", button("Cancel")),
    Opening(EDIT, "Discard draft", "Discard the draft?", button("Keep draft"), edit_prompt),
    Opening(
        "configuration?mode=history&version=1",
        "Roll back to this version",
        "Roll back to version 1?",
        field("Comment"),
    ),
    Opening(f"runs/{ID}", "Save as case", "Save as validation case", field("Suite")),
    Opening(f"runs/{ID}", "Run again", "Run the message again", field("With another model")),
    Opening("chat?session=s1", "Share", "Share conversation", field("Valid for days, at most 14")),
)


@pytest.fixture
def whole(stubbed: Screen, api: StubApi) -> Screen:
    """The page with one session, one trace, four tokens and two versions of the configuration."""
    stage_of(api)
    responses: Mapping[str, Json] = {
        "GET /api/collections": {"collections": []},
        "GET /api/sessions": {"sessions": [session()]},
        "GET /api/sessions/s1": session(),
        "GET /api/sessions/s1/messages": {"messages": MESSAGES},
        SHARES: {"shares": [], "settings": {"enabled": True, "may_share": True, "max_days": 14}},
        f"GET /api/traces/{ID}/case": SUITE,
        "GET /api/validation/suites": {"suites": []},
    }
    for route, response in responses.items():
        api.set(route, response)
    return stubbed


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("opening", OPENINGS, ids=str)
def test_dialog_takes_and_returns_the_focus(whole: Screen, opening: Opening, width: int) -> None:
    page = whole.open(opening.path, width=width)
    opening.before(page)
    opener = page.get_by_role("button", name=opening.opener)

    opener.press("Enter")

    dialog = page.get_by_role("dialog", name=opening.title, exact=True)
    expect(dialog).to_be_visible()
    expect(opening.focused(page)).to_be_focused()
    whole.shoot(f"dialog-{opening.opener.replace(' ', '-').lower()}", whole=False)
    whole.axe(within="dialog[open]")
    assert document_width(page) == width
    expect(dialog.get_by_role("heading", level=2)).to_be_in_viewport()

    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(opener).to_be_focused()


@pytest.mark.parametrize("width", WIDTHS)
def test_field_that_is_loaded_late_takes_no_focus_from_another_control(whole: Screen, width: int) -> None:
    page = whole.open("chat?session=s1", width=width)
    held = whole.hold("**/api/sessions/s1/shares")
    page.get_by_role("button", name="Share").press("Enter")
    close = button("Close")(page)
    expect(close).to_be_focused()
    page.keyboard.press("Tab")
    expect(close).not_to_be_focused()

    held.lift()

    expect(field("Valid for days, at most 14")(page)).to_be_visible()
    expect(field("Valid for days, at most 14")(page)).not_to_be_focused()


@pytest.mark.parametrize("width", WIDTHS)
def test_dialog_without_a_field_keeps_the_focus_on_its_first_control(whole: Screen, api: StubApi, width: int) -> None:
    settings: Json = {"enabled": False, "may_share": False, "max_days": 30}
    api.set(SHARES, {"shares": [], "settings": settings})
    page = whole.open("chat?session=s1", width=width)

    page.get_by_role("button", name="Share").press("Enter")

    expect(page.get_by_role("dialog")).to_contain_text("Sharing is off.")
    expect(button("Close")(page)).to_be_focused()


@pytest.mark.parametrize("width", WIDTHS)
def test_token_is_typed_at_once_and_escape_does_not_close_the_sign_in(whole: Screen, width: int) -> None:
    page = whole.open(width=width, signed_in=False)
    token = page.get_by_label("Token", exact=True)
    expect(token).to_be_focused()
    whole.shoot("dialog-sign-in", whole=False)
    whole.axe(within="dialog[open]")
    assert document_width(page) == width

    for _ in range(3):
        page.keyboard.press("Escape")
    expect(token).to_be_focused()
    page.keyboard.type("stub")
    page.keyboard.press("Enter")

    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("width", WIDTHS)
def test_created_token_is_not_lost_by_escape(whole: Screen, width: int) -> None:
    page = whole.open(TOKENS, width=width)
    page.get_by_role("button", name="Create token").press("Enter")
    page.keyboard.type("Build server")
    page.keyboard.press("Enter")
    token = page.get_by_label("Token", exact=True)
    expect(token).to_be_focused()

    for _ in range(3):
        page.keyboard.press("Escape")

    expect(token).to_be_focused()


def test_drawer_focuses_the_search_of_sessions_and_returns_the_focus(whole: Screen) -> None:
    page = whole.open("chat", width=390)
    opener = page.get_by_role("button", name="Conversations")
    opener.press("Enter")
    expect(page.get_by_role("dialog", name="Conversations").get_by_role("searchbox")).to_be_focused()
    whole.shoot("drawer-focus", whole=False)

    page.keyboard.press("Escape")

    expect(opener).to_be_focused()


@pytest.mark.parametrize("width", WIDTHS)
def test_help_has_the_focus_on_its_close_button(whole: Screen, width: int) -> None:
    page = whole.open("traces", width=width)
    expect(page.get_by_role("heading", name="Traces").first).to_be_attached()

    page.keyboard.press("?")
    expect(button("Close")(page)).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_role("dialog")).to_have_count(0)


def test_drawer_opens_no_keyboard_of_a_touch_screen_over_the_list(whole: Screen) -> None:
    page = whole.open("chat", width=390)
    devtools: Any = page.context.new_cdp_session(page)
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    assert page.evaluate("() => matchMedia('(hover: none) and (pointer: coarse)').matches")

    page.get_by_role("button", name="Conversations").click()

    expect(button("Close")(page)).to_be_focused()
