"""Imports fit the limits of a configuration: 4,096 bytes after gzip for an entry, 1 MiB for a file."""

import random
from pathlib import Path
from typing import Any

import pytest

from cli.configuration import checked, read_file
from cli.console import Console
from cli.render.tool_import import print_report
from cli.tool_import.configuration_file import add_to_file
from cli.tool_import.report import ImportReport
from flexchat.config.encoding import PARAMETER_LIMIT, encode, text_of
from flexchat.json import MAX_BYTES
from tests.unit.cli.tool_import.documents import only_reason, only_tool, post, properties, report

RANDOM = random.Random(1)  # noqa: S311


def noise(size: int) -> str:
    """Return a text that gzip cannot shorten by more than a third."""
    return "".join(RANDOM.choices("abcdefghijklmnopqrstuvwxyz ABCDEFGHIJ0123456789", k=size))


def fields(count: int, *, text: int) -> dict[str, Any]:
    """Return a body with `count` fields, each described in `text` characters."""
    properties = {f"field_{number}": {"type": "string", "description": noise(text)} for number in range(count)}
    return {"type": "object", "properties": properties, "required": ["field_0"]}


@pytest.mark.parametrize(("count", "text", "kept"), [(20, 290, 100), (40, 290, 30)])
def test_descriptions_are_shortened_until_an_entry_fits(count: int, text: int, kept: int) -> None:
    tool = only_tool(post(fields(count, text=text), description=noise(900)))

    assert len(encode(text_of(tool.definition))) <= PARAMETER_LIMIT
    assert set(properties(tool)) == {f"field_{number}" for number in range(count)}
    assert max(len(each["description"]) for each in properties(tool).values()) <= kept
    assert tool.notes == (
        f"descriptions are cut to {kept} characters: an entry of the configuration has at most 4096 bytes after gzip",
    )


def test_an_entry_that_fits_keeps_its_descriptions() -> None:
    tool = only_tool(post(fields(5, text=290)))

    assert (tool.notes, min(len(each["description"]) for each in properties(tool).values()) > 280) == ((), True)


def test_nested_schemas_are_cut_if_shorter_descriptions_are_not_enough() -> None:
    deep = {f"{noise(30).replace(' ', '_')}{number}": {"type": "string"} for number in range(150)}
    inner = {"type": "object", "properties": {"inner": {"type": "object", "properties": deep}}}
    tool = only_tool(post({"type": "object", "properties": {"outer": inner}}))

    assert properties(tool) == {"outer": {"type": "object", "properties": {"inner": {"type": "object"}}}}
    assert tool.notes[0] == "'outer': schemas below 1 level are cut"


def test_an_operation_that_does_not_fit_is_left_out_with_its_size() -> None:
    names = {f"{noise(30).replace(' ', '_')}{number}": {"type": "string"} for number in range(200)}
    reason = only_reason(post({"type": "object", "properties": names}))

    assert reason.startswith("has ")
    assert reason.endswith(
        " bytes after gzip, at most 4096 are accepted, also without its longer descriptions and nested schemas"
    )


def large(count: int) -> ImportReport:
    """Return a report of `count` tools with 3 KB each."""
    return report({f"/items{number}": {"post": post(fields(8, text=280))["/items"]["post"]} for number in range(count)})


def test_a_file_that_would_be_too_large_has_each_tool_on_one_line(tmp_path: Path) -> None:
    found = large(330)
    written = add_to_file(tmp_path / "a.json", found, replace=False)

    assert written.left_out == ()
    text = (tmp_path / "a.json").read_text()
    assert sum(line.startswith('      {"name":"') for line in text.splitlines()) == 330
    assert read_file(tmp_path / "a.json")["tools"] == {"enabled": True, "registry": written.definitions}


def test_tools_beyond_the_size_of_a_file_are_left_out_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    found = large(450)
    written = add_to_file(path, found, replace=False)

    assert 0 < len(written.left_out) < 120
    assert [tool.name for tool in (*found.tools[: len(written.tools)],)] == [tool.name for tool in written.tools]
    assert {each.operation for each in written.left_out} == {
        tool.operation for tool in found.tools[len(written.tools) :]
    }
    assert written.left_out[0].reason == (
        f"{path} would have more than {MAX_BYTES} bytes; choose fewer operations with --only"
    )
    assert MAX_BYTES - 8_192 < path.stat().st_size < MAX_BYTES
    assert [problem for problem in checked(read_file(path))[1] if problem.severity == "error"] == []


def test_a_full_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    add_to_file(path, large(450), replace=False)
    before = path.read_bytes()
    written = add_to_file(path, report(post(fields(30, text=50))), replace=False)

    assert (written.tools, len(written.left_out)) == ((), 1)
    assert path.read_bytes() == before


def test_one_loss_of_many_tools_is_one_row_of_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    body = post({"type": "object", "properties": {"a": {}}, "required": ["z"]})["/items"]["post"]
    paths = {f"/a{number}": {"post": {**body, "operationId": f"op{number}"}} for number in range(6)}
    print_report(report(paths), Console(width=200))

    rows = [line for line in capsys.readouterr().out.splitlines() if "'z'" in line]
    assert [row.split("  ")[0] for row in rows] == ["op0 and 5 more"]
