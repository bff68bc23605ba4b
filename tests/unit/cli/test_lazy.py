"""Commands are loaded when they are named, and only then."""

import json
import subprocess
import sys
from typing import Any

import pytest

from cli.lazy import LazyCommand, lazy_app
from cli.main import COMMANDS
from tests.unit.cli.typed import Flexchat

LOADED = """
import json, sys
from cli.main import main
sys.argv = ["flexchat", *json.loads(sys.argv[1])]
try:
    main()
except SystemExit:
    print(json.dumps(sorted({"numpy", "botocore", "httpx", "regex"} & sys.modules.keys())))
"""


@pytest.mark.parametrize("words", [["--help"], ["no-such-command"]])
def test_the_overview_loads_no_command(words: list[str]) -> None:
    command = [sys.executable, "-c", LOADED, json.dumps(words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (nobody else's input)

    assert json.loads(done.stdout.splitlines()[-1]) == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_overview_says_of_a_command_what_it_says_of_itself(command: LazyCommand) -> None:
    loaded: Any = command.load()

    assert loaded.name == command.name
    assert " ".join(loaded.help.split()).startswith(command.help.rstrip("."))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_says_how_it_is_used(command: LazyCommand, flexchat: Flexchat) -> None:
    code, printed, _ = flexchat.type(command.name, "--help", options=())

    assert code == 0
    assert f"Usage: flexchat {command.name} " in printed
    assert "install-completion" not in printed


def test_a_mistyped_command_is_told_the_nearest(flexchat: Flexchat) -> None:
    code, _, errors = flexchat.type("sesions", options=())

    assert code == 2
    assert "No such command 'sesions'. Did you mean 'sessions'?" in errors


def test_a_module_that_is_not_there_is_not_missed_until_it_is_named() -> None:
    gone = LazyCommand("gone", "cli.no_such_module", "Never loaded.")
    app = lazy_app([gone, LazyCommand("lost", "cli.nor_this", "Nor this.")], help="Overview.")

    with pytest.raises(SystemExit, match="0"):
        app(["--help"])
    with pytest.raises(ModuleNotFoundError):
        app(["gone"])
