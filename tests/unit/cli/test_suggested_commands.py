"""Suggested commands in messages exist, with valid options and arguments."""

import ast
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.main import COMMANDS

ROOT = Path(__file__).parents[3]
SOURCES = ("cli", "dev", "functions", "layers/common/src/flexchat")
OPTIONS = {"options": "--model x", "create": "flexchat tokens create --stage x --name x"}
"""Values of template pieces that have more than one word."""
STARTS = ("`flexchat ", "`{", "flexchat(")
"""Prefix of every suggested command."""


def texts(tree: ast.AST) -> Iterator[str]:
    """Return the strings of a module without docstrings, with `x` in place of each expression."""
    nodes = list(ast.walk(tree))
    inside = {id(value) for node in nodes if isinstance(node, ast.JoinedStr) for value in node.values}
    inside |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield "".join(map(_piece, node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


def _piece(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return str(value.value)
    expression = value.value if isinstance(value, ast.FormattedValue) else value
    return OPTIONS.get(expression.id, "x") if isinstance(expression, ast.Name) else "x"


def calls(tree: ast.AST) -> Iterator[str]:
    """Return the commands that a module builds with `cli.invocation.flexchat`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "flexchat":
            yield shlex.join(str(word.value) if isinstance(word, ast.Constant) else "x" for word in node.args)


def suggestions() -> Iterator[tuple[str, str]]:
    for source in SOURCES:
        for path in sorted((ROOT / source).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if not any(start in text for start in STARTS):  # most modules, each of which takes 20 ms to parse and walk
                continue
            tree = ast.parse(text)
            spans = [span for text in texts(tree) for span in text.split("`")[1::2]]
            found = {span.removeprefix("flexchat ") for span in spans if span.startswith("flexchat ")}
            for command in sorted({*found, *calls(tree)}):
                yield str(path.relative_to(ROOT)), command


SUGGESTIONS = sorted(set(suggestions()))


def command_of(command_line: list[str]) -> tuple[Any, list[str]]:
    """Return the command that `words` name, and the remaining words."""
    first, *rest = command_line
    command = next(each for each in COMMANDS if each.name == first).load()
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest[0]]
        rest = rest[1:]
    return command, rest


def test_commands_are_suggested_in_many_source_files() -> None:
    assert {path.split("/")[0] for path, _ in SUGGESTIONS} == {"cli", "dev", "functions", "layers"}
    assert len(SUGGESTIONS) > 20


@pytest.mark.parametrize(("path", "suggestion"), SUGGESTIONS)
def test_a_suggested_command_is_valid(path: str, suggestion: str) -> None:
    command, rest = command_of(shlex.split(suggestion))

    is_group = bool(getattr(command, "commands", None)) and not command.invoke_without_command
    assert not is_group, f"{suggestion} is a group"
    by_option = {name: each for each in command.params if each.param_type_name == "option" for name in each.opts}
    given, positional = set[str](), 0
    while rest:
        word, *rest = rest
        if not word.startswith("-"):
            positional += 1
            continue
        assert word in by_option, f"no option {word}"
        given.add(by_option[word].name)
        rest = rest if by_option[word].is_flag else rest[1:]
    required = [each for each in command.params if each.required]
    assert {each.name for each in required if each.param_type_name == "option"} <= given
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    assert sum(each.required for each in arguments) <= positional <= len(arguments)
