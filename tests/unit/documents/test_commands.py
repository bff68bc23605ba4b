"""Commands in the documents, parsed by the parsers of the `flexchat` command and compared with the Makefile."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.documents import ROOT, code_blocks, code_spans, documents, words_of
from tests.suggested_commands import make_problem, parse_problem


def block_commands(path: Path, program: str) -> Iterator[str]:
    """Yield the commands of `program` in a document's code blocks, without a prompt."""
    texts = [command for block in code_blocks(path) if block.language != "json" for command in block.commands()]
    yield from _of(program, texts)


def sentence_commands(path: Path, program: str) -> Iterator[str]:
    """Yield the commands of `program` in a document's inline code."""
    yield from _of(program, code_spans(path))


def _of(program: str, texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        command = text.removeprefix("$ ")
        if command.startswith(f"{program} "):
            yield command


def commands(path: Path, program: str) -> Iterator[str]:
    yield from block_commands(path, program)
    yield from sentence_commands(path, program)


def client_commands(path: Path) -> Iterator[list[str]]:
    """Yield the arguments of `flexchat` in the configurations of MCP clients in a document."""
    for block in code_blocks(path):
        if block.language == "json" and '"mcpServers"' in block.text:
            for server in json.loads(block.text)["mcpServers"].values():
                if Path(server.get("command", "")).name == "flexchat":
                    yield server["args"]


def parts(command: str) -> list[str]:
    """Return the arguments of a command after the program."""
    try:
        return words_of(command)[1:]
    except ValueError:
        return command.split()[1:]


def problem(command: str, *, whole: bool = True) -> str | None:
    """Return the parser's error of a `flexchat` command; see `parse_problem`."""
    return parse_problem(parts(command), whole=whole)


def is_mention(command: str) -> bool:
    """Return whether a text is the name of a command or a group, such as `flexchat config push`."""
    return re.fullmatch(r"flexchat( [a-z][a-z-]*)+", command) is not None


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_flexchat_command_of_a_block_is_parsed(path: Path) -> None:
    found = {command: problem(command) for command in block_commands(path, "flexchat")}

    assert {command: error for command, error in found.items() if error is not None} == {}


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_flexchat_command_in_a_sentence_is_parsed(path: Path) -> None:
    found = {
        command: problem(command, whole=not is_mention(command)) for command in sentence_commands(path, "flexchat")
    }

    assert {command: error for command, error in found.items() if error is not None} == {}


def test_every_command_of_an_mcp_client_is_parsed() -> None:
    found = [(path.name, words) for path in documents() for words in client_commands(path)]

    assert found
    assert [(name, error) for name, words in found if (error := parse_problem(words)) is not None] == []


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_every_make_command_of_a_document_has_targets_variables_and_arguments_that_exist(path: Path) -> None:
    found = {command: make_problem(parts(command)) for command in commands(path, "make")}

    assert {command: error for command, error in found.items() if error is not None} == {}


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
        ("flexchat config push -f config/mine.json --stage prod", None),
        ("flexchat config rollback VERSION --stage STAGE", None),
        ("flexchat mcp add files -- node server.js --verbose", None),
        ("flexchat dance", "no command 'dance'"),
        ("flexchat config dance", "No such command 'dance'."),
        ("flexchat config", "'config' is a group of commands"),
        ("flexchat config push", "Missing option '--stage' (env var: 'FLEXCHAT_STAGE')."),
        ("flexchat chat hello --loud", "No such option: --loud (Possible options: --model)"),
        (
            "flexchat config push config/mine.json --stage prod",
            "Got unexpected extra argument(s) (config/mine.json)",
        ),
        (
            "flexchat usage --by week",
            "Invalid value for '--by': Value error, 'week' is not one of 'day', 'caller', 'model', 'tool', 'rule'.",
        ),
        ("flexchat usage --by GROUP", None),
    ],
)
def test_a_wrong_command_is_reported(command: str, expected: str | None) -> None:
    assert problem(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("flexchat config push", None),
        ("flexchat secrets", None),
        ("flexchat secrets stor", "No such command 'stor'."),
    ],
)
def test_a_mention_names_a_command_that_exists(command: str, expected: str | None) -> None:
    assert is_mention(command)
    assert problem(command, whole=False) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("make check test", None),
        ('make deploy STAGE=prod CONFIG=config/mine.json ARGS="--yes --token-name ci"', None),
        ("make deplo", "no target 'deplo'"),
        ("make deploy STAG=prod", "no variable 'STAG'"),
        ("make deploy ARGS=--really", "No such option: --really"),
        ("make down ARGS=--delete-data", None),
    ],
)
def test_a_wrong_make_command_is_reported(command: str, expected: str | None) -> None:
    assert make_problem(parts(command)) == expected
