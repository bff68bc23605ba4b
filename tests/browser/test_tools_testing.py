"""Tool testing: a query tried with a model, the steps on one axis, what can be made of the run, and what goes wrong."""

import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from cli.local_stack import StackState
from flexchat.messages import Json
from tests.browser.hostile import CANARY
from tests.browser.screen import Screen, Theme
from tests.e2e.commands import flexchat

MODEL = "openai:gpt-4o"
WEATHER = "What's the weather in Paris?"
SUM = "Calculate 15% tip on $45"
SEVERAL = (
    'Hello [demo:call=get_weather {"location":"Paris"}] [demo:call=nope {"a":1}] '
    '[demo:call=calculate {"x":1}] [demo:call=calculate {"expression":"2*21"}]'
)
MISSING = "Please enter a test query and select a model"
EXAMPLES = (
    ("Simple Tool Call", WEATHER, "One call of the weather tool", 'get_weather({"location":"Paris"})', "22 degrees"),
    ("Calculator", SUM, "One call of the calculator", 'calculate({"expression":"15% of 45"})', "6.75"),
    ("Direct Answer Test", "What's 2+2?", "The answer 4", 'calculate({"expression":"2+2"})', "4"),
    (
        "RAG Tool",
        "Search for Python decorators in the docs",
        "One call of the search tool",
        'search_documents({"query":"Python decorators"})',
        "The documents about Python decorators",
    ),
)
"""Each with its query, the beginning of what is expected, and the one call and a part of the answer that meet it."""

TOOL: dict[str, Json] = {"type": "function", "parameters": {"type": "object"}, "implementation": {"type": "mock"}}
UNAVAILABLE: Json = {"error": "unavailable", "message": "Try later.", "request_id": "r-503"}


@pytest.fixture
def suite(stack: StackState) -> Iterator[str]:
    """The name of a suite that is not there yet, and gone afterwards."""
    name = f"page-{uuid4().hex[:12]}"
    yield name
    with client(stack) as service:
        service.delete(f"/api/validation/suites/{name}")


@pytest.fixture
def user_token() -> Iterator[str]:
    """Somebody's who is no operator."""
    token = flexchat("tokens", "create", "--stage", "local", "--name", "browser-user", "--role", "user").split()[-1]
    yield token
    flexchat("tokens", "revoke", token.split("_")[1], "--stage", "local")


def client(stack: StackState) -> httpx.Client:
    headers = {"Authorization": f"Bearer {stack.token}"}
    return httpx.Client(base_url=stack.url, headers=headers, timeout=60, trust_env=False)


def address(model: str = MODEL, query: str = "") -> str:
    return f"tools-testing?{urlencode({'model': model, 'query': query})}"


def query_field(page: Page) -> Locator:
    return page.get_by_label("Query", exact=True)


def model_field(page: Page) -> Locator:
    return page.get_by_label("Model", exact=True)


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()


def status(page: Page) -> Locator:
    return page.locator("main").get_by_text(re.compile(r"(answered in|[a-z ]+ after) [\d.]+ m?s ·"), exact=False).last


def steps(page: Page) -> Locator:
    return page.get_by_role("listbox", name="What ran, in order of its start").get_by_role("option")


def answered(page: Page) -> None:
    expect(page.get_by_role("heading", name="Final Response")).to_be_visible()


def in_address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def opened_case(page: Page, suite: str) -> Locator:
    page.get_by_role("button", name="Save as validation case").click()
    dialog = page.get_by_role("dialog", name="Save as validation case")
    dialog.get_by_label("Suite", exact=True).fill(suite)
    return dialog


def test_a_run_tells_how_it_went_which_steps_it_took_and_what_was_answered(screen: Screen) -> None:
    page = screen.open("tools-testing")
    expect(page.get_by_role("heading", name="See what a model does with the tools")).to_be_visible()
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
    expect(steps(page).nth(0)).to_contain_text(re.compile(r"model 1\s*openai:gpt-4o.*tokens\s*✓ calls tools"))
    expect(steps(page).nth(1)).to_contain_text(re.compile(r"get_weather.*\d m?s\s*✓ done"))
    expect(page.get_by_role("heading", name="Tool Calls (1)")).to_be_visible()
    calls = page.get_by_role("region", name="Tool calls").get_by_role("listitem")
    expect(calls).to_contain_text('get_weather({"location":"Paris"})')
    expect(calls.get_by_label("Result", exact=True)).to_contain_text('"condition": "sunny"')
    expect(calls).to_contain_text(re.compile(r"Iteration: 1 \| Execution time: [\d,]+ ms"))
    assert in_address(page) == {"model": MODEL, "query": WEATHER}


@pytest.mark.parametrize(("title", "query", "expected", "call", "answer"), EXAMPLES, ids=[each[0] for each in EXAMPLES])
def test_an_example_says_what_is_expected_and_the_model_does_it(
    screen: Screen, title: str, query: str, expected: str, call: str, answer: str
) -> None:
    page = screen.open(address())

    example = page.get_by_role("group", name="Example Test Queries").get_by_role("button", name=re.compile(f"^{title}"))
    expect(example).to_contain_text(f"Expected: {expected}")
    example.click()
    expect(query_field(page)).to_have_value(query)
    run(page)

    expect(page.locator(".tt-asked")).to_have_text(query)
    answered(page)
    calls = page.get_by_role("region", name="Tool calls").get_by_role("listitem")
    expect(calls).to_have_count(1)
    expect(calls).to_contain_text(call)
    expect(page.get_by_label("Final response", exact=True).last).to_contain_text(answer)


def test_an_empty_view_leads_to_what_is_still_to_be_said(screen: Screen) -> None:
    page = screen.open(address(model=""))
    page.get_by_role("button", name="Choose a model").click()
    expect(model_field(page)).to_be_focused()

    model_field(page).select_option(MODEL)
    page.get_by_role("button", name="Write a query").click()

    expect(query_field(page)).to_be_focused()


def test_a_model_and_a_query_are_asked_for_where_they_are_missing(screen: Screen) -> None:
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


def test_calls_that_ran_and_calls_that_did_not_share_one_axis_and_say_why(screen: Screen) -> None:
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
    expect(page.get_by_role("region", name=f"Details of {MODEL}").get_by_role("tab")).to_have_text(["timing", "raw"])
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect(steps(page).nth(1)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="result")).to_have_attribute("aria-selected", "true")
    narrow = "bars => bars.filter((bar) => bar.getBoundingClientRect().width < 3).length"
    assert page.locator(".wf-bar").evaluate_all(narrow) == 0


def test_a_run_is_busy_until_it_is_cancelled_and_what_was_typed_stays(screen: Screen) -> None:
    page = screen.open(address(query=f"{WEATHER} [demo:slow=8000]"))
    run(page)
    expect(page.get_by_role("button", name="Testing...")).to_be_disabled()
    expect(page.get_by_text(f"asking {MODEL}")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()

    page.keyboard.press("Escape")

    expect(page.get_by_text("! Cancelled.")).to_be_visible()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_focused()
    expect(query_field(page)).to_have_value(f"{WEATHER} [demo:slow=8000]")
    query_field(page).fill(WEATHER)
    run(page)
    answered(page)
    expect(page.get_by_text("! Cancelled.")).to_have_count(0)


def test_a_reload_and_the_back_button_keep_what_was_asked(screen: Screen) -> None:
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


def test_the_keyboard_alone_writes_runs_and_looks_at_steps(screen: Screen) -> None:
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


def test_a_provider_that_fails_is_told_with_its_request_and_tried_again(screen: Screen) -> None:
    screen.expects("the server responded with a status of 502")
    page = screen.open(address(query=f"{WEATHER} [demo:status=400]"))

    run(page)

    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("The provider refused the request")
    expect(problem).to_contain_text("status 400 was asked for")
    expect(problem.get_by_role("button", name="Copy the request id")).to_be_visible()
    query_field(page).fill(WEATHER)
    problem.get_by_role("button", name="Try again").click()
    answered(page)
    expect(problem).to_have_count(0)


def test_a_stack_that_is_down_and_a_token_that_is_refused_lose_nothing(screen: Screen) -> None:
    page = screen.open(address(query=WEATHER))
    down = screen.route_fail("**/api/tools/test")
    run(page)
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    down.lift()

    refused = screen.route_fail("**/api/tools/test", status=401, body={"message": "Unauthorized"})
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_contain_text("The token is not admitted")
    page.get_by_role("button", name="Enter another token").click()
    refused.lift()
    screen.sign_in(screen.token)

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(query_field(page)).to_have_value(WEATHER)
    run(page)
    answered(page)


def test_an_answer_that_has_limits_warns_of_each(screen: Screen) -> None:
    calls = f"{WEATHER} " + '[demo:call=get_weather {"location":"Paris"} times=9]'
    page = screen.open(address(query=calls))

    run(page)

    answered(page)
    expect(page.get_by_text(re.compile("Circular calls|Max iterations reached"))).to_be_visible()
    expect(status(page)).to_contain_text("!")
    expect(steps(page).filter(has_text="✕ not run").first).to_contain_text("repeated call: Not run")


def test_a_list_of_models_that_does_not_come_leaves_the_rest_in_use(screen: Screen) -> None:
    models = screen.hold("**/api/models/list")
    page = screen.open("tools-testing")
    expect(page.get_by_text("asking for the models")).to_be_visible()
    page.get_by_role("button", name="Type its id").click()
    model_field(page).fill(MODEL)
    query_field(page).fill(WEATHER)
    page.keyboard.press("Control+Enter")
    answered(page)
    models.lift()
    page.get_by_role("button", name="Choose from the list").click()
    expect(model_field(page).locator("option:checked")).to_contain_text("· demo")


def test_a_list_of_models_that_fails_lets_a_model_be_typed_and_is_asked_for_again(screen: Screen) -> None:
    failing = screen.route_fail("**/api/models/list", status=503, body=UNAVAILABLE)
    page = screen.open(address(query=WEATHER))
    expect(page.get_by_text("The models could not be listed: Try later.")).to_be_visible()
    expect(model_field(page)).to_have_value(MODEL)
    expect(model_field(page)).to_have_attribute("placeholder", "llm:model")
    failing.lift()

    page.get_by_role("button", name="List them again").click()

    expect(model_field(page).locator("optgroup[label=openai]")).to_be_attached()
    expect(model_field(page)).to_have_value(MODEL)


def test_badges_and_a_warning_tell_what_is_known_of_a_model(screen: Screen) -> None:
    rate: Json = {"tests": 50, "successes": 48, "rate": 0.96, "low": 0.88, "high": 0.99}
    proven: dict[str, Json] = {
        "model_id": "a:proven",
        "tested": True,
        "validated": True,
        "rate": rate,
        "last_tested": "2026-11-22T03:50:22Z",
        "badge": {"symbol": "🔧✓", "text": "validated", "tooltip": "passed 48 of 50 tests: 96%"},
    }
    new: Json = {
        "model_id": "b:new",
        "tested": False,
        "validated": False,
        "badge": {"symbol": "🔧⚠️", "text": "not tested", "tooltip": "no tests yet"},
    }
    plain: Json = {"model_id": "b:plain", "tested": False, "validated": False}
    common: dict[str, Json] = {"provider": "openai", "type": "chat", "configured": True}
    tools: Json = ["chat", "function-calling"]
    listed: Json = {
        "models": [
            {"id": "a:proven", "name": "proven", "llm": "a", "capabilities": tools, "validation": proven, **common},
            {"id": "b:new", "name": "new", "llm": "b", "capabilities": tools, "validation": new, **common},
            {"id": "b:plain", "name": "plain", "llm": "b", "capabilities": ["chat"], "validation": plain, **common},
        ],
        "errors": [{"llm": "c", "error": "timed out"}],
    }
    screen.answer("**/api/models/list", listed)
    page = screen.open(address(model=""))
    expect(model_field(page).get_by_role("option")).to_have_text(
        ["-- Select Model --", "a:proven 🔧✓ 96 % (88\N{EN DASH}99)", "b:new 🔧⚠️ not tested", "b:plain"]
    )
    expect(page.get_by_text("c could not be asked: timed out")).to_be_visible()

    model_field(page).select_option("a:proven")
    expect(page.get_by_text("passed 48 of 50 tests: 96%")).to_be_visible()
    expect(page.locator(".model-picker .notice")).to_have_count(0)
    model_field(page).select_option("b:new")
    expect(page.get_by_text("This model was never tried with tools")).to_be_visible()
    model_field(page).select_option("b:plain")
    expect(page.get_by_text("This model is not known to call tools")).to_be_visible()


def test_two_hundred_tools_are_there_at_once_and_found_by_a_filter(screen: Screen) -> None:
    tools: list[Json] = [{"name": f"tool_{at}", "description": f"Does {at}. {CANARY}", **TOOL} for at in range(200)]
    disabled: Json = [{"kind": "tool", "name": "broken", "problems": ["its type is unknown"]}]
    screen.answer("**/api/tools/list", {"tools": tools, "disabled": disabled})
    page = screen.open("tools-testing")
    available = page.get_by_role("region", name="Available tools")
    expect(available.get_by_role("heading")).to_have_text("Available Tools 201")
    expect(available).to_contain_text("disabled")
    expect(available).to_contain_text("its type is unknown")

    available.get_by_label("Filter").fill("TOOL_19")
    expect(available.get_by_text("11 of 201 shown")).to_be_visible()
    available.get_by_text("tool_190").click()

    expect(available.get_by_label("Parameters of tool_190")).to_contain_text('"type": "object"')
    assert available.locator("pre").count() == 2


def test_tools_that_cannot_be_listed_keep_nobody_from_running(screen: Screen) -> None:
    failing = screen.route_fail("**/api/tools/list", status=503, body=UNAVAILABLE)
    page = screen.open(address(query=WEATHER))
    available = page.get_by_role("region", name="Available tools")
    expect(available.get_by_role("alert")).to_contain_text("r-503")
    run(page)
    answered(page)
    expect(page.get_by_role("button", name="Save as validation case")).to_be_disabled()
    failing.lift()

    available.get_by_role("button", name="Try again").click()

    expect(available.get_by_role("listitem").filter(has_text="get_weather")).to_be_visible()
    expect(page.get_by_role("button", name="Save as validation case")).to_be_enabled()


def test_the_copied_command_asks_the_same_with_the_token_left_out(screen: Screen) -> None:
    page = screen.open(address(query=WEATHER))
    run(page)
    answered(page)

    page.get_by_role("button", name="Copy as curl").click()

    expect(page.get_by_text("copied ✓")).to_be_visible()
    copied = str(page.evaluate("() => navigator.clipboard.readText()"))
    assert copied.splitlines() == [
        f"curl -sS -X POST '{screen.url}/api/tools/test' \\",
        '  -H "Authorization: Bearer $FLEXCHAT_TOKEN" \\',
        "  -H 'Content-Type: application/json' \\",
        f"""  --data-raw '{{"model":"{MODEL}","query":"What'\\''s the weather in Paris?"}}'""",
    ]


def test_a_run_becomes_a_case_of_a_new_suite_and_another_is_added_to_it(
    screen: Screen, stack: StackState, suite: str
) -> None:
    screen.expects("the server responded with a status of 404")  # the suite is new
    page = screen.open(address(query=WEATHER))
    run(page)
    answered(page)
    dialog = opened_case(page, suite)
    expect(dialog.get_by_label("Category", exact=True)).to_have_value("choice")
    screen.axe()
    screen.shoot("tools-testing-case", whole=False)
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"saved as what-s-the-weather-in-paris in {suite} ✓")).to_be_visible()

    query_field(page).fill(SEVERAL)
    run(page)
    expect(page.get_by_role("heading", name="Tool Calls (4)")).to_be_visible()
    dialog = opened_case(page, suite)
    dialog.get_by_label("Case", exact=True).fill("several")
    dialog.get_by_label("Tools to offer").select_option("called")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"saved as several in {suite} ✓")).to_be_visible()

    with client(stack) as service:
        kept = service.get(f"/api/validation/suites/{suite}").json()
    first, second = kept["cases"]
    paris = {"tool": "get_weather", "arguments": {"location": ["Paris"]}}
    assert (first["category"], first["message"]) == ("choice", WEATHER)
    assert [turn["calls"] for turn in first["expect"]["turns"]] == [[paris]]
    assert (second["category"], second["tools"]) == ("error_recovery", ["get_weather", "calculate"])
    assert second["expect"]["failed_calls"] == 2
    assert {tool["implementation"]["type"] for tool in kept["tools"]} == {"mock"}
    calculate = next(tool for tool in kept["tools"] if tool["name"] == "calculate")
    assert calculate["implementation"]["answers"][0] == {
        "when": {"expression": "2*21"},
        "response": {"result": 42},
    }


def test_a_case_that_is_not_right_is_told_where_it_is_written_and_nothing_of_it_is_lost(
    screen: Screen, suite: str
) -> None:
    for refused in (400, 404, 409):
        screen.expects(f"the server responded with a status of {refused}")
    page = screen.open(address(query=WEATHER))
    run(page)
    answered(page)
    dialog = opened_case(page, suite)
    right = dialog.get_by_label("What is right")
    drafted = json.loads(right.input_value())
    right.fill("{ broken")
    expect(right).to_have_accessible_description(re.compile("This is not JSON"))
    expect(dialog.get_by_role("button", name="Save")).to_be_disabled()

    drafted["turns"][0]["calls"][0]["tool"] = "get_wether"
    right.fill(json.dumps(drafted))
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("cases[0].expect.turns[0].calls[0].tool")
    expect(dialog.get_by_role("alert")).to_contain_text("the suite has no tool 'get_wether'")
    dialog.get_by_label("Suite", exact=True).fill("default")
    drafted["turns"][0]["calls"][0]["tool"] = "get_weather"
    right.fill(json.dumps(drafted))
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("cannot be changed")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Save as validation case").click()

    assert json.loads(right.input_value()) == drafted


def test_who_is_no_operator_is_offered_no_case_to_save_and_no_model_of_operators(
    screen: Screen, user_token: str
) -> None:
    page = screen.open(address(query=WEATHER), signed_in=False)
    screen.sign_in(user_token)
    run(page)
    answered(page)

    expect(page.get_by_role("button", name="Copy as curl")).to_be_visible()
    expect(page.get_by_role("button", name="Save as validation case")).to_have_count(0)
    expect(model_field(page).locator(f"option[value='{MODEL}']")).to_be_attached()
    expect(model_field(page).locator("option[value='openai:skill-95']")).to_have_count(0)
    expect(page.get_by_role("link", name="Configuration")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_results_fit_the_screen_and_keep_nobody_out(screen: Screen, width: int, theme: Theme) -> None:
    page = screen.open(address(query=SEVERAL), width=width, theme=theme)
    run(page)
    answered(page)
    steps(page).filter(has_text="nope").click()
    screen.shoot("tools-testing-results")
    screen.axe()

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
