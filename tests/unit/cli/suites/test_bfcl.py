import json
from pathlib import Path
from typing import Any

import pytest

from cli.suites.bfcl import BfclFile, BfclImport, bfcl_suite, read_bfcl
from cli.suites.bfcl_tools import BfclFunction, tool_of
from flexchat.api.request import HistoryMessage
from flexchat.errors import ConfigError, Problem
from flexchat.validation.cases import Expectation, ExpectedCall, ExpectedTurn, Suite, ValidationCase
from flexchat.validation.suites import check_suite

AREA: dict[str, Any] = {
    "name": "geometry.area",
    "description": "The area of a triangle.",
    "parameters": {
        "type": "dict",
        "properties": {"base": {"type": "float"}, "unit": {"type": "string", "default": "cm"}},
        "required": ["base"],
    },
}
ANSWER = {"geometry.area": {"base": [10], "unit": ["cm", ""]}}


def question(id: str = "simple_0", *functions: Any, turns: Any = None) -> Any:
    messages = turns or [[{"role": "user", "content": "How large is it?"}]]
    return {"id": id, "question": messages, "function": [*functions]}


def answer(id: str = "simple_0", *calls: Any) -> Any:
    return {"id": id, "ground_truth": [*calls]}


def lines(*rows: Any) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def imported(questions: list[Any], answers: list[Any], category: str = "simple_python") -> BfclImport:
    return bfcl_suite("bfcl", [BfclFile(category, lines(*questions), lines(*answers))])


def only_case(questions: list[Any], answers: list[Any], category: str = "simple_python") -> ValidationCase:
    (case,) = imported(questions, answers, category).suite.cases
    return case


def reasons_of(questions: list[Any], answers: list[Any], category: str = "simple_python") -> tuple[Problem, ...]:
    """Reasons why the questions are omitted, beside one that is imported."""
    fine = question("fine", AREA)
    return imported([fine, *questions], [answer("fine", ANSWER), *answers], category).skipped


def test_a_file_becomes_a_suite() -> None:
    found = imported([question("simple_0", AREA)], [answer("simple_0", ANSWER)])
    assert found == BfclImport(
        Suite(
            name="bfcl",
            description="Berkeley Function Calling Leaderboard: simple_python",
            tools=(
                tool_of(BfclFunction.model_validate(AREA)),
            ),
            cases=(
                ValidationCase(
                    id="simple_0",
                    category="single",
                    message="How large is it?",
                    tools=("geometry.area",),
                    expect=Expectation(
                        turns=(
                            ExpectedTurn(
                                calls=(
                                    ExpectedCall(
                                        tool="geometry.area", arguments={"base": (10,), "unit": ("cm", "")}
                                    ),
                                )
                            ),
                        )
                    ),
                    max_iterations=3,
                ),
            ),
        ),
        (),
    )  # fmt: skip
    assert check_suite(found.suite) == ()


def test_types_become_json_schema_types_and_invalid_defaults_are_removed() -> None:
    source = {
        "type": "dict",
        "required": ["point"],
        "properties": {
            "point": {"type": "tuple", "items": {"type": "float"}, "default": [1.0]},
            "any": {"type": "any", "description": "Whatever.", "default": 3},
            "inner": {"type": "dict", "properties": {"x": {"type": "float", "default": 1, "optional": True}}},
            "count": {"type": "integer", "default": "None"},
            "kind": {"type": "string", "enum": ["a", "b"], "default": "c"},
            "odd": "no schema",
        },
    }
    assert tool_of(BfclFunction.model_validate({"name": "f", "parameters": source})).model_dump() == {
        **tool_of(BfclFunction(name="f")).model_dump(),
        "description": "f",
        "implementation": {"type": "mock", "mock_response": {"status": "ok", "message": "Done."}},
        "parameters": {
            "type": "object",
            "required": ["point"],
            "properties": {
                "point": {"type": "array", "items": {"type": "number"}},
                "any": {"description": "Whatever.", "default": 3},
                "inner": {"type": "object", "properties": {"x": {"type": "number", "default": 1}}},
                "count": {"type": "integer"},
                "kind": {"type": "string", "enum": ["a", "b"]},
                "odd": "no schema",
            },
        },
    }


def test_functions_with_the_same_name_get_unique_ones() -> None:
    other = {**AREA, "description": "Another one."}
    third = {**AREA, "description": "A third one."}
    taken = {**AREA, "name": "geometry.area_2"}
    names = ("a", "b", "c", "d", "e")
    functions = (AREA, taken, other, third, AREA)
    found = imported(
        [question(name, function) for name, function in zip(names, functions, strict=True)],
        [answer(name, {function["name"]: {"base": [1]}}) for name, function in zip(names, functions, strict=True)],
    )
    assert [case.tools for case in found.suite.cases] == [
        ("geometry.area",), ("geometry.area_2",), ("geometry.area_3",), ("geometry.area_4",), ("geometry.area",),
    ]  # fmt: skip
    assert [case.expect.turns[0].calls[0].tool for case in found.suite.cases] == [
        name for case in found.suite.cases for name in case.tools or ()
    ]
    assert [tool.name for tool in found.suite.tools] == [
        "geometry.area", "geometry.area_2", "geometry.area_3", "geometry.area_4",
    ]  # fmt: skip


def test_several_calls_can_be_expected_at_once() -> None:
    both = answer("simple_0", ANSWER, {"geometry.area": {"base": [5]}})
    (turn,) = only_case([question("simple_0", AREA)], [both], "parallel").expect.turns
    assert (len(turn.calls), turn.together, turn.order) == (2, True, "any")


@pytest.mark.parametrize(
    ("category", "expect"),
    [
        ("irrelevance", Expectation()),
        ("live_irrelevance", Expectation()),
        ("live_relevance", Expectation(any_call=True)),
    ],
)
def test_relevance_categories_need_no_answers(category: str, expect: Expectation) -> None:
    assert only_case([question("simple_0", AREA)], [], category).expect == expect


def test_the_system_message_precedes_the_first_user_message() -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "How large?"},
    ]
    case = only_case([question("simple_0", AREA, turns=[messages])], [answer("simple_0", ANSWER)])
    assert (case.history, case.message) == (
        (
            HistoryMessage(role="user", content="Be brief.\n\nHello."),
            HistoryMessage(role="assistant", content="Hello!"),
        ),
        "How large?",
    )


@pytest.mark.parametrize(
    ("requests", "answered", "reason"),
    [
        (question("x", AREA, turns=[[], []]), answer("x", ANSWER), "has several turns"),
        (question("x"), answer("x"), "offers no tool"),
        (question("x", AREA, AREA), answer("x", ANSWER), "offers two tools of the same name"),
        (question("x", AREA), answer("y", ANSWER), "has no answer"),
        (question("x", AREA), answer("x", {"other": {}}), "expects other, which it does not offer"),
        (
            question("x", AREA, turns=[[{"role": "system", "content": "Hi."}]]),
            answer("x", ANSWER),
            "does not end with a message of the user",
        ),
        (
            question("x", AREA),
            answer("x", {"geometry.area": {"base": ["ten"]}}),
            "'geometry.area' rejects it: base must be a number",
        ),
        (
            question("x", {"name": "f", "parameters": {"type": "dict", "required": "base"}}),
            answer("x", {"f": {}}),
            "'f': required: 'base' is not of type 'array'",
        ),
    ],
)
def test_a_case_that_cannot_run_is_skipped_with_the_reason(requests: Any, answered: Any, reason: str) -> None:
    assert reasons_of([requests], [answered]) == (Problem("x", reason),)


def test_a_suite_without_cases_is_rejected_with_the_reasons() -> None:
    with pytest.raises(ConfigError) as caught:
        imported([question("x")], [])
    assert caught.value.problems == (
        Problem("bfcl", "has no case that can run"),
        Problem("x", "offers no tool"),
    )


def test_every_line_outside_the_published_format_is_reported() -> None:
    with pytest.raises(ConfigError) as caught:
        bfcl_suite("bfcl", [BfclFile("multiple", "{}\n\nnot json\n", '{"id": "a", "ground_truth": 3}')])
    assert [problem.path for problem in caught.value.problems] == [
        "multiple: line 1",
        "multiple: line 3",
        "possible_answer/multiple: line 1",
    ]
    assert caught.value.problems[0].message == "id: Field required"
    assert caught.value.problems[1].message.startswith("Invalid JSON")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "possible_answer").mkdir()
    (tmp_path / "BFCL_v4_simple_python.json").write_text(lines(question("a", AREA)))
    (tmp_path / "possible_answer" / "BFCL_v4_simple_python.json").write_text(lines(answer("a", ANSWER)))
    (tmp_path / "BFCL_v4_irrelevance.json").write_text(lines(question("b", AREA)))
    (tmp_path / "BFCL_v4_simple_java.json").write_text("of another kind")
    (tmp_path / "README.md").write_text("Data.")
    return tmp_path


def test_a_folder_is_read_completely_or_by_category(folder: Path) -> None:
    whole, some = read_bfcl(folder).suite, read_bfcl(folder, categories=["irrelevance"]).suite
    assert (whole.name, [case.id for case in whole.cases]) == ("bfcl", ["b", "a"])
    assert (some.name, [case.id for case in some.cases]) == ("bfcl_irrelevance", ["b"])


def test_unreadable_categories_are_reported(folder: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_bfcl(folder, categories=["simple_java", "multiple", "irrelevance"])
    java, multiple = caught.value.problems
    assert java.path == "simple_java"
    assert java.message.startswith("cannot be read; simple, simple_python, multiple,")
    assert multiple == Problem("multiple", f"is not in {folder}")


def test_a_folder_without_bfcl_files_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no file BFCL_v4_<category>\.json of simple"):
        read_bfcl(tmp_path)
