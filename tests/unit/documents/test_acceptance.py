"""The acceptance list: every row has a command and its expected output, and the list is complete."""

import re

import pytest

from flexchat.config.providers import PROVIDERS
from flexchat.tool_types import TOOL_TYPES
from tests.documents import ROOT

PAGE = ROOT / "docs" / "acceptance.md"


def rows() -> list[list[str]]:
    """Return the cells of each row of the page's tables, without their headers."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [row for row in cells if row[1] != "Command"]


def test_every_row_has_a_command_and_an_expected_output() -> None:
    assert len(rows()) > 40
    assert [row for row in rows() if len(row) != 3 or not all(row)] == []


@pytest.mark.parametrize(
    "topic",
    [
        *("deploy", "smoke test", "chat", "stream", "background run", "validation schedule", "notification"),
        *("canary", "rollback", "WAF", "domain", "delete"),
        *(f"`{kind}`" for kind in TOOL_TYPES),
        *(f"`{provider}`" for provider in PROVIDERS),
    ],
)
def test_the_list_has_each_topic(topic: str) -> None:
    assert topic in [row[0] for row in rows()]
