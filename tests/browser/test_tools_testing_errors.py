"""Tool testing: failing providers, model and tool lists."""

from playwright.sync_api import expect

from flexchat.messages import Json
from tests.browser.hostile import CANARY
from tests.browser.screen import Screen
from tests.browser.tools_testing_page import (
    MODEL,
    UNAVAILABLE,
    WEATHER,
    address,
    answered,
    model_field,
    query_field,
    run,
)

TOOL: dict[str, Json] = {"type": "function", "parameters": {"type": "object"}, "implementation": {"type": "mock"}}


def test_provider_error_shows_the_request_id_and_can_be_retried(screen: Screen) -> None:
    screen.expects("the server responded with a status of 502")
    page = screen.open(address(query=f"{WEATHER} [demo:status=400]"))

    run(page)

    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("The provider rejected the request")
    expect(problem).to_contain_text("status 400 was asked for")
    expect(problem.get_by_role("button", name="Copy request id")).to_be_visible()
    query_field(page).fill(WEATHER)
    problem.get_by_role("button", name="Try again").click()
    answered(page)
    expect(problem).to_have_count(0)


def test_unreachable_service_and_rejected_token_keep_the_query(screen: Screen) -> None:
    page = screen.open(address(query=WEATHER))
    down = screen.route_fail("**/api/tools/test")
    run(page)
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    down.lift()

    refused = screen.route_fail("**/api/tools/test", status=401, body={"message": "Unauthorized"})
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("dialog", name="Sign in again")).to_contain_text("no longer accepts your token")
    refused.lift()
    screen.sign_in(screen.token)

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(query_field(page)).to_have_value(WEATHER)
    run(page)
    answered(page)


def test_model_id_can_be_entered_while_models_load(screen: Screen) -> None:
    models = screen.hold("**/api/models/list")
    page = screen.open("tools-testing")
    expect(page.get_by_text("loading models")).to_be_visible()
    page.get_by_role("button", name="Enter the model id").click()
    model_field(page).fill(MODEL)
    query_field(page).fill(WEATHER)
    page.keyboard.press("Control+Enter")
    answered(page)
    models.lift()
    page.get_by_role("button", name="Choose from the list").click()
    expect(model_field(page).locator("option:checked")).to_contain_text("· demo")


def test_model_id_can_be_entered_if_models_fail_to_load(screen: Screen) -> None:
    failing = screen.route_fail("**/api/models/list", status=503, body=UNAVAILABLE)
    page = screen.open(address(query=WEATHER))
    expect(page.get_by_text("The models could not be listed: Try later.")).to_be_visible()
    expect(model_field(page)).to_have_value(MODEL)
    expect(model_field(page)).to_have_attribute("placeholder", "llm:model")
    failing.lift()

    page.get_by_role("button", name="Reload the models").click()

    expect(model_field(page).locator("optgroup[label=openai]")).to_be_attached()
    expect(model_field(page)).to_have_value(MODEL)


def test_model_badges_and_warnings_show_the_validation_status(screen: Screen) -> None:
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
        ["Select a model", "a:proven 🔧✓ 96 % (88\N{EN DASH}99)", "b:new 🔧⚠️ not tested", "b:plain"]
    )
    expect(page.get_by_text("c did not list its models: timed out")).to_be_visible()

    model_field(page).select_option("a:proven")
    expect(page.get_by_text("passed 48 of 50 tests: 96%")).to_be_visible()
    expect(page.locator(".model-picker .notice")).to_have_count(0)
    model_field(page).select_option("b:new")
    expect(page.get_by_text("This model has not been tested with tools")).to_be_visible()
    model_field(page).select_option("b:plain")
    expect(page.get_by_text("The provider does not list tool calling")).to_be_visible()


def test_two_hundred_tools_are_listed_and_filtered(screen: Screen) -> None:
    tools: list[Json] = [{"name": f"tool_{at}", "description": f"Does {at}. {CANARY}", **TOOL} for at in range(200)]
    disabled: Json = [{"kind": "tool", "name": "broken", "problems": ["its type is unknown"]}]
    screen.answer("**/api/tools/list", {"tools": tools, "disabled": disabled})
    page = screen.open("tools-testing")
    available = page.get_by_role("region", name="Available tools")
    expect(available.get_by_role("heading")).to_have_text("Available tools 201")
    expect(available).to_contain_text("disabled")
    expect(available).to_contain_text("its type is unknown")

    available.get_by_label("Filter").fill("TOOL_19")
    expect(available.get_by_text("11 of 201 shown")).to_be_visible()
    available.get_by_text("tool_190").click()

    expect(available.get_by_label("Parameters of tool_190")).to_contain_text('"type": "object"')
    assert available.locator("pre").count() == 2


def test_model_can_be_tested_while_tools_cannot_be_listed(screen: Screen) -> None:
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
