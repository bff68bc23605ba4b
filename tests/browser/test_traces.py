"""List of traces: filters in the URL, outcomes in words, paging, selection of two traces."""

import re

import pytest
from playwright.sync_api import Request, expect

from flexchat.messages import Json
from tests.browser.screen import Screen, Theme
from tests.browser.trace_pages import ID, OTHER, WEATHER, StubApi, stub_api, summary

LIST = "GET /api/traces"


def test_list_shows_outcome_model_tools_time_tokens_and_cost(stubbed: Screen, api: StubApi) -> None:
    api.set(LIST, {"traces": [summary(rating="down")]})
    page = stubbed.open("traces")

    row = page.get_by_role("listitem").filter(has_text=WEATHER)
    for text in ("✓ answered", "openai:gpt-4o", "get_weather, calculate", "2.41 s", "1,212 tokens", "$0.0031"):
        expect(row).to_contain_text(text)
    expect(row).to_contain_text("not helpful")
    expect(row.locator("time")).to_have_attribute("title", re.compile("27 Nov 2026"))


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        ("refused", "refused"),
        ("cut_off", "cut off"),
        ("empty", "empty"),
        ("error", "error"),
        ("of_tomorrow", "of tomorrow"),
    ],
)
def test_outcome_without_an_answer_has_its_word_and_is_not_green(
    stubbed: Screen, api: StubApi, outcome: str, word: str
) -> None:
    api.set(LIST, {"traces": [summary(outcome=outcome, failed=True)]})
    page = stubbed.open("traces")

    shown = page.get_by_role("listitem").locator(".outcome").first
    expect(shown).to_contain_text(word)
    expect(shown).not_to_have_attribute("data-tone", "good")


def test_answered_chat_with_a_failed_tool_says_so(stubbed: Screen, api: StubApi) -> None:
    api.set(LIST, {"traces": [summary(failed=True)]})
    page = stubbed.open("traces")

    expect(page.get_by_role("listitem")).to_contain_text("tool failed")


def test_filters_are_sent_and_are_part_of_the_url(stubbed: Screen, api: StubApi) -> None:
    page = stubbed.open("traces")
    page.get_by_label("Time", exact=True).select_option("Last 24 hours")
    page.get_by_label("Outcome").select_option("cut off")
    page.get_by_label("Failed only").check()
    for label, value in {"Model": "openai:gpt-4o", "Rule": "weather", "Tool": "calculate", "Caller": "k1"}.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("Rating").select_option("helpful")
    page.get_by_label("Seconds at least").fill("1.5")
    page.keyboard.press("Tab")

    wanted = {
        "since": "24h",
        "outcome": "cut_off",
        "failed": "true",
        "model": "openai:gpt-4o",
        "rule": "weather",
        "tool": "calculate",
        "caller": "k1",
        "rating": "up",
        "min_ms": "1500",
    }
    expect(page).to_have_url(re.compile("min_ms=1500"))
    page.reload()
    expect(page.get_by_label("Model", exact=True)).to_have_value("openai:gpt-4o")
    expect(page.get_by_label("Seconds at least")).to_have_value("1.5")
    expect(page.get_by_role("listitem")).to_have_count(2)
    assert api.queries(LIST)[-1] == {**wanted, "limit": "50"}


def test_more_traces_are_loaded_with_the_cursor(stubbed: Screen, api: StubApi) -> None:
    def listed(request: Request) -> Json:
        if "cursor=next" in request.url:
            return {"traces": [summary("third", message="Third")]}
        return {"traces": [summary(message="First"), summary(OTHER, message="Second")], "cursor": "next"}

    api.set(LIST, listed)
    page = stubbed.open("traces?model=openai:gpt-4o")
    page.get_by_role("button", name="Load 50 more").click()

    expect(page.get_by_role("listitem")).to_have_count(3)
    expect(page.get_by_role("button", name="Load 50 more")).to_be_hidden()
    assert api.queries(LIST)[-1] == {"model": "openai:gpt-4o", "limit": "50", "cursor": "next"}


def test_refresh_shows_new_traces(stubbed: Screen, api: StubApi) -> None:
    page = stubbed.open("traces")
    expect(page.get_by_role("listitem")).to_have_count(2)

    api.set(LIST, {"traces": [summary("new", message="The newest")]})
    page.get_by_role("button", name="Refresh").click()

    expect(page.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("link", name="The newest")).to_be_visible()


def test_empty_list_says_what_the_view_is_for_and_an_empty_search_how_to_end_it(stubbed: Screen, api: StubApi) -> None:
    api.set(LIST, {"traces": []})
    page = stubbed.open("traces")
    expect(page.get_by_role("heading", name="See what each chat did")).to_be_visible()

    page.get_by_label("Failed only").check()
    expect(page.get_by_role("heading", name="No trace matches the filters")).to_be_visible()
    page.get_by_role("button", name="Clear filters").last.click()
    expect(page).to_have_url(re.compile("/traces$"))


def test_two_selected_traces_open_their_comparison(stubbed: Screen) -> None:
    page = stubbed.open("traces")
    boxes = page.get_by_role("checkbox", name="Compare")
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.get_by_role("link", name="Compare the two selected traces").click()

    expect(page).to_have_url(re.compile(f"/runs/{ID}\\?with={OTHER}$"))
    expect(page.get_by_role("heading", name="Comparison of two traces")).to_be_visible()


def test_failure_shows_the_error_and_can_be_repeated(stubbed: Screen, api: StubApi) -> None:
    stubbed.expects("status of 503")
    api.set(LIST, (503, {"error": "unavailable", "message": "Try again.", "request_id": "r-9"}))
    page = stubbed.open("traces")
    expect(page.get_by_role("alert")).to_contain_text("r-9")

    api.set(LIST, {"traces": [summary()]})
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("listitem")).to_have_count(1)


class TestOfAUser:
    """The caller has the role `user` alone."""

    @pytest.fixture
    def api(self) -> StubApi:
        return stub_api("user")

    def test_user_has_no_filter_by_caller(self, stubbed: Screen) -> None:
        page = stubbed.open("traces")

        expect(page.get_by_label("Session")).to_be_visible()
        expect(page.get_by_label("Caller")).to_have_count(0)


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")])
def test_list_is_accessible(stubbed: Screen, api: StubApi, width: int, theme: Theme) -> None:
    failed = summary("f", outcome="error", error={"type": "rate_limit", "message": "Slow down"}, cost_usd=None)
    api.set(LIST, {"traces": [summary(rating="up"), summary(OTHER, outcome="refused"), failed], "cursor": "next"})
    page = stubbed.open("traces", width=width, theme=theme)
    expect(page.get_by_role("listitem")).to_have_count(3)

    stubbed.axe()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    stubbed.shoot("traces")
