"""Configuration: active version, problems, and rule tests."""

import json
import re
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from cli.local_stack import StackState
from flexchat.messages import Json
from tests.browser.hostile import CANARY, spoil, verify_only_text
from tests.browser.screen import Screen, Theme

CONFIG = "**/api/config"
MATCH = "**/api/config/match"
SECRET_MISSING = "secret 'FAR_KEY' is not stored; run `flexchat secrets set FAR_KEY --stage local`"
CANNOT_BE_CALLED = "'far:large' cannot be called"


@pytest.fixture(scope="module")
def live(stack: StackState) -> dict[str, Any]:
    """The active configuration, from the API."""
    headers = {"Authorization": f"Bearer {stack.token}"}
    return httpx2.get(f"{stack.url}/api/config", headers=headers, timeout=30, trust_env=False).raise_for_status().json()


@pytest.fixture
def faulty(live: dict[str, Any]) -> dict[str, Any]:
    """The configuration with an LLM without a key, a rule that uses it, and a disabled tool."""
    changed = json.loads(json.dumps(live))
    changed["llms"].append({"name": "far", "models": [], "fallbacks": [], "problems": [SECRET_MISSING]})
    changed["rules"][0]["problems"] = [CANNOT_BE_CALLED]
    changed["tools"][0] |= {"enabled": False, "problems": ["disabled in the configuration"]}
    changed["disabled"] = [
        {"kind": "llm", "name": "far", "problems": [SECRET_MISSING]},
        {"kind": "tool", "name": changed["tools"][0]["name"], "problems": ["disabled in the configuration"]},
    ]
    return changed


def region(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def row(table: Locator, name: str) -> Locator:
    return table.get_by_role("row").filter(has=table.page.get_by_role("rowheader", name=name, exact=True))


def verdict(page: Page) -> Locator:
    return region(page, "Matched rule").locator(".conf-matched-rule")


def fits(page: Page) -> bool:
    return page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_active_configuration_shows_version_and_entries(screen: Screen, live: dict[str, Any]) -> None:
    page = screen.open("configuration")

    shown = region(page, "Active configuration")
    expect(shown).to_contain_text("All entries are valid.")
    expect(shown).to_contain_text(f"{live['version']}, revision {live['revision']}")
    rules = page.get_by_role("table", name="Rules in order of evaluation")
    expect(rules.get_by_role("rowheader")).to_have_text([rule["name"] for rule in live["rules"]])
    expect(row(rules, "weather")).to_contain_text("topic matches /weather|forecast/i")
    expect(row(rules, "documents")).to_contain_text("rag_results is match or partial")
    expect(row(rules, "fallback")).to_contain_text("none: fallback rule")
    page.get_by_role("tab", name=f"Tools {len(live['tools'])}").click()
    expect(row(page.get_by_role("table", name="Tools"), "get_weather")).to_contain_text("mock30.0 syes")


def test_selected_tab_is_in_the_url(screen: Screen) -> None:
    page = screen.open("configuration")
    page.get_by_role("tab", name=re.compile("^Services")).click()
    page.wait_for_url("**/configuration?tab=Services")
    page.reload()

    expect(page.get_by_role("tab", name=re.compile("^Services"))).to_have_attribute("aria-selected", "true")
    expect(row(page.get_by_role("table"), "docs")).to_contain_text("flexchat-docs")


def test_matched_rule_of_a_profile_is_shown_and_in_the_url(screen: Screen) -> None:
    page = screen.open("configuration")
    page.get_by_label("Topic", exact=True).fill("weather")
    page.get_by_role("button", name="Test rules").click()
    expect(verdict(page)).to_have_text(re.compile("Rule weather matches, model openai:gpt-4o demo$"))
    expect(page.get_by_text("2 of 6 tools offered")).to_be_visible()
    tools = page.get_by_role("table", name="Tools")
    expect(row(tools, "uuid")).to_contain_text("not in the rule's allowed_tools")

    page.get_by_label("Topic", exact=True).fill("something else")
    page.get_by_label("More fields, as JSON").fill('{"plan": "free"}')
    page.keyboard.press("Control+Enter")
    expect(verdict(page)).to_contain_text("fallback")
    tried = page.get_by_role("table", name="Evaluated rules, in order")
    expect(tried.get_by_role("rowheader")).to_have_text(["documents", "weather", "fallback"])
    expect(row(tried, "weather")).to_contain_text("false topic_regexp /weather|forecast/i (actual: something else)")

    page.reload()
    expect(verdict(page)).to_contain_text("fallback")
    expect(page.get_by_label("More fields, as JSON")).to_have_value('{"plan": "free"}')
    page.go_back()
    expect(verdict(page)).to_contain_text("weather")
    expect(page.get_by_label("Topic", exact=True)).to_have_value("weather")
    page.go_back()
    expect(verdict(page)).to_have_count(0)
    expect(page.get_by_label("Topic", exact=True)).to_have_value("")


def test_search_result_is_a_field_of_the_profile(screen: Screen) -> None:
    page = screen.open("configuration")
    page.get_by_label("Search result").select_option("partial")
    page.get_by_role("button", name="Test rules").click()
    expect(verdict(page)).to_contain_text("documents")

    region(page, "Matched rule").get_by_role("button", name="Close").click()

    expect(verdict(page)).to_have_count(0)
    expect(page).to_have_url(f"{screen.url}/configuration")


def test_invalid_json_fields_are_rejected_before_sending(screen: Screen) -> None:
    page = screen.open(f"configuration?tried=yes&more={quote('[1]')}")
    field = page.get_by_label("More fields, as JSON")
    expect(page.get_by_role("alert")).to_contain_text("Enter a JSON object")
    field.fill('{"plan": ')
    page.keyboard.press("Control+Enter")

    expect(page.get_by_role("alert")).to_contain_text("Not valid JSON:")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("tab").first).to_be_visible()
    assert not [request for request in screen.watch.requests if request.url.endswith("/match")]

    field.fill('{"plan": "free"}')
    expect(page.get_by_role("alert")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(verdict(page)).to_contain_text("fallback")


def test_rules_are_tested_and_tabs_are_selected_with_the_keyboard(screen: Screen) -> None:
    page = screen.open("configuration")
    expect(page.get_by_role("tab").first).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_label("Intent", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Topic", exact=True)).to_be_focused()
    page.keyboard.type("forecast")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("weather")
    expect(page.get_by_label("Topic", exact=True)).to_be_focused()

    page.get_by_role("tab", selected=True).focus()
    page.keyboard.press("ArrowLeft")

    expect(page.get_by_role("tab", name="Settings")).to_be_focused()
    expect(page.get_by_role("heading", name="Scheduled validation")).to_be_visible()


def test_rule_test_is_cancelled_with_escape_and_repeated(screen: Screen) -> None:
    held = screen.hold(MATCH)
    page = screen.open("configuration?topic=weather&tried=yes")
    expect(page.get_by_text("testing the rules")).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_text("Test cancelled.")).to_be_visible()
    held.lift()
    page.get_by_role("button", name="Try again").click()
    expect(verdict(page)).to_contain_text("weather")


def test_problems_are_listed_first_and_disabled_tools_are_no_problem(screen: Screen, faulty: dict[str, Any]) -> None:
    screen.answer(CONFIG, faulty)
    page = screen.open("configuration")

    expect(region(page, "Active configuration").get_by_text("2 problems")).to_be_visible()
    problems = page.get_by_role("list", name="Problems").locator("> li")
    expect(problems).to_have_count(2)
    expect(problems.nth(0)).to_have_text(re.compile(r"llm\s*far.*not used.*FAR_KEY"))
    expect(problems.nth(1)).to_have_text(re.compile(r"rule\s*documents.*has a problem.*cannot be called"))
    expect(page.get_by_text("flexchat config check")).to_be_visible()
    expect(page.get_by_role("tab", name="LLMs 2 ! 1")).to_be_visible()
    screen.shoot("configuration-problems")
    page.get_by_role("tab", name=re.compile("^Tools")).click()
    expect(page.get_by_role("row").filter(has_text="disabled in the configuration")).to_have_count(1)
    screen.axe()


def test_failing_profile_shows_the_rules_that_did_not_match(screen: Screen) -> None:
    tried: dict[str, Json] = {"rule": "weather", "matched": False, "fallback": False, "conditions": []}
    screen.answer(MATCH, {"problem": "no rule matches, and no fallback is configured", "rules": [tried], "tools": []})
    page = screen.open("configuration?tried=yes")

    shown = region(page, "Matched rule")
    expect(shown).to_contain_text("A chat fails: no rule matches, and no fallback is configured")
    expect(shown.get_by_role("table")).to_have_count(1)
    expect(verdict(page)).to_have_count(0)


def test_token_without_operator_role_sees_a_hint_and_public_information(screen: Screen, user_token: str) -> None:
    operator_token, screen.token = screen.token, user_token
    screen.expects("the server responded with a status of 403")
    page = screen.open("configuration")

    expect(page.get_by_role("heading", name="Operator role required")).to_be_visible()
    expect(page.get_by_text("--stage local --name")).to_contain_text("flexchat tokens create")
    expect(page.get_by_text("--role operator")).to_be_visible()
    expect(region(page, "Tools").get_by_text("get_weather")).to_be_visible()
    expect(page.get_by_role("rowheader", name="openai:gpt-4o", exact=True)).to_be_visible()
    screen.axe()
    screen.shoot("configuration-forbidden")
    page.get_by_role("button", name="Enter another token").click()
    screen.sign_in(operator_token)
    expect(region(page, "Active configuration")).to_be_visible()


def test_unreachable_service_keeps_the_entered_profile(screen: Screen) -> None:
    down = screen.route_fail("**/api/config*")
    page = screen.open("configuration")
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("The service cannot be reached")
    page.get_by_label("Intent", exact=True).fill("weather")

    down.lift()
    problem.get_by_role("button", name="Try again").click()

    expect(region(page, "Active configuration")).to_be_visible()
    expect(problem).to_have_count(0)
    expect(page.get_by_label("Intent", exact=True)).to_have_value("weather")


def test_configuration_texts_are_not_interpreted_as_markup(screen: Screen, faulty: dict[str, Any]) -> None:
    page = screen.page
    spoil(page)
    screen.answer(CONFIG, json.loads(json.dumps(faulty).replace(CANNOT_BE_CALLED, json.dumps(CANARY)[1:-1])))
    screen.open("configuration?topic=weather&tried=yes")
    expect(verdict(page)).to_be_visible()
    for tab in page.get_by_role("tab").all():
        tab.click()

    verify_only_text(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_view_fits_the_screen_and_is_accessible(screen: Screen, theme: Theme) -> None:
    page = screen.page
    for width in (1280, 360):
        screen.open("configuration?topic=weather&tried=yes", width=width, theme=theme)
        expect(verdict(page)).to_contain_text("weather")
        expect(page.get_by_role("tab").first).to_be_visible()
        screen.axe()
        screen.shoot("configuration")
        assert fits(page)
    for tab in page.get_by_role("tab").all()[1:]:
        tab.click()
        screen.axe()
        assert fits(page)
