"""Tool testing: copying a test as curl and saving it as a validation case."""

import json
import re
from collections.abc import Iterator
from uuid import uuid4

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.screen import Screen
from tests.browser.tools_testing_page import (
    MODEL,
    SEVERAL,
    WEATHER,
    address,
    answered,
    model_field,
    query_field,
    run,
)


@pytest.fixture
def suite(service: httpx2.Client) -> Iterator[str]:
    """Name of a new suite, deleted after the test."""
    name = f"page-{uuid4().hex[:12]}"
    yield name
    service.delete(f"/api/validation/suites/{name}")


def open_case(page: Page, suite: str) -> Locator:
    page.get_by_role("button", name="Save as validation case").click()
    dialog = page.get_by_role("dialog", name="Save as validation case")
    expect(dialog.get_by_label("Suite", exact=True)).to_be_focused()
    dialog.get_by_label("Suite", exact=True).fill(suite)
    return dialog


def test_copied_curl_command_has_no_token(screen: Screen) -> None:
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


def test_tests_are_saved_as_cases_of_a_new_suite(screen: Screen, service: httpx2.Client, suite: str) -> None:
    screen.expects("the server responded with a status of 404")  # the suite is new
    page = screen.open(address(query=WEATHER))
    run(page)
    answered(page)
    dialog = open_case(page, suite)
    expect(dialog.get_by_label("Category", exact=True)).to_have_value("choice")
    screen.axe()
    screen.shoot("tools-testing-case", whole=False)
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"saved as what-s-the-weather-in-paris in {suite} ✓")).to_be_visible()

    query_field(page).fill(SEVERAL)
    run(page)
    expect(page.get_by_role("heading", name="Tool calls (4)")).to_be_visible()
    dialog = open_case(page, suite)
    dialog.get_by_label("Case", exact=True).fill("several")
    dialog.get_by_label("Offered tools").select_option("called")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"saved as several in {suite} ✓")).to_be_visible()

    saved = service.get(f"/api/validation/suites/{suite}").json()
    first, second = saved["cases"]
    paris = {"tool": "get_weather", "arguments": {"location": ["Paris"]}}
    assert (first["category"], first["message"]) == ("choice", WEATHER)
    assert [turn["calls"] for turn in first["expect"]["turns"]] == [[paris]]
    assert (second["category"], second["tools"]) == ("error_recovery", ["get_weather", "calculate"])
    assert second["expect"]["failed_calls"] == 2
    assert {tool["implementation"]["type"] for tool in saved["tools"]} == {"mock"}
    calculate = next(tool for tool in saved["tools"] if tool["name"] == "calculate")
    assert calculate["implementation"]["answers"][0] == {
        "when": {"expression": "2*21"},
        "response": {"result": 42},
    }


def test_invalid_case_shows_errors_and_keeps_the_draft(screen: Screen, suite: str) -> None:
    for refused in (400, 404, 409):
        screen.expects(f"the server responded with a status of {refused}")
    page = screen.open(address(query=WEATHER))
    run(page)
    answered(page)
    dialog = open_case(page, suite)
    right = dialog.get_by_label("Expected calls")
    drafted = json.loads(right.input_value())
    right.fill("{ broken")
    expect(right).to_have_accessible_description(re.compile("Not valid JSON"))
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


def test_user_cannot_save_cases_or_select_operator_models(screen: Screen, user_token: str) -> None:
    page = screen.open(address(query=WEATHER), signed_in=False)
    screen.sign_in(user_token)
    run(page)
    answered(page)

    expect(page.get_by_role("button", name="Copy as curl")).to_be_visible()
    expect(page.get_by_role("button", name="Save as validation case")).to_have_count(0)
    expect(model_field(page).locator(f"option[value='{MODEL}']")).to_be_attached()
    expect(model_field(page).locator("option[value='openai:skill-95']")).to_have_count(0)
    expect(page.get_by_role("link", name="Configuration")).to_have_count(0)
