"""Permalink of a trace: steps with their details, feedback, saved case, log lines, another run."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from flexchat.messages import Json
from tests.browser.hostile import CANARY, verify_only_text
from tests.browser.screen import Screen, Theme
from tests.browser.trace_pages import ID, OTHER, PRINCIPAL, WEATHER, StubApi, not_found, stub_api, text, trace

TRACE = f"GET /api/traces/{ID}"
MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
FEEDBACK = f"POST /api/runs/{ID}/feedback"


def details(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^Details of"))


def select(page: Page, name: str, tab: str) -> Locator:
    """Select a row of the waterfall and a tab of its details; returns the content of the tab."""
    page.get_by_role("option", name=name).click()
    details(page).get_by_role("tab", name=tab, exact=True).click()
    return details(page).get_by_role("tabpanel")


def test_headline_has_the_outcome_calls_tokens_and_cost(stubbed: Screen) -> None:
    page = stubbed.open(f"runs/{ID}")

    headline = "answered in 2.41 s · 2 model calls · 2 tool calls, 1 failed · 1,212 tokens · $0.0031"
    expect(page.get_by_role("heading", name=headline)).to_be_visible()
    expect(page.locator("main")).to_contain_text(WEATHER)
    expect(page).to_have_title("Trace · Flexchat")
    page.get_by_role("button", name="Copy request id").click()
    assert page.evaluate("() => navigator.clipboard.readText()") == ID


def test_failed_step_is_selected_first_and_the_selection_is_in_the_url(stubbed: Screen) -> None:
    page = stubbed.open(f"runs/{ID}")
    expect(details(page)).to_contain_text("HTTP 503 from the service")

    page.get_by_role("option", name="get_weather").click()
    expect(page).to_have_url(re.compile(r"\?step=1$"))
    page.reload()
    expect(details(page).get_by_role("heading")).to_have_text("get_weather")


def test_steps_are_selected_with_the_arrow_keys(stubbed: Screen) -> None:
    page = stubbed.open(f"runs/{ID}")
    page.get_by_role("option", name="model 1").click()
    page.keyboard.press("ArrowDown")

    expect(page.get_by_role("option", name="get_weather")).to_be_focused()
    expect(details(page).get_by_role("heading")).to_have_text("get_weather")


def test_model_call_shows_its_messages_exactly_in_order(stubbed: Screen) -> None:
    page = stubbed.open(f"runs/{ID}")

    messages = select(page, "model 2", "Messages").locator(".trace-messages > li")
    expect(messages).to_have_count(6)
    expect(messages.nth(0)).to_contain_text("You help with the weather.")
    expect(messages.nth(3)).to_contain_text(WEATHER)
    expect(messages.nth(4)).to_contain_text('"city": "Paris"')
    expect(messages.nth(5)).to_contain_text("result of get_weather")
    expect(messages.nth(5)).to_contain_text("18 degrees")
    expect(select(page, "model 2", "Answer")).to_contain_text("18 degrees.")


def test_model_call_shows_tokens_by_class_cost_and_parameters(stubbed: Screen) -> None:
    page = stubbed.open(f"runs/{ID}")
    facts = select(page, "model 2", "Facts").locator("dl")

    shown = dict(zip(facts.locator("dt").all_inner_texts(), facts.locator("dd").all_inner_texts(), strict=True))
    assert {
        name: shown.get(name) for name in ("Input tokens", "of them cached", "Output tokens", "of them reasoning")
    } == {
        "Input tokens": "500",
        "of them cached": "640",
        "Output tokens": "112",
        "of them reasoning": "40",
    }
    assert shown["Cost"] == "$0.0015"
    assert shown["Finish reason"] == "stop"
    assert shown["Retries"] == "1"
    assert shown["HTTP status"] == "200"
    assert shown["Failed attempts"] == "overloaded, HTTP 503, after 120 ms, repeated 500 ms later"
    assert shown["Replaces"] == "ollama:qwen3 (timeout)"
    assert shown["Response id of the provider"].startswith("resp_b")
    assert shown["Temperature"] == "0.2"
    assert shown["Request id of the provider"].startswith("req_b")


def test_tool_call_shows_arguments_result_and_times_of_both_sides(stubbed: Screen) -> None:
    page = stubbed.open(f"runs/{ID}")

    expect(select(page, "get_weather", "Arguments")).to_contain_text('"city": "Paris"')
    expect(select(page, "get_weather", "Result")).to_contain_text('"degrees": 18')
    facts = select(page, "get_weather", "Facts")
    expect(facts).to_contain_text(re.compile("In the tool's function\\s*60 ms\\s*Outside of it\\s*36 ms"))
    expect(facts).to_contain_text(re.compile("HTTP status\\s*200"))


def test_trace_without_content_names_the_setting(stubbed: Screen, api: StubApi) -> None:
    empty: Json = {}
    spans: list[Json] = [{**span, "content": empty} for span in trace()["spans"]]
    api.set(TRACE, trace(has_content=False, message="", answer="", messages=[], spans=spans))
    page = stubbed.open(f"runs/{ID}")

    expect(page.get_by_role("region", name="Answer")).to_contain_text("traces.content")
    expect(select(page, "model 1", "Messages")).to_contain_text('"content": "all"')
    expect(page.get_by_role("button", name="Run again")).to_be_disabled()
    expect(page.get_by_role("button", name="Save as case")).to_be_disabled()


def test_refused_answer_is_not_green(stubbed: Screen, api: StubApi) -> None:
    api.set(TRACE, trace(outcome="refused", spans=[]))
    page = stubbed.open(f"runs/{ID}")

    expect(page.get_by_role("heading", level=1).locator(".outcome")).to_have_attribute("data-tone", "bad")
    expect(page.locator("main")).to_contain_text("The model refused to answer.")


def test_trace_that_is_stored_a_moment_later_is_shown(stubbed: Screen, api: StubApi) -> None:
    stubbed.expects("status of 404")
    found = iter([not_found(), not_found()])
    api.set(TRACE, lambda _request: next(found, trace()))
    page = stubbed.open(f"runs/{ID}")

    expect(page.get_by_role("heading", name=re.compile("answered in"))).to_be_visible()


def test_missing_trace_says_why(stubbed: Screen, api: StubApi) -> None:
    stubbed.expects("status of 404")
    api.set(TRACE, not_found())
    page = stubbed.open(f"runs/{ID}")

    expect(page.get_by_role("heading", name="There is no such trace")).to_be_visible()
    page.get_by_role("button", name="Show all traces").click()
    expect(page.get_by_role("listitem")).to_have_count(2)


def test_log_lines_are_loaded_when_opened(stubbed: Screen, api: StubApi) -> None:
    line: Json = {
        "at": "2026-11-27T02:00:01Z",
        "function": "tools",
        "level": "ERROR",
        "message": "tool failed",
        "fields": {"n": 7},
    }
    api.set(f"{TRACE}/logs", {"lines": [line]})
    page = stubbed.open(f"runs/{ID}")
    expect(page.get_by_text("Log lines")).to_be_visible()
    assert api.sent(f"{TRACE}/logs") == []

    page.get_by_text("Log lines").click()
    page.get_by_text("tool failed").click()

    expect(page.get_by_role("region", name="Fields of the log line")).to_contain_text('"n": 7')


def test_rating_and_comment_are_stored(stubbed: Screen, api: StubApi) -> None:
    api.set(FEEDBACK, {"rating": "down", "comment": "", "by": PRINCIPAL, "created_at": "2026-11-27T02:00:00Z"})
    page = stubbed.open(f"runs/{ID}")
    page.get_by_role("button", name="Not helpful").click()
    page.get_by_label("Comment").fill("Wrong city")
    page.get_by_role("button", name="Save comment").click()
    expect(page.get_by_role("button", name="Save comment")).to_be_disabled()

    expect(page.get_by_role("button", name="Not helpful")).to_have_attribute("aria-pressed", "true")
    assert api.bodies(FEEDBACK) == [{"rating": "down", "comment": ""}, {"rating": "down", "comment": "Wrong city"}]


def test_stored_rating_is_shown_and_that_of_a_chat_of_others_is_read_only(stubbed: Screen, api: StubApi) -> None:
    given = {"rating": "up", "comment": "Good", "by": PRINCIPAL, "created_at": "2026-11-27T02:00:00Z"}
    api.set(TRACE, trace(feedback=[given]))
    page = stubbed.open(f"runs/{ID}")
    expect(page.get_by_role("button", name="Helpful", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Comment")).to_have_value("Good")

    api.set(TRACE, trace(feedback=[{**given, "by": "other"}], caller="other"))
    page.reload()
    expect(page.get_by_text("“Good”")).to_be_visible()
    expect(page.get_by_role("button", name="Helpful", exact=True)).to_have_count(0)


def test_trace_is_saved_as_a_case_of_a_suite(stubbed: Screen, api: StubApi) -> None:
    stubbed.expects("status of 404")
    mock: dict[str, Json] = {
        "name": "get_weather",
        "description": "",
        "parameters": {},
        "implementation": {"type": "mock"},
    }
    case: dict[str, Json] = {
        "id": "weather",
        "category": "single",
        "message": WEATHER,
        "tools": ["get_weather"],
        "expect": {"turns": []},
    }
    api.set(f"{TRACE}/case", {"name": "trace", "tools": [mock], "cases": [case]})
    api.set("GET /api/validation/suites", {"suites": []})
    api.set("PUT /api/validation/suites/mine", {"name": "mine"})
    page = stubbed.open(f"runs/{ID}")
    page.get_by_role("button", name="Save as case").click()
    page.get_by_role("combobox", name="Suite").fill("mine")
    page.get_by_role("textbox", name="Case").fill("paris")
    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.get_by_text("saved as paris in mine")).to_be_visible()
    [suite] = api.bodies("PUT /api/validation/suites/mine")
    assert isinstance(suite, dict)
    assert (suite["tools"], suite["cases"]) == ([mock], [{**case, "id": "paris"}])


def test_run_again_by_the_rules_opens_the_comparison(stubbed: Screen, api: StubApi) -> None:
    api.set("POST /api/chat", {"request_id": OTHER})
    page = stubbed.open(f"runs/{ID}")
    page.get_by_role("button", name="Run again").click()
    page.get_by_label("By the response rules").check()
    page.get_by_role("button", name="Run", exact=True).click()

    expect(page).to_have_url(re.compile(f"/runs/{ID}\\?with={OTHER}$"))
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good morning."}]
    assert api.bodies("POST /api/chat") == [{"message": WEATHER, "history": history}]


def test_run_again_with_a_model_that_is_not_offered_is_a_test(stubbed: Screen, api: StubApi) -> None:
    api.set("POST /api/tools/test", {"request_id": OTHER})
    page = stubbed.open(f"runs/{ID}")
    page.get_by_role("button", name="Run again").click()
    page.get_by_role("button", name="Enter the model id").click()
    page.get_by_label("Model", exact=True).fill("ollama:llama3")
    expect(page.get_by_role("dialog")).to_contain_text("As in the Test view")
    page.get_by_role("button", name="Run", exact=True).click()

    expect(page.get_by_role("heading", name="Comparison of two traces")).to_be_visible()
    assert api.bodies("POST /api/tools/test") == [{"query": WEATHER, "model": "ollama:llama3"}]


def test_run_again_by_one_rule(stubbed: Screen, api: StubApi) -> None:
    api.set("POST /v1/chat/completions", {"flexchat": {"request_id": OTHER}})
    page = stubbed.open(f"runs/{ID}")
    page.get_by_role("button", name="Run again").click()
    page.get_by_label("By one response rule").check()
    page.get_by_label("Rule", exact=True).select_option("weather")
    page.get_by_role("button", name="Run", exact=True).click()

    expect(page.get_by_role("heading", name="Comparison of two traces")).to_be_visible()
    [completion] = api.bodies("POST /v1/chat/completions")
    assert isinstance(completion, dict)
    assert completion["model"] == "flexchat/weather"


def test_failed_run_links_its_trace(stubbed: Screen, api: StubApi) -> None:
    stubbed.expects("status of 502")
    api.set("POST /api/chat", (502, {"error": "model_server_error", "message": "It failed.", "request_id": OTHER}))
    page = stubbed.open(f"runs/{ID}")
    page.get_by_role("button", name="Run again").click()
    page.get_by_label("By the response rules").check()
    page.get_by_role("button", name="Run", exact=True).click()

    page.get_by_role("dialog").get_by_role("link", name="Open trace").click()
    expect(page).to_have_url(re.compile(f"/runs/{OTHER}$"))


def test_comparison_shows_changed_calls_words_and_numbers(stubbed: Screen) -> None:
    page = stubbed.open(f"runs/{ID}?with={OTHER}")

    calls = page.get_by_role("region", name="Tool calls").locator("li")
    expect(calls).to_contain_text(["changed arguments", "removed in B", "added in B"])
    expect(calls.first.locator("ins")).to_contain_text("celsius")
    answers = page.get_by_role("region", name="Difference of the answers")
    expect(answers.locator("del")).to_contain_text(["**18 degrees**", "Paris."])
    expect(answers.locator("ins")).to_contain_text(["18 degrees", "Lyon."])
    rows = page.get_by_role("row")
    expect(rows.filter(has_text="Duration")).to_contain_text(f"2.41 s1.21 s{MINUS}1.21 s ({MINUS}50 %)")
    expect(rows.filter(has_text="Cost")).to_contain_text(f"$0.0031{DASH}{DASH}")
    page.get_by_role("button", name="Swap A and B").click()
    expect(page).to_have_url(re.compile(f"/runs/{OTHER}\\?with={ID}$"))


def test_hostile_trace_is_shown_as_text(stubbed: Screen, api: StubApi) -> None:
    messages = [text("system", CANARY), {"role": CANARY, "parts": [{"type": CANARY}, CANARY]}]
    spans = [
        {**trace()["spans"][0], "name": CANARY, "content": {"messages": [0, 1], "answer": text("assistant", CANARY)}},
        {**trace()["spans"][2], "name": CANARY, "error": CANARY, "message": CANARY, "content": {"arguments": CANARY}},
    ]
    names = dict.fromkeys(
        ("model", "rule", "topic", "intent", "message", "answer", "configuration", "session_id"), CANARY
    )
    api.set(TRACE, trace(messages=messages, spans=spans, warnings=[CANARY], limits=[CANARY], **names))
    page = stubbed.open(f"runs/{ID}")
    for tab in details(page).get_by_role("tab").all():
        tab.click()
    page.get_by_role("option").first.click()
    for tab in details(page).get_by_role("tab").all():
        tab.click()
    page.get_by_text("Raw trace").click()

    verify_only_text(page)

    names["answer"] = "Other"
    api.set(f"GET /api/traces/{OTHER}", trace(OTHER, messages=messages, spans=spans[:1], **names))
    page.goto(f"{stubbed.url}/runs/{ID}?with={OTHER}")
    page.get_by_text("Steps of A").click()
    verify_only_text(page)


class TestOfAUser:
    """The caller has the role `user` alone."""

    @pytest.fixture
    def api(self) -> StubApi:
        return stub_api("user")

    def test_user_has_no_functions_of_operators(self, stubbed: Screen) -> None:
        page = stubbed.open(f"runs/{ID}")

        expect(page.get_by_role("button", name="Run again")).to_be_visible()
        expect(page.get_by_text("Log lines")).to_have_count(0)
        expect(page.get_by_role("button", name="Save as case")).to_have_count(0)
        page.get_by_role("button", name="Run again").click()
        expect(page.get_by_label("With another model")).to_have_count(0)


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")])
@pytest.mark.parametrize("path", [f"runs/{ID}", f"runs/{ID}?with={OTHER}"])
def test_trace_and_comparison_are_accessible(stubbed: Screen, path: str, width: int, theme: Theme) -> None:
    page = stubbed.open(path, width=width, theme=theme)
    expect(page.get_by_role("heading", level=1)).to_be_visible()

    stubbed.axe()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    stubbed.shoot("comparison" if "with" in path else "trace")
