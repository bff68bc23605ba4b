"""Editor of the configuration: draft, checks, changes, matched rules, conflicts, publication, history."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from flexchat.messages import Json
from tests.browser.configuration_stub import ConfigurationStub
from tests.browser.screen import Screen, Theme
from tests.browser.trace_pages import StubApi
from tests.functional.configuration.harness import RULES, source

EDIT = "configuration?mode=edit"


@pytest.fixture
def stage(api: StubApi) -> ConfigurationStub:
    """A stage with a published configuration."""
    stub = ConfigurationStub()
    stub.install(api)
    return stub


def prompt(page: Page) -> str:
    return page.get_by_label("Prompt", exact=True).input_value()


def with_prompt(text: str, at: int = 0) -> dict[str, Json]:
    rules: list[Json] = [
        {**rule, "prompt": text} if number == at and isinstance(rule, dict) else rule
        for number, rule in enumerate(RULES)
    ]
    return source(responses=rules)


def test_a_prompt_is_edited_checked_and_published_with_a_comment(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(EDIT)
    expect(page.get_by_role("form", name="Publish")).to_contain_text("The draft has no changes.")

    page.get_by_label("Prompt", exact=True).fill("You report the weather.\nBe warm.")
    expect(page.get_by_text("1 change, no problems")).to_be_visible()
    text = page.get_by_label("Whole entry as JSON").input_value()
    assert '"prompt": "You report the weather.\\nBe warm."' in text
    assert '"temperature": 1.0' in text
    page.get_by_role("tab", name="Changes").click()
    expect(page.locator("del")).to_have_text(re.compile("Be short"))
    expect(page.locator("ins")).to_have_text(re.compile("Be warm"))
    stubbed.shoot("configuration-changes")
    page.get_by_label("Comment").fill("a warmer prompt")
    page.get_by_role("button", name="Publish").click()

    expect(page.get_by_text("Version 2 is published.")).to_be_visible()
    published = stage.newest().summary
    assert (published.by, published.comment) == ("grace (token k7m2p9qx4d)", "a warmer prompt")
    assert published.changes == ("~ responses[0] (weather): prompt",)
    expect(page.get_by_role("form", name="Publish")).to_contain_text("The draft has no changes.")


def test_a_problem_is_shown_at_its_line_with_a_suggestion(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(EDIT)
    field = page.get_by_label("Whole entry as JSON")
    field.fill(field.input_value().replace('"main"', '"mian"'))

    problem = page.get_by_role("button", name="Line 6: llm: no llm named 'mian'; did you mean 'main'?")
    expect(problem).to_be_visible()
    expect(page.get_by_role("button", name="Publish")).to_be_disabled()
    stubbed.shoot("configuration-problem")
    problem.click()
    selected = field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert selected == '  "llm": "mian",'

    field.fill('{\n  "name": }')
    expect(page.get_by_role("button", name=re.compile("Line 2: must be JSON"))).to_be_visible()


def test_a_draft_is_kept_over_a_reload_until_it_is_discarded(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(EDIT)
    page.get_by_label("Prompt", exact=True).fill("Mine.")
    expect(page.get_by_text("1 change")).to_be_visible()

    page.reload()
    expect(page.get_by_label("Prompt", exact=True)).to_have_value("Mine.")
    page.get_by_role("button", name="Discard draft").click()
    page.get_by_role("button", name="Discard changes").click()

    expect(page.get_by_label("Prompt", exact=True)).to_have_value("You report the weather.\nBe short.")
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('draft'))") == []


def test_a_newer_version_is_merged_with_the_draft(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(EDIT)
    page.get_by_label("Prompt", exact=True).fill("Mine.")
    expect(page.get_by_text("1 change")).to_be_visible()
    stage.push(with_prompt("Theirs.", at=1), "their fallback")
    stubbed.watch.tolerate("status of 409")

    page.get_by_role("button", name="Publish").click()
    alert = page.get_by_role("alert", name="Newer version")
    expect(alert).to_contain_text("ada published version 2 ('their fallback') since the draft began")
    assert stage.newest().summary.number == 2
    page.get_by_role("button", name="Merge draft with it").click()

    expect(alert).to_have_count(0)
    expect(page.get_by_label("Prompt", exact=True)).to_have_value("Mine.")
    expect(page.get_by_text("1 change, no problems")).to_be_visible()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Version 3 is published.")).to_be_visible()
    published: Any = stage.newest().configuration()
    assert [rule["prompt"] for rule in published["responses"]] == ["Mine.", "Theirs."]


def test_an_entry_that_both_changed_is_a_conflict_in_words(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(EDIT)
    page.get_by_label("Prompt", exact=True).fill("Mine.")
    expect(page.get_by_text("1 change")).to_be_visible()
    stage.push(with_prompt("Theirs."), "their weather")
    page.reload()

    expect(page.get_by_role("alert", name="Newer version")).to_contain_text("ada published version 2 (“their weather”)")
    page.get_by_role("button", name="Merge draft with it").click()

    expect(page.get_by_text("The published version changed this rule too.")).to_be_visible()
    expect(page.get_by_label("Prompt", exact=True)).to_have_value("Mine.")


def test_recorded_chats_show_the_rule_that_would_answer(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(EDIT)
    field = page.get_by_label("Whole entry as JSON")
    field.fill(field.input_value().replace("/weather/i", "/weather|rain/i"))
    page.get_by_role("tab", name="Matched rules").click()
    page.get_by_role("button", name="Match the rules").click()

    expect(page.get_by_text("1 chat of 3 would get another rule")).to_be_visible()
    first = page.get_by_role("row").nth(1)
    expect(first).to_contain_text("Will it rain today?")
    expect(first).to_contain_text("fallback")
    expect(first).to_contain_text("changed")
    stubbed.shoot("configuration-matches")


def test_rules_are_added_moved_and_removed(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(EDIT)
    entries = page.get_by_role("navigation", name="Entries")
    page.get_by_role("button", name="Add rule").click()
    field = page.get_by_label("Whole entry as JSON")
    new = {"name": "rain", "match": {"topic_regexp": "/rain/i"}, "llm": "main", "model": "gpt-4o", "prompt": "Rain."}
    field.fill(json.dumps(new, indent=2))
    page.get_by_role("button", name="Move down").click()
    entries.get_by_role("button", name=re.compile("fallback")).click()
    page.get_by_role("button", name="Remove rule").click()
    entries.get_by_role("checkbox", name="files: on").uncheck()
    expect(page.get_by_text(re.compile("2 changes, 1 warning"))).to_be_visible()
    expect(page.get_by_label("Other problems")).to_contain_text("no fallback")
    page.get_by_role("button", name="Publish").click()

    expect(page.get_by_text("Version 2 is published.")).to_be_visible()
    published: Any = stage.newest().configuration()
    assert [rule["name"] for rule in published["responses"]] == ["weather", "rain"]
    assert published["mcp_servers"] == {"files": {"url": "https://mcp.example.com/mcp", "enabled": False}}


def test_the_history_shows_changes_and_rolls_back(stubbed: Screen, stage: ConfigurationStub) -> None:
    stage.push(with_prompt("Wrong."), "wrong")
    page = stubbed.open("configuration?mode=history")
    expect(page.get_by_role("heading", name="Version 2")).to_be_visible()
    expect(page.locator("ins")).to_have_text(re.compile("Wrong"))

    page.get_by_role("button", name=re.compile("Version 1")).click()
    page.get_by_role("button", name="Changes of a roll back").click()
    expect(page.locator("del")).to_have_text(re.compile("Wrong"))
    stubbed.shoot("configuration-history")
    page.get_by_role("button", name="Roll back to this version").click()
    page.get_by_label("Comment").fill("two was wrong")
    page.get_by_role("button", name="Roll back", exact=True).click()

    expect(page.get_by_role("heading", name="Version 3")).to_be_visible()
    assert (stage.newest().summary.restores, stage.newest().summary.comment) == (1, "two was wrong")


def test_a_stage_without_editing_shows_everything_and_publishes_nothing(stubbed: Screen, api: StubApi) -> None:
    ConfigurationStub(editing=False).install(api)
    page = stubbed.open(EDIT)

    expect(page.get_by_text("this stage does not publish by the API")).to_be_visible()
    page.get_by_label("Prompt", exact=True).fill("Mine.")
    expect(page.get_by_text("1 change")).to_be_visible()
    expect(page.get_by_role("button", name="Publish")).to_be_disabled()


def test_a_draft_is_edited_and_published_by_keyboard_alone(stubbed: Screen, stage: ConfigurationStub) -> None:
    page = stubbed.open(EDIT)
    expect(page.get_by_label("Prompt", exact=True)).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the second rule
    expect(page.get_by_role("heading", name="fallback")).to_be_visible()
    tab_to(page, "Prompt")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("Typed.")
    expect(page.get_by_text("1 change, no problems")).to_be_visible()
    tab_to(page, "Publish", back=True)
    page.keyboard.press("Enter")

    expect(page.get_by_text("Version 2 is published.")).to_be_visible()


def tab_to(page: Page, name: str, *, back: bool = False) -> None:
    """Press Tab until the element with a label has the focus."""
    for _ in range(40):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        focused = page.evaluate(
            "() => document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent"
        )
        if focused is not None and focused.strip() == name:
            return
    raise AssertionError(f"{name!r} is not reached")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_editor_and_history_fit_the_screen_and_are_accessible(
    stubbed: Screen, stage: ConfigurationStub, width: int, theme: Theme
) -> None:
    stage.push(with_prompt("Wrong."), "wrong")
    page = stubbed.open(EDIT, width=width, theme=theme)
    field = page.get_by_label("Whole entry as JSON")
    field.fill(field.input_value().replace('"main"', '"mian"'))
    expect(page.get_by_role("button", name=re.compile("Line 6"))).to_be_visible()
    for name in ("Entry", "Changes", "Matched rules"):
        page.get_by_role("tab", name=name).click()
        if name == "Matched rules":
            page.get_by_role("button", name="Match the rules").click()
            expect(page.get_by_text("The rules of the draft have errors")).to_be_visible()
        stubbed.axe()
        stubbed.shoot(f"configuration-edit-{name.split()[0].lower()}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page = stubbed.open("configuration?mode=history", width=width, theme=theme)
    expect(page.get_by_role("heading", name="Version 2")).to_be_visible()
    stubbed.axe()
    stubbed.shoot("configuration-history-view")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
