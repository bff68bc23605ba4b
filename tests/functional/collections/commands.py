"""Runs of `flexchat collections`."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from cli.commands.collections import commands as collections_commands

FILES = Path(__file__).parents[2] / "data" / "documents"
NAMES = ["bees.md", "bridges.jsonl", "clock.txt", "deliveries.pdf", "elements.json", "tides.html"]


def run(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(collections_commands.app, [str(argument) for argument in arguments], input=given)


def done(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    result = run(*arguments, given=given)
    assert result.exit_code == 0, result.output
    return result


def json_output(*arguments: str | Path, given: str | bytes | None = None) -> Any:
    return json.loads(done(*arguments, "--json", given=given).stdout)


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
