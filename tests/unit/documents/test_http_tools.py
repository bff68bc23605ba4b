"""Examples and reference of docs/http-tools.md."""

import json
import re
from typing import Any

import pytest
from pydantic import TypeAdapter

from flexchat.config.models.http_auth import Auth
from flexchat.config.models.tools import ToolDefinition
from flexchat.tool_types import TOOL_TYPES
from functions.tools.http.implementation import Implementation, MappedParameter, Pagination
from tests.documents import ROOT

PAGE = (ROOT / "docs" / "http-tools.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"^ *```json\n(.*?)^ *```", PAGE, re.MULTILINE | re.DOTALL)]
IN_TABLES = [json.loads(text) for text in re.findall(r"^\| `(\{[^`…]*\})` \|", PAGE, re.MULTILINE)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.get("name", "implementation"))
def test_every_example_is_a_valid_tool(example: dict[str, Any]) -> None:
    implementation = example.get("implementation", example)

    assert TOOL_TYPES[implementation["type"]].problems(implementation) == ()
    if "name" in example:
        ToolDefinition.model_validate(example)


def test_the_examples_of_the_specification_are_shown() -> None:
    assert {example.get("name") for example in EXAMPLES} >= {"get_weather", "create_ticket", "web_search"}


@pytest.mark.parametrize("example", IN_TABLES, ids=json.dumps)
def test_every_value_in_a_table_is_valid(example: dict[str, Any]) -> None:
    match example.get("type"):
        case "bearer" | "basic" | "api_key":
            TypeAdapter[Any](Auth).validate_python(example)
        case "link" | "cursor" | "page":
            TypeAdapter[Any](Pagination).validate_python(example)
        case _:
            TypeAdapter(dict[str, str | MappedParameter]).validate_python(example)


def test_the_reference_has_every_field_of_the_implementation() -> None:
    reference = PAGE.partition("## Reference")[2]
    listed = {name.split(".")[0] for name in re.findall(r"`([a-z_]+(?:\.[a-z_]+)?)`", reference)}

    assert set(Implementation.model_fields) - {"type", "comment"} <= listed
