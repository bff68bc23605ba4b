"""Suites in the CLI: checked, stored, drafted, imported."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from flexchat.validation.suites import load_suite
from tests.unit.cli.command_runner import Flexchat, SentRequest

TOOL: dict[str, Any] = {
    "name": "get_weather",
    "description": "Get the weather of a city",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "The city"}},
        "required": ["city"],
    },
    "implementation": {"type": "mock", "mock_response": {"condition": "sunny"}},
}
SUITE: dict[str, Any] = {
    "name": "mine",
    "tools": [TOOL],
    "cases": [
        {
            "id": "oslo",
            "category": "single",
            "message": "Weather in Oslo?",
            "expect": {"turns": [{"calls": [{"tool": "get_weather", "arguments": {"city": ["Oslo"]}}]}]},
        }
    ],
}
LISTED: dict[str, Any] = {"name": "mine", "description": "Ours [all]", "cases": 1, "categories": {"single": 1}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(SUITE))
    return path


def test_suites_are_listed(flexchat: Flexchat) -> None:
    default = LISTED | {"name": "default", "built_in": True, "cases": 75}
    own = LISTED | {"built_in": False, "updated_at": "2026-11-22T10:04:59Z"}
    service = flexchat.serve({"suites": [default, own]})

    printed = flexchat.type("validate", "suites", "list")[1]

    assert printed == (
        "NAME     CASES  CATEGORIES  CHANGED           DESCRIPTION\n"
        "default     75  1           built in          Ours [all]\n"
        "mine         1  1           2026-11-22 10:04  Ours [all]"
    )
    assert service.requests == [SentRequest("GET", "/api/validation/suites")]


def test_suites_are_listed_as_json(flexchat: Flexchat) -> None:
    flexchat.serve({"suites": []})

    assert json.loads(flexchat.type("validate", "suites", "list", "--json")[1]) == {"suites": []}


def test_a_suite_is_shown(flexchat: Flexchat) -> None:
    service = flexchat.serve(SUITE)

    assert json.loads(flexchat.type("validate", "suites", "show", "mine")[1]) == SUITE
    assert service.requests == [SentRequest("GET", "/api/validation/suites/mine")]


def test_a_suite_is_stored_under_its_own_name(flexchat: Flexchat, file: Path) -> None:
    service = flexchat.serve(LISTED)

    code, printed, _ = flexchat.type("validate", "suites", "push", str(file))

    assert (code, printed) == (0, "mine: 1 case; run it: flexchat validate run --suite mine --model LLM:MODEL")
    assert service.requests == [SentRequest("PUT", "/api/validation/suites/mine", SUITE)]


def test_an_invalid_suite_is_not_sent(flexchat: Flexchat, file: Path) -> None:
    file.write_text(json.dumps(SUITE | {"tools": [TOOL | {"name": "get_news"}]}))
    service = flexchat.serve()

    code, _, error_output = flexchat.type("validate", "suites", "push", str(file))

    assert (code, service.requests) == (1, [])
    assert "get_weather" in error_output


def test_a_suite_is_deleted_after_confirmation(flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch) -> None:
    service = flexchat.serve((204, None), (204, None))

    assert flexchat.type("validate", "suites", "delete", "mine", "--yes")[:2] == (0, "mine is deleted")
    monkeypatch.setattr("sys.stdin", StringIO("n\n"))
    assert flexchat.type("validate", "suites", "delete", "mine")[0] == 1
    monkeypatch.setattr("sys.stdin", StringIO("y\n"))
    assert flexchat.type("validate", "suites", "delete", "mine")[0] == 0
    assert service.requests == [SentRequest("DELETE", "/api/validation/suites/mine")] * 2


def test_a_valid_suite_has_no_problems(flexchat: Flexchat, file: Path) -> None:
    code, printed, error_output = flexchat.type("validate", "check", str(file), options=())

    assert (code, printed.replace("\n", ""), error_output) == (0, f"{file}: 1 case with 1 tool", "")


def test_all_problems_of_a_suite_are_reported(flexchat: Flexchat, file: Path) -> None:
    broken = SUITE | {"tools": [TOOL | {"name": "get_news"}], "surplus": 1}
    file.write_text(json.dumps(broken))

    code, printed, error_output = flexchat.type("validate", "check", str(file), options=())

    assert (code, printed) == (1, "")
    assert len(error_output.splitlines()) >= 2
    assert all(line.startswith("error: ") for line in error_output.splitlines())
    assert "surplus" in error_output


def test_a_file_that_is_not_json_is_reported(flexchat: Flexchat, file: Path) -> None:
    file.write_text("{")

    code, _, error_output = flexchat.type("validate", "check", str(file), options=())

    assert code == 1
    assert error_output == f"error: {file}: not valid JSON: a name in double quotes is missing at line 1 column 2"


def test_cases_are_drafted_for_a_configured_tool(flexchat: Flexchat, tmp_path: Path) -> None:
    config, out = tmp_path / "config.json", tmp_path / "draft.json"
    config.write_text(json.dumps({"tools": {"enabled": True, "registry": [TOOL, TOOL | {"name": "other"}]}}))

    code, printed, _ = flexchat.type(
        "validate", "draft", "get_weather", "--config", str(config), "--out", str(out), options=()
    )

    drafted = load_suite(out.read_bytes())
    assert code == 0
    assert drafted.name == "draft-get-weather"
    assert [tool.name for tool in drafted.tools] == ["get_weather", "other"]
    assert f"{len(drafted.cases)} cases; check it after editing" in printed


def test_no_case_is_drafted_for_an_unconfigured_tool(flexchat: Flexchat, tmp_path: Path) -> None:
    config, out = tmp_path / "config.json", tmp_path / "draft.json"
    config.write_text("{}")

    code, _, error_output = flexchat.type("validate", "draft", "nothing", "-c", str(config), "-o", str(out), options=())

    assert (code, error_output) == (1, f"{config} has no tool 'nothing'; it has: none")
    assert not out.exists()


def bfcl(folder: Path) -> Path:
    """Folder with one category of two cases; the second contradicts its own schema."""
    (folder / "possible_answer").mkdir(parents=True)
    function = {
        "name": "area",
        "description": "The area of a square",
        "parameters": {
            "type": "dict",
            "properties": {"side": {"type": "integer", "description": "The side"}},
            "required": ["side"],
        },
    }
    questions = [
        {"id": f"simple_{number}", "question": [[{"role": "user", "content": f"Side {side}?"}]], "function": [function]}
        for number, side in enumerate((3, "x"))
    ]
    answers: list[dict[str, Any]] = [
        {"id": "simple_0", "ground_truth": [{"area": {"side": [3]}}]},
        {"id": "simple_1", "ground_truth": [{"area": {"side": ["x"]}}]},
    ]
    lines = {"BFCL_v4_simple_python.json": questions, "possible_answer/BFCL_v4_simple_python.json": answers}
    for name, rows in lines.items():
        (folder / name).write_text("\n".join(map(json.dumps, rows)))
    return folder


@pytest.mark.parametrize("options", [(), ("--category", "simple_python")])
def test_a_bfcl_file_is_imported(options: tuple[str, ...], flexchat: Flexchat, tmp_path: Path) -> None:
    out = tmp_path / "suite.json"

    arguments = ("validate", "import-bfcl", str(bfcl(tmp_path / "bfcl")), "--out", str(out), *options)
    code, _, error_output = flexchat.type(*arguments, options=())

    assert code == 0
    assert [case.message for case in load_suite(out.read_bytes()).cases] == ["Side 3?"]
    assert error_output.startswith("left out simple_1: ")


def test_unknown_bfcl_categories_are_reported(flexchat: Flexchat, tmp_path: Path) -> None:
    folder, out = bfcl(tmp_path / "bfcl"), tmp_path / "suite.json"

    arguments = ("validate", "import-bfcl", str(folder), "--out", str(out), "--category", "java")
    code, _, error_output = flexchat.type(*arguments, options=())

    assert code == 1
    assert "java" in error_output
    assert not out.exists()
