"""Timeouts of calls by the type of their tool."""

from typing import Any

import pytest

from flexchat.config.models.tools import ToolDefinition
from flexchat.tool_types import call_timeout_ms


def tool(kind: str, **implementation: Any) -> ToolDefinition:
    return ToolDefinition(
        name="t", description="A tool", parameters={"type": "object"}, implementation={"type": kind, **implementation}
    )


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        (tool("http"), 10_000),
        (tool("http", timeout_ms=20_000), 20_000),
        (tool("mcp"), 30_000),
        (tool("mock", timeout_ms=1), 1),
        (tool("unknown"), 30_000),
    ],
)
def test_a_call_has_the_timeout_of_its_tool_else_of_its_type_else_of_all(
    definition: ToolDefinition, expected: int
) -> None:
    assert call_timeout_ms(definition, 30_000) == expected
