"""Checks of the tools of a configuration."""

import pytest

from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import problem_lines, rule, source, tool
from tests.unit.config_check.checked import errors, warnings, with_rule


def with_tools(*tools: Json, **settings: Json) -> dict[str, Json]:
    return source(
        tools={"enabled": True, **settings, "registry": list(tools)}, responses=[rule(tools={"enabled": True})]
    )


def test_an_unknown_tool_is_a_warning_at_its_path() -> None:
    document = with_rule(tools={"enabled": True, "allowed_tools": ["get_weather", "calclate", "zzz"]})

    assert errors(document) == []
    assert warnings(document) == [
        "responses[1].tools.allowed_tools[1]: no tool named 'calclate'; did you mean 'calculate'?",
        "responses[1].tools.allowed_tools[2]: no tool named 'zzz'",
    ]


def test_a_duplicate_tool_name_is_an_error() -> None:
    assert errors(with_tools(tool("a"), tool("b"), tool("a"))) == [
        "tools.registry[2].name: Tool 'a' already registered as tools.registry[0]"
    ]


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"type": "string"}, "tools.registry[0].parameters.type: must be 'object': a tool's arguments are one object"),
        ({}, "tools.registry[0].parameters.type: must be 'object': a tool's arguments are one object"),
    ],
)
def test_parameters_must_describe_an_object(parameters: Json, problem: str) -> None:
    assert problem in errors(with_tools(tool("a", parameters=parameters)))


def test_a_schema_over_its_budget_is_an_error_at_the_tool_parameters() -> None:
    found = errors(with_tools(tool("a", parameters={"type": "object", "properties": {"x": {"$ref": "http://x/y"}}})))

    assert len(found) == 1
    assert found[0].startswith("tools.registry[0].parameters: ")


def test_each_tool_type_checks_its_own_implementation() -> None:
    assert errors(with_tools(tool("a"), tool("b", implementation={"type": "mock"}))) == [
        "tools.registry[1].implementation.mock_response: is required",
    ]


def test_the_outer_handler_is_checked_if_the_implementation_has_none() -> None:
    def named(**definition: Json) -> list[str]:
        document = with_tools(tool("a", **definition))
        return problem_lines(check_source(document, TOOL_TYPES)[1])

    assert named(handler="math_eval", implementation={"type": "builtin"}) == []
    assert named(handler="a label", implementation={"type": "builtin", "handler": "math_eval"}) == []
    assert named(handler="a label", implementation={"type": "mock"}) == []
    assert named(handler="rag_query", implementation={"type": "internal"}) == []
    assert named(implementation={"type": "builtin"}) == ["tools.registry[0].implementation.handler: is required"]
    (unknown,) = named(handler="math_evl", implementation={"type": "builtin"})
    assert unknown.startswith("tools.registry[0].implementation.handler: Builtin handler 'math_evl' not found")


def test_a_type_without_a_deployed_function_is_a_warning_and_an_unknown_one_an_error() -> None:
    document = with_tools(
        tool("a", implementation={"type": "internal"}),
        tool("b", implementation={"type": "internal"}, enabled=False),
        tool("c", implementation={"type": "http"}),
        tool("d", implementation={"type": "htpp"}),
        tool("e", implementation={}),
        disabled_types=["http", "mpc"],
    )

    assert warnings(document) == [
        "tools.registry[0].implementation: not offered: this deployment has no function for tools of type 'internal'"
    ]
    assert errors(document) == [
        "tools.disabled_types[1]: no tool type 'mpc'; did you mean 'mcp'?",
        "tools.registry[3].implementation.type: no tool type 'htpp'; did you mean 'http'?",
        "tools.registry[4].implementation.type: is required: one of 'mock', 'builtin', 'internal', 'http', 'mcp'",
    ]


def test_a_rule_with_a_tool_that_is_not_offered_is_a_warning() -> None:
    document = source(
        tools={
            "enabled": True,
            "disabled_types": ["http"],
            "registry": [tool("off", enabled=False), tool("web", implementation={"type": "http"})],
        },
        responses=[rule(tools={"enabled": True, "allowed_tools": ["off", "web"]})],
    )

    assert warnings(document) == [
        "responses[0].tools.allowed_tools[0]: the tool 'off' is not offered: it is disabled",
        "responses[0].tools.allowed_tools[1]: the tool 'web' is not offered: tools of type 'http' are disabled",
    ]


def test_tools_that_can_never_be_used_are_a_warning() -> None:
    assert warnings(with_tools()) == [
        "tools.registry: must not be empty if tools are enabled; add a tool, or set tools.enabled to false"
    ]
    assert warnings(source(tools={}, responses=[rule(tools={"enabled": True})])) == [
        "responses[0].tools.enabled: no tool is offered while tools.enabled is false"
    ]


def test_a_configuration_without_its_tools_section_has_only_warnings() -> None:
    document = source(responses=[rule(tools={"enabled": True, "allowed_tools": ["get_weather", "calculate"]})])
    del document["tools"]

    assert errors(document) == []
    assert warnings(document) == ["responses[0].tools.enabled: no tool is offered while tools.enabled is false"]
