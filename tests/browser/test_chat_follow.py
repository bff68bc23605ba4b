"""Chat: the view follows its conversation, Enter sends, and each end of an answer has a headline of its own."""

import json
import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from flexchat.messages import Json
from tests.browser.screen import Screen, Theme

SUM = "What is 15% of 45?"
LONG = "\n".join(f"Line {number} of a long message." for number in range(120))
TURNS = 12
AT = "2026-01-15T12:00:00+00:00"
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
AT_END = "() => document.documentElement.scrollHeight - scrollY - innerHeight < 8"
WIDTHS = pytest.mark.parametrize("width", [1280, 360])


def field(page: Page) -> Locator:
    return page.get_by_label("Message", exact=True)


def turns(page: Page) -> Locator:
    return page.get_by_role("article")


def jump(page: Page) -> Locator:
    return page.get_by_role("button", name="Jump to latest")


def say(page: Page, message: str) -> None:
    field(page).fill(message)
    field(page).press("Enter")


def answer(content: str, **changes: Any) -> dict[str, Json]:
    """A chat's answer as the service gives it."""
    return {
        "content": content,
        "service": "openai",
        "model": "gpt-4o",
        "tool_calls": [],
        "status": "complete",
        "outcome": "answered",
        "finish_reason": "stop",
        "request_id": uuid4().hex,
        "usage": {"input_tokens": 20, "output_tokens": 9, "total_tokens": 29},
        "timings": {
            "total_ms": 140,
            "steps": [
                {"step": "model", "name": "openai:gpt-4o", "iteration": 1, "start_ms": 0, "duration_ms": 50, "ok": True}
            ],
        },
        **changes,
    }


def fulfilled(body: Json) -> Callable[[Route], None]:
    return lambda route: route.fulfill(json=body)


class History:
    """A session of some turns, which a test lets grow."""

    def __init__(self, screen: Screen, *, paragraphs: int = 6) -> None:
        self.messages: list[Json] = []
        for turn in range(1, TURNS + 1):
            self.add(f"Question {turn}", "\n\n".join([f"Answer {turn}. " * 20] * paragraphs))
        screen.answer("**/api/sessions?**", {"sessions": []})
        screen.answer("**/api/collections", {"collections": []})
        screen.page.route("**/api/sessions/long", lambda route: route.fulfill(json=self.session()))
        screen.page.route("**/api/sessions/long/messages?**", lambda route: route.fulfill(json=self.page()))

    def add(self, question: str, content: str, **changes: Json) -> None:
        common: dict[str, Json] = {"turn": len(self.messages) // 2 + 1, "at": AT, "tool_calls": []}
        given: dict[str, Json] = {"service": "openai", "model": "gpt-4o", "status": "complete"}
        self.messages.append({"role": "user", "content": question, **common})
        self.messages.append(
            {"role": "assistant", "content": content, **given, "request_id": uuid4().hex, **common, **changes}
        )

    def session(self) -> dict[str, Json]:
        return {
            "id": "long",
            "title": "A long one",
            "turns": len(self.messages) // 2,
            "created_at": AT,
            "updated_at": AT,
            "expires_at": "2026-02-15T12:00:00+00:00",
        }

    def page(self) -> dict[str, Json]:
        return {"messages": self.messages}


def at_end(page: Page) -> None:
    page.wait_for_function(AT_END)


def resting(element: Locator) -> float:
    """The distance of an element from the top of the window, once it no longer moves."""
    return float(element.evaluate(TOP_AT_REST))


def reopened(screen: Screen, width: int = 1280) -> Page:
    page = screen.open("chat?session=long", width=width)
    expect(turns(page)).to_have_count(TURNS)
    return page


@WIDTHS
def test_a_session_that_is_opened_again_shows_its_end(screen: Screen, width: int) -> None:
    History(screen)
    page = reopened(screen, width)

    at_end(page)
    expect(jump(page)).to_have_count(0)
    page.reload()
    expect(turns(page)).to_have_count(TURNS)
    at_end(page)
    screen.shoot("chat-reopened", whole=False)


@WIDTHS
def test_a_long_message_its_wait_and_its_answer_are_in_view(screen: Screen, width: int) -> None:
    waits = screen.hold("**/api/chat")
    page = screen.open("chat", width=width)

    say(page, f"{LONG}\n{SUM}")

    expect(page.locator(".chat-prose", has_text=SUM)).to_be_in_viewport()
    expect(page.get_by_text("waiting for the answer")).to_be_in_viewport()
    at_end(page)
    waits.lift()
    expect(turns(page)).to_contain_text("6.75")
    expect(turns(page).get_by_text("gpt-4o")).to_be_in_viewport()


@WIDTHS
def test_an_error_and_the_message_that_is_back_in_the_field_are_in_view(screen: Screen, width: int) -> None:
    History(screen)
    page = reopened(screen, width)
    screen.route_fail("**/api/chat", status=503, body={"error": "unavailable", "message": "Later.", "request_id": "r"})

    say(page, LONG)

    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_role("alert")).to_contain_text("Later.")
    expect(field(page)).to_have_value(LONG)
    expect(field(page)).to_be_in_viewport()
    at_end(page)
    screen.shoot("chat-error", whole=False)


@WIDTHS
def test_a_reader_who_scrolled_up_is_not_dragged_and_jumps_to_the_latest(screen: Screen, width: int) -> None:
    history = History(screen)
    page = reopened(screen, width)
    at_end(page)
    waiting: list[Route] = []
    page.route("**/api/chat", lambda route: waiting.append(route))
    say(page, "One more")
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


def test_an_answer_longer_than_the_screen_is_shown_from_its_beginning(screen: Screen) -> None:
    History(screen)
    page = reopened(screen)
    long_answer = answer("\n".join(f"Line {number} of the answer." for number in range(200)))
    screen.page.route("**/api/chat", lambda route: route.fulfill(json=long_answer))

    say(page, "Tell me all")

    expect(turns(page)).to_have_count(TURNS + 1)
    expect(turns(page).last.get_by_text("Tell me all")).to_be_in_viewport()
    expect(jump(page)).to_be_visible()
    jump(page).click()
    at_end(page)


@WIDTHS
def test_the_end_stays_in_view_when_the_window_or_the_field_changes_its_height(screen: Screen, width: int) -> None:
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


def test_what_a_reader_unfolds_stays_where_it_is(screen: Screen) -> None:
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

    expect(jump(page)).to_be_visible()  # what is unfolded is longer than the window
    assert abs(before - resting(summary)) < 4


def test_enter_sends_and_shift_enter_breaks_the_line(screen: Screen) -> None:
    asked: list[str] = []

    def told(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or "{}")["message"])
        route.fulfill(json=answer("Yes."))

    screen.page.route("**/api/chat", told)
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
    assert asked == ["One\ntwo"]


def test_a_new_chat_begins_in_the_field_and_send_gives_its_focus_to_cancel_and_back(screen: Screen) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    waiting: list[Route] = []
    page = screen.open("chat")
    page.route("**/api/chat", lambda route: waiting.append(route))
    page.get_by_role("button", name="New chat").click()
    expect(field(page)).to_be_focused()
    page.keyboard.type("Hello")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    waiting[0].fulfill(json=answer("Yes."))

    expect(turns(page)).to_contain_text("Yes.")
    expect(field(page)).to_be_focused()


def test_the_choice_that_enter_breaks_the_line_is_kept(screen: Screen) -> None:
    screen.page.route("**/api/chat", lambda route: route.fulfill(json=answer("Yes.")))
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    page = screen.open("chat")
    page.get_by_label("Enter sends").uncheck()
    page.reload()
    expect(page.get_by_label("Enter sends")).not_to_be_checked()

    field(page).press_sequentially("One")
    field(page).press("Enter")
    field(page).press_sequentially("two")
    expect(field(page)).to_have_value("One\ntwo")
    field(page).press("Control+Enter")

    expect(turns(page)).to_contain_text("Yes.")


ENDS: dict[str, str] = {
    "answered": "✓ answered",
    "cut_off": "✂ cut off",
    "filtered": "⊘ filtered",
    "refused": "⊘ refused",
    "empty": "∅ empty",
    "iteration_limit": "! iteration limit",
    "repeated_calls": "! repeated calls",
    "tool_call_limit": "! tool call limit",
    "out_of_time": "! out of time",
    "model_failed": "✕ model failed",
    "unknown": "? unclear end",
}


@pytest.mark.parametrize("view", ["chat", "tools-testing", "session"])
def test_every_end_has_its_own_headline_and_only_an_answer_is_green(screen: Screen, view: str) -> None:
    screen.watch.tolerate("the server responded with a status of 404")  # the session is not stored
    if view == "session":
        history = History(screen, paragraphs=1)
        for outcome in ENDS:
            status = "partial" if outcome in ("out_of_time", "model_failed") else "complete"
            history.add(outcome, "Text", outcome=outcome, status=status)
        page = screen.open("chat?session=long")
        for at, (outcome, title) in enumerate(ENDS.items()):
            headline(turns(page).nth(TURNS + at), outcome, title)
        return
    page = screen.open(view if view == "chat" else "tools-testing?model=openai:gpt-4o&query=Hello")
    for outcome, title in ENDS.items():
        status = "partial" if outcome in ("out_of_time", "model_failed") else "complete"
        told = answer(f"Text of {outcome}", outcome=outcome, status=status)
        route = "**/api/chat" if view == "chat" else "**/api/tools/test"
        screen.page.route(route, fulfilled(told))
        if view == "chat":
            say(page, "Hello")
            expect(turns(page).last).to_contain_text(f"Text of {outcome}")
            headline(turns(page).last, outcome, title)
        else:
            page.get_by_role("button", name="Run").click()
            expect(page.get_by_label("Final response", exact=True).last).to_contain_text(f"Text of {outcome}")
            headline(page.locator(".tt-status"), outcome, title)


def headline(place: Locator, outcome: str, title: str) -> None:
    shown = place.locator(".outcome").first
    expect(shown).to_contain_text(re.compile(r"\s*".join(map(re.escape, title.split(" ")))))
    if outcome == "answered":
        expect(shown).to_have_attribute("data-tone", "good")
    else:
        expect(shown).to_have_attribute("data-tone", re.compile("warn|bad"))


@pytest.mark.parametrize(
    ("dial", "title"),
    [("refuse", "refused"), ("length", "cut off"), ("empty", "empty")],
)
def test_a_real_answer_that_is_refused_cut_off_or_empty_says_so_again_after_a_reload(
    screen: Screen, dial: str, title: str
) -> None:
    page = screen.open("chat")
    say(page, f"[demo:{dial}] Hello")
    expect(turns(page).locator(".chat-head")).to_contain_text(title)
    page.reload()

    expect(turns(page).locator(".chat-head")).to_contain_text(title)
    expect(turns(page).locator(".chat-head")).to_contain_text("demo")


@pytest.mark.parametrize("theme", ["light", "dark"])
@WIDTHS
def test_ends_and_the_way_to_the_latest_can_be_read(screen: Screen, width: int, theme: Theme) -> None:
    history = History(screen, paragraphs=1)
    for outcome in ENDS:
        history.add(f"Question about {outcome}", "Text", outcome=outcome, demo=True)
    page = screen.open("chat?session=long", width=width, theme=theme)
    expect(turns(page)).to_have_count(TURNS + len(ENDS))
    at_end(page)
    screen.shoot("chat-ends", whole=False)
    turns(page).nth(TURNS).scroll_into_view_if_needed()
    expect(jump(page)).to_be_visible()
    screen.shoot("chat-jump", whole=False)
    screen.axe()

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
