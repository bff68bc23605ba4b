"""Warnings of rules whose tools let injected instructions send private data out."""

import pytest

from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import problem_lines, rule, source, tool

PRIVATE = tool("orders", reads_private=True)
UNTRUSTED = tool("web", untrusted=True)
OUT = tool("send", egress=True)
CHANGE = tool("delete", writes=True)
SERVER: dict[str, Json] = {"url": "https://mcp.example/mcp"}


def document(*tools: Json, rules: list[Json] | None = None, servers: Json = None, **settings: Json) -> dict[str, Json]:
    return source(
        tools={"enabled": True, **settings, "registry": list(tools)},
        responses=rules or [rule(tools={"enabled": True})],
        mcp_servers=servers or {},
    )


def found(configuration: dict[str, Json]) -> list[str]:
    lines = problem_lines(check_source(configuration, TOOL_TYPES)[1], "warning")
    return [line for line in lines if "private data" in line]


@pytest.mark.parametrize("out", [OUT, CHANGE])
def test_a_rule_with_private_data_untrusted_content_and_a_way_out_is_a_warning(out: dict[str, Json]) -> None:
    (line,) = found(document(PRIVATE, UNTRUSTED, out))

    assert line == (
        "responses[0].tools: instructions in untrusted content (web) could make a model send private data (orders) out"
        f" ({out['name']}): set tools.injection_policy to 'approve' or 'block', or the traits of these tools, such as"
        " 'reads_private': false"
    )


@pytest.mark.parametrize("missing", range(3))
def test_a_rule_without_one_of_the_three_has_no_warning(missing: int) -> None:
    tools = [PRIVATE, UNTRUSTED, OUT]
    del tools[missing]

    assert found(document(*tools)) == []


def test_the_policy_takes_the_warning_away() -> None:
    assert found(document(PRIVATE, UNTRUSTED, OUT, injection_policy="block")) == []


def test_only_the_offered_tools_count() -> None:
    rules: list[Json] = [
        rule(tools={"enabled": True, "allowed_tools": ["orders", "web"]}),
        rule(tools={"enabled": True, "allowed_tools": ["send", "web"]}, match={"topic": "a"}),
        rule(tools={"enabled": False}, match={"topic": "b"}),
        rule(match={"topic": "c"}),
    ]

    assert found(document(PRIVATE, UNTRUSTED, OUT, rules=rules)) == []
    assert found(document(PRIVATE, UNTRUSTED, {**OUT, "enabled": False})) == []
    assert found(document(PRIVATE, UNTRUSTED, OUT, disabled_types=["mock"])) == []
    assert found({**document(PRIVATE, UNTRUSTED, OUT), "tools": {"enabled": False, "registry": [PRIVATE]}}) == []


def test_a_server_with_every_trait_is_a_warning_by_itself() -> None:
    assert len(found(document(servers={"files": SERVER}))) == 1
    assert len(found(document(servers={"files": {**SERVER, "egress": False, "writes": False}}))) == 0
    assert len(found(document(servers={"files": {**SERVER, "enabled": False}}))) == 0
    assert len(found(document(servers={"files": SERVER}, disabled_types=["mcp"]))) == 0


def test_an_allowed_tool_of_a_server_has_the_traits_of_its_settings() -> None:
    rules: list[Json] = [rule(tools={"enabled": True, "allowed_tools": ["files/read", "orders"]})]
    public: dict[str, Json] = {**SERVER, "tool_settings": {"read": {"reads_private": False}}}

    assert len(found(document(tool("orders"), servers={"files": SERVER}, rules=rules))) == 1
    assert len(found(document(tool("orders"), servers={"files": public}, rules=rules))) == 0
    assert len(found(document(PRIVATE, servers={"files": public}, rules=rules))) == 1


def test_a_warning_names_three_tools_for_each_trait() -> None:
    (line,) = found(document(*(tool(f"t{n}", reads_private=True, untrusted=True, egress=True) for n in range(5))))

    assert "untrusted content (t0, t1, t2 and 2 more)" in line
