"""The code of `docs/adding-a-tool.md`, executed like a reader's code."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

import functions.tools
from flexchat.config_check.check import check_source
from flexchat.tool_types import ToolType
from tests.documents import ROOT, CodeBlock, code_blocks, code_spans
from tests.template.transform import TEMPLATE, Transformed, transform

GUIDE = ROOT / "docs" / "adding-a-tool.md"
HANDLER = "Add a tool to the type `builtin`"
TYPE = "Add a tool type"
MODULES = ("implementation", "app")
RESOURCES = ("MockToolFunction", "MockToolLogGroup", "MockToolErrorsAlarm")
COSTS = "test_the_cost_of_alarms_equals_the_documented_cost"
COPIED = (
    "functions",
    "layers/common/src/flexchat",
    "template.yaml",
    "tests/contract",
    "tests/template",
    "tests/unit/snapstart",
)
"""Files of the temporary tree that are no links."""
CONTRACT = tuple(f"tests/contract/test_tool_{name}.py" for name in ("lambdas", "lambda_timeouts", "lambda_logs"))


def blocks(section: str, language: str) -> list[CodeBlock]:
    return [block for block in code_blocks(GUIDE) if section in block.headings and block.language == language]


def test_the_handler_of_the_guide_works() -> None:
    [handler] = [block.text for block in blocks(HANDLER, "python")]
    module: dict[str, Any] = {}

    exec(compile(handler, "dice.py", "exec"), module)  # noqa: S102 # the code of our own guide

    def highest(sides: int) -> int:
        return sides

    dice = module["Dice"](roll=highest)
    assert dice({"count": 3}) == {"rolls": [6, 6, 6]}
    assert dice({}) == {"rolls": [6]}


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Any]:
    """The package `functions.tools.example` of the guide."""
    write_package(tmp_path / "example")
    monkeypatch.setattr(functions.tools, "__path__", [*functions.tools.__path__, str(tmp_path)])
    monkeypatch.setattr(functions.tools, "example", None, raising=False)  # removed again with the test
    yield importlib.import_module("functions.tools.example.app")
    for name in [name for name in sys.modules if name.startswith("functions.tools.example")]:
        del sys.modules[name]


def write_package(package: Path) -> None:
    package.mkdir()
    for name in ("__init__.py", "requirements.txt"):
        (package / name).touch()
    for name, block in zip(MODULES, _code()[:2], strict=True):
        (package / f"{name}.py").write_text(block.text, encoding="utf-8")


def _code() -> list[CodeBlock]:
    """The two modules of the type, and its sample."""
    return blocks(TYPE, "python")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of the sources with the guide's type: its folder, its row, its resources and its sample."""
    root = tmp_path_factory.mktemp("tree")
    place(ROOT, root)
    *_, sample = _code()
    write_package(root / "functions" / "tools" / "example")
    table = root / "layers" / "common" / "src" / "flexchat" / "tool_types.py"
    table.write_text(with_row(table.read_text(encoding="utf-8")), encoding="utf-8")
    (root / "template.yaml").write_text(with_resources(), encoding="utf-8")
    (root / "tests" / "contract" / "tools" / "example.py").write_text(sample.text, encoding="utf-8")
    return root


def place(source: Path, target: Path) -> None:
    """Link `source`, without what is copied."""
    path = source.relative_to(ROOT).as_posix()
    if path in COPIED:
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    elif source == ROOT or any(copied.startswith(f"{path}/") for copied in COPIED):
        target.mkdir(exist_ok=True)
        for child in source.iterdir():
            if not child.name.startswith(".") and child.name != "__pycache__":
                place(child, target / child.name)
    else:
        target.symlink_to(source)


def with_row(table: str) -> str:
    """The table with the row of the guide."""
    [row] = [span for span in code_spans(GUIDE) if span.startswith('"example": ToolType(')]
    start = "TOOL_TYPES: Final[Mapping[str, ToolType]] = {\n"
    assert start in table
    return table.replace(start, f"{start}    {row}\n")


def with_resources() -> str:
    """The template with the resources of the guide: copies of those that it names, with its replacements."""
    template, guide = TEMPLATE.read_text(encoding="utf-8"), GUIDE.read_text(encoding="utf-8")
    copies = "".join(_resource(template, name) for name in RESOURCES if f"`{name}`" in guide)
    replacements = re.findall(r"`(\w+)` with `(\w+)`", guide)
    assert len(replacements) == 2
    for old, new in replacements:
        copies = copies.replace(old, new)
    return template.replace("\nOutputs:\n", f"\n{copies}\nOutputs:\n")


def _resource(template: str, name: str) -> str:
    [found] = re.findall(rf"^  {name}:\n(?:    .*\n)+", template, re.MULTILINE)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tests", "passed"),
    [
        ((*CONTRACT, "-k", "example"), 40),
        pytest.param(("tests/unit/snapstart", "-k", "example"), 1, marks=pytest.mark.slow),
        pytest.param(
            ("tests/template", "--deselect", f"tests/template/test_alarms.py::{COSTS}"), 100, marks=pytest.mark.slow
        ),
    ],
    ids=["contract", "snapshot", "template"],
)
def test_the_type_of_the_guide_in_a_temporary_tree_passes(tests: tuple[str, ...], passed: int, tree: Path) -> None:
    """Only its folder, its row, its resources and its sample are added; the cost of the alarms is in the docs."""
    environment = {**os.environ, "PYTHONPATH": f"{tree}:{tree}/layers/common/src"}

    ran = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "", *tests],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout
    [count] = re.findall(r"(\d+) passed", ran.stdout)
    assert int(count) >= passed


def test_the_chat_function_invokes_the_function_of_the_guides_type_by_its_name() -> None:
    row = ToolType(package="functions.tools.example")

    assert (row.function, row.function_name("prod")) == ("ExampleToolFunction", "flexchat-prod-tool-example:live")


def entry() -> dict[str, Any]:
    """A tool with the `implementation` of the guide."""
    [implementation] = [span for span in code_spans(GUIDE) if '"type": "example"' in span]
    return {
        "name": "miles_to_km",
        "description": "Convert miles to kilometers",
        "parameters": {"type": "object", "properties": {"value": {"type": "number"}}, "required": ["value"]},
        **json.loads(f"{{{implementation}}}"),
    }


def call(**arguments: Any) -> dict[str, Any]:
    return {
        "tool": "miles_to_km",
        "arguments": arguments,
        "implementation": entry()["implementation"],
        "call_id": "call_1",
        "idempotency_key": "request-1:call_1",
        "request_id": "request-1",
        "timeout_ms": 30_000,
    }


def fault(reply: dict[str, Any]) -> tuple[str, str]:
    return reply["error"]["type"], reply["error"]["message"]


def test_the_function_of_the_guide_answers_calls(example: Any) -> None:
    assert example.lambda_handler(call(value=100))["result"] == {"value": 160.9344, "unit": "km"}
    assert fault(example.lambda_handler(call(value="ten"))) == ("invalid_arguments", "value must be a number")


def test_the_configuration_of_the_guides_type_has_no_problems(example: Any) -> None:
    types = {"example": ToolType(package=example.__package__)}
    source = json.loads((ROOT / "config" / "flexchat.json").read_text(encoding="utf-8"))
    source["tools"]["registry"] = [entry()]
    source["responses"] = [{"name": "any", "llm": "openai", "model": "gpt-4o", "tools": {"enabled": True}}]

    _, problems = check_source(source, types)

    assert [problem for problem in problems if problem.path.startswith("tools")] == []


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Transformed:
    """The template with the resources of the guide."""
    template = tmp_path_factory.mktemp("stack") / "template.yaml"
    template.write_text(with_resources(), encoding="utf-8")
    return transform(template)


def test_the_resources_of_the_guide_are_those_of_a_tool_type(stack: Transformed) -> None:
    text = json.dumps(stack.resources)
    mock = {name: resource for name, resource in stack.resources.items() if name.startswith("MockTool")}
    expected = json.loads(json.dumps(mock).replace("MockTool", "ExampleTool").replace("tool-mock", "tool-example"))
    names = {name: resource["Type"] for name, resource in stack.resources.items() if name.startswith("ExampleTool")}

    assert "ExampleToolFunctionAliaslive" in text
    assert sorted(names.values()) == sorted(resource["Type"] for resource in expected.values())
    assert stack.properties("ExampleToolLogGroup") == expected["ExampleToolLogGroup"]["Properties"]
    assert stack.properties("ExampleToolFunction")["Handler"] == "functions.tools.example.app.lambda_handler"
    assert _without_code(stack.properties("ExampleToolFunction")) == _without_code(
        expected["ExampleToolFunction"]["Properties"]
    )
    [version] = [name for name, kind in names.items() if kind == "AWS::Lambda::Version"]
    [like] = [resource for resource in expected.values() if resource["Type"] == "AWS::Lambda::Version"]
    assert stack.properties(version) == like["Properties"]
    assert stack.resources[version]["DeletionPolicy"] == like["DeletionPolicy"]
    assert [statement["Sid"] for statement in stack.statements("ExampleToolFunctionRole")] == [
        "DenyLogGroupCreation",
        "DenyNetworkInterfaces",
    ]


def _without_code(properties: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if key not in ("Description", "Handler")}


def test_the_code_part_of_the_guide_names_files_that_exist() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:docs|functions|layers|tests)/[\w./-]+)`", text[text.index(f"## {HANDLER}") :]))
    created = {path for path in named if "example" in path}

    assert created == {"functions/tools/example/", "tests/contract/tools/example.py"}
    assert {path for path in named - created if not (ROOT / path).exists()} == set()
    assert len(named) >= 10
