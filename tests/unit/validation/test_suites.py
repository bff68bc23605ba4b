"""Parsing and validation of suites, with every problem at once."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dev.config_schema import suite_schema
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.validation.call_matching import ReferenceCall, reference_arguments, reference_turns
from flexchat.validation.cases import ExpectedCall, Suite
from flexchat.validation.suites import built_in_suites, check_suite, load_suite
from flexchat.validation.verdicts import CATEGORIES


def tool(name: str = "weather", **changes: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": "d",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
            "required": ["city"],
        },
        "implementation": {"type": "mock"},
    } | changes


def expect(*calls: tuple[str, dict[str, Any]], **changes: Any) -> dict[str, Any]:
    turns = [{"calls": [{"tool": name, "arguments": arguments} for name, arguments in calls]}] if calls else []
    return {"turns": turns} | changes


ALL_CATEGORIES = f"{', '.join(map(repr, CATEGORIES[:-1]))} or {CATEGORIES[-1]!r}"

RIGHT = expect(("weather", {"city": ["Paris"], "days": ["", 1]}))


def case(id: str = "one", category: str = "single", **changes: Any) -> dict[str, Any]:
    return {"id": id, "category": category, "message": "m", "expect": RIGHT} | changes


def suite(*cases: Json, tools: Json = None) -> str:
    return json.dumps({"name": "mine", "tools": tools or [tool()], "cases": list(cases) or [case()]})


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as error:
        load_suite(text)
    return error.value.problems


def warnings(text: str) -> list[str]:
    return [str(problem) for problem in check_suite(load_suite(text))]


def test_a_suite_is_parsed_from_text():
    found = load_suite(suite())

    assert (found.name, [each.id for each in found.cases]) == ("mine", ["one"])
    assert check_suite(found) == ()


@pytest.mark.parametrize("text", ["", "{", "[]", '"suite"'])
def test_a_suite_that_is_no_object_is_rejected(text: str):
    (problem,) = problems(text)

    assert problem.path == ""


def test_problems_of_format_and_content_are_reported_together():
    broken = tool("broken", parameters=1)
    text = suite(
        case(category="singel"),
        case("two", tools=["wether", "broken"]),
        case("two", expect=expect(("broken", {}))),
        tools=[tool(), broken, tool()],
    )

    assert list(map(str, problems(text))) == [
        "tools[1].parameters: must be an object",
        f"cases[0].category: must be {ALL_CATEGORIES}, not 'singel'; did you mean 'single'?",
        "tools[2].name: duplicate tool name 'weather'; every tool needs its own name",
        "cases[1].tools[0]: the suite has no tool 'wether'; did you mean 'weather'?",
        "cases[1].expect.turns[0].calls[0].tool: 'weather' is not among the tools that the case offers",
        "cases[2].id: duplicate id 'two', also in cases[1]; every case needs its own id",
    ]


@pytest.mark.parametrize("tools", [5, None, [1], [{"name": 1}]])
def test_invalid_tools_hide_no_other_problem(tools: Json):
    text = json.dumps({"name": "mine", "tools": tools, "cases": [case(), 7, case()]})

    paths = {problem.path for problem in problems(text)}

    assert "cases[2].id" in paths
    assert any(path.startswith("tools") for path in paths)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"implementation": {"type": "http", "url": "https://example.com"}},
            "tools[0].implementation.type: must be 'mock', so that a validation has no effect elsewhere",
        ),
        (
            {"implementation": {"type": "mock", "mock_respons": 1}},
            "tools[0].implementation.mock_respons: unknown key 'mock_respons'; did you mean 'mock_response'?",
        ),
        (
            {"implementation": {"type": "mock", "answers": [{"when": {"cty": 1}, "response": 1}]}},
            "tools[0].implementation.answers[0].when: the tool has no parameter 'cty'; did you mean 'city'?",
        ),
        ({"enabled": False}, "tools[0].enabled: a tool of a suite cannot be disabled; leave it out of the cases"),
        (
            {"parameters": {"type": "array"}},
            "tools[0].parameters: type: must be 'object'; a tool's parameters are an object with 'properties'",
        ),
    ],
)
def test_an_unusable_tool_is_reported(changes: dict[str, Any], problem: str):
    text = suite(case(category="irrelevance", expect={}), tools=[tool(**changes)])

    assert list(map(str, problems(text))) == [problem]


CALL = "cases[0].expect.turns[0].calls[0]"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"city": ["Paris"], "town": [1]}, f"{CALL}.arguments.town: 'weather' has no parameter 'town'"),
        ({"cityy": ["Paris"]}, f"{CALL}.arguments.cityy: 'weather' has no parameter 'cityy'; did you mean 'city'?"),
        ({"city": [5]}, f"{CALL}.arguments.city[0]: 'weather' rejects it: "),
        ({"city": ["Paris"], "days": [0]}, f"{CALL}.arguments.days[0]: 'weather' rejects it: "),
        ({"city": []}, f"{CALL}.arguments.city: needs at least one value"),
        ({"days": [1]}, f"{CALL}.arguments: 'weather' rejects the first values: Missing required parameter: city"),
        ({"city": [""]}, f"{CALL}.arguments: 'weather' rejects the first values: Missing required parameter: city"),
    ],
)
def test_an_expected_call_with_invalid_arguments_is_reported(arguments: dict[str, Any], problem: str):
    found = list(map(str, problems(suite(case(expect=expect(("weather", arguments)))))))

    assert found[0].startswith(problem)


def test_problems_of_several_arguments_are_reported_together():
    found = problems(suite(case(expect=expect(("weather", {"city": [1], "days": ["x", "y"]})))))

    assert [problem.path for problem in found] == [
        f"{CALL}.arguments.city[0]",
        f"{CALL}.arguments.days[0]",
        f"{CALL}.arguments.days[1]",
    ]


def test_an_impossible_value_beside_a_valid_one_is_a_warning():
    (found,) = check_suite(load_suite(suite(case(expect=expect(("weather", {"city": [7, "Paris"]}))))))

    assert (found.path, found.severity) == (f"{CALL}.arguments.city[0]", "warning")


def test_objects_can_have_accepted_values_for_each_key():
    inner = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "array"}}, "required": ["x"]}
    other = tool("point", parameters={"type": "object", "properties": {"at": inner}, "required": ["at"]})

    def found(at: Json) -> list[str]:
        text = suite(case(expect=expect(("point", {"at": [at]}))), tools=[other])
        try:
            return warnings(text)
        except ConfigError as exc:
            return [problem.path for problem in exc.problems]

    assert found({"x": [1, 2], "y": ["", [3]]}) == []
    assert found({"x": 1}) == []
    assert found({"x": ["1"]}) == [f"{CALL}.arguments.at[0]"]
    assert found({"y": [[3]]}) == [f"{CALL}.arguments.at[0]"]


def test_a_tool_with_arbitrary_arguments_accepts_any_call():
    for parameters in (
        {"type": "object", "additionalProperties": True},
        {"type": "object", "patternProperties": {"^x": {"type": "string"}}},
    ):
        text = suite(case(expect=expect(("open", {"x1": ["v"]}))), tools=[tool("open", parameters=parameters)])
        assert warnings(text) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"category": "irrelevance"}, "cases[0].expect: must expect no calls in a case of category 'irrelevance'"),
        ({"category": "clarification"}, "cases[0].expect: must expect no calls in a case of category 'clarification'"),
        ({"category": "clarification", "expect": {"any_call": True}}, "cases[0].expect: must expect no calls"),
        ({"category": "irrelevance", "expect": {"failed_calls": 1}}, "cases[0].expect: must expect no calls"),
        ({"expect": {}}, "cases[0].expect: must expect a call in a case of category 'single'"),
        ({"expect": RIGHT | {"any_call": True}}, "cases[0].expect.any_call: must not be set with 'turns'"),
        ({"tools": []}, "cases[0].tools: offers no tool"),
        ({"tools": ["weather", "weather"]}, "cases[0].tools[1]: 'weather' is named twice"),
        ({"expect": expect(("wether", {}))}, f"{CALL}.tool: the suite has no tool 'wether'; did you mean 'weather'?"),
    ],
)
def test_a_contradictory_case_is_reported(changes: dict[str, Any], problem: str):
    assert str(problems(suite(case(**changes)))[0]).startswith(problem)


ONE = ("weather", {"city": ["Paris"]})
OTHER = ("forecast", {"city": ["Paris"]})


@pytest.mark.parametrize(
    ("category", "expectation", "tools", "warning"),
    [
        ("single", expect(ONE), ["weather", "forecast"], "'single' offers one tool"),
        ("single", expect(ONE, ONE), ["weather"], "'single' wants one call"),
        ("choice", expect(ONE, ONE), None, "'choice' wants one call"),
        ("choice", expect(ONE), ["weather"], "'choice' offers several tools"),
        ("parallel", expect(ONE), None, "'parallel' wants several calls of one tool"),
        ("parallel", expect(ONE, OTHER), None, "'parallel' wants several calls of one tool"),
        ("parallel_choice", expect(ONE, ONE), None, "'parallel_choice' wants calls of several tools"),
        ("multi_turn", expect(ONE), None, "'multi_turn' wants several turns"),
        ("error_recovery", expect(ONE), None, "'error_recovery' allows a call to fail: 'failed_calls'"),
    ],
)
def test_a_category_not_covered_by_its_calls_is_a_warning(category: str, expectation: Json, tools: Json, warning: str):
    text = suite(case(category=category, expect=expectation, tools=tools), tools=[tool(), tool("forecast")])

    assert warnings(text) == [f"cases[0].category: {warning}"]


def test_any_call_is_valid_in_a_category_of_calls():
    assert warnings(suite(case(category="choice", expect={"any_call": True}))) == []


def test_built_in_suites_are_found_by_name_and_parsed_once():
    assert list(built_in_suites()) == ["default"]
    assert built_in_suites() is built_in_suites()


def test_the_default_suite_is_valid_by_its_schema():
    schema: Any = json.loads(suite_schema())
    Draft202012Validator.check_schema(schema)
    validator: Any = Draft202012Validator(schema)
    body = built_in_suites()["default"].model_dump(mode="json", exclude_defaults=True)

    assert [error.message for error in validator.iter_errors(body)] == []
    assert Suite.model_validate(body).model_dump() == built_in_suites()["default"].model_dump()


def test_the_reference_solution_uses_the_first_accepted_values():
    arguments: dict[str, tuple[Json, ...]] = {
        "a": ("x", "y"),
        "b": ("",),
        "c": ("", 1),
        "d": ({"e": [1, 2], "f": ["", 3], "g": "h", "i": [[4]], "j": []},),
        "k": ([{"l": [5]}],),
        "m": (),
    }

    assert reference_arguments(ExpectedCall(tool="t", arguments=arguments)) == {
        "a": "x",
        "d": {"e": 1, "g": "h", "i": [4]},
        "k": [{"l": 5}],
    }
    (one,) = load_suite(suite()).cases
    assert reference_turns(one) == ((ReferenceCall("weather", {"city": "Paris"}),),)


def test_the_documented_example_is_valid():
    text = (Path(__file__).parents[3] / "docs" / "writing-cases.md").read_text("utf-8")

    found = load_suite(text.partition("```json\n")[2].partition("```")[0])

    assert (found.name, len(found.cases), check_suite(found)) == ("shop", 2, ())


def test_the_documentation_has_the_number_of_default_cases():
    text = (Path(__file__).parents[3] / "docs" / "writing-cases.md").read_text("utf-8")

    assert f"with {len(built_in_suites()['default'].cases)} cases in nine categories" in " ".join(text.split())
