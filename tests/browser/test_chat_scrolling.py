"""Chat: automatic scrolling of a conversation."""

from playwright.sync_api import Locator, Route, expect

from flexchat.messages import Json
from tests.browser.chat_page import (
    SUM,
    TURNS,
    WIDTHS,
    History,
    answer,
    at_end,
    field,
    jump,
    reopened,
    send_message,
    turns,
)
from tests.browser.screen import Screen

LONG = "\n".join(f"Line {number} of a long message." for number in range(120))


TOP_AT_REST = """async (element) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const top = () => element.getBoundingClientRect().top;
  let before, still = 0;
  while (still < 5) {
    before = top();
    await frame();
    still = top() === before ? still + 1 : 0;
  }
  return before;
}"""


def resting(element: Locator) -> float:
    """Distance of an element from the top of the window, once it no longer moves."""
    return float(element.evaluate(TOP_AT_REST))


@WIDTHS
def test_opened_session_shows_its_end(screen: Screen, width: int) -> None:
    History(screen)
    page = reopened(screen, width)

    at_end(page)
    expect(jump(page)).to_have_count(0)
    page.reload()
    expect(turns(page)).to_have_count(TURNS)
    at_end(page)
    screen.shoot("chat-reopened", whole=False)


@WIDTHS
def test_long_message_spinner_and_answer_are_in_view(screen: Screen, width: int) -> None:
    waits = screen.hold("**/api/chat")
    page = screen.open("chat", width=width)

    send_message(page, f"{LONG}\n{SUM}")

    expect(page.locator(".chat-prose", has_text=SUM)).to_be_in_viewport()
    expect(page.get_by_text("waiting for the answer")).to_be_in_viewport()
    at_end(page)
    waits.lift()
    expect(turns(page)).to_contain_text("6.75")
    expect(turns(page).get_by_text("gpt-4o")).to_be_in_viewport()


@WIDTHS
def test_error_and_restored_message_are_in_view(screen: Screen, width: int) -> None:
    History(screen)
    page = reopened(screen, width)
    screen.route_fail("**/api/chat", status=503, body={"error": "unavailable", "message": "Later.", "request_id": "r"})

    send_message(page, LONG)

    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_role("alert")).to_contain_text("Later.")
    expect(field(page)).to_have_value(LONG)
    expect(field(page)).to_be_in_viewport()
    at_end(page)
    screen.shoot("chat-error", whole=False)


@WIDTHS
def test_scrolled_up_view_stays_and_jumps_to_the_latest_on_request(screen: Screen, width: int) -> None:
    history = History(screen)
    page = reopened(screen, width)
    at_end(page)
    waiting: list[Route] = []
    page.route("**/api/chat", lambda route: waiting.append(route))
    send_message(page, "One more")
    expect(page.get_by_text("waiting for the answer")).to_be_in_viewport()
    at_end(page)
    turns(page).nth(2).scroll_into_view_if_needed()
    expect(jump(page)).to_be_visible()
    before = resting(turns(page).nth(2))

    history.add("One more", "Here it is.", request_id="r-last")
    waiting[0].fulfill(json=answer("Here it is.", request_id="r-last"))

    expect(turns(page)).to_have_count(TURNS + 1)
    assert abs(before - resting(turns(page).nth(2))) < 4
    screen.shoot("chat-scrolled-up", whole=False)
    jump(page).focus()
    page.keyboard.press("Enter")
    at_end(page)
    expect(turns(page).last).to_contain_text("Here it is.")
    expect(turns(page).last).to_be_focused()
    expect(jump(page)).to_have_count(0)


def test_answer_longer_than_the_screen_is_shown_from_its_start(screen: Screen) -> None:
    History(screen)
    page = reopened(screen)
    long_answer = answer("\n".join(f"Line {number} of the answer." for number in range(200)))
    screen.page.route("**/api/chat", lambda route: route.fulfill(json=long_answer))

    send_message(page, "Tell me all")

    expect(turns(page)).to_have_count(TURNS + 1)
    expect(turns(page).last.get_by_text("Tell me all")).to_be_in_viewport()
    expect(jump(page)).to_be_visible()
    jump(page).click()
    at_end(page)


@WIDTHS
def test_end_stays_in_view_when_window_or_field_change_their_height(screen: Screen, width: int) -> None:
    History(screen)
    page = reopened(screen, width)
    at_end(page)

    page.set_viewport_size({"width": width, "height": 420})
    at_end(page)
    field(page).fill(LONG)
    at_end(page)
    expect(turns(page).last).to_be_in_viewport()
    page.evaluate("() => document.querySelectorAll('.chat-prose').forEach((prose) => (prose.style.fontSize = '22px'))")
    at_end(page)


def test_opened_details_stay_in_place(screen: Screen) -> None:
    history = History(screen)
    result: Json = {"success": True, "tool_name": "calculate", "execution_time_ms": 1, "result": "6.75"}
    calls: Json = [
        {"tool": "calculate", "params": {}, "result": result, "iteration": at, "call_id": f"c{at}"} for at in range(20)
    ]
    history.add("Last", "Done.", tool_calls=calls)
    page = screen.open("chat?session=long")
    expect(turns(page)).to_have_count(TURNS + 1)
    at_end(page)
    summary = turns(page).last.get_by_text("20 tool calls")
    before = resting(summary)

    summary.click()

    expect(jump(page)).to_be_visible()  # the opened details are taller than the window
    assert abs(before - resting(summary)) < 4
