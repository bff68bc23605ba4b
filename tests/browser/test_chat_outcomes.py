"""Chat and tool testing: headlines of outcomes."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Route, expect

from flexchat.messages import Json
from tests.browser.chat_page import TURNS, WIDTHS, History, answer, at_end, jump, send_message, turns
from tests.browser.screen import Screen, Theme

ENDS: dict[str, str] = {
    "answered": "✓ answered",
    "cut_off": "✂ cut off",
    "filtered": "⊘ filtered",
    "blocked": "⊘ blocked",
    "refused": "⊘ refused",
    "empty": "∅ empty",
    "iteration_limit": "! iteration limit",
    "repeated_calls": "! repeated calls",
    "tool_call_limit": "! tool call limit",
    "out_of_time": "! out of time",
    "model_failed": "✕ model failed",
    "unknown": "? unknown outcome",
}


def fulfilled(body: Json) -> Callable[[Route], None]:
    return lambda route: route.fulfill(json=body)


def headline(place: Locator, outcome: str, title: str) -> None:
    shown = place.locator(".outcome").first
    expect(shown).to_contain_text(re.compile(r"\s*".join(map(re.escape, title.split(" ")))))
    if outcome == "answered":
        expect(shown).to_have_attribute("data-tone", "good")
    else:
        expect(shown).to_have_attribute("data-tone", re.compile("warn|bad"))


@pytest.mark.parametrize("view", ["chat", "tools-testing", "session"])
def test_each_outcome_has_a_headline_and_only_answered_is_green(screen: Screen, view: str) -> None:
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
        response = answer(f"Text of {outcome}", outcome=outcome, status=status)
        route = "**/api/chat" if view == "chat" else "**/api/tools/test"
        screen.page.route(route, fulfilled(response))
        if view == "chat":
            send_message(page, "Hello")
            expect(turns(page).last).to_contain_text(f"Text of {outcome}")
            headline(turns(page).last, outcome, title)
        else:
            page.get_by_role("button", name="Run").click()
            expect(page.get_by_label("Final response", exact=True).last).to_contain_text(f"Text of {outcome}")
            headline(page.locator(".tt-status"), outcome, title)


@pytest.mark.parametrize(
    ("directive", "title"),
    [("refuse", "refused"), ("length", "cut off"), ("empty", "empty")],
)
def test_outcome_of_a_real_answer_is_shown_after_a_reload(screen: Screen, directive: str, title: str) -> None:
    page = screen.open("chat")
    send_message(page, f"[demo:{directive}] Hello")
    expect(turns(page).locator(".chat-head")).to_contain_text(title)
    page.reload()

    expect(turns(page).locator(".chat-head")).to_contain_text(title)
    expect(turns(page).locator(".chat-head")).to_contain_text("demo")


@pytest.mark.parametrize("theme", ["light", "dark"])
@WIDTHS
def test_outcomes_and_jump_button_fit_the_screen_and_are_accessible(screen: Screen, width: int, theme: Theme) -> None:
    history = History(screen, paragraphs=1)
    for outcome in ENDS:
        history.add(f"Question about {outcome}", "Text", outcome=outcome, demo=True)
    page = screen.open("chat?session=long", width=width, theme=theme)
    expect(turns(page)).to_have_count(TURNS + len(ENDS))
    at_end(page)
    screen.shoot("chat-ends", whole=False)
    screen.axe()
    turns(page).nth(TURNS).scroll_into_view_if_needed()
    expect(jump(page)).to_be_visible()
    screen.shoot("chat-jump", whole=False)
    screen.axe(within=".chat-jump")

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
