"""Calls of one tool on the Test view."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hostile import CANARY
from tests.browser.screen import Screen, Theme

EXCHANGE: dict[str, Any] = {
    "purpose": "request",
    "attempt": 1,
    "method": "GET",
    "url": "https://api.example.com/weather?q=Paris&api_key=[redacted]",
    "request_headers": {"Authorization": "[redacted]"},
    "request_body": None,
    "request_bytes": 0,
    "status": 503,
    "response_headers": {"retry-after": "1"},
    "response_body": "busy",
    "response_bytes": 4,
    "error": None,
    "start_ms": 2,
    "duration_ms": 85,
}
SECOND = {**EXCHANGE, "attempt": 2, "status": 200, "response_body": '{"data": "sunny"}', "start_ms": 1090}
THIRD = {**EXCHANGE, "purpose": "page", "status": None, "error": "The API did not answer in time", "start_ms": 1200}
INSPECTION: dict[str, Any] = {
    "exchanges": [EXCHANGE, SECOND, THIRD],
    "notes": {"response_path": "$.data"},
    "omitted": 2,
}


def tool_field(page: Page) -> Locator:
    return page.get_by_label("Tool", exact=True)


def arguments_field(page: Page) -> Locator:
    return page.get_by_label("Arguments", exact=True)


def call(page: Page) -> None:
    page.get_by_role("button", name="Call tool").click()


def status(page: Page) -> Locator:
    return page.locator(".tt-status")


def test_an_operator_calls_a_tool_with_example_arguments_and_sees_its_result(screen: Screen) -> None:
    page = screen.open("tools-testing")
    page.get_by_role("button", name="Call a tool").click()
    tool_field(page).select_option("calculate")
    expect(arguments_field(page)).to_have_value(re.compile('"expression"'))
    arguments_field(page).fill('{"expression": "6 * 7"}')

    call(page)

    expect(status(page)).to_have_text(re.compile(r"✓\s+succeeded in [\d.]+ m?s"))
    expect(page.get_by_label("Result", exact=True)).to_contain_text('"result": 42')
    page.get_by_text("Text for a model").click()
    expect(page.get_by_label("Text for a model", exact=True)).to_contain_text('"result":42')
    page.reload()
    expect(tool_field(page)).to_have_value("calculate")


def test_integers_of_64_bits_are_sent_and_shown_exactly(screen: Screen) -> None:
    page = screen.open("tools-testing?mode=call&tool=get_weather")
    arguments_field(page).fill('{"location": "Paris", "id": 9007199254740993}')

    with page.expect_request("**/api/tools/call") as sent:
        call(page)

    assert '"id":9007199254740993' in (sent.value.post_data or "")
    tool_field(page).select_option("calculate")
    arguments_field(page).fill('{"expression": "2 ** 60 + 1"}')
    call(page)
    expect(page.get_by_text("1152921504606846977").first).to_be_visible()


def test_invalid_arguments_are_reported_at_the_field_and_by_the_service(screen: Screen) -> None:
    page = screen.open("tools-testing?mode=call&tool=calculate")
    arguments_field(page).fill("{expression}")
    call(page)
    expect(arguments_field(page)).to_be_focused()
    expect(arguments_field(page)).to_have_accessible_description(re.compile("Not valid JSON"))

    arguments_field(page).fill('{"expression": 5}')
    call(page)

    expect(status(page)).to_contain_text("failed after")
    expect(status(page)).to_contain_text("invalid arguments")
    expect(page.get_by_label("Error", exact=True)).to_contain_text("Invalid parameters")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_requests_of_a_tool_are_shown_with_their_responses_and_times(screen: Screen, width: int, theme: Theme) -> None:
    page = screen.open("tools-testing?mode=call&tool=get_weather", width=width, theme=theme)
    answer(screen, INSPECTION)
    expect(arguments_field(page)).to_have_value(re.compile("{"))
    call(page)

    requests = page.get_by_role("region", name="Requests of the tool")
    items = requests.locator(".tt-calls > li")
    expect(items).to_have_count(3)
    expect(items.nth(0)).to_contain_text("HTTP 503")
    expect(items.nth(0).get_by_label("Response", exact=True).last).to_contain_text("retry-after: 1")
    expect(items.nth(1)).to_contain_text("attempt 2")
    expect(items.nth(2)).to_contain_text("The API did not answer in time")
    expect(requests).to_contain_text("2 more requests not shown")
    items.nth(0).get_by_role("tab", name="Request").click()
    expect(items.nth(0).get_by_role("tabpanel")).to_contain_text("Authorization: [redacted]")
    expect(page.get_by_label("Shaping", exact=True).last).to_contain_text("$.data")
    screen.shoot("tools-testing-call")
    screen.axe()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_hostile_responses_are_shown_as_text(screen: Screen) -> None:
    page = screen.open("tools-testing?mode=call&tool=get_weather")
    hostile = {**EXCHANGE, "url": f"https://a.example/{CANARY}", "response_body": CANARY, "method": CANARY}
    answer(screen, {"exchanges": [hostile], "notes": {CANARY: CANARY}, "omitted": 0}, text=CANARY)
    expect(arguments_field(page)).to_have_value(re.compile("{"))
    call(page)

    expect(page.get_by_label("Response", exact=True).last).to_contain_text(CANARY)

    assert page.evaluate("() => globalThis.ran") is None
    assert page.locator("#app :is(img, script, iframe, style)").count() == 0


def test_users_have_no_tool_calls(screen: Screen, user_token: str) -> None:
    screen.token = user_token
    page = screen.open("tools-testing?mode=call&tool=calculate")

    expect(page.get_by_label("Query", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Call a tool")).to_have_count(0)


def answer(screen: Screen, inspection: dict[str, Any], *, text: str = "sunny") -> None:
    screen.answer(
        "**/api/tools/call",
        {
            "tool": "get_weather",
            "type": "http",
            "arguments": {"location": text},
            "result": {
                "success": True,
                "tool_name": "get_weather",
                "execution_time_ms": 1290,
                "result": {"data": text},
            },
            "content": text,
            "inspection": inspection,
            "request_id": "r-1",
            "total_ms": 1301,
        },
    )
