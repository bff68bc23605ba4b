"""Commands that texts suggest to people: `flexchat` commands, parsed by its parsers without running them, and targets
of the Makefile with their variables."""

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, cast, get_args
from unittest.mock import patch

from typer import BadParameter, Exit
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cli.main import COMMANDS
from flexchat.errors import FlexchatError
from tests.documents import ROOT

NAMES = frozenset(command.name for command in COMMANDS)
EXPRESSION = "EXPRESSION"
"""Placeholder of an expression of the code in a command."""
PLACEHOLDER = re.compile(r"…|\{\w+\}|<[^>]+>|[A-Z][A-Z0-9_]*(?:[:=/.,@][A-Z][A-Z0-9_]*)*")
"""A value that a person or the code replaces: `NAME`, `LLM:MODEL`, `…`, `{name}`."""
SAMPLES = ("1", "sample")
"""Values of placeholders: a number, and the name of a stage or a thing."""
OF_THE_ROOT = ("--help", "--version", "…")


MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = frozenset(re.findall(r"^\.PHONY: (\S+)", MAKEFILE, re.MULTILINE))
RECIPE = re.compile(r"^(\S+):.*\n\t@?\$\(BIN\)/flexchat (.+)$", re.MULTILINE)
VARIABLE = re.compile(r"([A-Z_]+)=(.*)", re.DOTALL)


class IncompleteError(Exception):
    """Raised for a command without a required option, argument or subcommand."""


def parse_problem(words: Sequence[str], *, whole: bool = True) -> str | None:
    """Return the error of the parser for the words after `flexchat`; None for a valid command.

    A placeholder stands for a value that its option accepts. Unless `whole`, the command may be incomplete: the
    name of a group, or a command without its required options and arguments.
    """
    if not words or words[0] in OF_THE_ROOT:
        return None
    name, *arguments = words
    if name not in NAMES:
        return f"no command {name!r}"
    try:
        with patch.dict(os.environ):  # an option of a stage configures it for a local stack that runs
            os.environ.pop("FLEXCHAT_STAGE", None)
            return _problem(name, _loaded(name), arguments, parent=None)
    except IncompleteError as error:
        return str(error) if whole else None


@cache
def _loaded(name: str) -> Any:
    return next(command for command in COMMANDS if command.name == name).load()


def _problem(name: str, command: Any, arguments: list[str], *, parent: Any) -> str | None:
    try:
        with command.make_context(name, list(arguments), parent=parent) as context:
            rest: list[str] = [*context._protected_args, *context.args]  # as a group reads them itself
            if not isinstance(command, TyperGroup) or (not rest and command.invoke_without_command):
                return None
            subcommand_name, subcommand, rest = command.resolve_command(context, rest)
            return _problem(str(subcommand_name), subcommand, rest, parent=context)
    except (Exit, FlexchatError):  # of --help, and of a default that needs a local stack
        return None
    except TyperException as error:
        kind = type(error).__name__
        if kind == "NoArgsIsHelpError":
            raise IncompleteError(f"{name!r} is a group of commands") from error
        message = str(cast("Any", error).format_message())
        if kind == "MissingParameter" or message.endswith("requires an argument."):
            raise IncompleteError(message) from error
        if isinstance(error, BadParameter):
            for filled in _filled(arguments, cast("Any", error).param):
                if _problem(name, command, filled, parent=parent) is None:
                    return None
        return message


def _filled(arguments: list[str], parameter: Any) -> Iterator[list[str]]:
    """Yield the arguments with values for the placeholders of a parameter."""
    options = parameter.opts if parameter.param_type_name == "option" else ()
    is_value = [before in options if options else True for before in ["", *arguments][:-1]]
    places = [at for at, word in enumerate(arguments) if is_value[at] and PLACEHOLDER.fullmatch(word)]
    choices = get_args(parameter.type_descriptor.annotation)
    for sample in (*(each for each in choices if isinstance(each, str)), *SAMPLES) if places else ():
        yield [str(sample) if at in places else word for at, word in enumerate(arguments)]


def make_problem(words: Sequence[str]) -> str | None:
    """Return the error of the words after `make`: an unknown target or variable, or the parser's error of the
    `flexchat` command that the target runs with them."""
    variables = {match[1]: match[2] for word in words if (match := VARIABLE.fullmatch(word)) is not None}
    targets = [word for word in words if VARIABLE.fullmatch(word) is None]
    unknown = [word for word in targets if word not in TARGETS]
    unused = [name for name in variables if re.search(rf"\$\({name}\)|\$\((?:if|or) \$\({name}\)", MAKEFILE) is None]
    if unknown or unused:
        return f"no target {unknown[0]!r}" if unknown else f"no variable {unused[0]!r}"
    problems = (parse_problem(recipe) for target in targets for recipe in recipes(target, variables))
    return next((problem for problem in problems if problem is not None), None)


def recipes(target: str, variables: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the words of the `flexchat` commands that a target runs."""
    values = {"STAGE": "dev", "CONFIG_OPTION": "", "ARGS": "", **variables}
    if "CONFIG" in variables:
        values["CONFIG_OPTION"] = f"--config {shlex.quote(variables['CONFIG'])}"
    for name, recipe in RECIPE.findall(MAKEFILE):
        if name == target:
            yield shlex.split(re.sub(r"\$\((?:or \$\()?([A-Z_]+)\)(?:,\w+\))?", lambda match: values[match[1]], recipe))
