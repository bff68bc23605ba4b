"""Every command that lists things of a stage prints them whole in a pipe."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.application import application
from cli.main import COMMANDS
from tests.aws import aws_client, create_table
from tests.command_tree import lists
from tests.functional.config.commands import STAGE, config, secrets, write
from tests.unit.config.sources import rule, source

LONG = f"long-{'0123456789' * 5}-end"
SECRET = f"LONG_{'0123456789' * 5}_END"


def run(*words: str) -> Result:
    result = CliRunner().invoke(application(COMMANDS, help="", version=lambda: ""), [*words, "--stage", STAGE])
    assert result.exit_code == 0, result.output
    return result


def push(folder: Path) -> None:
    write(folder / "c.json", source(responses=[rule(name=LONG)]))
    assert config("push", "--stage", STAGE, "--file", folder / "c.json", "--comment", LONG).exit_code == 0


def fill_collection(folder: Path) -> None:
    document = folder / f"{LONG}.md"
    document.write_text("Bees dance.", encoding="utf-8")
    run("collections", "create", LONG, "--description", LONG)
    run("collections", "add", LONG, str(document))


def create_token(_folder: Path) -> None:
    create_table(aws_client("dynamodb"), f"flexchat-{STAGE}-tokens", "id")
    run("tokens", "create", "--name", LONG)


def store_secret(_folder: Path) -> None:
    secrets("set", SECRET, "--stage", STAGE, "--host", f"{LONG}.example.com", value="long-enough")


def change_rule(folder: Path) -> None:
    push(folder)
    write(folder / "c.json", source(responses=[rule(name=LONG, prompt="Be warm.")]))


SCENARIOS: Mapping[str, tuple[Callable[[Path], None], tuple[str, ...], tuple[str, ...]]] = {
    "collections list": (fill_collection, (), (LONG,)),
    "collections documents list": (fill_collection, (LONG,), (f"{LONG}.md",)),
    "config diff": (change_rule, ("--file", "c.json"), (LONG,)),
    "config history": (push, (), (LONG,)),
    "secrets list": (store_secret, (), (SECRET, f"{LONG}.example.com")),
    "tokens list": (create_token, (), (LONG,)),
}
"""For each command: what the stage has, the arguments, and the texts that are printed."""


def test_every_list_of_the_parser_has_a_scenario() -> None:
    assert lists(of_a_stage=True) == SCENARIOS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(SCENARIOS))
def test_a_list_of_a_stage_is_whole_in_a_pipe(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare, arguments, texts = SCENARIOS[command]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    prepare(tmp_path)

    printed = run(*command.split(), *arguments).stdout

    assert [text for text in texts if text not in printed] == []
