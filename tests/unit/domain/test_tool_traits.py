"""Traits of tools: those of their types, and those that the configuration states."""

from itertools import product
from typing import Any

import pytest

from flexchat.config.models.tools import ToolDefinition
from flexchat.tool_traits import is_lethal, traits_of
from flexchat.tool_types import EVERY_TRAIT, ToolTraits

NONE = ToolTraits()


def tool(kind: str, traits: dict[str, bool] | None = None, **implementation: Any) -> ToolDefinition:
    definition = ToolDefinition(
        name="t", description="A tool", parameters={"type": "object"}, implementation={"type": kind, **implementation}
    )
    return definition.model_copy(update=traits or {})


GET = ToolTraits(egress=True, untrusted=True)


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        (tool("mock"), NONE),
        (tool("builtin"), NONE),
        (tool("internal"), ToolTraits(reads_private=True, untrusted=True)),
        (tool("mcp"), EVERY_TRAIT),
        (tool("of a later version"), EVERY_TRAIT),
        (tool("http", url="https://a.example"), GET),
        (tool("http", url="https://a.example", method="HEAD"), GET),
        (tool("http", url="https://a.example", method="POST"), GET._replace(writes=True)),
        (tool("http", url="https://a.example", method="DELETE"), GET._replace(writes=True)),
        (tool("http", url="https://a.example", headers={"X-Key": "Bearer ${KEY}"}), GET._replace(reads_private=True)),
        (tool("http", auth={"type": "bearer", "token": "${KEY}"}), GET._replace(reads_private=True)),
        (tool("http", body={"template": [{"a": ["${KEY}"]}]}, method="PUT"), EVERY_TRAIT),
        (tool("http", comment="${KEY}"), GET),
        (tool("http", url="https://a.example/${not a name}"), GET),
    ],
)
def test_a_tool_without_stated_traits_has_those_of_its_type(definition: ToolDefinition, expected: ToolTraits) -> None:
    assert traits_of(definition) == expected


@pytest.mark.parametrize("kind", ["mock", "internal", "http", "mcp"])
@pytest.mark.parametrize("stated", [ToolTraits(*each) for each in product((True, False), repeat=4)])
def test_stated_traits_replace_those_of_the_type(kind: str, stated: ToolTraits) -> None:
    assert traits_of(tool(kind, stated._asdict())) == stated


def test_a_trait_that_is_not_stated_is_that_of_the_type() -> None:
    assert traits_of(tool("mcp", {"egress": False})) == EVERY_TRAIT._replace(egress=False)
    assert traits_of(tool("mock", {"egress": True})) == ToolTraits(egress=True)


PRIVATE, UNTRUSTED = ToolTraits(reads_private=True), ToolTraits(untrusted=True)


@pytest.mark.parametrize("out", [ToolTraits(egress=True), ToolTraits(writes=True)])
def test_tools_are_lethal_with_private_data_untrusted_content_and_a_way_out(out: ToolTraits) -> None:
    assert is_lethal([PRIVATE, UNTRUSTED, out])
    assert is_lethal([EVERY_TRAIT])
    assert not is_lethal([PRIVATE, UNTRUSTED])
    assert not is_lethal([PRIVATE, out])
    assert not is_lethal([UNTRUSTED, out])
    assert not is_lethal([])
