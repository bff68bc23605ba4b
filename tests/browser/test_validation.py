"""Validation: a run begun and watched, the map of what is known, the verdicts behind it, two models compared."""

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from cli.local_stack import StackState
from flexchat.messages import Json
from tests.browser.hostile import CANARY
from tests.browser.screen import Screen, Theme
from tests.e2e.commands import run_flexchat

GOOD = "openai:skill-95"
POOR = "openai:skill-60"
BOTH = f"{GOOD}+{POOR}"
SUITE = "page-test"
CASES = 9
BY = "\N{MULTIPLICATION SIGN}"
NOTHING_KNOWN: Json = {"validations": []}
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


@pytest.fixture(scope="module")
def service(stack: StackState) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {stack.token}"}
    with httpx.Client(base_url=stack.url, headers=headers, timeout=30, trust_env=False) as client:
        yield client


@pytest.fixture(scope="module")
def suite(service: httpx.Client) -> Iterator[None]:
    """A small suite: one case of each category."""
    whole = service.get("/api/validation/suites/default").raise_for_status().json()
    small = {case["category"]: case for case in whole["cases"]}
    assert len(small) == CASES
    own = f"/api/validation/suites/{SUITE}"
    service.put(own, json={**whole, "name": SUITE, "cases": list(small.values())}).raise_for_status()
    yield
    service.delete(own).raise_for_status()


@pytest.fixture
def tried(service: httpx.Client, suite: None) -> str:
    """A run of both demo models that has finished, by its id: one of another test, else one that is begun now."""
    if (run := finished_run(service)) is not None:
        return run
    run_flexchat("validate", "run", "--suite", SUITE, "--model", GOOD, "--model", POOR, "--no-stop-early")
    run = finished_run(service)
    assert run is not None
    return run


def finished_run(service: httpx.Client) -> str | None:
    runs = service.get("/api/validation/runs").raise_for_status().json()["runs"]
    both = [GOOD, POOR]
    found = (run for run in runs if run["status"] == "finished" and [each["model"] for each in run["models"]] == both)
    return next((run["id"] for run in found if run["suite"] == SUITE), None)


@pytest.fixture
def ending(service: httpx.Client) -> Iterator[list[str]]:
    """Runs, by their ids, that are stopped at the end should the test have left them going."""
    begun: list[str] = []
    yield begun
    for run in begun:
        service.delete(f"/api/validation/runs/{run}")  # refused when it has ended


def run_in(page: Page) -> str:
    page.wait_for_url(re.compile(r"[?&]run=\w+"))
    found = re.search(r"[?&]run=(\w+)", page.url)
    assert found
    return found[1]


def region(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("region", name=name)


def cell(page: Page, category: str, model: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"{category}, {model},"))


def requests_for(screen: Screen, path: str) -> int:
    return sum(path in request.url for request in screen.watch.requests)


def fits(page: Page) -> bool:
    return page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.usefixtures("suite")
def test_a_run_is_begun_by_keys_watched_and_found_in_the_map(screen: Screen, ending: list[str]) -> None:
    page = screen.open("validation")
    expect(page.get_by_label(GOOD).first).to_be_visible()
    page.get_by_label("Suite").select_option(SUITE)
    page.get_by_label("Repeats of each case").fill("3")
    page.get_by_label("Stop early").uncheck()
    page.keyboard.press("/")
    expect(page.locator(":focus")).to_have_attribute("type", re.compile("checkbox|search"))
    page.get_by_label(GOOD).first.check()
    page.get_by_label(POOR).first.check()
    expect(page.get_by_text(f"54 chats at most: 9 cases {BY} 2 models {BY} 3 repeats")).to_be_visible()

    page.keyboard.press("Control+Enter")
    ending.append(run_in(page))

    run = region(page, f"Run of {SUITE} {BY} 3")
    expect(run.get_by_role("status").filter(has_text="finished")).to_be_visible(timeout=60_000)
    expect(run.get_by_role("row", name=GOOD)).to_contain_text("27 of 27")
    expect(cell(page, "One tool", GOOD)).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("finished"), pressed=True)).to_contain_text("of 54 passed")


@pytest.mark.usefixtures("suite")
def test_a_run_is_stopped_stays_over_a_reload_and_is_left_by_going_back(screen: Screen, ending: list[str]) -> None:
    page = screen.open(f"validation?suite={SUITE}&models={GOOD}&repeats=20&early=no")
    expect(page.get_by_text(f"180 chats at most: 9 cases {BY} 1 model {BY} 20 repeats")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    ending.append(run_in(page))
    expect(region(page, "Latest verdicts").get_by_role("listitem").first).to_be_visible()

    page.get_by_role("button", name="Stop", exact=True).click()

    stopped = page.get_by_role("status").filter(has_text="stopped")
    expect(stopped).to_be_visible()
    expect(page.get_by_text("stopped on request")).to_be_visible()
    page.reload()
    expect(stopped).to_be_visible()
    expect(page.get_by_label("Repeats of each case")).to_have_value("20")
    expect(page.get_by_label("Stop early")).not_to_be_checked()
    page.go_back()
    expect(stopped).to_have_count(0)
    expect(page.get_by_label("Repeats of each case")).to_have_value("20")


@pytest.mark.usefixtures("tried")
def test_a_cell_opens_its_verdicts_by_keys_and_gives_the_focus_back(screen: Screen) -> None:
    page = screen.open("validation")
    opener = cell(page, "No tool fits", POOR)
    opener.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name=f"No tool fits · {POOR}")).to_be_focused()
    verdicts = page.get_by_role("list", name=f"Verdicts of {POOR}").locator("> li")
    expect(verdicts.first).to_contain_text(re.compile("passed|failed"))
    expect(verdicts.first).to_contain_text("No tool fits")
    page.get_by_label("Only what was not passed").check()
    expect(verdicts.filter(has_text="✓")).to_have_count(0)

    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", name=f"No tool fits · {POOR}")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name=f"No tool fits · {POOR}")).to_be_visible()


@pytest.mark.usefixtures("tried")
def test_the_request_id_of_a_verdict_can_be_copied(screen: Screen) -> None:
    page = screen.open(f"validation?model={POOR}")

    page.get_by_role("button", name="Copy the request id").first.click()

    expect(page.get_by_text("copied ✓")).to_be_visible()
    assert re.fullmatch(r"[0-9a-f-]{36}", page.evaluate("() => navigator.clipboard.readText()"))


@pytest.mark.usefixtures("tried")
def test_two_ticked_models_are_compared_in_words_and_numbers(screen: Screen) -> None:
    page = screen.open("validation")
    page.get_by_label(f"Compare {GOOD}").check()
    expect(page.get_by_text(f"Tick another model to compare it with {GOOD}.")).to_be_visible()
    page.get_by_label(f"Compare {POOR}").check()

    said = page.get_by_text(
        re.compile(rf"^({GOOD} is better by \d+ points \([\d.]+ to \d+\)|No difference is shown)\.$")
    )
    expect(said).to_be_visible()
    expect(page.get_by_role("table", name="The difference by category").get_by_role("row")).to_have_count(11)
    page.reload()
    expect(said).to_be_visible()
    region(page, f"{GOOD} and {POOR}").get_by_role("button", name="Close").click()
    expect(said).to_have_count(0)
    expect(page.get_by_label(f"Compare {GOOD}")).not_to_be_checked()


@pytest.mark.usefixtures("tried")
def test_the_map_is_ordered_by_what_is_clicked(screen: Screen) -> None:
    page = screen.open("validation")
    expect(page.get_by_role("columnheader", name="Rate")).to_have_attribute("aria-sort", "descending")

    page.get_by_role("button", name="Model", exact=True).click()

    expect(page.get_by_role("columnheader", name="Model")).to_have_attribute("aria-sort", "ascending")
    names = page.locator(".val-name button").all_inner_texts()
    assert names == sorted(names)
    page.reload()
    expect(page.get_by_role("columnheader", name="Model")).to_have_attribute("aria-sort", "ascending")


def test_where_nothing_is_known_the_view_says_what_it_is_for_and_fills_the_form(screen: Screen) -> None:
    screen.answer("**/api/tools/validate", NOTHING_KNOWN)
    page = screen.open("validation")
    expect(page.get_by_role("heading", name="No model has been tried yet")).to_be_visible()
    screen.axe()
    screen.shoot("validation-empty")

    page.get_by_role("button", name=re.compile(r"^Validate \S+$")).click()

    expect(page.get_by_text(f"75 chats at most: 75 cases {BY} 1 model")).to_be_visible()
    expect(page.get_by_role("heading", name="Run a suite")).to_be_focused()
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_slow_providers_and_a_failing_service_leave_the_rest_of_the_view_to_be_used(screen: Screen) -> None:
    slow = screen.hold("**/api/models/list")
    failing = screen.route_fail(
        "**/api/tools/validate",
        status=503,
        body={"error": "unavailable", "message": "the table does not answer", "request_id": "req-1"},
    )
    page = screen.open("validation")
    problem = page.get_by_role("alert").filter(has_text="the table does not answer")
    expect(problem).to_contain_text("req-1")
    expect(page.get_by_text("asking the providers for their models")).to_be_visible()
    page.get_by_label("Repeats of each case").fill("3")
    expect(page.get_by_role("option", name="default")).to_have_count(1)

    failing.lift()
    problem.get_by_role("button", name="Try again").click()
    expect(problem).to_have_count(0)
    slow.lift()

    expect(page.get_by_label(GOOD).first).to_be_visible()
    expect(page.get_by_label("Repeats of each case")).to_have_value("3")


def test_a_provider_that_cannot_tell_its_models_is_named(screen: Screen) -> None:
    screen.answer("**/api/models/list", {"models": [], "errors": [{"llm": "far", "error": "it does not answer"}]})
    page = screen.open(f"validation?models={GOOD}")

    expect(page.get_by_text("1 provider could not tell its models:")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="far it does not answer")).to_be_visible()
    expect(page.get_by_label(GOOD).first).to_be_checked()


def test_a_token_that_may_not_start_runs_is_told_so_and_nothing_typed_is_lost(screen: Screen) -> None:
    page = screen.open(f"validation?models={GOOD}&calls=5")
    expect(page.get_by_text("5 chats at most")).to_be_visible()
    screen.route_fail("**/api/tools/validate", status=403, body={"error": "forbidden", "message": "operators may"})

    page.get_by_role("button", name="Start").click()

    expect(page.get_by_role("alert")).to_contain_text("This token may not do that")
    expect(page.get_by_label("Chats", exact=True)).to_have_value("5")
    expect(page.get_by_label(GOOD).first).to_be_checked()


def test_numbers_that_make_no_sense_are_refused_by_the_form(screen: Screen) -> None:
    page = screen.open(f"validation?models={GOOD}&repeats=101")

    page.get_by_role("button", name="Start").click()

    assert page.get_by_label("Repeats of each case").evaluate("field => field.validity.rangeOverflow")
    assert "run=" not in page.url


def test_a_run_that_does_not_exist_is_a_problem_and_not_a_wait(screen: Screen) -> None:
    screen.expects("the server responded with a status of 404")
    page = screen.open("validation?run=nowhere")

    expect(region(page, "Run").get_by_role("alert")).to_contain_text("there is no run 'nowhere'")
    region(page, "Run").get_by_role("button", name="Close").click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_run_that_stands_still_can_be_sent_on_its_way(screen: Screen) -> None:
    screen.page.clock.install()
    screen.answer("**/api/validation/runs/r1?*", STANDING)
    screen.answer("**/api/tools/validate?model=*", {"status": {}, "records": []})
    page = screen.open("validation?run=r1")
    expect(page.get_by_text("3 of 75 verdicts")).to_be_visible()
    expect(page.get_by_role("button", name="Resume")).to_have_count(0)

    for _ in range(12):
        page.clock.run_for(3_000)
    with page.expect_request("**/api/validation/runs/r1/resume") as asked:
        screen.answer("**/api/validation/runs/r1/resume", STANDING, status=202)
        page.get_by_role("button", name="Resume").click()

    assert asked.value.method == "POST"


def test_a_run_is_watched_on_once_the_stack_is_back(screen: Screen) -> None:
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


def test_a_run_is_not_asked_for_while_nobody_looks(screen: Screen) -> None:
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
    asked = requests_for(screen, "/runs/r1")
    for _ in range(5):
        page.clock.run_for(3_000)

    assert requests_for(screen, "/runs/r1") == asked
    with page.expect_request("**/api/validation/runs/r1?*"):
        page.evaluate("() => { window.looksAway = false; document.dispatchEvent(new Event('visibilitychange')); }")


def test_a_history_is_read_page_by_page_and_keeps_what_was_read_when_one_fails(screen: Screen) -> None:
    def page_of(route: Route) -> None:
        second = "cursor=next" in route.request.url
        records = [
            {**VERDICT, "case": f"{'old' if second else 'new'}-{place}"} for place in range(60 if second else 100)
        ]
        route.fulfill(json={"status": {}, "records": records, "cursor": None if second else "next"})

    screen.page.route("**/api/tools/validate?model=*", page_of)
    page = screen.open(f"validation?model={GOOD}")
    expect(page.get_by_text("100 verdicts of 100 read, there are more")).to_be_visible()

    failing = screen.route_fail("**/api/tools/validate?*cursor=*", status=500, body={"message": "no luck"})
    page.get_by_role("button", name="Read the next 100").click()
    expect(page.get_by_role("alert")).to_contain_text("no luck")
    expect(page.get_by_text("new-99", exact=True)).to_have_count(1)
    failing.lift()
    page.get_by_role("button", name="Try again").click()

    expect(page.get_by_text("160 verdicts of 160 read", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Read the next 100")).to_have_count(0)


def test_five_thousand_hostile_verdicts_are_text_that_scrolls(screen: Screen) -> None:
    records: list[Json] = [{**VERDICT, "case": f"case-{place}", "reasons": [CANARY]} for place in range(5_000)]
    screen.answer("**/api/tools/validate?model=*", {"status": {}, "records": records})
    page = screen.open(f"validation?model={GOOD}")

    expect(page.get_by_text("5,000 verdicts of 5,000 read")).to_be_visible()
    last = page.locator(".val-verdicts > li").last
    last.scroll_into_view_if_needed()
    expect(last).to_contain_text("case-4999")
    expect(last).to_contain_text(CANARY)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_the_view(screen: Screen, tried: str, theme: Theme) -> None:
    everything = f"validation?run={tried}&compare={BOTH}&model={POOR}&category=single"
    for width in (1280, 360):
        page = screen.open(everything, width=width, theme=theme)
        expect(page.get_by_role("heading", name=f"One tool · {POOR}")).to_be_visible()
        expect(region(page, "Verdicts of this run")).to_be_visible()
        expect(page.get_by_label(GOOD).first).to_be_visible()
        page.evaluate("() => scrollTo(0, 0)")
        screen.axe()
        screen.shoot("validation")
        assert fits(page)
