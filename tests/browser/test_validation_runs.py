"""Validation: starting, watching, stopping and resuming runs."""

import re
from collections.abc import Iterator

import httpx2
import pytest
from playwright.sync_api import Page, expect

from flexchat.messages import Json
from tests.browser.screen import Screen
from tests.browser.validation_page import BY, GOOD, POOR, SUITE, cell, region

STANDING: dict[str, Json] = {
    "id": "r1",
    "status": "running",
    "suite": "default",
    "models": [{"model": GOOD, "done": 3, "errors": 0, "skipped": 0}],
    "repeats": 1,
    "total": 75,
    "done": 3,
    "passed": 3,
    "failed": 0,
    "errors": 0,
    "skipped": 0,
    "calls": 3,
    "tokens": 900,
    "cost_usd": 0.0,
    "budget": {"calls": None, "tokens": None, "usd": None},
    "created_at": "2026-11-22T03:50:04.255+00:00",
    "verdicts": [],
}


@pytest.fixture
def ending(service: httpx2.Client) -> Iterator[list[str]]:
    """Ids of started runs, stopped after the test."""
    started: list[str] = []
    yield started
    for run in started:
        service.delete(f"/api/validation/runs/{run}")  # refused when it has ended


def run_in(page: Page) -> str:
    page.wait_for_url(re.compile(r"[?&]run=\w+"))
    found = re.search(r"[?&]run=(\w+)", page.url)
    assert found
    return found[1]


def requests_for(screen: Screen, path: str) -> int:
    return sum(path in request.url for request in screen.watch.requests)


@pytest.mark.usefixtures("validation_suite")
def test_run_is_started_with_the_keyboard_and_appears_in_the_heat_map(screen: Screen, ending: list[str]) -> None:
    page = screen.open("validation")
    expect(page.get_by_label(GOOD).first).to_be_visible()
    page.get_by_label("Suite").select_option(SUITE)
    page.get_by_label("Repeats per case").fill("3")
    page.get_by_label("Stop early").uncheck()
    page.keyboard.press("/")
    expect(page.locator(":focus")).to_have_attribute("type", re.compile("checkbox|search"))
    page.get_by_label(GOOD).first.check()
    page.get_by_label(POOR).first.check()
    expect(page.get_by_text(f"at most 54 chats: 9 cases {BY} 2 models {BY} 3 repeats")).to_be_visible()

    page.keyboard.press("Control+Enter")
    ending.append(run_in(page))

    run = region(page, f"Run of {SUITE} {BY} 3")
    expect(run.get_by_role("status").filter(has_text="finished")).to_be_visible(timeout=60_000)
    expect(run.get_by_role("row", name=GOOD)).to_contain_text("27 of 27")
    expect(cell(page, "Single call", GOOD)).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("finished"), pressed=True)).to_contain_text("of 54 passed")


@pytest.mark.usefixtures("validation_suite")
def test_stopped_run_survives_a_reload(screen: Screen, ending: list[str]) -> None:
    page = screen.open(f"validation?suite={SUITE}&models={GOOD}&repeats=20&early=no")
    expect(page.get_by_text(f"at most 180 chats: 9 cases {BY} 1 model {BY} 20 repeats")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    ending.append(run_in(page))
    expect(region(page, "Latest verdicts").get_by_role("listitem").first).to_be_visible()

    page.get_by_role("button", name="Stop", exact=True).click()

    stopped = page.get_by_role("status").filter(has_text="stopped")
    expect(stopped).to_be_visible()
    expect(page.get_by_text("stopped on request")).to_be_visible()
    page.reload()
    expect(stopped).to_be_visible()
    expect(page.get_by_label("Repeats per case")).to_have_value("20")
    expect(page.get_by_label("Stop early")).not_to_be_checked()
    page.go_back()
    expect(stopped).to_have_count(0)
    expect(page.get_by_label("Repeats per case")).to_have_value("20")


def test_forbidden_run_keeps_the_form(screen: Screen) -> None:
    page = screen.open(f"validation?models={GOOD}&calls=5")
    expect(page.get_by_text("at most 5 chats")).to_be_visible()
    screen.route_fail("**/api/tools/validate", status=403, body={"error": "forbidden", "message": "operators may"})

    page.get_by_role("button", name="Start").click()

    expect(page.get_by_role("alert")).to_contain_text("The token lacks the required role")
    expect(page.get_by_label("Chats", exact=True)).to_have_value("5")
    expect(page.get_by_label(GOOD).first).to_be_checked()


def test_form_rejects_numbers_out_of_range(screen: Screen) -> None:
    page = screen.open(f"validation?models={GOOD}&repeats=101")

    page.get_by_role("button", name="Start").click()

    assert page.get_by_label("Repeats per case").evaluate("field => field.validity.rangeOverflow")
    assert "run=" not in page.url


def test_missing_run_shows_an_error(screen: Screen) -> None:
    screen.expects("the server responded with a status of 404")
    page = screen.open("validation?run=nowhere")

    expect(region(page, "Run").get_by_role("alert")).to_contain_text("run 'nowhere' not found")
    region(page, "Run").get_by_role("button", name="Close").click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_stalled_run_can_be_resumed(screen: Screen) -> None:
    screen.page.clock.install()
    screen.answer("**/api/validation/runs/r1?*", STANDING)
    screen.answer("**/api/tools/validate?model=*", {"status": {}, "records": []})
    page = screen.open("validation?run=r1")
    expect(page.get_by_text("3 of 75 verdicts")).to_be_visible()
    expect(page.get_by_role("button", name="Resume")).to_have_count(0)

    for _ in range(12):
        page.clock.run_for(3_000)
    with page.expect_request("**/api/validation/runs/r1/resume") as polls:
        screen.answer("**/api/validation/runs/r1/resume", STANDING, status=202)
        page.get_by_role("button", name="Resume").click()

    assert polls.value.method == "POST"


def test_polling_continues_after_an_outage(screen: Screen) -> None:
    screen.page.clock.install()
    down = screen.route_fail("**/api/validation/runs/r1?*")
    page = screen.open("validation?run=r1")
    run = region(page, re.compile("^Run"))
    expect(run.get_by_role("alert")).to_contain_text("The service cannot be reached")

    down.lift()
    screen.answer("**/api/validation/runs/r1?*", {**STANDING, "status": "stopped", "reason": "budget spent"})
    page.clock.run_for(3_000)

    expect(run.get_by_text("budget spent")).to_be_visible()
    expect(run.get_by_role("alert")).to_have_count(0)


def test_polling_pauses_while_the_page_is_hidden(screen: Screen) -> None:
    page = screen.page
    page.clock.install()
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.looksAway === true })")
    screen.answer("**/api/validation/runs/r1?*", STANDING)
    screen.answer("**/api/tools/validate?model=*", {"status": {}, "records": []})
    screen.open("validation?run=r1")
    expect(page.get_by_text("3 of 75 verdicts")).to_be_visible()
    with page.expect_request("**/api/validation/runs/r1?*"):
        page.clock.run_for(3_000)

    page.evaluate("() => { window.looksAway = true; }")
    page.clock.run_for(3_000)
    polls = requests_for(screen, "/runs/r1")
    for _ in range(5):
        page.clock.run_for(3_000)

    assert requests_for(screen, "/runs/r1") == polls
    with page.expect_request("**/api/validation/runs/r1?*"):
        page.evaluate("() => { window.looksAway = false; document.dispatchEvent(new Event('visibilitychange')); }")
