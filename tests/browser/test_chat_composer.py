"""Chat: the Enter key and the focus of the message field."""

import json

from playwright.sync_api import Route, expect

from tests.browser.chat_page import answer, field, turns
from tests.browser.screen import Screen


def test_enter_sends_and_shift_enter_inserts_a_line_break(screen: Screen) -> None:
    messages: list[str] = []

    def fulfil(route: Route) -> None:
        messages.append(json.loads(route.request.post_data or "{}")["message"])
        route.fulfill(json=answer("Yes."))

    screen.page.route("**/api/chat", fulfil)
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    page = screen.open("chat")
    field(page).press_sequentially("One")
    field(page).press("Shift+Enter")
    field(page).press_sequentially("two")
    expect(field(page)).to_have_value("One\ntwo")
    field(page).press("Enter")

    expect(turns(page)).to_contain_text("Yes.")
    expect(field(page)).to_have_value("")
    expect(field(page)).to_be_focused()
    field(page).press("Enter")
    field(page).dispatch_event("compositionstart")
    field(page).fill("に")
    field(page).dispatch_event("keydown", {"key": "Enter", "isComposing": True, "bubbles": True})
    expect(field(page)).to_have_value("に")
    assert messages == ["One\ntwo"]


def test_focus_moves_from_send_to_stop_and_back_to_the_field(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    waiting: list[Route] = []
    page = screen.open("chat")
    page.route("**/api/chat", lambda route: waiting.append(route))
    page.get_by_role("button", name="New chat").click()
    expect(field(page)).to_be_focused()
    page.keyboard.type("Hello")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name="Stop")).to_be_focused()
    waiting[0].fulfill(json=answer("Yes."))

    expect(turns(page)).to_contain_text("Yes.")
    expect(field(page)).to_be_focused()


def test_enter_key_preference_is_stored(screen: Screen) -> None:
    screen.page.route("**/api/chat", lambda route: route.fulfill(json=answer("Yes.")))
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    page = screen.open("chat")
    page.get_by_label("Send with Enter").uncheck()
    page.reload()
    expect(page.get_by_label("Send with Enter")).not_to_be_checked()

    field(page).press_sequentially("One")
    field(page).press("Enter")
    field(page).press_sequentially("two")
    expect(field(page)).to_have_value("One\ntwo")
    field(page).press("Control+Enter")

    expect(turns(page)).to_contain_text("Yes.")
