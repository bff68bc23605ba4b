"""`flexchat collections add` and `sync`: documents of files into a collection."""

from collections.abc import Callable, Iterator, Sequence
from copy import replace as copy_replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from pydantic import ValidationError

from cli.collections import collections_of
from cli.commands.collections.files import Selection, origin_of, read, select
from cli.files import file_error, read_json
from cli.options import JsonOption, Stage, print_json
from cli.terminal import echo, require_confirmation
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError
from flexchat.messages import Json
from flexchat.text import counted
from functions.retrieval.ingest.chunker import Chunking, chunking_of
from functions.retrieval.ingest.documents import Document, Failure, Format
from functions.retrieval.ingest.records import FieldSchema

if TYPE_CHECKING:
    from rich.progress import Progress

    from functions.retrieval.collections import ImportReport, SyncPlan

IMPORT_SECONDS = 6 * 3600.0
CHUNKING = Chunking()


Replace = Annotated[
    bool, typer.Option("--replace", help="Replace documents of the same id that were added from elsewhere.")
]
Prefix = Annotated[str, typer.Option(help="Set before the ids and sources of the documents, such as `team-a`.")]
Origin = Annotated[
    str | None,
    typer.Option(help="Name of the source instead of the directory, such as for checkouts at changing places."),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The collection's name.")]
FileFormat = Annotated[Format | None, typer.Option("--format", help="The format of all files, whatever their names.")]
SchemaFile = Annotated[Path | None, typer.Option(help="For JSON: a file with the roles of the fields.")]
TextField = Annotated[list[str] | None, typer.Option(help="For JSON: a field with text, repeatable.")]
MetadataField = Annotated[list[str] | None, typer.Option(help="For JSON: a field with metadata, repeatable.")]
IdField = Annotated[str | None, typer.Option(help="For JSON: the field with a record's id.")]
TitleField = Annotated[str | None, typer.Option(help="For JSON: the field with a record's title.")]
SourceField = Annotated[str | None, typer.Option(help="For JSON: the field with a record's source.")]
PassageSize = Annotated[int, typer.Option(help="The most characters of a passage.")]
Overlap = Annotated[int, typer.Option(help="Characters that neighbouring passages share.")]


def add(
    name: Name,
    stage: Stage,
    paths: Annotated[
        list[str], typer.Argument(metavar="PATHS...", help="Files, directories, patterns; - for standard input.")
    ],
    format: FileFormat = None,
    schema: SchemaFile = None,
    text_field: TextField = None,
    metadata_field: MetadataField = None,
    id_field: IdField = None,
    title_field: TitleField = None,
    source_field: SourceField = None,
    passage_size: PassageSize = CHUNKING.size,
    overlap: Overlap = CHUNKING.overlap,
    prefix: Prefix = "",
    origin: Origin = None,
    replace: Replace = False,
    as_json: JsonOption = False,
) -> None:
    """Add documents; unchanged ones are skipped.

    Exit code 1 when a document cannot be added.
    """
    fields = field_schema(schema, text_field, metadata_field, id_field, title_field, source_field)
    chunking = _chunking(passage_size, overlap)
    selection = select(paths, any_format=format is not None, here=Path.cwd(), prefix=prefix, origin=origin)
    with collections_of(stage) as collections, progress_bars(quiet=as_json) as bars:
        report = collections.add(
            name,
            read_all(selection, fields=fields, format=format, bars=bars),
            deadline=Deadline.after(IMPORT_SECONDS),
            chunking=chunking,
            progress=embedding_bar(bars),
            replace=replace,
        )
    finish(name, report, selection, as_json=as_json)


def sync(
    name: Name,
    stage: Stage,
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The directory of the documents.", file_okay=False)],
    schema: SchemaFile = None,
    text_field: TextField = None,
    metadata_field: MetadataField = None,
    id_field: IdField = None,
    title_field: TitleField = None,
    source_field: SourceField = None,
    passage_size: PassageSize = CHUNKING.size,
    overlap: Overlap = CHUNKING.overlap,
    prefix: Prefix = "",
    origin: Origin = None,
    replace: Replace = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes without making them.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Make the changes without confirmation.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a collection equal to a directory: add new documents, replace changed ones, remove those that are gone.

    Documents that were added from elsewhere stay. Exit code 1 when a document cannot be added.
    """
    if not directory.is_dir():
        raise typer.BadParameter(f"{str(directory)!r} is not a directory", param_hint="DIR")
    if as_json and not (yes or dry_run):
        raise typer.BadParameter("--json asks no question: add --yes, or --dry-run to see the changes")
    fields = field_schema(schema, text_field, metadata_field, id_field, title_field, source_field)
    chunking = _chunking(passage_size, overlap)
    selection = select([str(directory)], any_format=False, here=Path.cwd(), prefix=prefix, origin=origin)
    own = origin or origin_of(directory, Path.cwd())
    if not selection.files:  # an empty directory removes its documents
        selection = Selection((), (), selection.skipped)
    with collections_of(stage) as collections:
        with progress_bars(quiet=as_json) as bars:
            documents = read_all(selection, fields=fields, format=None, bars=bars)
            plan = collections.plan(name, documents, origin=own, replace=replace, chunking=chunking)
        if not as_json:
            from cli.console import Console
            from cli.render.collections import show_plan

            show_plan(Console(), plan)
        report = None
        if plan.changes and not dry_run:
            if not yes:
                require_confirmation(f"Make these changes in {name!r}?", err=True)
            with progress_bars(quiet=as_json) as bars:
                report = collections.sync(
                    name,
                    plan,
                    deadline=Deadline.after(IMPORT_SECONDS),
                    progress=embedding_bar(bars),
                    replace=replace,
                )
    if report is not None:
        finish(name, report, selection, as_json=as_json)
    else:
        finish_plan(plan, selection, as_json=as_json)


def reindex(
    name: Name,
    stage: Stage,
    embedding_model: Annotated[
        str | None, typer.Option(help="The new embedding: `lexical`, or llm:model of the configuration.")
    ] = None,
    passage_size: Annotated[int | None, typer.Option(help="The most characters of a passage.")] = None,
    overlap: Annotated[
        int | None, typer.Option(help="Characters that neighbouring passages share, by default a sixth of the size.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Build the index again from the stored passages, with another embedding or another size of passages.

    Needs no files. Everything is replaced at once, or nothing.
    """
    if overlap is not None and passage_size is None:
        raise typer.BadParameter("needs --passage-size", param_hint="--overlap")
    chunking = None if passage_size is None else _chunking(passage_size, overlap)
    with collections_of(stage) as collections, progress_bars(quiet=as_json) as bars:
        info = collections.reindex(
            name,
            embedding_model=embedding_model,
            chunking=chunking,
            deadline=Deadline.after(IMPORT_SECONDS),
            progress=embedding_bar(bars),
        )
    if as_json:
        print_json(cast("Json", info.model_dump(mode="json")))
        return
    echo(
        f"{name!r} is indexed again: {counted(info.documents, 'document')}, {counted(info.passages, 'passage')}, "
        f"embedding {info.metadata.embedding_model}."
    )


def finish(name: str, report: "ImportReport", selection: Selection, *, as_json: bool) -> None:
    """Print the result of an import. Exits with code 1 after a failure."""
    if as_json:
        print_json(_report_as_json(report, selection))
    else:
        from cli.render.collections import imported

        echo(imported(name, report))
        _echo_left_out(report.failed, report.warnings, selection)
    if report.failed:
        raise typer.Exit(1)


def finish_plan(plan: "SyncPlan", selection: Selection, *, as_json: bool) -> None:
    """Print the rest of a plan without changes to make. Exits with code 1 after a failure."""
    if as_json:
        print_json(
            {
                "added": list(plan.added),
                "replaced": list(plan.replaced),
                "removed": list(plan.removed),
                "kept": list(plan.kept),
                "unchanged": plan.unchanged,
                "failed": _reasons(plan.failed),
                "warnings": _reasons(plan.warnings),
                "skipped": _reasons(selection.skipped),
            }
        )
    else:
        _echo_left_out(plan.failed, plan.warnings, selection)
    if plan.failed:
        raise typer.Exit(1)


def _echo_left_out(failed: Sequence[Failure], warnings: Sequence[Failure], selection: Selection) -> None:
    for failure in failed:
        echo(f"  {failure.source}: {failure.reason}", err=True, colour="red")
    for warning in warnings:
        echo(f"  {warning.source}: {warning.reason}", err=True, colour="yellow")
    if selection.skipped:
        from cli.render.collections import skipped

        echo(skipped(selection.skipped), err=True)


def read_all(
    selection: Selection, *, fields: FieldSchema, format: Format | None, bars: "Progress"
) -> Iterator[Document | Failure]:
    """Yield the documents of the files, each with the origin of its file."""
    from functions.retrieval.ingest.load import load_bounded

    reading = bars.add_task("Reading", total=len(selection.files))
    writing = bars.add_task("Indexing", total=None, visible=False)
    yield from selection.failures
    for file in selection.files:
        content = read(file, format)
        if isinstance(content, Failure):
            yield content
        else:
            for loaded in load_bounded(content, fields):
                yield loaded if isinstance(loaded, Failure) else copy_replace(loaded, origin=file.origin)
        bars.advance(reading)
    bars.update(writing, visible=True)


def embedding_bar(bars: "Progress") -> Callable[[int, int], None]:
    """Return a callback that shows the progress of embedding."""
    embedding = bars.add_task("Embedding", total=None, visible=False)
    return lambda done, total: bars.update(embedding, completed=done, total=total, visible=True)


def progress_bars(*, quiet: bool) -> "Progress":
    """Yield a callback that shows progress bars on standard error if it is a terminal; they are removed at the end."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from cli.console import Console

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal)


def field_schema(
    file: Path | None,
    text_fields: list[str] | None,
    metadata_fields: list[str] | None,
    id_field: str | None,
    title_field: str | None,
    source_field: str | None,
) -> FieldSchema:
    """Return the schema of a file with the given fields in place of its own."""
    options = {"text_fields": text_fields, "metadata_fields": metadata_fields, "id_field": id_field}
    options |= {"title_field": title_field, "source_field": source_field}
    given = {key: value for key, value in options.items() if value}
    held = read_json(file) if file else {}
    if not isinstance(held, dict):
        raise file_error(Path(str(file)), "must be an object")
    try:
        return FieldSchema.model_validate({**held, **given})
    except ValidationError as exc:
        from flexchat.config.problems import problem_of

        problems = tuple(problem_of(error, FieldSchema) for error in exc.errors(include_url=False))
        named = tuple(copy_replace(each, path=f"{file or '--schema'}: {each.path}") for each in problems)
        raise ConfigError(named) from exc


def _chunking(size: int, overlap: int | None) -> Chunking:
    try:
        return chunking_of(size, overlap)
    except ValueError as exc:
        raise typer.BadParameter(str(exc), param_hint="--passage-size and --overlap") from exc


def _report_as_json(report: "ImportReport", selection: Selection) -> Json:
    return {
        "added": report.added,
        "replaced": report.replaced,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "failed": _reasons(report.failed),
        "warnings": _reasons(report.warnings),
        "skipped": _reasons(selection.skipped),
        "passages": report.passages,
    }


def _reasons(failures: Sequence[Failure]) -> Json:
    return [{"source": failure.source, "reason": failure.reason} for failure in failures]
