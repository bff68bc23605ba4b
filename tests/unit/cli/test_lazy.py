"""Lazy imports of commands."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

import pytest

from cli.layout import Layout
from cli.lazy import LazyCommand, lazy_app
from cli.main import COMMANDS
from tests.unit.cli.command_runner import Flexchat

HEAVY = {
    *(
        "aws_lambda_powertools",
        "boto3",
        "botocore",
        "flexchat.config.models.configuration",
        "httpx2",
        "jsonschema",
        "numpy",
        "openai",
    ),
    *("pydantic", "regex", "rich", "typer"),
}
AWS = {"boto3", "botocore"}

TYPERS_OWN = {"pydantic", "typer"}
"""Typer reads arguments with pydantic."""

LOADED = """
import json, sys
from cli.main import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["flexchat", *words]
    try:
        main()
    except SystemExit:
        pass
print()
print(json.dumps(sorted(sys.modules)))
"""


NO_STACK = pytest.mark.skipif(Layout.here().state.exists(), reason="a local stack runs, whose health is then asked")


def loaded(*commands: Sequence[str]) -> set[str]:
    """The heavy modules that a fresh process has loaded after it ran `commands`."""
    return heavy_modules(LOADED, json.dumps(commands))


def heavy_modules(script: str, *arguments: str) -> set[str]:
    """The heavy modules in the last line that `script` prints, in a fresh process."""
    process = [sys.executable, "-c", script, *arguments]
    # Without a region no request is sent: the command ends where its clients are created.
    environ = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environ |= {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}
    done = subprocess.run(process, capture_output=True, text=True, check=True, env=environ)  # noqa: S603 (own input)
    return HEAVY & set(json.loads(done.stdout.splitlines()[-1]))


def helps(command: Any, command_line: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """`--help` of a command and of all commands below it."""
    yield (*command_line, "--help")
    for name, below in getattr(command, "commands", {}).items():
        yield from helps(below, (*command_line, name))


def test_the_overview_the_version_and_a_mistyped_name_import_no_command() -> None:
    assert loaded(["--help"], ["--version"]) == set()
    assert loaded(["no-such-command"]) <= TYPERS_OWN


@pytest.mark.slow
def test_no_help_text_imports_clients_tables_or_schemas() -> None:
    pages = [page for command in COMMANDS for page in helps(command.load(), (command.name,))]

    assert len(pages) > 50
    assert loaded(*pages) <= {"flexchat.config.models.configuration", "pydantic", "regex", "typer"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command_line", "needed"),
    [
        (["config", "check"], {"flexchat.config.models.configuration", "jsonschema"}),
        (
            ["tools", "show", "calculate", "-p", "openai"],
            {"flexchat.config.models.configuration", "jsonschema", "rich"},
        ),
        (["tools", "list", "--url", "http://127.0.0.1:9", "--token", "t"], {"httpx2", "rich"}),
        (["chat", "Hi", "--url", "http://127.0.0.1:9", "--token", "t"], {"httpx2", "rich"}),
        (["traces", "--url", "http://127.0.0.1:9", "--token", "t"], {"httpx2"}),
        (["trace", "r", "--url", "http://127.0.0.1:9", "--token", "t"], {"httpx2"}),
        (["logs", "--stage", "dev"], AWS | {"rich"}),
        (["tokens", "list", "--stage", "dev"], AWS),
        (["secrets", "list", "--stage", "dev"], AWS | {"flexchat.config.models.configuration"}),
        (["config", "diff", "--stage", "dev"], AWS | {"flexchat.config.models.configuration"}),
        (
            ["config", "push", "--stage", "dev"],
            AWS | {"aws_lambda_powertools", "flexchat.config.models.configuration", "jsonschema", "regex"},
        ),
        (
            ["collections", "list", "--stage", "dev"],
            AWS | {"aws_lambda_powertools", "flexchat.config.models.configuration", "regex"},
        ),
        pytest.param(["local", "status"], {"rich"}, marks=NO_STACK),
    ],
    ids=[
        *(
            "config check",
            "tools show",
            "tools list",
            "chat",
            "traces",
            "trace",
            "logs",
            "tokens list",
            "secrets list",
            "config diff",
            "config push",
        ),
        *("collections list", "local status"),
    ],
)
def test_a_command_imports_only_its_dependencies(command_line: list[str], needed: set[str]) -> None:
    assert loaded(command_line) <= needed | TYPERS_OWN


@pytest.mark.slow
@pytest.mark.parametrize(
    ("modules", "needed"),
    [
        ("cli.application, cli.render.tools, cli.render.models", {"rich"}),
        (
            "cli.application, dev.local_stack.push",
            AWS | {"flexchat.config.models.configuration", "rich"},
        ),
    ],
    ids=["tables of tools and models", "push to the local stack"],
)
def test_output_after_a_request_imports_only_its_dependencies(modules: str, needed: set[str]) -> None:
    script = f"import json, sys, {modules}; print(json.dumps(sorted(sys.modules)))"

    assert heavy_modules(script) <= needed | TYPERS_OWN


@pytest.mark.parametrize("columns", [80, 60])
def test_the_overview_equals_the_help_formatted_by_typer(columns: int, flexchat: Flexchat) -> None:
    printed = flexchat.type("--help", options=(), columns=columns)

    formatted = flexchat.type("--help", "--help", options=(), columns=columns)  # not answered without typer
    assert printed == formatted


def test_the_version_is_that_of_the_package(flexchat: Flexchat) -> None:
    assert flexchat.type("--version", options=()) == (0, f"flexchat {version('flexchat-service')}", "")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_overview_has_the_summary_of_each_command(command: LazyCommand) -> None:
    loaded: Any = command.load()

    assert loaded.name == command.name
    assert " ".join(loaded.help.split()).startswith(command.help.rstrip("."))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help(command: LazyCommand, flexchat: Flexchat) -> None:
    code, printed, _ = flexchat.type(command.name, "--help", options=())

    assert code == 0
    assert f"Usage: flexchat {command.name} " in printed
    assert "install-completion" not in printed


def test_a_mistyped_command_gets_the_nearest_as_a_suggestion(flexchat: Flexchat) -> None:
    code, _, errors = flexchat.type("sesions", options=())

    assert code == 2
    assert "No such command 'sesions'. Did you mean 'sessions'?" in errors


def test_a_missing_module_is_an_error_only_on_use() -> None:
    missing = LazyCommand("gone", "cli.no_such_module", "Never loaded.")
    app = lazy_app([missing, LazyCommand("lost", "cli.nor_this", "Nor this.")], help="Overview.")

    with pytest.raises(SystemExit, match="0"):
        app(["--help"])
    with pytest.raises(ModuleNotFoundError):
        app(["gone"])
