"""`flexchat tools import`: definitions of http tools from OpenAPI documents and from curl."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.lazy import command_group
from cli.options import JsonOption, print_json
from cli.terminal import confirm, prompt

if TYPE_CHECKING:
    from cli.tool_import.document import Document
    from cli.tool_import.openapi import Operation
    from cli.tool_import.report import ImportReport

app = command_group("Import definitions of http tools from an OpenAPI document or a curl command.")

Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="The configuration file to add the tools to. [default: standard output]"),
]
Replace = Annotated[bool, typer.Option("--replace", help="Replace tools of the same name in the file.")]


@app.command()
def openapi(
    source: Annotated[str, typer.Argument(metavar="FILE|URL", help="An OpenAPI 2.0, 3.0 or 3.1 document.")],
    *,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="An operation's id, or 'GET /path', with * for any text; repeatable."),
    ] = None,
    server: Annotated[str | None, typer.Option(help="The address of the API, in place of the document's.")] = None,
    output: Output = None,
    replace: Replace = False,
    interactive: Annotated[bool, typer.Option("--interactive", "-i", help="Choose the operations.")] = False,
    allow_loopback: Annotated[
        bool, typer.Option("--allow-loopback", help="Download from this machine, also without TLS.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a tool for each operation, and a report of what is left out.

    Exit code 1 when no tool is imported, or one named by --only is left out.
    """
    from cli.tool_import.openapi import import_operations, operations

    document = _document(source, allow_loopback=allow_loopback)
    found = operations(document)
    selected = _selected(found, only, source) if only else found
    if interactive:
        selected = _chosen(selected)
    with _progress(2 * len(selected), quiet=as_json) as advance:
        report = import_operations(document, selected, server=server, deprecated=bool(only), advance=advance)
    _write(report, output, replace=replace, as_json=as_json, all_wanted=bool(only))


@app.command()
def curl(
    line: Annotated[str, typer.Argument(metavar="LINE", help="The command, in quotation marks; - for standard input.")],
    *,
    name: Annotated[str | None, typer.Option(help="The tool's name. [default: method and path]")] = None,
    description: Annotated[str | None, typer.Option(help="The tool's description, for the model.")] = None,
    output: Output = None,
    replace: Replace = False,
    as_json: JsonOption = False,
) -> None:
    """Write the tool of a curl command: its values become parameters, its secrets references.

    A shell keeps the command in its history; standard input does not.
    """
    from cli.tool_import.curl import import_curl
    from cli.tool_import.report import ImportReport

    text = sys.stdin.read() if line == "-" else line
    tool = import_curl(text, name=name, description=description)
    _write(ImportReport((tool,)), output, replace=replace, as_json=as_json, all_wanted=True)


def _document(source: str, *, allow_loopback: bool) -> "Document":
    from cli.files import file_error, reason
    from cli.tool_import.document import MAX_DOCUMENT_BYTES, read_document

    if source.startswith(("http://", "https://")):
        from cli.tool_import.download import download

        content, address = download(source, allow_loopback=allow_loopback)
        return read_document(content, name=source.partition("?")[0], base_url=address)
    path = Path(source)
    try:
        with path.open("rb") as file:
            content = file.read(MAX_DOCUMENT_BYTES + 1)
    except OSError as exc:
        raise file_error(path, reason(exc)) from exc
    return read_document(content, name=source)


def _selected(found: "tuple[Operation, ...]", only: list[str], source: str) -> "tuple[Operation, ...]":
    """Return the operations that a pattern of `only` matches. Raises UnknownNameError for one that matches none."""
    from cli.errors import unknown

    for pattern in only:
        if not any(operation.is_selected((pattern,)) for operation in found):
            raise unknown("operation", pattern, [operation.label for operation in found], where=source)
    return tuple(operation for operation in found if operation.is_selected(only))


def _chosen(found: "tuple[Operation, ...]") -> "tuple[Operation, ...]":
    """Return the operations chosen at the terminal: a filter, then a question for each match."""
    if not sys.stdin.isatty():
        raise typer.BadParameter("needs a terminal; name the operations with --only", param_hint="--interactive")
    text = prompt(f"Filter {len(found)} operations by a part of their name or path", default="", err=True)
    wanted = [each for each in found if text.lower() in f"{each.label} {each.route} {each.summary}".lower()]
    if not wanted:
        raise typer.BadParameter(f"no operation has {text!r}", param_hint="--interactive")
    if len(wanted) > 1 and confirm(f"Import all {len(wanted)}?", default=False, err=True):
        return tuple(wanted)
    return tuple(
        each for each in wanted if confirm(f"{each.route}  {each.label}: {each.summary}", default=False, err=True)
    )


@contextmanager
def _progress(total: int, *, quiet: bool) -> Generator[Callable[[], object]]:
    """Yield a function that advances a progress bar on standard error if it is a terminal."""
    from rich.progress import Progress

    from cli.console import Console

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=quiet or not console.is_terminal) as bars:
        task = bars.add_task("Importing", total=total)
        yield lambda: bars.advance(task)


def _write(report: "ImportReport", output: Path | None, *, replace: bool, as_json: bool, all_wanted: bool) -> None:
    if output is not None:
        from cli.tool_import.configuration_file import add_to_file

        report = add_to_file(output, report, replace=replace)
    if as_json:
        print_json(report.as_json())
    else:
        from cli.console import Console
        from cli.render.tool_import import print_report

        if output is None:
            print_json(report.definitions)
        print_report(report, Console(stderr=output is None))
    if not report.tools or (all_wanted and report.left_out):
        raise typer.Exit(1)
