"""Helpers of the tool testing tests: queries and locators."""

import re
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from flexchat.messages import Json

MODEL = "openai:gpt-4o"


WEATHER = "What's the weather in Paris?"


SUM = "Calculate 15% tip on $45"


SEVERAL = (
    'Hello [demo:call=get_weather {"location":"Paris"}] [demo:call=nope {"a":1}] '
    '[demo:call=calculate {"x":1}] [demo:call=calculate {"expression":"2*21"}]'
)


UNAVAILABLE: Json = {"error": "unavailable", "message": "Try later.", "request_id": "r-503"}


def address(model: str = MODEL, query: str = "") -> str:
    return f"tools-testing?{urlencode({'model': model, 'query': query})}"


def query_field(page: Page) -> Locator:
    return page.get_by_label("Query", exact=True)


def model_field(page: Page) -> Locator:
    return page.get_by_label("Model", exact=True)


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()


def status(page: Page) -> Locator:
    return page.locator("main").get_by_text(re.compile(r"(answered in|[a-z ]+ after) [\d.]+ m?s ·"), exact=False).last


def steps(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Steps in order of their start").get_by_role("option")


def answered(page: Page) -> None:
    expect(page.get_by_role("heading", name="Final response")).to_be_visible()
