"""`flexchat collections add`: documents of files into a collection."""

from collections.abc import Iterator
from copy import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from cli.collections import collections_of
from cli.commands.collections.files import Selection, read, select
from cli.files import file_error, read_json
from cli.options import JsonOption, Stage, print_json
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError
from flexchat.messages import Json
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document, Failure, Format
from functions.retrieval.ingest.records import FieldSchema

if TYPE_CHECKING:
    from rich.progress import Progress

    from functions.retrieval.collections import Collections, ImportReport

IMPORT_SECONDS = 6 * 3600.0


def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The collection's name.")],
    stage: Stage,
    paths: Annotated[
        list[str], typer.Argument(metavar="PATHS...", help="Files, directories, patterns; - for standard input.")
    ],
    format: Annotated[
        Format | None, typer.Option("--format", help="The format of all files, whatever their names.")
    ] = None,
    schema: Annotated[Path | None, typer.Option(help="For JSON: a file with the roles of the fields.")] = None,
    text_field: Annotated[list[str] | None, typer.Option(help="For JSON: a field with text, repeatable.")] = None,
    metadata_field: Annotated[
        list[str] | None, typer.Option(help="For JSON: a field with metadata, repeatable.")
    ] = None,
    id_field: Annotated[str | None, typer.Option(help="For JSON: the field with a record's id.")] = None,
    title_field: Annotated[str | None, typer.Option(help="For JSON: the field with a record's title.")] = None,
    source_field: Annotated[str | None, typer.Option(help="For JSON: the field with a record's source.")] = None,
    passage_size: Annotated[int, typer.Option(help="The most characters of a passage.")] = Chunking().size,
    overlap: Annotated[int, typer.Option(help="Characters that neighbouring passages share.")] = Chunking().overlap,
    as_json: JsonOption = False,
) -> None:
    """Add documents; unchanged ones are skipped.

    Exit code 1 when a document cannot be added.
    """
    given = {"text_fields": text_field, "metadata_fields": metadata_field, "id_field": id_field}
    given |= {"title_field": title_field, "source_field": source_field}
    fields = _schema(schema, {key: value for key, value in given.items() if value})
    chunking = _chunking(passage_size, overlap)
    selection = select(paths, any_format=format is not None, here=Path.cwd())
    with collections_of(stage) as collections, _progress(quiet=as_json) as bars:
        report = _import(
            collections,
            name,
            selection,
            fields=fields,
            format=format,
            chunking=chunking,
            bars=bars,
        )
    if as_json:
        print_json(_report_as_json(report))
    else:
        from cli.render.collections import imported

        typer.echo(imported(name, report))
        for failure in report.failed:
            typer.secho(f"  {failure.source}: {failure.reason}", fg=typer.colors.RED, err=True)
    if report.failed:
        raise typer.Exit(1)


def _import(
    collections: "Collections",
    name: str,
    selection: Selection,
    *,
    fields: FieldSchema,
    format: Format | None,
    chunking: Chunking,
    bars: "Progress",
) -> "ImportReport":
    from functions.retrieval.ingest.load import load_bounded

    reading = bars.add_task("Reading", total=len(selection.files))
    embedding = bars.add_task("Embedding", total=None, visible=False)
    writing = bars.add_task("Indexing", total=None, visible=False)

    def documents() -> Iterator[Document | Failure]:
        yield from selection.failures
        for file in selection.files:
            content = read(file, format)
            if isinstance(content, Failure):
                yield content
            else:
                yield from load_bounded(content, fields)
            bars.advance(reading)
        bars.update(writing, visible=True)

    return collections.add(
        name,
        documents(),
        deadline=Deadline.after(IMPORT_SECONDS),
        chunking=chunking,
        progress=lambda done, total: bars.update(embedding, completed=done, total=total, visible=True),
    )


def _progress(*, quiet: bool) -> "Progress":
    """Yield a callback that shows progress bars on standard error if it is a terminal; they are removed at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal)


def _schema(file: Path | None, given: dict[str, str | list[str]]) -> FieldSchema:
    """Return the schema of a file with the `given` fields in place of its own."""
    held = read_json(file) if file else {}
    if not isinstance(held, dict):
        raise file_error(Path(str(file)), "must be an object")
    try:
        return FieldSchema.model_validate({**held, **given})
    except ValidationError as exc:
        from flexchat.config.problems import problem_of

        problems = tuple(problem_of(error, FieldSchema) for error in exc.errors(include_url=False))
        named = tuple(replace(each, path=f"{file or '--schema'}: {each.path}") for each in problems)
        raise ConfigError(named) from exc


def _chunking(size: int, overlap: int) -> Chunking:
    try:
        return Chunking(size=size, overlap=overlap)
    except ValueError as exc:
        raise typer.BadParameter(str(exc), param_hint="--passage-size and --overlap") from exc


def _report_as_json(report: "ImportReport") -> Json:
    return {
        "added": report.added,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "failed": [{"source": failure.source, "reason": failure.reason} for failure in report.failed],
        "passages": report.passages,
    }
