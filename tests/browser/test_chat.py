"""Chat: sending messages, loading sessions, errors and layout."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat_page import SUM, SUM_ANSWER, SUM_TITLE, field, parameter, send_message, session_row, turns
from tests.browser.screen import Screen, Theme

NARROW = 800
"""Width in pixels below which the conversations and options are in a drawer."""


def unfold(page: Page, *names: str) -> None:
    for name in names:
        summary = page.locator("summary", has_text=name)
        if not summary.evaluate("summary => summary.parentElement.open"):
            summary.click()


def test_first_message_creates_a_session_and_its_answer_has_details(screen: Screen) -> None:
    page = screen.open("chat")
    expect(page.get_by_role("heading", name="Chat with the service")).to_be_visible()
    page.get_by_label("Include an explanation").check()
    page.get_by_label("Flexchat's documentation").check()

    send_message(page, SUM)

    turn = turns(page)
    expect(turn).to_contain_text(SUM)
    expect(turn).to_contain_text(SUM_ANSWER)
    expect(turn).to_contain_text(re.compile(r"gpt-4o\s*demo\s*✓ answered\s*service openai\s*rule documents"))
    expect(field(page)).to_have_value("")
    expect(page.get_by_role("heading", name=SUM_TITLE)).to_be_visible()
    expect(session_row(page, SUM_TITLE).first).to_have_attribute("data-open", "true")
    turn.get_by_text("1 tool call").click()
    turn.get_by_text('calculate(expression: "15% of 45")').click()
    turn.get_by_role("tab", name="result").click()
    expect(turn.get_by_role("tabpanel")).to_contain_text("6.75")
    turn.get_by_text("Timeline").click()
    expect(turn.get_by_role("option")).to_have_count(4)
    turn.get_by_text("5 documents").click()
    expect(turn.get_by_role("table", name="Documents sent to the model").get_by_role("row")).to_have_count(6)
    turn.get_by_text("Explanation").click()
    expect(turn.get_by_role("row", name="documents matched true rag_results any", exact=True)).to_be_visible()
    expect(turn.get_by_role("row", name="uuid not offered not in the rule's allowed_tools", exact=True)).to_be_visible()


def test_reload_restores_the_session_and_back_opens_the_previous_one(screen: Screen, answered_session: str) -> None:
    page = screen.open(f"chat?session={answered_session}")
    expect(turns(page)).to_contain_text(SUM_ANSWER)
    page.get_by_role("button", name="New chat").click()
    send_message(page, "Hello there")
    expect(turns(page)).to_contain_text("You said")
    second = parameter(page, "session")

    page.reload()
    expect(turns(page)).to_contain_text("Hello there")
    assert parameter(page, "session") == second
    page.go_back()
    expect(page.get_by_role("heading", name="New chat")).to_be_visible()
    expect(turns(page)).to_have_count(0)
    page.go_back()

    expect(turns(page)).to_contain_text(SUM_ANSWER)
    turns(page).get_by_text("1 tool call").click()
    expect(turns(page)).to_contain_text(re.compile(r'calculate\(expression: "15% of 45"\)\s*✓ done'))


def test_failed_message_stays_in_the_field_and_can_be_sent_again(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session whose first message failed
    sessions = screen.route_fail("**/api/sessions?**", status=503, body={"error": "unavailable", "message": "Later."})
    page = screen.open("chat")
    expect(page.get_by_role("region", name="Sessions").get_by_role("alert")).to_contain_text("Later.")
    down = screen.route_fail("**/api/chat")

    send_message(page, SUM)

    expect(page.get_by_role("alert").last).to_contain_text("The service cannot be reached")
    expect(field(page)).to_have_value(SUM)
    down.lift()
    sessions.lift()
    page.get_by_role("button", name="Send").click()
    expect(turns(page)).to_contain_text(SUM_ANSWER)
    page.get_by_role("region", name="Sessions").get_by_role("button", name="Try again").click()
    expect(session_row(page, SUM_TITLE).first).to_have_attribute("data-open", "true")


def test_failed_loading_of_messages_can_be_retried(screen: Screen, answered_session: str) -> None:
    failing = screen.route_fail("**/messages?**", status=503, body={"error": "unavailable", "message": "Later."})
    page = screen.open(f"chat?session={answered_session}")
    expect(page.get_by_role("alert")).to_contain_text("Later.")
    field(page).fill("What I wrote")

    failing.lift()
    page.get_by_role("button", name="Try again").click()

    expect(turns(page)).to_contain_text(SUM_ANSWER)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(field(page)).to_have_value("What I wrote")


def test_invalid_deadline_is_rejected_before_sending(screen: Screen) -> None:
    page = screen.open("chat")
    page.get_by_label("Deadline in seconds").fill("29")

    send_message(page, SUM)

    expect(page.get_by_role("alert")).to_have_text(
        "✕ Enter a deadline from 1 to 28 seconds, or up to 900 in the background."
    )
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    page.get_by_label("Run in the background").check()
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    assert turns(page).count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_conversation_fits_the_screen_and_is_accessible(
    screen: Screen, answered_session: str, width: int, theme: Theme
) -> None:
    page = screen.open(f"chat?session={answered_session}", width=width, theme=theme)
    expect(turns(page)).to_contain_text(SUM_ANSWER)
    screen.shoot("chat-session", whole=False)
    unfold(page, "1 tool call")
    page.get_by_text('calculate(expression: "15% of 45")').click()
    expect(page.get_by_role("tabpanel")).to_be_visible()
    if width < NARROW:
        page.get_by_role("button", name="Conversations").click()
    unfold(page, "Sessions", "Collections", "Options", "Profile fields")
    expect(page.get_by_label("Flexchat's documentation")).to_be_visible()
    expect(page.get_by_label("Intent")).to_be_visible()
    screen.shoot("chat-unfolded")
    screen.axe()

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
