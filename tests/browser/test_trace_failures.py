"""Failed chats on the permalink of their traces: each is explained by its request id alone.

The traces are those that the chat function records and the traces function stores.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.screen import Screen
from tests.browser.trace_pages import StubApi
from tests.functional.traces import failures
from tests.functional.traces.failures import FAILURES

ROOT = Path(__file__).parents[2]

type Serve = Callable[[str], str]


@pytest.fixture(scope="session")
def responses() -> Mapping[str, Mapping[str, Any]]:
    """Responses of the traces function about the failed chats, each of which ran once."""
    done = subprocess.run(  # noqa: S603 - a module of the tests
        [sys.executable, "-m", failures.__name__], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


@pytest.fixture
def serve(responses: Mapping[str, Mapping[str, Any]], api: StubApi) -> Serve:
    """Function that serves a failed chat's trace and log lines to the page, and returns its request id."""

    def served(name: str) -> str:
        found = responses[name]
        api.set(f"GET {found['path']}", found["trace"])
        api.set(f"GET {found['path']}/logs", found["logs"])
        return found["trace"]["id"]

    return served


def why(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^(Why it failed|Failed tool calls)$"))


@pytest.mark.parametrize("name", FAILURES)
def test_page_explains_the_failure(stubbed: Screen, serve: Serve, name: str) -> None:
    failure = FAILURES[name]
    page = stubbed.open(f"runs/{serve(name)}")

    expect(why(page).get_by_role("heading", level=2)).to_have_text(failure.heading)
    expect(why(page).get_by_role("heading", level=3)).to_contain_text(failure.title)
    for words in failure.words:
        expect(why(page)).to_contain_text(words)
    if not failure.row:
        expect(page.get_by_role("option")).to_have_count(0)
        return
    row = page.get_by_role("option", name=failure.row)
    expect(row).to_have_attribute("aria-selected", "true")
    expect(row).to_contain_text(failure.title)
    details = page.get_by_role("region", name="Details of")
    expect(details).to_contain_text(failure.title)
    expect(details).to_contain_text(failure.step.split()[1])


def test_the_step_of_the_failure_is_a_link_to_its_row(stubbed: Screen, serve: Serve) -> None:
    page = stubbed.open(f"runs/{serve('tool down')}")
    page.get_by_role("option", name="model 1").click()
    why(page).get_by_role("link", name="get_weather, iteration 1").click()

    expect(page.get_by_role("option", name="get_weather")).to_be_focused()
    expect(page.get_by_role("region", name="Details of get_weather")).to_be_visible()


def test_the_log_lines_of_the_chat_are_on_the_same_page(stubbed: Screen, serve: Serve) -> None:
    page = stubbed.open(f"runs/{serve('tool down')}")
    page.get_by_text("Log lines", exact=True).click()
    page.get_by_text("function failed").click()

    expect(page.get_by_role("region", name="Fields of the log line")).to_contain_text("errorType")


@pytest.mark.parametrize(
    ("name", "width"),
    [("wrong key", 1280), ("wrong key", 390), ("tool down", 1280), ("limit", 390), ("throttled AWS", 390)],
)
def test_the_explanation_is_accessible_and_fits(stubbed: Screen, serve: Serve, name: str, width: int) -> None:
    page = stubbed.open(f"runs/{serve(name)}", width=width)
    expect(why(page)).to_be_visible()

    stubbed.axe()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    stubbed.shoot(f"failure-{name.replace(' ', '-')}")
