"""Chat: edited messages, regenerated answers, and the switch between versions."""

import pytest
from playwright.sync_api import Locator, Page, expect

from flexchat.messages import Json
from tests.browser.chat_page import field, parameter, send_message, turns
from tests.browser.screen import Screen, Theme
from tests.browser.stub_conversation import StubConversation, StubTurn
from tests.browser.trace_pages import StubApi

WIDTHS = pytest.mark.parametrize("width", [1280, 390])


@pytest.fixture
def conversation(api: StubApi) -> StubConversation:
    """A session with three turns, of which the second has a version with a turn of its own."""
    stub = StubConversation(
        [
            StubTurn(0, "Weather in Paris?", "Sunny."),
            StubTurn(1, "And tomorrow?", "Rain tomorrow."),
            StubTurn(2, "And after?", "Snow after."),
        ]
    )
    stub.install(api)
    return stub


def opened(screen: Screen, *, width: int = 1280, theme: Theme = "light", path: str = "chat?session=s1") -> Page:
    page = screen.open(path, width=width, theme=theme)
    expect(turns(page).first).to_be_visible()
    return page


def turn(page: Page, number: int) -> Locator:
    return page.get_by_role("article", name=f"Turn {number}", exact=True)


def shown(page: Page) -> list[str]:
    return page.locator(".chat-question > .chat-prose").all_inner_texts()


@WIDTHS
def test_an_edited_message_is_another_version_and_the_earlier_one_stays(
    stubbed: Screen, api: StubApi, conversation: StubConversation, width: int
) -> None:
    conversation.replies = ["Wind on Sunday."]
    page = opened(stubbed, width=width)
    turn(page, 2).get_by_role("button", name="Edit").click()
    editor = page.get_by_label("Edit the message")
    expect(editor).to_be_focused()
    expect(editor).to_have_value("And tomorrow?")
    stubbed.shoot("chat-edit", whole=False)
    stubbed.axe()

    editor.fill("And on Sunday?")
    editor.press("Control+Enter")

    expect(turn(page, 4)).to_contain_text("Wind on Sunday.")
    expect(turns(page)).to_have_count(2)
    assert shown(page) == ["Weather in Paris?", "And on Sunday?"]
    [sent] = api.bodies("POST /api/chat")
    assert sent == {"message": "And on Sunday?", "session_id": "s1", "edit_turn": 2, "lease_seconds": 150}
    expect(turn(page, 4).get_by_role("group", name="Version 2 of 2")).to_contain_text("2 / 2")
    stubbed.shoot("chat-versions", whole=False)
    stubbed.axe()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@WIDTHS
def test_versions_are_switched_by_keyboard_and_announced(
    stubbed: Screen, conversation: StubConversation, width: int
) -> None:
    conversation.turns.append(StubTurn(1, "And on Sunday?", "Wind on Sunday."))
    page = opened(stubbed, width=width)
    turn(page, 4).get_by_role("button", name="Previous version").focus()

    page.keyboard.press("ArrowLeft")

    expect(turn(page, 3)).to_contain_text("Snow after.")
    assert shown(page) == ["Weather in Paris?", "And tomorrow?", "And after?"]
    assert parameter(page, "branch") == "2"
    expect(page.get_by_role("status").filter(has_text="Version 1 of 2")).to_have_count(1)
    expect(turn(page, 2).get_by_role("button", name="Next version")).to_be_focused()
    page.keyboard.press("ArrowLeft")  # there is no version before the first one
    page.keyboard.press("ArrowRight")
    expect(turn(page, 4)).to_contain_text("Wind on Sunday.")
    page.go_back()
    expect(turn(page, 3)).to_be_visible()


def test_a_reload_shows_the_branch_and_a_message_continues_it(
    stubbed: Screen, api: StubApi, conversation: StubConversation
) -> None:
    conversation.turns.append(StubTurn(1, "And on Sunday?", "Wind on Sunday."))
    conversation.replies = ["Sun at last."]
    page = opened(stubbed, path="chat?session=s1&branch=3")
    expect(turn(page, 3)).to_contain_text("Snow after.")

    send_message(page, "And then?")

    expect(turn(page, 5)).to_contain_text("Sun at last.")
    assert shown(page) == ["Weather in Paris?", "And tomorrow?", "And after?", "And then?"]
    assert api.bodies("POST /api/chat")[0]["parent_turn"] == 3  # pyright: ignore
    assert parameter(page, "branch") == ""


def test_a_regenerated_answer_takes_the_place_of_the_turn_while_it_is_pending(
    stubbed: Screen, api: StubApi, conversation: StubConversation
) -> None:
    conversation.replies = ["Fog tomorrow."]
    held: list[str] = []
    page = opened(stubbed)
    page.route("**/api/chat", lambda route: held.append("sent") or page.wait_for_timeout(300) or route.fallback())

    turn(page, 2).get_by_role("button", name="Regenerate").click()
    expect(turns(page)).to_have_count(1)
    assert shown(page)[-1] == "And tomorrow?"

    expect(turn(page, 4)).to_contain_text("Fog tomorrow.")
    assert api.bodies("POST /api/chat") == [{"session_id": "s1", "regenerate_turn": 2, "lease_seconds": 150}]
    expect(field(page)).to_have_value("")


def test_escape_ends_editing_and_returns_the_focus(stubbed: Screen, conversation: StubConversation) -> None:
    page = opened(stubbed)
    edit = turn(page, 2).get_by_role("button", name="Edit")
    edit.press("Enter")
    page.get_by_label("Edit the message").press("Escape")

    expect(page.get_by_label("Edit the message")).to_have_count(0)
    expect(edit).to_be_focused()
    assert shown(page)[1] == "And tomorrow?"


def test_a_failed_edit_keeps_the_text_in_its_place(
    stubbed: Screen, api: StubApi, conversation: StubConversation
) -> None:
    stubbed.watch.tolerate("the server responded with a status of 503")
    failed: Json = {"error": "unavailable", "message": "Try later.", "request_id": "r-1"}
    api.set("POST /api/chat", (503, failed))
    page = opened(stubbed)
    turn(page, 2).get_by_role("button", name="Edit").click()
    page.get_by_label("Edit the message").fill("And on Sunday?")
    page.get_by_label("Edit the message").press("Control+Enter")

    expect(page.get_by_role("alert")).to_contain_text("Try later.")
    expect(page.get_by_label("Edit the message")).to_have_value("And on Sunday?")
    expect(turn(page, 3)).to_be_visible()
    expect(field(page)).to_have_value("")


def test_a_message_is_copied(stubbed: Screen, conversation: StubConversation) -> None:
    page = opened(stubbed)

    turn(page, 2).get_by_role("button", name="Copy message").click()

    expect(turn(page, 2)).to_contain_text("copied ✓")
    assert page.evaluate("() => navigator.clipboard.readText()") == "And tomorrow?"


@pytest.mark.parametrize("theme", ["light", "dark"])
@WIDTHS
def test_turns_with_versions_are_accessible(
    stubbed: Screen, conversation: StubConversation, width: int, theme: Theme
) -> None:
    conversation.turns.append(StubTurn(1, "And on Sunday?", "", {"outcome": "stopped", "status": "partial"}))
    page = opened(stubbed, width=width, theme=theme)

    expect(turn(page, 4)).to_contain_text("stopped")
    stubbed.shoot("chat-branches", whole=False)
    stubbed.axe()
