"""Helpers of the validation tests: models, suite and locators."""

import re

from playwright.sync_api import Locator, Page

GOOD = "openai:skill-95"


POOR = "openai:skill-60"


SUITE = "page-test"


CASES = 9


BY = "\N{MULTIPLICATION SIGN}"


def region(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("region", name=name)


def cell(page: Page, category: str, model: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"{category}, {model},"))
