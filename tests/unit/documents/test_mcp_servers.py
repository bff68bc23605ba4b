"""Examples of docs/mcp-servers.md."""

import json
import re
from typing import Any, get_args

import pytest

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ToolDefinition
from flexchat.errors import ToolErrorType
from tests.documents import ROOT

PAGE = (ROOT / "docs" / "mcp-servers.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"^ *```json\n(.*?)^ *```", PAGE, re.MULTILINE | re.DOTALL)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: next(iter(example)))
def test_every_example_is_valid(example: dict[str, Any]) -> None:
    match example:
        case {"mcp_servers": servers}:
            assert set(Configuration.model_validate(example).mcp_servers) == set(servers)
        case {"implementation": _}:
            ToolDefinition.model_validate(example)
        case _:
            ResponseRule.model_validate({"llm": "openai", "model": "m", "prompt": "p", **example})


def test_the_table_of_failures_has_types_that_exist() -> None:
    listed = set(re.findall(r"^\| `([a-z_]+)` \|", PAGE.partition("## Failures")[2], re.MULTILINE)) - {"error_type"}

    assert listed
    assert listed <= set(get_args(ToolErrorType))
