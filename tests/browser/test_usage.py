"""Usage: groups and periods in the URL, plot, missing prices."""

import re

import pytest
from playwright.sync_api import Request, expect

from flexchat.messages import Json
from tests.browser.screen import Screen, Theme
from tests.browser.trace_pages import StubApi, stub_api, usage_row

USAGE = "GET /api/usage"
MODELS: list[Json] = [
    usage_row("2026-11-27", "openai:gpt-4o"),
    usage_row("2026-11-26", "openai:gpt-4o", input_tokens=2_200),
    usage_row("2026-11-27", "ollama:llama3", cost_usd=0, unpriced_tokens=1_212),
]


@pytest.fixture
def api() -> StubApi:
    """An operator's usage of two models on two days."""
    api = stub_api("user", "operator")
    api.set(USAGE, report(MODELS))
    return api


def report(rows: list[Json], group: str = "model") -> Json:
    return {"group": group, "since": "2026-11-25", "until": "2026-11-27", "rows": rows}


def test_table_has_sums_by_name_and_says_which_prices_are_missing(stubbed: Screen) -> None:
    page = stubbed.open("usage?group=model&since=2026-11-25&until=2026-11-27")

    rows = page.get_by_role("row")
    expect(rows.nth(1)).to_contain_text(re.compile("openai:gpt-4o.*3,300.*1,280.*224.*80.*\\$0.04\N{EN DASH}"))
    expect(rows.nth(2)).to_contain_text(re.compile("ollama:llama3.*no price1,212 tokens"))
    expect(rows.nth(3)).to_contain_text(re.compile("Total.*\\$0.04 and more"))
    expect(page.get_by_text("The cost lacks 1,212 tokens")).to_be_visible()


def test_plot_has_one_bar_per_day_and_names_the_highest(stubbed: Screen) -> None:
    page = stubbed.open("usage?group=model")

    plot = page.get_by_role("img", name="Tokens per day, 25 Nov to 27 Nov; highest on 27 Nov with 2,424")
    expect(plot.locator(".usage-bar")).to_have_count(3)
    page.get_by_label("Plot").select_option("Failed chats")
    expect(page.get_by_role("img", name=re.compile("Failed chats per day"))).to_be_visible()
    expect(page).to_have_url(re.compile("measure=failed"))


def test_group_and_period_are_sent_and_are_part_of_the_url(stubbed: Screen, api: StubApi) -> None:
    def answered(request: Request) -> Json:
        return (
            report([usage_row("2026-11-27", "get_weather")], "tool") if "group=tool" in request.url else report(MODELS)
        )

    api.set(USAGE, answered)
    page = stubbed.open("usage?since=2026-11-01&until=2026-11-27")
    page.get_by_label("Group by").select_option("Tool")
    page.get_by_label("From", exact=True).fill("2026-11-20")
    page.keyboard.press("Tab")

    expect(page).to_have_url(re.compile("since=2026-11-20"))
    page.reload()
    expect(page.get_by_role("rowheader", name="get_weather")).to_be_visible()
    assert api.queries(USAGE)[-1] == {"group": "tool", "since": "2026-11-20", "until": "2026-11-27"}


def test_period_without_usage_says_what_the_view_is_for(stubbed: Screen, api: StubApi) -> None:
    api.set(USAGE, report([]))
    page = stubbed.open("usage")

    expect(page.get_by_role("heading", name="See what the chats use")).to_be_visible()


class TestOfAUser:
    """The caller has the role `user` alone."""

    @pytest.fixture
    def api(self) -> StubApi:
        api = stub_api("user")
        api.set(USAGE, report(MODELS))
        return api

    def test_user_sees_their_own_usage_by_day(self, stubbed: Screen, api: StubApi) -> None:
        page = stubbed.open("usage?group=model")

        expect(page.get_by_text("You see your own usage.")).to_be_visible()
        expect(page.get_by_label("Group by").get_by_role("option", name="Model")).to_have_count(0)
        assert api.queries(USAGE)[-1]["group"] == "day"


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")])
def test_usage_is_accessible(stubbed: Screen, width: int, theme: Theme) -> None:
    page = stubbed.open("usage?group=model", width=width, theme=theme)
    expect(page.get_by_role("row")).to_have_count(4)

    stubbed.axe()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    stubbed.shoot("usage")
