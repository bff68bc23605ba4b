"""Everything the service says may be written by a stranger; the page shows it and does nothing with it."""

from playwright.sync_api import Page, expect

from flexchat.messages import Json
from tests.browser.hostile import CANARY, spoil, verify_only_text
from tests.browser.screen import Screen

MODEL = "openai:gpt-4o"
LARGE_CHARACTERS = 5_000_000


def ask(page: Page, query: str) -> None:
    page.get_by_label("Query", exact=True).fill(query)
    page.keyboard.press("Control+Enter")


def open_everything(page: Page) -> None:
    """Unfold whatever is folded, and look at each row of the waterfall and each of its tabs."""
    folded = page.locator("main details:not([open]) > summary")
    while folded.count():
        folded.first.click()
    for tab in page.locator("main [role=tab]").all():
        tab.click()


def test_a_tool_a_call_a_result_and_an_answer_are_shown_as_text(screen: Screen) -> None:
    page = screen.open(f"tools-testing?model={MODEL}")
    spoil(page)
    page.reload()
    ask(page, "What's the weather in Paris, and 15% of 45?")
    expect(page.get_by_role("heading", name="Tool Calls (2)")).to_be_visible()

    open_everything(page)

    verify_only_text(page)
    screen.axe()


def test_what_a_person_writes_comes_back_as_text_through_model_tool_and_address(screen: Screen) -> None:
    """Nothing in between is stubbed: the query becomes the tool's argument, the answer and the URL."""
    page = screen.open(f"tools-testing?model={MODEL}")

    ask(page, f"What's the weather in {CANARY}?")
    expect(page.get_by_role("heading", name="Final Response")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Query", exact=True)).to_have_value(f"What's the weather in {CANARY}?")

    assert page.evaluate("() => globalThis.ran") is None
    assert page.locator("#app :is(img, script, iframe)").count() == 0


def test_a_conversation_is_shown_as_text(screen: Screen) -> None:
    page = screen.open("chat")
    spoil(page)
    page.reload()
    page.get_by_label("Message", exact=True).fill("What's the weather in Paris?")
    page.keyboard.press("Control+Enter")
    expect(page.locator("main")).to_contain_text("sunny")

    open_everything(page)

    verify_only_text(page)


def test_what_is_known_of_models_is_shown_as_text(screen: Screen) -> None:
    page = screen.open("validation")
    spoil(page)
    page.reload()
    screen.settle()

    open_everything(page)

    verify_only_text(page)


def test_the_configuration_is_shown_as_text(screen: Screen) -> None:
    page = screen.open("configuration")
    spoil(page, also={"name", "match", "model", "llm", "host", "models", "collections", "suite", "disabled_types"})
    page.reload()
    screen.settle()

    for tab in page.locator("main [role=tab]").all():
        tab.click()

        verify_only_text(page)


def test_found_passages_are_shown_as_text(screen: Screen) -> None:
    page = screen.open("retrieval?collection=flexchat-docs&query=how do I add a tool")
    spoil(page)
    page.reload()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("table").first).to_be_visible()

    page.get_by_role("button", name="Show the text as it is").first.click()

    verify_only_text(page)


def test_an_error_is_shown_as_text(screen: Screen) -> None:
    page = screen.open(f"tools-testing?model={MODEL}")
    body: dict[str, Json] = {
        "error": "failed",
        "message": CANARY,
        "request_id": CANARY,
        "details": [{"path": CANARY, "message": CANARY}],
    }
    screen.route_fail("**/api/tools/test", status=502, body=body)

    ask(page, "What's 2+2?")
    expect(page.get_by_role("alert").first).to_be_visible()

    verify_only_text(page)


def test_a_result_of_five_megabytes_leaves_the_page_usable(screen: Screen) -> None:
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

    ask(page, "What's the weather in Paris?")
    expect(page.get_by_role("heading", name="Tool Calls (1)")).to_be_visible()
    open_everything(page)

    assert page.evaluate("() => document.querySelector('#app').textContent.length") < LARGE_CHARACTERS / 10
    page.get_by_label("Query", exact=True).fill("and again")
    expect(page.get_by_label("Query", exact=True)).to_have_value("and again")
    verify_only_text(page)
