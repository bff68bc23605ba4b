"""Chat: renaming, deleting and access to sessions, and long sessions."""

from urllib.parse import parse_qs, urlsplit

import httpx2
from playwright.sync_api import Route, expect

from flexchat.messages import Json
from tests.browser.chat_page import SUM, SUM_ANSWER, chat, field, new_id, parameter, send_message, session_row, turns
from tests.browser.screen import Screen


def test_session_is_renamed_and_deleted_with_the_keyboard(screen: Screen) -> None:
    page = screen.open("chat")
    message = f"Hello {new_id()}"
    expect(field(page)).to_be_visible()
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    page.keyboard.type(message)
    page.keyboard.press("Control+Enter")
    expect(turns(page)).to_contain_text("You said")

    session_row(page, message).get_by_role("button", name=f"Rename {message}").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Title", exact=True)).to_be_focused()
    title = f"Renamed {new_id()}"
    page.keyboard.type(title)
    page.keyboard.press("Enter")
    expect(session_row(page, title)).to_have_count(1)
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    session_row(page, title).get_by_role("button", name=f"Delete {title}").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    session_row(page, title).get_by_role("button", name=f"Delete {title}").press("Enter")
    page.get_by_role("group", name=f"Delete {title}").get_by_role("button", name="Delete").press("Enter")

    expect(session_row(page, title)).to_have_count(0)
    expect(page.get_by_role("heading", name="New chat")).to_be_visible()
    expect(page.get_by_role("region", name="Sessions")).to_be_focused()


def test_deleted_session_shows_an_error_and_offers_a_new_chat(screen: Screen, service: httpx2.Client) -> None:
    screen.expects("the server responded with a status of 404")
    session = new_id()
    chat(service, {"message": "Hello", "session_id": session})
    service.delete(f"/api/sessions/{session}").raise_for_status()
    page = screen.open(f"chat?session={session}")

    expect(page.get_by_role("alert")).to_contain_text(f"session '{session}' not found")
    page.get_by_role("button", name="Start a new chat").click()

    expect(page.get_by_role("heading", name="New chat")).to_be_visible()
    assert parameter(page, "session") == ""


def test_sessions_of_other_users_are_hidden_and_explanations_need_an_operator(
    screen: Screen, answered_session: str, user_token: str
) -> None:
    screen.expects("the server responded with a status of 404")
    page = screen.open(f"chat?session={answered_session}", signed_in=False)
    screen.sign_in(user_token)
    expect(page.get_by_role("alert")).to_contain_text("not found; GET /api/sessions lists yours")
    page.get_by_role("button", name="Start a new chat").click()
    expect(page.get_by_label("Run in the background")).to_be_visible()
    expect(page.get_by_label("Include an explanation")).to_have_count(0)

    send_message(page, SUM)

    expect(turns(page)).to_contain_text(SUM_ANSWER)


LONG_TURNS = 500


HISTORY_SESSION: dict[str, Json] = {
    "id": "long",
    "title": "A long one",
    "turns": LONG_TURNS,
    "created_at": "2026-01-15T12:00:00+00:00",
    "updated_at": "2026-01-15T13:00:00+00:00",
    "expires_at": "2026-02-15T12:00:00+00:00",
}


def history(route: Route) -> None:
    """A page of a fake session with a thousand messages."""
    query = parse_qs(urlsplit(route.request.url).query)
    first, limit = int(query["from_turn"][0]), int(query["limit"][0])
    messages: list[Json] = []
    for turn in range(first, min(LONG_TURNS + 1, first + limit // 2)):
        common: dict[str, Json] = {"turn": turn, "at": "2026-01-15T12:00:00+00:00", "tool_calls": []}
        messages.append({"role": "user", "content": f"Question {turn}", **common})
        answer: dict[str, Json] = {
            "service": "openai",
            "model": "gpt-4o",
            "status": "complete",
            "request_id": f"r{turn}",
        }
        messages.append({"role": "assistant", "content": f"Answer {turn}. " * 40, **answer, **common})
    route.fulfill(json={"messages": messages, "turns": list(range(1, LONG_TURNS + 1))})


def test_long_session_opens_at_its_end_and_keeps_its_position_when_earlier_turns_load(screen: Screen) -> None:
    screen.answer("**/api/sessions/long", HISTORY_SESSION)
    screen.page.route("**/api/sessions/long/messages?**", history)
    page = screen.open("chat?session=long")
    expect(turns(page)).to_have_count(40)
    expect(turns(page).last).to_be_in_viewport()

    earlier = page.get_by_role("button", name="Show earlier messages")
    while earlier.count():
        shown = turns(page).count()
        oldest = turns(page).first
        name = str(oldest.get_attribute("aria-label"))
        earlier.scroll_into_view_if_needed()
        before = oldest.bounding_box()
        earlier.click()
        expect(turns(page)).to_have_count(min(LONG_TURNS, shown + 40))
        after = page.get_by_role("article", name=name, exact=True).bounding_box()
        assert before is not None
        assert after is not None
        assert abs(after["y"] - before["y"]) < 50  # the button above it may have gone

    expect(turns(page)).to_have_count(LONG_TURNS)
    expect(turns(page).first).to_contain_text("Question 1")
