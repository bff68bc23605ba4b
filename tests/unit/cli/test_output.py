"""Output of commands passes one filter: no module prints, or creates a console, in another way."""

import ast
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import rich.console
from rich.progress import Progress, TextColumn
from rich.table import Table

from cli.console import Console, Folded, Text
from cli.layout import Layout
from cli.terminal import GuardedStream, echo, guard_streams, json_text, visible_text
from tests.unit.cli.hostile import HOSTILE, OWN_STYLES, verify_printed

ROOT = Layout.here().root
OUTPUT = {ROOT / "cli" / "terminal.py", ROOT / "cli" / "console.py"}
"""Modules of the output itself."""

LAUNCHED = {ROOT / "dev" / "local_stack" / folder for folder in ("launcher", "recorder")}
"""Folders of programs that run in processes of the local stack, whose output is a log."""

MODULES = sorted(
    path
    for folder in ("cli", "dev/local_stack")
    for path in (ROOT / folder).rglob("*.py")
    if path not in OUTPUT and path.parent not in LAUNCHED
)

FOREIGN = {
    *("rich.print", "rich.get_console", "rich.print_json", "rich.console.Console", "rich.text.Text", "rich.markup"),
    *("rich.prompt", "rich.pretty", "rich.traceback", "rich.logging", "rich.syntax", "rich.markdown", "pprint"),
    *("typer.echo", "typer.secho", "typer.style", "typer.confirm", "typer.prompt", "typer.echo_via_pager", "click"),
    *("sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__", "logging", "warnings", "getpass"),
}
"""Ways to print that the filter does not see, or sees too late."""

ALLOWED = {
    "cli/commands/chat.py": {"sys.stdout.isatty"},
    "cli/commands/mcp/serve.py": {"sys.stdout.buffer", "sys.stderr"},  # a protocol; its diagnostics pass the filter
}


def other_ways(source: str) -> set[str]:
    """Return the ways to print in a module, apart from those of `cli.terminal` and `cli.console`."""
    tree = ast.parse(source)
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return {
        name
        for node in ast.walk(tree)
        if id(node) not in inner
        for name in names(node)
        if name in ("print", "os.write") or any(f"{name}.".startswith(f"{way}.") for way in FOREIGN)
    }


def names(node: ast.AST) -> Iterator[str]:
    """Yield the full names that a node uses or imports."""
    match node:
        case ast.Call(func=ast.Name(id="print")):
            yield "print"
        case ast.Attribute():
            yield ast.unparse(node)
        case ast.Import():
            yield from (alias.name for alias in node.names)
        case ast.ImportFrom(module=str(module)):
            yield from (f"{module}.{alias.name}" for alias in node.names)
        case _:
            pass


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_prints_by_the_filtered_output_alone(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()

    assert other_ways(path.read_text(encoding="utf-8")) == ALLOWED.get(name, set())


@pytest.mark.parametrize(
    ("source", "ways"),
    [
        ("print(1)", {"print"}),
        ("import sys\nsys.stdout.write('x')", {"sys.stdout.write"}),
        ("from sys import stderr", {"sys.stderr"}),
        ("from rich.console import Console, Group", {"rich.console.Console"}),
        ("import rich.console\nrich.console.Console()", {"rich.console.Console"}),
        ("from rich import print", {"rich.print"}),
        ("import typer\ntyper.echo('x')", {"typer.echo"}),
        ("from typer import secho", {"typer.secho"}),
        ("from rich.text import Text", {"rich.text.Text"}),
        ("import logging", {"logging"}),
        ("import os\nos.write(1, b'x')", {"os.write"}),
        ("from cli.console import Console\nConsole().print('x')", set[str]()),
    ],
)
def test_other_ways_to_print_are_found(source: str, ways: set[str]) -> None:
    assert other_ways(source) == ways


class Opaque:
    """A renderable that yields segments of its own, with a link in their style."""

    def __rich_console__(self, console: rich.console.Console, options: object) -> Iterator[object]:
        from rich.segment import Segment
        from rich.style import Style

        yield Segment(HOSTILE, Style(bold=True, link="https://evil.example"))


def printed(*renderables: object, **options: Any) -> str:
    output = StringIO()
    console = Console(file=output, width=4000)
    for renderable in renderables:
        console.print(renderable, **options)
    return output.getvalue()


def table(cell: "str | Text") -> Table:
    made = Table(box=None, title=HOSTILE, caption=HOSTILE)
    made.add_column(HOSTILE, footer=HOSTILE)
    made.add_row(cell)
    return made


@pytest.mark.parametrize(
    "renderable",
    [HOSTILE, Text(HOSTILE), table(HOSTILE), table(Text(HOSTILE)), Folded(HOSTILE), Opaque(), {"a": [HOSTILE]}],
    ids=["text", "Text", "table of texts", "table of Texts", "folded", "segments", "object"],
)
@pytest.mark.parametrize("options", [{}, {"markup": True, "emoji": True}], ids=["", "markup"])
def test_nothing_that_a_console_prints_controls_the_terminal(
    renderable: object, options: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")

    shown = printed(renderable, **options)

    verify_printed(shown, styled=True)
    assert "[link=https://evil.example]x[/link]" in shown


def test_our_own_styles_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")

    assert printed(Text.assemble(("✓", "green"), " ", Text("a\x1b[0m", style="bold"))) == (
        "\x1b[32m✓\x1b[0m \x1b[1ma⟨U+001B⟩[0m\x1b[0m\n"
    )


def test_a_progress_bar_prints_no_control_character_of_a_description(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    output = StringIO()

    with Progress(TextColumn("{task.description}", markup=False), console=Console(file=output, width=4000)) as bars:
        bars.update(bars.add_task(HOSTILE, total=1), advance=1)

    verify_printed(output.getvalue(), styled=True)
    assert "evil.example" in output.getvalue()


def test_standard_streams_are_guarded_once(capsys: pytest.CaptureFixture[str]) -> None:
    guard_streams()
    guarded = sys.stdout
    guard_streams()

    sys.stdout.write(f"{HOSTILE}\n")
    sys.stderr.write("a\x1b[2J\r\nb")
    sys.stdout.flush()

    assert isinstance(guarded, GuardedStream)
    assert sys.stdout is guarded
    out, err = capsys.readouterr()
    verify_printed(out)
    assert err == "a⟨U+001B⟩[2J\nb"


def test_a_console_prints_its_styles_to_a_guarded_stream(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    guard_streams()

    Console().print(Text("a\x1bb", style="bold"))

    assert capsys.readouterr().out == "\x1b[1ma⟨U+001B⟩b\x1b[0m\n"


@pytest.mark.parametrize(("terminal", "printed"), [(True, "\x1b[31ma⟨U+001B⟩[0m\x1b[0m\n"), (False, "a⟨U+001B⟩[0m\n")])
def test_a_colour_is_for_a_terminal(
    terminal: bool, printed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    echo("a\x1b[0m", err=True, colour="red")

    assert capsys.readouterr().err == printed


def test_line_breaks_of_windows_are_line_breaks_and_a_lone_carriage_return_is_visible() -> None:
    assert visible_text("a\r\nb\rc") == "a\nb⟨U+000D⟩c"


def test_json_is_escaped_where_a_text_would_be_replaced() -> None:
    assert json_text({"a\u202e": "\U000e0041é"}) == '{\n  "a\\u202e": "\\udb40\\udc41é"\n}'


def folded(text: str, *, width: int, terminal: bool, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("TERM", "xterm")
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    output = StringIO()
    Console(file=output, width=width).print(Folded(text), soft_wrap=True)
    return OWN_STYLES.sub("", output.getvalue()).splitlines()


def test_a_folded_line_keeps_every_character_and_marks_its_further_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "+ a  b" + " " * 30 + "- c"

    rows = folded(text, width=20, terminal=True, monkeypatch=monkeypatch)

    assert [row[:5] for row in rows] == ["    +", *["    ↪"] * (len(rows) - 1)]
    assert "".join(row[4:].removeprefix("↪") for row in rows) == text
    assert max(map(len, rows)) <= 20


def test_wide_characters_are_folded_by_their_width(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = folded("+" + "读" * 20, width=20, terminal=True, monkeypatch=monkeypatch)

    assert "".join(row[4:].removeprefix("↪") for row in rows) == "+" + "读" * 20
    assert max(map(len, rows)) <= 12


def test_a_line_is_not_folded_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    assert folded("+ " + "a " * 100, width=20, terminal=False, monkeypatch=monkeypatch) == ["    + " + "a " * 100]
