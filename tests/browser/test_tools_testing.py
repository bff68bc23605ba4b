"""Tool testing: running a query, its steps, navigation and layout."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screen import Screen, Theme
from tests.browser.tools_testing_page import (
    MODEL,
    SEVERAL,
    SUM,
    WEATHER,
    address,
    answered,
    model_field,
    query_field,
    run,
    status,
    steps,
)

EXAMPLES = (
    ("Simple tool call", WEATHER, "One call of the weather tool", 'get_weather({"location":"Paris"})', "22 degrees"),
    ("Calculator", SUM, "One call of the calculator", 'calculate({"expression":"15% of 45"})', "6.75"),
    ("Direct answer", "What's 2+2?", "The answer 4", 'calculate({"expression":"2+2"})', "4"),
    (
        "RAG tool",
        "Search for Python decorators in the docs",
        "One call of the search tool",
        'search_documents({"query":"Python decorators"})',
        "The documents about Python decorators",
    ),
)
"""Examples: title, query, start of the expectation, the expected call and a part of the answer."""


MISSING = "Please enter a test query and select a model"


def in_address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_result_shows_summary_steps_calls_and_answer(screen: Screen) -> None:
    page = screen.open("tools-testing")
    expect(page.get_by_role("heading", name="Test a model with the tools")).to_be_visible()
    model_field(page).select_option(MODEL)
    query_field(page).fill(WEATHER)

    run(page)

    answered(page)
    expect(status(page)).to_have_text(
        re.compile(r"^✓\s+answered in [\d.]+ m?s · 2 model calls · 1 tool · [\d,]+ tokens$")
    )
    expect(page.get_by_text("Model: gpt-4o")).to_be_visible()
    expect(page.get_by_text("Service: openai")).to_be_visible()
    expect(page.get_by_label("Final response", exact=True).last).to_contain_text("(demo model) The weather in Paris")
    expect(steps(page)).to_have_count(3)
    expect(steps(page).nth(0)).to_contain_text(re.compile(r"model 1\s*openai:gpt-4o.*tokens\s*✓ called tools"))
    expect(steps(page).nth(1)).to_contain_text(re.compile(r"get_weather.*\d m?s\s*✓ done"))
    expect(page.get_by_role("heading", name="Tool calls (1)")).to_be_visible()
    calls = page.get_by_role("region", name="Tool calls").get_by_role("listitem")
    expect(calls).to_contain_text('get_weather({"location":"Paris"})')
    expect(calls.get_by_label("Result", exact=True)).to_contain_text('"condition": "sunny"')
    expect(calls).to_contain_text(re.compile(r"Iteration: 1 \| Execution time: [\d,]+ ms"))
    assert in_address(page) == {"model": MODEL, "query": WEATHER}


@pytest.mark.parametrize(("title", "query", "expected", "call", "answer"), EXAMPLES, ids=[each[0] for each in EXAMPLES])
def test_examples_behave_as_described(
    screen: Screen, title: str, query: str, expected: str, call: str, answer: str
) -> None:
    page = screen.open(address())

    example = page.get_by_role("group", name="Example test queries").get_by_role("button", name=re.compile(f"^{title}"))
    expect(example).to_contain_text(f"Expected: {expected}")
    example.click()
    expect(query_field(page)).to_have_value(query)
    run(page)

    expect(page.locator(".tt-query")).to_have_text(query)
    answered(page)
    calls = page.get_by_role("region", name="Tool calls").get_by_role("listitem")
    expect(calls).to_have_count(1)
    expect(calls).to_contain_text(call)
    expect(page.get_by_label("Final response", exact=True).last).to_contain_text(answer)


def test_empty_view_focuses_the_missing_field(screen: Screen) -> None:
    page = screen.open(address(model=""))
    page.get_by_role("button", name="Select a model").click()
    expect(model_field(page)).to_be_focused()

    model_field(page).select_option(MODEL)
    page.get_by_role("button", name="Enter a query").click()

    expect(query_field(page)).to_be_focused()


def test_missing_model_and_query_are_reported_at_their_fields(screen: Screen) -> None:
    page = screen.open("tools-testing")

    run(page)
    expect(model_field(page)).to_be_focused()
    expect(model_field(page)).to_have_accessible_description(re.compile(MISSING))
    model_field(page).select_option(MODEL)
    expect(page.get_by_text(MISSING)).to_have_count(0)
    query_field(page).fill("   ")
    run(page)

    expect(query_field(page)).to_be_focused()
    expect(query_field(page)).to_have_accessible_description(re.compile(MISSING))
    assert not [request for request in screen.watch.requests if request.url.endswith("/api/tools/test")]


def test_executed_and_rejected_calls_share_one_axis(screen: Screen) -> None:
    page = screen.open(address(query=SEVERAL))
    run(page)
    answered(page)
    expect(status(page)).to_contain_text("4 tools, 2 failed")

    unknown = steps(page).filter(has_text="nope")
    expect(unknown).to_contain_text("✕ not run")
    expect(unknown).to_contain_text("tool not found: Tool 'nope' not found")
    unknown.click()
    details = page.get_by_role("region", name="Details of nope")
    expect(details.get_by_role("tabpanel")).to_contain_text('"a": 1')
    details.get_by_role("tab", name="result").click()
    expect(details.get_by_role("tabpanel")).to_contain_text("Tool 'nope' not found")

    unknown.focus()
    page.keyboard.press("End")
    expect(steps(page).last).to_be_focused()
    expect(page.get_by_role("region", name=f"Details of {MODEL}").get_by_role("tab")).to_have_text(["Timing", "Raw"])
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect(steps(page).nth(1)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="result")).to_have_attribute("aria-selected", "true")
    narrow = "bars => bars.filter((bar) => bar.getBoundingClientRect().width < 3).length"
    assert page.locator(".wf-bar").evaluate_all(narrow) == 0


def test_cancelled_test_keeps_the_query(screen: Screen) -> None:
    page = screen.open(address(query=f"{WEATHER} [demo:slow=8000]"))
    run(page)
    expect(page.get_by_role("button", name="Testing...")).to_be_disabled()
    expect(page.get_by_text(f"waiting for {MODEL}")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()

    page.keyboard.press("Escape")

    expect(page.get_by_text("! Test cancelled.")).to_be_visible()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_focused()
    expect(query_field(page)).to_have_value(f"{WEATHER} [demo:slow=8000]")
    query_field(page).fill(WEATHER)
    run(page)
    answered(page)
    expect(page.get_by_text("! Test cancelled.")).to_have_count(0)


def test_reload_and_back_button_restore_the_query(screen: Screen) -> None:
    page = screen.open(address())
    query_field(page).fill(WEATHER)
    run(page)
    answered(page)
    query_field(page).fill(SUM)
    page.wait_for_url(re.compile("Calculate"))
    page.reload()
    expect(query_field(page)).to_have_value(SUM)
    expect(model_field(page)).to_have_value(MODEL)

    page.go_back()

    expect(query_field(page)).to_have_value(WEATHER)
    expect(model_field(page)).to_have_value(MODEL)


def test_query_run_and_steps_work_with_the_keyboard(screen: Screen) -> None:
    page = screen.open(address())
    expect(query_field(page)).to_be_visible()
    page.keyboard.press("/")
    expect(query_field(page)).to_be_focused()
    page.keyboard.type(WEATHER)
    page.keyboard.press("Control+Enter")
    answered(page)
    expect(query_field(page)).to_be_focused()

    while not steps(page).first.evaluate("step => step === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")

    expect(steps(page).nth(0)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Tab")
    expect(page.get_by_role("tab", name="timing")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tabpanel")).to_contain_text('"step": "model"')


def test_reached_limits_have_warnings(screen: Screen) -> None:
    calls = f"{WEATHER} " + '[demo:call=get_weather {"location":"Paris"} times=9]'
    page = screen.open(address(query=calls))

    run(page)

    answered(page)
    expect(page.get_by_text(re.compile("Circular calls|Max iterations reached"))).to_be_visible()
    expect(status(page)).to_contain_text("!")
    expect(steps(page).filter(has_text="✕ not run").first).to_contain_text("repeated call: Not run")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_results_fit_the_screen_and_are_accessible(screen: Screen, width: int, theme: Theme) -> None:
    page = screen.open(address(query=SEVERAL), width=width, theme=theme)
    run(page)
    answered(page)
    steps(page).filter(has_text="nope").click()
    screen.shoot("tools-testing-results")
    screen.axe()

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
