"""The code of `docs/adding-a-tool.md`, run as a reader would write it."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import functions.tools
from cli.config_check.check import check_source
from flexchat.aws.clients import dynamodb
from functions.tools.types import TOOL_TYPES
from tests.aws import aws_client, emulated_aws
from tests.documents import ROOT, CodeBlock, code_blocks
from tests.template.transform import TEMPLATE, Transformed, transform

GUIDE = ROOT / "docs" / "adding-a-tool.md"
HANDLER = "Add a tool to the type `builtin`"
TYPE = "Add a tool type"
MODULES = ("implementation", "record", "app")


def blocks(section: str, language: str) -> list[CodeBlock]:
    return [block for block in code_blocks(GUIDE) if section in block.headings and block.language == language]


def test_the_handler_of_the_guide_works() -> None:
    handler, _place = [block.text for block in blocks(HANDLER, "python")]
    module: dict[str, Any] = {}

    exec(compile(handler, "dice.py", "exec"), module)  # noqa: S102 # the code of our own guide

    def highest(sides: int) -> int:
        return sides

    dice = module["Dice"](roll=highest)
    assert dice({"count": 3}) == {"rolls": [6, 6, 6]}
    assert dice({}) == {"rolls": [6]}


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Any]:
    """The package `functions.tools.record` of the guide, on an empty DynamoDB."""
    package = tmp_path / "record"
    package.mkdir()
    (package / "__init__.py").touch()
    for name, block in zip(MODULES, _code()[:3], strict=True):
        (package / f"{name}.py").write_text(block.text, encoding="utf-8")
    monkeypatch.setattr(functions.tools, "__path__", [*functions.tools.__path__, str(tmp_path)])
    monkeypatch.setattr(functions.tools, "record", None, raising=False)  # removed again with the test
    dynamodb.cache_clear()
    with emulated_aws(monkeypatch):
        yield importlib.import_module("functions.tools.record.app")
    dynamodb.cache_clear()
    for name in [name for name in sys.modules if name.startswith("functions.tools.record")]:
        del sys.modules[name]


def _code() -> list[CodeBlock]:
    """The three modules of the type, its row of the table, and its sample."""
    return blocks(TYPE, "python")


@pytest.mark.slow
def test_the_type_of_the_guide_in_a_temporary_tree_passes_the_contract_suite(tmp_path: Path) -> None:
    """Only its folder, its row and its sample are added."""
    tree = linked_tree(tmp_path / "tree")
    package = tree / "functions" / "tools" / "record"
    package.mkdir()
    (package / "__init__.py").touch()
    *modules, row, sample = _code()
    for name, block in zip(MODULES, modules, strict=True):
        (package / f"{name}.py").write_text(block.text, encoding="utf-8")
    table = tree / "functions" / "tools" / "types.py"
    table.write_text(with_row(table.read_text(encoding="utf-8"), row.text), encoding="utf-8")
    (tree / "tests" / "contract" / "tools" / "record.py").write_text(sample.text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "record", "-m", ""]
    environment = {**os.environ, "PYTHONPATH": f"{tree}:{tree}/layers/common/src"}

    ran = subprocess.run(  # noqa: S603
        [*command, "tests/contract/test_tool_lambdas.py"],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout
    assert re.search(r"[4-9]\d passed", ran.stdout)


def linked_tree(tree: Path) -> Path:
    """A tree of the sources, all but the changed folders as links."""
    changed = ("functions/tools", "tests/contract/tools")
    for folder in ("", "functions", "functions/tools", "tests", "tests/contract", "tests/contract/tools"):
        (tree / folder).mkdir(parents=True, exist_ok=True)
        for source in (ROOT / folder).iterdir():
            target = tree / folder / source.name
            if source.name.startswith(".") or source.name == "__pycache__" or target.exists():
                continue
            path = str(source.relative_to(ROOT))
            if any(place == path or place.startswith(f"{path}/") for place in changed):
                continue
            if path == "functions/tools/types.py":
                shutil.copy(source, target)
            else:
                target.symlink_to(source)
    return tree


def with_row(table: str, block: str) -> str:
    """The table with the function and the row of the guide."""
    function, row = block.split("TOOL_TYPES", maxsplit=1)
    line = next(line for line in row.splitlines() if line.strip().startswith('"record"'))
    head, tail = table.split("TOOL_TYPES: Final[Mapping[str, ToolType]] = {\n", maxsplit=1)
    return f"{head}{function.strip()}\n\n\nTOOL_TYPES: Final[Mapping[str, ToolType]] = {{\n{line}\n{tail}"


def entry() -> dict[str, Any]:
    [block] = blocks(TYPE, "json")
    return json.loads(block.text)


def call(**arguments: Any) -> dict[str, Any]:
    return {
        "tool": entry()["name"],
        "arguments": arguments,
        "implementation": entry()["implementation"],
        "call_id": "call_1",
        "idempotency_key": "request-1:call_1",
        "request_id": "request-1",
        "timeout_ms": 30_000,
    }


def fault(reply: dict[str, Any]) -> tuple[str, str]:
    return reply["error"]["type"], reply["error"]["message"]


def test_the_function_of_the_guide_answers_calls(record: Any) -> None:
    table, by = entry()["implementation"]["table"], entry()["implementation"]["by"]
    client = aws_client("dynamodb")
    missing_table = record.lambda_handler(call(number="A-17"))
    client.create_table(
        TableName=table,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": by, "AttributeType": "S"}],
        KeySchema=[{"AttributeName": by, "KeyType": "HASH"}],
    )
    client.put_item(
        TableName=table,
        Item={by: {"S": "A-17"}, "state": {"S": "in transit"}, "total": {"N": "59.9"}, "paid": {"BOOL": True}},
    )

    assert record.lambda_handler(call(number="A-17"))["result"] == {
        "number": "A-17",
        "state": "in transit",
        "total": 59.9,
        "paid": True,
    }
    assert fault(record.lambda_handler(call(number="B-1"))) == (
        "execution_failed",
        "There is no record with number 'B-1'",
    )
    assert fault(record.lambda_handler(call())) == ("invalid_arguments", "number must be a text that is not empty")
    assert fault(missing_table) == ("configuration", "The table of the records cannot be read")


def test_the_configuration_of_the_guides_type_has_no_problems(record: Any) -> None:
    implementation = sys.modules["functions.tools.record.implementation"].Implementation
    types = {"record": replace(TOOL_TYPES["mock"], implementation=lambda: implementation)}
    source = json.loads((ROOT / "config" / "flexchat.json").read_text(encoding="utf-8"))
    source["tools"]["registry"] = [entry()]
    source["responses"] = [{"name": "any", "llm": "openai", "model": "gpt-4o", "tools": {"enabled": True}}]

    _, problems = check_source(source, types)

    assert [problem for problem in problems if problem.path.startswith("tools")] == []


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Transformed:
    """The template with the resources of the guide."""
    [block] = blocks(TYPE, "yaml")
    template = tmp_path_factory.mktemp("stack") / "template.yaml"
    template.write_text(TEMPLATE.read_text(encoding="utf-8").replace("\nOutputs:\n", f"\n{block.text}\nOutputs:\n"))
    return transform(template)


def test_the_resources_of_the_guide_are_those_of_a_tool_type(stack: Transformed) -> None:
    text = json.dumps(stack.resources)
    mock = {name: resource for name, resource in stack.resources.items() if name.startswith("MockTool")}
    expected = json.loads(json.dumps(mock).replace("MockTool", "RecordTool").replace("tool-mock", "tool-record"))
    names = {name: resource["Type"] for name, resource in stack.resources.items() if name.startswith("RecordTool")}

    assert "RecordToolFunctionAliaslive" in text
    assert sorted(names.values()) == sorted(resource["Type"] for resource in expected.values())
    assert stack.properties("RecordToolLogGroup") == expected["RecordToolLogGroup"]["Properties"]
    assert _without_code(stack.properties("RecordToolFunction")) == {
        **_without_code(expected["RecordToolFunction"]["Properties"]),
        "MemorySize": 512,
    }
    [version] = [name for name, kind in names.items() if kind == "AWS::Lambda::Version"]
    [like] = [resource for resource in expected.values() if resource["Type"] == "AWS::Lambda::Version"]
    assert stack.properties(version) == like["Properties"]
    assert stack.resources[version]["DeletionPolicy"] == like["DeletionPolicy"]
    assert [statement["Sid"] for statement in stack.statements("RecordToolFunctionRole")] == [
        "DenyLogGroupCreation",
        "ReadRecords",
    ]


def _without_code(properties: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if key not in ("Description", "Handler")}


def test_the_tables_of_the_guide_name_files_that_exist() -> None:
    created = {"events/record-tool.json", "tests/contract/tools/record.py"}
    text = GUIDE.read_text(encoding="utf-8")
    rows = [line for line in text[text.index(f"## {TYPE}") :].splitlines() if line.startswith("| `")]
    named = {span for row in rows for span in row.split(" | ")[0].split("`")[1::2] if "/" in span}

    assert {path for path in named - created if not (ROOT / path).exists()} == set()
    assert len(named) >= 8
