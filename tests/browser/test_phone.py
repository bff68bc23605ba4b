"""The page on a phone: header and composer in view, drawer of conversations, heat map, provenance of verdicts."""

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from flexchat.messages import Json
from tests.browser.layout import broken_head_words, document_width, small_targets
from tests.browser.screen import Screen
from tests.browser.test_views import AT, MODEL, model, status
from tests.browser.trace_pages import ID, StubApi

SESSIONS: list[Json] = [
    {"id": f"s-{number}", "title": title, "created_at": AT, "updated_at": AT, "expires_at": AT, "turns": 1}
    for number, title in enumerate(("Weather in Paris and a percentage of the bill", "Trip"))
]


def turn(number: int) -> list[Json]:
    question: Json = {"turn": number, "role": "user", "content": f"Question {number}", "at": AT, "tool_calls": []}
    answer: Json = {
        "turn": number,
        "role": "assistant",
        "content": "A long answer. " * 40,
        "at": AT,
        "tool_calls": [],
        "status": "complete",
        "outcome": "answered",
        "request_id": f"r-{number}",
    }
    return [question, answer]


@pytest.fixture
def phone(stubbed: Screen, api: StubApi) -> Screen:
    """The page with one long conversation and the results of two models, one of them the demo model's."""
    messages = [message for number in range(1, 9) for message in turn(number)]
    tests: dict[str, Json] = {"real": 60, "demo": 25, "unknown": 0}
    statuses: list[Json] = [
        status(tests_by_provenance=tests),
        status("openai:another-model-with-a-long-name", state="undecided"),
    ]
    handlers: Mapping[str, Json] = {
        "GET /api/sessions": {"sessions": SESSIONS},
        "GET /api/sessions/s-0": SESSIONS[0],
        "GET /api/sessions/s-0/messages": {"messages": list[Json](messages)},
        "GET /api/collections": {"collections": []},
        "GET /api/models/list": {"models": [model()], "errors": []},
        "GET /api/validation/runs": {"runs": []},
        "GET /api/validation/suites": {"suites": []},
    }
    for route, response in handlers.items():
        api.set(route, response)
    api.set(
        "GET /api/tools/validate",
        lambda request: history() if "model=" in request.url else {"validations": statuses},
    )
    return stubbed


def verdict(case: str, **changes: Any) -> dict[str, Json]:
    return {
        "run": "r1",
        "model": MODEL,
        "case": case,
        "repeat": 1,
        "suite": "default",
        "category": "single",
        "result": "passed",
        "reasons": [],
        "at": AT,
        "latency_ms": 1250,
        "tokens": 400,
        "request_id": ID,
        "counted": True,
        **changes,
    }


def history() -> Json:
    records: list[Json] = [
        verdict("from-real", provenance="real", server="api.example.com", result="failed", reasons=["no call"]),
        verdict("from-demo", provenance="demo", demo=True),
        verdict("from-before", provenance="unknown", request_id="gone"),
    ]
    return {"status": status(), "records": records, "cursor": None}


def in_view(page: Page, selector: str) -> bool:
    return bool(
        page.evaluate(
            """(selector) => {
              const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
              return top >= 0 && bottom <= innerHeight;
            }""",
            selector,
        )
    )


@pytest.mark.parametrize("width", [390, 320])
def test_header_and_composer_stay_while_the_conversation_scrolls(phone: Screen, width: int) -> None:
    page = phone.open("chat?session=s-0", width=width)
    expect(page.get_by_text("Question 8", exact=True)).to_be_visible()
    for position in (0, 400, 100_000):
        page.evaluate("(top) => scrollTo(0, top)", position)
        assert in_view(page, "header.shell")
        assert in_view(page, ".chat-composer")
    phone.shoot("phone-chat", whole=False)

    # The on-screen keyboard makes the window lower.
    page.set_viewport_size({"width": width, "height": 420})
    assert in_view(page, "header.shell")
    assert in_view(page, ".chat-composer")
    phone.shoot("phone-chat-keyboard", whole=False)
    assert document_width(page) == width


@pytest.mark.parametrize("width", [390, 320])
def test_drawer_of_conversations_is_opened_and_closed_by_keyboard_and_pointer(phone: Screen, width: int) -> None:
    page = phone.open("chat", width=width)
    button = page.get_by_role("button", name="Conversations")
    drawer = page.get_by_role("dialog", name="Conversations")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.focus()
    page.keyboard.press("Enter")
    expect(drawer).to_be_visible()
    expect(page.locator(".header-action").first).to_have_attribute("aria-expanded", "true")
    phone.shoot("phone-drawer", whole=False)
    phone.axe(within=".drawer")
    assert small_targets(page) == []
    for _ in range(20):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "() => document.activeElement.closest('.drawer') !== null || document.activeElement === document.body"
        )

    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(button).to_be_focused()

    button.click()
    expect(drawer).to_be_visible()
    page.mouse.click(width - 10, 300)
    expect(drawer).to_have_count(0)

    button.click()
    drawer.get_by_role("button", name="Weather in Paris").first.click()
    expect(drawer).to_have_count(0)
    expect(page.get_by_text("Question 8", exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_heat_map_is_readable_at_each_width(phone: Screen, width: int) -> None:
    page = phone.open("validation", width=width)
    row = page.get_by_role("row").filter(has=page.get_by_role("button", name=MODEL, exact=True))
    expect(row).to_contain_text("proven")
    expect(row.get_by_text("25 other tests not counted")).to_be_visible()
    row.scroll_into_view_if_needed()
    phone.shoot("phone-heat-map", whole=False)
    phone.axe()
    assert document_width(page) == width
    assert broken_head_words(page) == []
    assert small_targets(page) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_verdict_has_its_provenance_and_its_transcript_in_place(phone: Screen, width: int) -> None:
    phone.watch.tolerate("the server responded with a status of 404")
    page = phone.open(f"validation?model={MODEL}", width=width)
    verdicts = page.get_by_role("list").filter(has=page.get_by_text("from-real")).last
    real, demo, before = (verdicts.locator("> li").nth(place) for place in range(3))
    expect(real).to_contain_text("real · api.example.com")
    expect(demo.locator(".tag.demo")).to_be_visible()
    expect(before).to_contain_text("origin unknown")

    real.get_by_text("Transcript").click()
    expect(real.get_by_role("list", name="Messages and calls of the case")).to_contain_text("get_weather")
    before.get_by_text("Transcript").click()
    expect(before).to_contain_text("The trace of this verdict is not available: it is no longer kept")
    real.scroll_into_view_if_needed()
    phone.shoot("phone-transcript", whole=False)
    phone.axe(within=".val-verdicts")
    assert document_width(page) == width
