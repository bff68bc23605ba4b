"""Draft cases for a configured tool are valid and cover its schema."""

from pathlib import Path
from typing import Any

import pytest

from cli.suites.case_generator import MAX_CHOICES, draft_cases
from flexchat.config.document import parse, read_source
from flexchat.config.models.tools import ToolDefinition
from flexchat.errors import ConfigError
from flexchat.messages import Json
from flexchat.validation.call_matching import reference_turns
from flexchat.validation.cases import Expectation
from flexchat.validation.grading import grade
from flexchat.validation.sample_values import PlausibleValues
from flexchat.validation.suites import built_in_suites, check_suite
from flexchat.validation.verdicts import MadeCall, Outcome, Verdict

CONFIGURED = parse(
    read_source((Path(__file__).parents[4] / "config" / "flexchat.json").read_text("utf-8"))
).configuration.tools.registry
ALL = (*CONFIGURED, *built_in_suites()["default"].tools)


def tool(properties: dict[str, Json], *, required: list[str], **more: Any) -> ToolDefinition:
    parameters: dict[str, Json] = {"type": "object", "properties": properties, "required": [*required], **more}
    return ToolDefinition(
        name="ns/My.Tool",
        description="Does it. At once.",
        parameters=parameters,
        implementation={"type": "http", "url": "https://example.com"},
    )


def test_a_draft_has_a_case_of_every_applicable_category():
    definition = tool(
        {
            "city": {"type": "string", "examples": ["Paris", "Rome"]},
            "unit": {"enum": ["celsius", "kelvin"], "default": "celsius"},
        },
        required=["city"],
    )

    suite = draft_cases(definition, others=CONFIGURED[:1])

    assert suite.name == "draft-ns-my-tool"
    assert [each.implementation["type"] for each in suite.tools] == ["mock", "mock"]
    assert [(case.category, case.message) for case in suite.cases] == [
        ("single", "Does it. city: Paris."),
        ("single", "Does it. city: Paris; unit: kelvin."),
        ("types", "Does it. city: Paris; unit: celsius."),
        ("types", "Does it. city: Paris; unit: kelvin."),
        ("choice", "Does it. city: Paris."),
        ("parallel", "Does it. city: Paris. And the same again: city: Rome."),
        ("clarification", "Does it."),
        ("irrelevance", "Write a haiku about autumn leaves."),
    ]
    (turn,) = suite.cases[0].expect.turns
    assert turn.calls[0].arguments == {"city": ("Paris",), "unit": ("", "celsius")}
    assert suite.cases[0].tools == ("ns/My.Tool",)
    assert suite.cases[4].tools == ("ns/My.Tool", CONFIGURED[0].name)
    assert suite.cases[6].expect == suite.cases[7].expect == Expectation()


@pytest.mark.slow
@pytest.mark.parametrize("definition", ALL, ids=lambda definition: definition.name)
@pytest.mark.parametrize("others", [(), CONFIGURED], ids=["alone", "with others"])
def test_a_draft_is_valid_and_its_expected_calls_pass(definition: ToolDefinition, others: tuple[ToolDefinition, ...]):
    suite = draft_cases(definition, others=others)

    assert check_suite(suite) == ()
    for case in suite.cases:
        calls = [
            MadeCall(call.tool, call.arguments, 1, success=True) for turn in reference_turns(case) for call in turn
        ]
        assert grade(case, Outcome(tuple(calls), ""), {each.name: each for each in suite.tools}) == Verdict("passed")


STRANGE: dict[str, ToolDefinition] = {
    "no parameters": tool({}, required=[]),
    "too special": tool({"code": {"type": "string", "pattern": "^zq[0-9]{7}x$"}}, required=["code"]),
    "required without a schema": tool({}, required=["anything"]),
    "references": tool({"at": {"$ref": "#/$defs/at"}}, required=["at"], **{"$defs": {"at": {"type": "integer"}}}),
    "alternatives": tool({"at": {"anyOf": [{"type": "null"}, {"type": "boolean"}]}}, required=["at"]),
    "either": tool({"a": {"type": "string"}, "b": {"type": "string"}}, required=[], oneOf=[{"required": ["a"]}]),
    "not both": tool(
        {"a": {"type": "string"}, "b": {"type": "string"}}, required=["a"], **{"not": {"required": ["a", "b"]}}
    ),
    "bounds": tool(
        {"n": {"type": "integer", "minimum": 7000, "maximum": 7001}, "x": {"type": "number", "exclusiveMinimum": 9999}},
        required=["n", "x"],
    ),
    "steps": tool({"n": {"type": "number", "multipleOf": 7, "minimum": 7}}, required=["n"]),
    "long": tool({"text": {"type": "string", "minLength": 40}}, required=["text"]),
    "formats": tool({"when": {"type": "string", "format": "date"}, "who": {"format": "email"}}, required=["when"]),
    "lists": tool({"l": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3}}, required=["l"]),
    "list of anything": tool({"l": {"type": "array"}, "m": {"type": "array", "items": False}}, required=["l"]),
    "deep": tool(
        {"o": {"type": "object", "properties": {"p": {"type": "array", "items": {"type": "integer"}}}}}, required=["o"]
    ),
    "bare object": tool({"o": {"type": "object"}, "p": {"type": "object", "required": ["q"]}}, required=["o"]),
    "many types": tool({"v": {"type": ["null", "integer", "string"]}, "c": {"const": "k"}}, required=["v", "c"]),
    "anything": tool({"v": True, "w": {}}, required=[]),
    "many choices": tool({"v": {"enum": list(range(40))}, "e": {"enum": ["", "!?", "!!"]}}, required=["v"]),
    "only null": tool({"v": {"type": "null"}}, required=["v"]),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_draft_of_an_unusual_tool_is_valid(name: str):
    suite = draft_cases(STRANGE[name], others=(STRANGE[name], *CONFIGURED))

    assert check_suite(suite) == ()
    assert len({case.id for case in suite.cases}) == len(suite.cases)


def test_a_parameter_without_derivable_values_accepts_any_call():
    first, *rest = draft_cases(STRANGE["too special"]).cases

    assert first.expect == Expectation(any_call=True)
    assert "code" in first.description
    assert first.message == "Does it. …"
    assert [case.category for case in rest] == ["clarification", "irrelevance"]


def test_a_parameter_with_many_choices_gets_a_limited_number_of_cases():
    cases = draft_cases(STRANGE["many choices"]).cases

    assert sum(case.id.startswith("types-v-") for case in cases) == MAX_CHOICES - 1


def test_a_tool_with_an_invalid_schema_is_rejected():
    with pytest.raises(ConfigError, match="type: must be 'object'"):
        draft_cases(tool({}, required=[]).model_copy(update={"parameters": {"type": "string"}}))


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"type": "boolean"}, (True, False)),
        ({"enum": ["b", "a"]}, ("b", "a")),
        ({"type": "string", "pattern": "^[A-Z]{3}$"}, ("EUR", "USD")),
        ({"type": "string", "format": "date", "examples": ["2030-01-01"]}, ("2030-01-01", "2026-05-04")),
        ({"type": "integer", "minimum": 7, "maximum": 8}, (7, 8)),
        ({"type": "integer", "default": 4}, (4, 2)),
        ({"type": "string"}, ("…", "… 2")),
        ({"type": "array", "items": {"type": "integer"}}, ([2], [3])),
        ({"type": "object", "properties": {"a": {"type": "boolean"}}}, ({"a": True}, {"a": False})),
        ({"type": "null"}, ()),
    ],
)
def test_values_come_from_the_schema_in_a_fixed_order_of_preference(schema: dict[str, Any], values: tuple[Json, ...]):
    found = PlausibleValues({"type": "object", "properties": {"p": schema}}).of("p")

    assert found[:2] == values


def test_text_has_the_length_required_by_the_schema():
    (first, *_) = PlausibleValues({"type": "object", "properties": {"p": {"type": "string", "minLength": 40}}}).of("p")

    assert isinstance(first, str)
    assert (len(first), first.strip(" …")) == (40, "")
