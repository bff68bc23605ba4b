"""Hostile content of API responses is shown as text only."""

import re

from playwright.sync_api import Page, expect

from flexchat.messages import Json
from tests.browser.hostile import CANARY, spoil, verify_only_text
from tests.browser.screen import Screen

MODEL = "openai:gpt-4o"
LARGE_CHARACTERS = 5_000_000


def send_query(page: Page, query: str) -> None:
    page.get_by_label("Query", exact=True).fill(query)
    page.keyboard.press("Control+Enter")


def open_everything(page: Page) -> None:
    """Open all details, rows of the waterfall and tabs."""
    folded = page.locator("main details:not([open]) > summary")
    while folded.count():
        folded.first.click()
    # The stack has no MCP servers; test_mcp_servers has hostile ones.
    for tab in page.locator("main [role=tab]").filter(has_not_text="MCP servers").all():
        tab.click()


def test_tool_test_shows_hostile_content_as_text(screen: Screen) -> None:
    page = screen.open(f"tools-testing?model={MODEL}")
    spoil(page)
    page.reload()
    send_query(page, "What's the weather in Paris, and 15% of 45?")
    expect(page.get_by_role("heading", name="Tool calls (2)")).to_be_visible()

    open_everything(page)

    verify_only_text(page)
    screen.axe()


def test_hostile_query_is_shown_as_text(screen: Screen) -> None:
    """No stubs: the query becomes the tool's argument, the answer and the URL."""
    page = screen.open(f"tools-testing?model={MODEL}")

    send_query(page, f"What's the weather in {CANARY}?")
    expect(page.get_by_role("heading", name="Final response")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Query", exact=True)).to_have_value(f"What's the weather in {CANARY}?")

    assert page.evaluate("() => globalThis.ran") is None
    assert page.locator("#app :is(img, script, iframe)").count() == 0


def test_conversation_shows_hostile_content_as_text(screen: Screen) -> None:
    page = screen.open("chat")
    spoil(page)
    page.reload()
    page.get_by_label("Message", exact=True).fill("What's the weather in Paris?")
    page.keyboard.press("Control+Enter")
    expect(page.locator("main")).to_contain_text("sunny")

    open_everything(page)

    verify_only_text(page)


def test_validation_shows_hostile_content_as_text(screen: Screen) -> None:
    page = screen.open("validation")
    spoil(page)
    page.reload()
    screen.settle()
    # The form has no skeleton; the suite's description is in its details.
    expect(page.get_by_text(re.compile(r"^\d+ cases, built in"))).to_be_visible()

    open_everything(page)

    verify_only_text(page)


def test_configuration_shows_hostile_content_as_text(screen: Screen) -> None:
    page = screen.open("configuration")
    spoil(page, also={"name", "match", "model", "llm", "host", "models", "collections", "suite", "disabled_types"})
    page.reload()
    # The stack has no MCP servers; test_mcp_servers has hostile ones.
    tabs = page.locator("main [role=tab]").filter(has_not_text="MCP servers")
    expect(tabs.first).to_be_visible()

    for tab in tabs.all():
        tab.click()

        verify_only_text(page)


def test_passages_show_hostile_content_as_text(screen: Screen) -> None:
    page = screen.open("retrieval?collection=flexchat-docs&query=how do I add a tool")
    spoil(page)
    page.reload()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("table").first).to_be_visible()

    page.get_by_role("button", name="Show full text").first.click()

    verify_only_text(page)


def test_error_shows_hostile_content_as_text(screen: Screen) -> None:
    page = screen.open(f"tools-testing?model={MODEL}")
    body: dict[str, Json] = {
        "error": "failed",
        "message": CANARY,
        "request_id": CANARY,
        "details": [{"path": CANARY, "message": CANARY}],
    }
    screen.route_fail("**/api/tools/test", status=502, body=body)

    send_query(page, "What's 2+2?")
    expect(page.get_by_role("alert").first).to_be_visible()

    verify_only_text(page)


def test_page_stays_usable_with_a_result_of_five_megabytes(screen: Screen) -> None:
    page = screen.open(f"tools-testing?model={MODEL}")
    result: dict[str, Json] = {
        "success": True,
        "tool_name": "get_weather",
        "execution_time_ms": 3,
        "result": "x" * LARGE_CHARACTERS,
    }
    call: dict[str, Json] = {
        "tool": "get_weather",
        "params": {"location": "Paris"},
        "result": result,
        "iteration": 1,
        "call_id": "c1",
    }
    step: dict[str, Json] = {
        "step": "tool",
        "name": "get_weather",
        "iteration": 1,
        "start_ms": 0,
        "duration_ms": 3,
        "ok": True,
    }
    answered: dict[str, Json] = {
        "content": CANARY * 10_000,
        "service": "openai",
        "model": "gpt-4o",
        "tool_calls": [call],
        "status": "complete",
        "finish_reason": "stop",
        "request_id": "r1",
        "usage": {
            "input_tokens": 1,
            "output_tokens": 1,
            "total_tokens": 2,
            "cached_tokens": 0,
            "reasoning_tokens": 0,
        },
        "timings": {"total_ms": 3, "steps": [{**step, "call_id": "c1"}]},
    }
    screen.answer("**/api/tools/test", answered)

    send_query(page, "What's the weather in Paris?")
    expect(page.get_by_role("heading", name="Tool calls (1)")).to_be_visible()
    open_everything(page)

    assert page.evaluate("() => document.querySelector('#app').textContent.length") < LARGE_CHARACTERS / 10
    page.get_by_label("Query", exact=True).fill("and again")
    expect(page.get_by_label("Query", exact=True)).to_have_value("and again")
    verify_only_text(page)
