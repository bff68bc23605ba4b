"""Commands of the parser of `flexchat`."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from typer.core import TyperGroup

from cli.main import COMMANDS

PLAIN_LISTS = frozenset({"sessions search", "usage", "validate status"})
"""Commands that print a row for each of several things, beside those whose help begins with "List"."""


@cache
def commands() -> dict[str, Any]:
    """Return every command without subcommands by its words, and each group that is a command itself."""
    return {path: command for each in COMMANDS for path, command in _below(each.name, each.load())}


def _below(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(command, TyperGroup) or command.invoke_without_command:
        yield path, command
    if isinstance(command, TyperGroup):
        for name, subcommand in command.commands.items():
            yield from _below(f"{path} {name}", subcommand)


def lists(*, of_a_stage: bool) -> frozenset[str]:
    """Return the commands that list things, either of a stage by the AWS account, or of a service by its API."""
    found = {path: command for path, command in commands().items() if _is_list(path, command)}
    return frozenset(path for path, command in found.items() if _has_stage(command) == of_a_stage)


def _is_list(path: str, command: Any) -> bool:
    return path in PLAIN_LISTS or path.split()[-1] == "list" or (command.help or "").startswith("List ")


def _has_stage(command: Any) -> bool:
    return any("--stage" in parameter.opts for parameter in command.params)


def required_words(path: str, value: str) -> list[str]:
    """Return `value` for each required argument and option of a command, apart from the stage."""
    words: list[str] = []
    for parameter in commands()[path].params:
        if parameter.required and parameter.name != "stage":
            words += [value] if parameter.param_type_name == "argument" else [parameter.opts[0], value]
    return words
