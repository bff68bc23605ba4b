"""Validation: heat map, verdicts, comparison and layout."""

import re

import httpx2
import pytest
from playwright.sync_api import Page, Route, expect

from flexchat.messages import Json
from tests.browser.hostile import CANARY
from tests.browser.screen import Screen, Theme
from tests.browser.validation_page import BY, GOOD, POOR, SUITE, cell, region
from tests.e2e.commands import run_flexchat

BOTH = f"{GOOD}+{POOR}"


NO_VALIDATIONS: Json = {"validations": []}


VERDICT: dict[str, Json] = {
    "run": "r1",
    "model": GOOD,
    "repeat": 1,
    "suite": "default",
    "category": "types",
    "result": "failed",
    "reasons": [],
    "at": "2026-11-22T03:50:32.132+00:00",
    "latency_ms": 12,
    "tokens": 3,
    "request_id": "q1",
}


@pytest.fixture
def tried(service: httpx2.Client, validation_suite: None) -> str:
    """Id of a finished run of both demo models: from another test, else a new one."""
    if (run := finished_run(service)) is not None:
        return run
    run_flexchat("validate", "run", "--suite", SUITE, "--model", GOOD, "--model", POOR, "--no-stop-early")
    run = finished_run(service)
    assert run is not None
    return run


def finished_run(service: httpx2.Client) -> str | None:
    runs = service.get("/api/validation/runs").raise_for_status().json()["runs"]
    both = [GOOD, POOR]
    found = (run for run in runs if run["status"] == "finished" and [each["model"] for each in run["models"]] == both)
    return next((run["id"] for run in found if run["suite"] == SUITE), None)


def fits(page: Page) -> bool:
    return page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.usefixtures("tried")
def test_cell_opens_its_verdicts_and_restores_the_focus(screen: Screen) -> None:
    page = screen.open("validation")
    opener = cell(page, "Irrelevance", POOR)
    opener.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name=f"Irrelevance · {POOR}")).to_be_focused()
    verdicts = page.get_by_role("list", name=f"Verdicts of {POOR}").locator("> li")
    expect(verdicts.first).to_contain_text(re.compile("passed|failed"))
    expect(verdicts.first).to_contain_text("Irrelevance")
    page.get_by_label("Hide passed").check()
    expect(verdicts.filter(has_text="✓")).to_have_count(0)

    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", name=f"Irrelevance · {POOR}")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name=f"Irrelevance · {POOR}")).to_be_visible()


@pytest.mark.usefixtures("tried")
def test_request_id_of_a_verdict_can_be_copied(screen: Screen) -> None:
    page = screen.open(f"validation?model={POOR}")

    page.get_by_role("button", name="Copy request id").first.click()

    expect(page.get_by_text("copied ✓")).to_be_visible()
    assert re.fullmatch(r"[0-9a-f-]{36}", page.evaluate("() => navigator.clipboard.readText()"))


@pytest.mark.usefixtures("tried")
def test_two_selected_models_are_compared(screen: Screen) -> None:
    page = screen.open("validation")
    page.get_by_label(f"Compare {GOOD}").check()
    expect(page.get_by_text(f"Select another model to compare with {GOOD}.")).to_be_visible()
    page.get_by_label(f"Compare {POOR}").check()

    summary = page.get_by_text(
        re.compile(rf"^({GOOD} is better by \d+ points \([\d.]+ to \d+\)|No significant difference)\.$")
    )
    expect(summary).to_be_visible()
    expect(page.get_by_role("table", name="Difference by category").get_by_role("row")).to_have_count(11)
    page.reload()
    expect(summary).to_be_visible()
    region(page, f"{GOOD} and {POOR}").get_by_role("button", name="Close").click()
    expect(summary).to_have_count(0)
    expect(page.get_by_label(f"Compare {GOOD}")).not_to_be_checked()


@pytest.mark.usefixtures("tried")
def test_heat_map_is_sorted_by_the_selected_column(screen: Screen) -> None:
    page = screen.open("validation")
    expect(page.get_by_role("columnheader", name="Rate")).to_have_attribute("aria-sort", "descending")

    page.get_by_role("button", name="Model", exact=True).click()

    expect(page.get_by_role("columnheader", name="Model")).to_have_attribute("aria-sort", "ascending")
    names = page.locator(".val-name button").all_inner_texts()
    assert names == sorted(names)
    page.reload()
    expect(page.get_by_role("columnheader", name="Model")).to_have_attribute("aria-sort", "ascending")


def test_empty_view_explains_validation_and_fills_the_form(screen: Screen) -> None:
    screen.answer("**/api/tools/validate", NO_VALIDATIONS)
    page = screen.open("validation")
    expect(page.get_by_role("heading", name="No results yet")).to_be_visible()
    screen.axe()
    screen.shoot("validation-empty")

    page.get_by_role("button", name=re.compile(r"^Validate \S+$")).click()

    expect(page.get_by_text(f"at most 75 chats: 75 cases {BY} 1 model")).to_be_visible()
    expect(page.get_by_role("heading", name="New run")).to_be_focused()
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_view_stays_usable_while_models_load_and_results_fail(screen: Screen) -> None:
    slow = screen.hold("**/api/models/list")
    failing = screen.route_fail(
        "**/api/tools/validate",
        status=503,
        body={"error": "unavailable", "message": "the table does not answer", "request_id": "req-1"},
    )
    page = screen.open("validation")
    problem = page.get_by_role("alert").filter(has_text="the table does not answer")
    expect(problem).to_contain_text("req-1")
    expect(page.get_by_text("loading models")).to_be_visible()
    page.get_by_label("Repeats per case").fill("3")
    expect(page.get_by_role("option", name="default")).to_have_count(1)

    failing.lift()
    problem.get_by_role("button", name="Try again").click()
    expect(problem).to_have_count(0)
    slow.lift()

    expect(page.get_by_label(GOOD).first).to_be_visible()
    expect(page.get_by_label("Repeats per case")).to_have_value("3")


def test_provider_without_a_model_list_is_named(screen: Screen) -> None:
    screen.answer("**/api/models/list", {"models": [], "errors": [{"llm": "far", "error": "it does not answer"}]})
    page = screen.open(f"validation?models={GOOD}")

    expect(page.get_by_text("1 provider did not list its models:")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="far it does not answer")).to_be_visible()
    expect(page.get_by_label(GOOD).first).to_be_checked()


def test_failed_page_of_a_history_keeps_the_loaded_ones(screen: Screen) -> None:
    def page_of(route: Route) -> None:
        second = "cursor=next" in route.request.url
        records = [
            {**VERDICT, "case": f"{'old' if second else 'new'}-{place}"} for place in range(60 if second else 100)
        ]
        route.fulfill(json={"status": {}, "records": records, "cursor": None if second else "next"})

    screen.page.route("**/api/tools/validate?model=*", page_of)
    page = screen.open(f"validation?model={GOOD}")
    expect(page.get_by_text("100 of 100 loaded verdicts, more available")).to_be_visible()

    failing = screen.route_fail("**/api/tools/validate?*cursor=*", status=500, body={"message": "no luck"})
    page.get_by_role("button", name="Load 100 more").click()
    expect(page.get_by_role("alert")).to_contain_text("no luck")
    expect(page.get_by_text("new-99", exact=True)).to_have_count(1)
    failing.lift()
    page.get_by_role("button", name="Try again").click()

    expect(page.get_by_text("160 of 160 loaded verdicts", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Load 100 more")).to_have_count(0)


def test_five_thousand_hostile_verdicts_are_shown_as_text(screen: Screen) -> None:
    records: list[Json] = [{**VERDICT, "case": f"case-{place}", "reasons": [CANARY]} for place in range(5_000)]
    screen.answer("**/api/tools/validate?model=*", {"status": {}, "records": records})
    page = screen.open(f"validation?model={GOOD}")

    # No expect(): while it waits, it takes an accessibility snapshot, which lasts over 20 s for so many verdicts.
    page.get_by_text("5,000 of 5,000 loaded verdicts").wait_for()
    last = page.locator(".val-verdicts > li").last
    last.scroll_into_view_if_needed()
    last.get_by_text("case-4999", exact=True).wait_for()
    last.get_by_text(CANARY, exact=True).wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_view_fits_the_screen_and_is_accessible(screen: Screen, tried: str, theme: Theme) -> None:
    everything = f"validation?run={tried}&compare={BOTH}&model={POOR}&category=single"
    for width in (1280, 360):
        page = screen.open(everything, width=width, theme=theme)
        expect(page.get_by_role("heading", name=f"Single call · {POOR}")).to_be_visible()
        expect(region(page, "Verdicts of this run")).to_be_visible()
        expect(page.get_by_label(GOOD).first).to_be_visible()
        page.evaluate("() => scrollTo(0, 0)")
        screen.axe()
        screen.shoot("validation")
        assert fits(page)
