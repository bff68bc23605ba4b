"""Commands in the documents, compared with the `flexchat` command and the Makefile."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import pytest
from typer import BadParameter, Exit
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cli.main import COMMANDS
from flexchat.errors import FlexchatError
from tests.documents import ROOT, code_blocks, code_spans, documents, words_of

LOADED = {command.name: command for command in COMMANDS}
TARGETS = set(re.findall(r"^\.PHONY: (\S+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def commands(path: Path, program: str) -> Iterator[str]:
    """Yield the commands of `program` in a document's code blocks and inline code, without a prompt."""
    texts = [command for block in code_blocks(path) if block.language != "json" for command in block.commands()]
    for text in (*texts, *code_spans(path)):
        command = text.removeprefix("$ ")
        if command.startswith(f"{program} "):
            yield command


def parts(command: str) -> list[str]:
    """Return the arguments of a command after the program."""
    try:
        return words_of(command)[1:]
    except ValueError:
        return command.split()[1:]


def problem(command: str) -> str | None:
    """Return the problems of command and option names; values are not checked."""
    name, *words = parts(command.partition(" -- ")[0])
    if name in ("…", "--help", "--version"):
        return None
    if name not in LOADED:
        return f"no command {name!r}"
    current = LOADED[name].load()
    while isinstance(current, TyperGroup) and words and not words[0].startswith(("-", "…")):
        found = current.commands.get(words[0])
        if found is None:
            return f"no command {words[0]!r}"
        current, words = found, words[1:]
    existing = {option for parameter in current.params for option in parameter.opts} | {"--help"}
    unknown = [word for word in words if re.match(r"--?[a-z]", word) and word.partition("=")[0] not in existing]
    return f"no option {unknown[0]!r}" if unknown else None


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_flexchat_command_of_a_document_exists(path: Path) -> None:
    assert {command: found for command in commands(path, "flexchat") if (found := problem(command))} == {}


def usage_error(command: str) -> str | None:
    """Return the error of the arguments of a whole command, without running it; values are not checked.

    An option that is missing may come from the environment.
    """
    name, *words = parts(command)
    if name not in LOADED:
        return None
    current: Any = LOADED[name].load()
    while isinstance(current, TyperGroup) and words and words[0] in current.commands:
        current, words = current.commands[words[0]], words[1:]
    try:
        with patch.dict(os.environ):  # an option of a stage configures it for a local stack that runs
            current.make_context(name, words).close()
    except BadParameter:
        return None
    except TyperException as error:
        return cast("Any", error).format_message()
    except (Exit, FlexchatError):  # of --help, and of a default that needs a local stack
        return None
    return None


def is_whole(command: str) -> bool:
    """Return whether a command of a code block has neither placeholders nor other programs."""
    return not re.search(r"…|\.\.\.|[|><;&\[\]]|\b(?:NAME|FILE|ID|URL)\b", command)


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_whole_flexchat_command_of_a_document_has_the_right_arguments(path: Path) -> None:
    blocks = [command for block in code_blocks(path) if block.language != "json" for command in block.commands()]
    named = [text.removeprefix("$ ") for text in blocks]
    found = {each: usage_error(each) for each in named if each.startswith("flexchat ") and is_whole(each)}

    assert {command: error for command, error in found.items() if error is not None} == {}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("flexchat config push config/mine.json --stage prod", "Got unexpected extra argument(s) (config/mine.json)"),
        ("flexchat config push -f config/mine.json --stage prod", None),
        ("flexchat config push", None),
    ],
)
def test_a_usage_error_is_reported(command: str, expected: str | None) -> None:
    assert usage_error(command) == expected


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_make_target_of_a_document_exists(path: Path) -> None:
    named = {word for command in commands(path, "make") for word in parts(command) if re.fullmatch(r"[a-z-]+", word)}

    assert named - TARGETS == set()


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_test_path_of_a_document_exists(path: Path) -> None:
    named = {word for command in commands(path, "pytest") for word in parts(command) if word.startswith("tests/")}

    assert {word for word in named if not list(ROOT.glob(word))} == set()


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_documents_call_flexchat_from_the_path(path: Path) -> None:
    texts = [block.text for block in code_blocks(path)]

    assert [text for text in (*texts, *code_spans(path)) if ".venv/bin/flexchat " in text] == []


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("flexchat chat hello --json", None),
        ("flexchat tools list # the tools", None),
        ("flexchat config push --stage …", None),
        ("flexchat dance", "no command 'dance'"),
        ("flexchat config dance", "no command 'dance'"),
        ("flexchat chat hello --loud", "no option '--loud'"),
    ],
)
def test_a_wrong_command_is_reported(command: str, expected: str | None) -> None:
    assert problem(command) == expected
