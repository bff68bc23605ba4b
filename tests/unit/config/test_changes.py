"""Differences between two configuration documents."""

from flexchat.config.changes import Change, diff
from flexchat.messages import Json
from tests.unit.config.sources import rule, source, tool


def test_equal_configurations_have_no_changes() -> None:
    assert diff(source(), source()) == ()


def test_entries_are_compared_by_name_and_values_by_key() -> None:
    after = source(
        comment="other",
        topic=None,
        llms={"main": {"type": "openai", "api_key": "${OTHER}", "headers": {}}, "new": {"type": "ollama"}},
        rag_services={},
        tools={
            "enabled": True,
            "max_iterations": 3,
            "registry": [
                tool("get_weather", parameters={"type": "object", "properties": {"text": {"type": "integer"}}}),
                tool("extra"),
            ],
        },
    )
    del after["intent"]

    assert diff(source(), after) == (
        Change("changed", "llms.main", ("api_key", "models", "headers")),
        Change("removed", "llms.local"),
        Change("added", "llms.new"),
        Change("removed", "rag_services.docs"),
        Change("changed", "tools.registry.get_weather", ("parameters.properties.text.type",)),
        Change("removed", "tools.registry.calculate"),
        Change("added", "tools.registry.extra"),
        Change("changed", "comment"),
        Change("changed", "topic"),
        Change("removed", "intent"),
        Change("changed", "tools", ("comment", "max_iterations")),
        Change("removed", "llms.comment"),
    )


def test_a_rule_inserted_in_front_is_one_change() -> None:
    old: list[Json] = [rule(name="a", match={"service": "a"}), rule()]

    assert diff(source(responses=old), source(responses=[rule(match={"service": "new"}), *old])) == (
        Change("added", "responses[0]"),
    )


def test_a_named_rule_is_compared_by_name_and_an_unnamed_one_by_position() -> None:
    before = source(responses=[rule(name="a"), rule(model="x"), rule(model="gone"), rule(name="z")])
    after = source(responses=[rule(name="a", model="y"), rule(model="y", temperature=0), rule(name="z")])

    assert diff(before, after) == (
        Change("changed", "responses[0] (a)", ("model",)),
        Change("changed", "responses[1]", ("model", "temperature")),
        Change("removed", "responses[2]"),
    )


def test_a_changed_order_of_tools_is_a_change() -> None:
    before = source(tools={"registry": [tool("a"), tool("b")]})
    after = source(tools={"registry": [tool("b"), tool("a")]})

    assert diff(before, after) == (Change("moved", "tools.registry"),)


def test_true_and_one_are_different_values() -> None:
    assert diff({"tools": {"enabled": True}}, {"tools": {"enabled": 1}}) == (Change("changed", "tools", ("enabled",)),)
