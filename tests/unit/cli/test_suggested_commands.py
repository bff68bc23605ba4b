"""Commands that texts of the code suggest, parsed by the parsers of the `flexchat` command."""

import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.documents import ROOT
from tests.suggested_commands import EXPRESSION, NAMES, make_problem, parse_problem

SOURCES = ("cli", "dev", "functions", "layers/common/src/flexchat", "scripts")
WORDS = {"options": "--model EXPRESSION"}
"""Expressions of a command that are more than one word, by the name of their variable."""
NO_COMMANDS = {
    "flexchat demo model",
    "flexchat deploy",
    "flexchat mcp serve: EXPRESSION",
    "flexchat resume token",
    "flexchat validation EXPRESSION",
}
"""Strings that begin like a command: names, purposes, a prefix of messages."""
PAGE_COMMAND = re.compile(
    r"`(PROGRAM [a-z][^`]*)`|\"(PROGRAM [a-z][^\"]*)\"|“(PROGRAM [a-z][^”]*)”|<code>(PROGRAM [a-z][^<]*)<"
)
"""A command of a program in a script of the page: a template, a string, a quotation, an element."""


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the modules that may suggest commands; most do not, and each takes 20 ms to parse and walk."""
    paths = [path for source in SOURCES for path in sorted((ROOT / source).rglob("*.py"))]
    read = {path: path.read_text(encoding="utf-8") for path in paths}
    return {path: ast.parse(text) for path, text in read.items() if re.search(r"(flexchat|make)[( ]", text)}


def docstrings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def texts(tree: ast.AST) -> Iterator[str]:
    """Return the strings of a module without docstrings, with a placeholder for each expression."""
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
    return WORDS.get(expression.id, EXPRESSION) if isinstance(expression, ast.Name) else EXPRESSION


def spans(text: str, program: str) -> Iterator[str]:
    """Yield the commands in a text's backticks."""
    yield from (span for span in text.split("`")[1::2] if span.startswith(f"{program} "))


def calls(tree: ast.AST, function: str) -> Iterator[str]:
    """Yield the commands that a module builds with `flexchat` or `make` of `cli.invocation`, with optional words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
            yield shlex.join([function, *(word for argument in node.args for word in _words(argument))])


def _words(argument: ast.expr) -> Iterator[str]:
    match argument:
        case ast.Starred(value=ast.IfExp(body=ast.List(elts=optional))):
            yield from (word for each in optional for word in _words(each))
        case ast.JoinedStr(values=pieces):
            yield "".join(map(_piece, pieces))
        case ast.Constant(value=str(word)):
            yield word
        case _:
            assert not isinstance(argument, ast.Starred), ast.unparse(argument)
            yield EXPRESSION


def suggestions() -> Iterator[tuple[str, str]]:
    for path, tree in trees().items():
        place = str(path.relative_to(ROOT))
        found = {span for text in texts(tree) for span in spans(text, "flexchat")}
        whole = {text for text in texts(tree) if re.match(r"flexchat (?=[a-z])", text)} - NO_COMMANDS
        for command in sorted({*found, *whole, *calls(tree, "flexchat")}):
            yield place, command


def mentions() -> Iterator[tuple[str, str]]:
    """Yield the commands in the docstrings of modules, in comments of the template, and in configurations."""
    for path, tree in trees().items():
        for span in {span for text in docstrings(tree) for span in spans(text, "flexchat")}:
            yield str(path.relative_to(ROOT)), span
    for path in (
        ROOT / "template.yaml",
        *sorted((ROOT / "config").rglob("*.json")),
        *sorted(ROOT.glob("events/*.json")),
    ):
        for span in {*spans(path.read_text(encoding="utf-8"), "flexchat")}:
            yield str(path.relative_to(ROOT)), span


def made() -> Iterator[tuple[str, str]]:
    """Yield each `make` command of a module, with its docstrings."""
    for path, tree in trees().items():
        found = {span for text in (*texts(tree), *docstrings(tree)) for span in spans(text, "make")}
        own = {call for call in calls(tree, "make") if EXPRESSION not in call.split()[1]}
        for command in sorted({*found, *own}):
            yield str(path.relative_to(ROOT)), command


def on_the_page(program: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of the page's scripts."""
    sources = ROOT / "functions" / "page" / "src"
    for path in sorted(sources.rglob("*.js")):
        if "vendor" not in path.parts:
            text = path.read_text(encoding="utf-8")
            for groups in re.findall(PAGE_COMMAND.pattern.replace("PROGRAM", program), text):
                yield path.name, re.sub(r"\$\{[^}]*\}", EXPRESSION, "".join(groups))


SUGGESTIONS = sorted({*suggestions(), *on_the_page("flexchat")})
MADE = sorted({*made(), *on_the_page("make")})


def test_commands_are_suggested_in_many_source_files() -> None:
    assert {path.split("/")[0] for path, _ in SUGGESTIONS if "/" in path} == {"cli", "dev", "functions", "layers"}
    assert {path for path, _ in SUGGESTIONS if path.endswith(".js")} >= {"sign-in.js", "results.js", "use-uploads.js"}
    assert len(SUGGESTIONS) > 60
    assert len(MADE) > 20


@pytest.mark.parametrize(("path", "suggestion"), SUGGESTIONS)
def test_a_suggested_command_is_valid(path: str, suggestion: str) -> None:
    assert parse_problem(shlex.split(suggestion)[1:]) is None


def test_a_suggestion_to_read_log_lines_names_the_stage() -> None:
    """Without it, the command reads those of the local stack."""
    logs = [suggestion for _, suggestion in SUGGESTIONS if suggestion.startswith("flexchat logs ")]

    assert len(logs) > 3
    assert [command for command in logs if "--stage" not in command] == []


@pytest.mark.parametrize(("path", "mention"), sorted(set(mentions())))
def test_a_command_in_a_docstring_exists(path: str, mention: str) -> None:
    assert parse_problem(shlex.split(mention)[1:], whole=False) is None


@pytest.mark.parametrize(("path", "command"), MADE)
def test_a_suggested_target_exists(path: str, command: str) -> None:
    assert make_problem(shlex.split(command)[1:]) is None


def test_commands_in_sentences_are_in_backticks() -> None:
    """Others are neither parsed here nor printed in the form that runs in the current directory."""
    first = "|".join(sorted(NAMES))
    bare = [
        (path.name, text)
        for path, tree in trees().items()
        for text in texts(tree)
        if re.search(rf"(?<=[\w.,;:] )flexchat ({first}) ", "".join(text.split("`")[::2]))
    ]

    assert bare == []


def test_every_command_of_the_page_is_delimited() -> None:
    sources = ROOT / "functions" / "page" / "src"
    texts = [path.read_text(encoding="utf-8") for path in sources.rglob("*.js") if "vendor" not in path.parts]

    assert sum(len(re.findall(r"\bflexchat [a-z]", text)) for text in texts) == len(list(on_the_page("flexchat")))
