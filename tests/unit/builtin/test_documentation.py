"""Execution of the tool examples in the documentation."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from flexchat.config.models.tools import ToolDefinition
from flexchat.schema import ArgumentChecker, check_schema
from functions.tools.builtin.handlers import HANDLERS, handler_named
from functions.tools.builtin.implementation import Implementation
from functions.tools.mock.implementation import Implementation as MockImplementation

ROOT = Path(__file__).parents[3]

PAGE, _, MOCKS = (ROOT / "docs/builtin-tools.md").read_text("utf-8").partition("\n## Mock tools\n")
SECTIONS = {section.split("\n", 1)[0]: section for section in PAGE.split("\n## ")[1:]}


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def definition_in(section: str) -> ToolDefinition:
    (definition,) = blocks(section, "json")
    return ToolDefinition.model_validate_json(definition)


def examples() -> list[Any]:
    found: list[Any] = []
    for name, section in SECTIONS.items():
        for line in "".join(blocks(section, "text")).splitlines():
            arguments, result = line.split(" → ")
            found.append(pytest.param(name, json.loads(arguments), json.loads(result), id=f"{name} {arguments[:40]}"))
    return found


def test_every_handler_is_documented():
    assert set(SECTIONS) == set(HANDLERS)


@pytest.mark.parametrize("name", SECTIONS)
def test_every_documented_definition_is_valid(name: str):
    tool = definition_in(SECTIONS[name])

    assert check_schema(tool.parameters) == ()
    assert Implementation.model_validate(tool.implementation).handler == name


@pytest.mark.parametrize(("name", "arguments", "result"), examples())
def test_every_documented_example_has_the_documented_result(name: str, arguments: dict[str, Any], result: Any):
    checked = ArgumentChecker(definition_in(SECTIONS[name]).parameters).check(arguments)

    assert handler_named(name)(checked) == result


def test_the_documented_mocks_are_valid():
    (definition,) = re.findall(r"```json\n(.*?)```", (ROOT / "docs/adding-a-tool.md").read_text("utf-8"), re.DOTALL)
    (answers,) = blocks(MOCKS, "json")
    tool = ToolDefinition.model_validate_json(definition)

    assert check_schema(tool.parameters) == ()
    assert MockImplementation.model_validate(tool.implementation).mock_response == {"open": "09:00", "close": "18:00"}
    conditional = MockImplementation.model_validate_json(answers)
    assert [answer.when["city"] for answer in conditional.answers] == ["Bonn", "Bonn", "Berlin"]
