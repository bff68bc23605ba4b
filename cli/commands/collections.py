"""`flexchat collections`: create, fill, search, calibrate and delete the collections of a stage."""

import json
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from pydantic import ValidationError

from cli.collections_files import NamedFile, read, select
from cli.files import file_error, read_json, read_text
from cli.invocation import flexchat
from cli.lazy import command_group
from cli.stages import Stage
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.retrieval import LEXICAL, CollectionInfo, CollectionMetadata, MetadataValue, SearchQuery, hit_view
from flexchat.text import counted
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import Document, Failure, Format
from functions.retrieval.ingest.records import FieldSchema

if TYPE_CHECKING:
    from rich.progress import Progress

    from functions.retrieval.collections import Collections, ImportReport, NamedEmbedder
    from functions.retrieval.embeddings.base import Embedder
    from functions.retrieval.embeddings.factory import Embedders
    from functions.retrieval.embeddings.model import Purpose

app = command_group("Create, fill, search and calibrate document collections.")

IMPORT_SECONDS = 6 * 3600.0
QUESTION_SECONDS = 60.0

Name = Annotated[str, typer.Argument(metavar="NAME", help="The collection's name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Delete without confirmation.")]


@contextmanager
def collections_of(stage: str) -> Generator["Collections"]:
    """The collections of a stage, with the operator's own AWS credentials; copies go when the command ends."""
    from cli.aws.collections import operator_objects
    from functions.retrieval.collections import Collections

    with tempfile.TemporaryDirectory(prefix="flexchat-collections-") as folder:
        yield Collections.of(operator_objects(stage), cache=Path(folder), embedder=_embedder_of(stage))


def _embedder_of(stage: str) -> "NamedEmbedder":
    """The embedding models of a stage, loaded on their first use: lexical collections have none."""

    @cache
    def embedders() -> "Embedders":
        from flexchat.aws.catalog import CatalogSource
        from flexchat.aws.parameters import operator_store
        from functions.retrieval.embeddings.factory import Embedders

        return Embedders(catalog=CatalogSource(store=operator_store(), stage=stage).current)

    def named(name: str, *, purpose: "Purpose") -> "Embedder":
        return embedders().named(name, purpose=purpose)

    return named


@app.command()
def create(
    name: Name,
    stage: Stage,
    display_name: Annotated[str | None, typer.Option(help="What people call it.")] = None,
    description: Annotated[str, typer.Option(help="What is in it; models read this too.")] = "",
    embedding_model: Annotated[str, typer.Option(help="`lexical`, or llm:model of the configuration.")] = LEXICAL,
    match_threshold: Annotated[float | None, typer.Option(min=0, max=2, help="Nearer is a match.")] = None,
    partial_threshold: Annotated[float | None, typer.Option(min=0, max=2, help="Nearer may be a match.")] = None,
    title_field: Annotated[str | None, typer.Option(help="The metadata that titles come from.")] = None,
    source_field: Annotated[str | None, typer.Option(help="The metadata that sources come from.")] = None,
    as_json: AsJson = False,
) -> None:
    """Create an empty collection."""
    metadata = CollectionMetadata(
        display_name=display_name,
        description=description,
        embedding_model=embedding_model,
        match_threshold=match_threshold,
        partial_threshold=partial_threshold,
        title_field=title_field,
        source_field=source_field,
    )
    with collections_of(stage) as collections:
        info = collections.create(name, metadata)
    if as_json:
        _print_json(_as_json(info))
        return
    typer.echo(f"{name!r} is created. Add documents: {flexchat('collections', 'add', name, 'PATH', '--stage', stage)}")


@app.command("list")
def list_(stage: Stage, as_json: AsJson = False) -> None:
    """List the collections with their numbers of documents."""
    with collections_of(stage) as collections:
        found = collections.list()
    if as_json:
        _print_json([_as_json(info) for info in found])
    elif found:
        from rich.console import Console

        from cli.render.collections import show_list

        show_list(Console(), found)
    else:
        create = flexchat("collections", "create", "NAME", "--stage", stage)
        typer.echo(f"{stage!r} has no collection. Create one: {create}", err=True)


@app.command()
def show(name: Name, stage: Stage, as_json: AsJson = False) -> None:
    """Show the metadata of a collection."""
    with collections_of(stage) as collections:
        info = collections.get(name)
    if as_json:
        _print_json(_as_json(info))
        return
    from rich.console import Console

    from cli.render.collections import show_collection

    show_collection(Console(), info)


@app.command()
def add(
    name: Name,
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
    as_json: AsJson = False,
) -> None:
    """Add documents; those that have not changed are skipped. Exit code 1 when a document cannot be added."""
    given = {"text_fields": text_field, "metadata_fields": metadata_field, "id_field": id_field}
    given |= {"title_field": title_field, "source_field": source_field}
    fields = _schema(schema, {key: value for key, value in given.items() if value})
    chunking = _chunking(passage_size, overlap)
    selection = select(paths, any_format=format is not None, here=Path.cwd())
    with collections_of(stage) as collections, _progress(quiet=as_json) as bars:
        report = _import(
            collections,
            name,
            (selection.files, selection.failures),
            fields=fields,
            format=format,
            chunking=chunking,
            bars=bars,
        )
    if as_json:
        _print_json(_report_as_json(report))
    else:
        from cli.render.collections import imported

        typer.echo(imported(name, report))
        for failure in report.failed:
            typer.secho(f"  {failure.source}: {failure.reason}", fg=typer.colors.RED, err=True)
    if report.failed:
        raise typer.Exit(1)


@app.command()
def query(
    name: Name,
    stage: Stage,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The search text.")],
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, max=100, help="The most passages to show.")] = 5,
    filter: Annotated[
        list[str] | None, typer.Option("--filter", metavar="KEY=VALUE", help="Metadata that must be equal, repeatable.")
    ] = None,
    max_distance: Annotated[
        float | None, typer.Option(min=0, max=2, help="Leave out passages beyond this distance.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Search a collection; show the passages and the match class."""
    search = SearchQuery(text, top_k=top_k, filters=_filters(filter or []) or None, max_distance=max_distance)
    with collections_of(stage) as collections:
        answer = collections.query(name, search, deadline=Deadline.after(QUESTION_SECONDS))
    if not as_json:
        from rich.console import Console

        from cli.render.collections import show_answer

        show_answer(Console(), answer)
        return
    _print_json(
        {
            "result": answer.result,
            "hits": [hit_view(hit) for hit in answer.hits],
            "thresholds": {"match": answer.thresholds.match, "partial": answer.thresholds.partial},
        }
    )


@app.command()
def calibrate(
    name: Name,
    stage: Stage,
    questions: Annotated[
        Path | None,
        typer.Option(help="A file of questions that the collection answers, one per line."),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Store the proposed thresholds.")] = False,
    as_json: AsJson = False,
) -> None:
    """Propose thresholds from the distribution of distances in a collection."""
    lines = read_text(questions).decode().splitlines() if questions else []
    asked = [line.strip() for line in lines if line.strip()]
    with collections_of(stage) as collections:
        proposal = collections.calibrate(name, asked, apply=apply, deadline=Deadline.after(QUESTION_SECONDS))
    if as_json:
        _print_json(
            {
                "match_threshold": proposal.match_threshold,
                "partial_threshold": proposal.partial_threshold,
                "applied": apply,
                "answered": list(proposal.answered),
                "unanswered": list(proposal.unanswered),
            }
        )
        return
    from rich.console import Console

    from cli.render.collections import show_calibration

    show_calibration(Console(), proposal)
    typer.echo(f"{name!r} has these thresholds now." if apply else "Store them with --apply.")


@app.command()
def empty(name: Name, stage: Stage, yes: Yes = False) -> None:
    """Delete every document of a collection; its metadata stays."""
    with collections_of(stage) as collections:
        if not yes:
            _confirm(f"Delete {counted(collections.get(name).documents, 'document')} of {name!r}?")
        collections.empty(name)
    typer.echo(f"{name!r} is empty.", err=True)


@app.command()
def delete(name: Name, stage: Stage, yes: Yes = False) -> None:
    """Delete a collection with its documents."""
    with collections_of(stage) as collections:
        if not yes:
            _confirm(f"Delete {name!r} with its {counted(collections.get(name).documents, 'document')}?")
        collections.delete(name)
    typer.echo(f"{name!r} is deleted.", err=True)


def _import(
    collections: "Collections",
    name: str,
    selected: tuple[Sequence[NamedFile], Sequence[Failure]],
    *,
    fields: FieldSchema,
    format: Format | None,
    chunking: Chunking,
    bars: "Progress",
) -> "ImportReport":
    from functions.retrieval.ingest.load import load

    files, failures = selected
    reading = bars.add_task("Reading", total=len(files))
    embedding = bars.add_task("Embedding", total=None, visible=False)
    writing = bars.add_task("Indexing", total=None, visible=False)

    def documents() -> Iterator[Document | Failure]:
        yield from failures
        for file in files:
            content = read(file, format)
            if isinstance(content, Failure):
                yield content
            else:
                yield from load(content, fields)
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
    """Progress bars on standard error if it is a terminal; they are removed at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal)


def _schema(file: Path | None, given: dict[str, str | list[str]]) -> FieldSchema:
    """The schema of a file with the `given` fields in place of its own."""
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


def _filters(pairs: Sequence[str]) -> dict[str, MetadataValue]:
    """`key=value` each; a value that is a number, true or false is that, in quotes it is text."""
    filters: dict[str, MetadataValue] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not key or not equals:
            raise typer.BadParameter(f"{pair!r} is not KEY=VALUE", param_hint="--filter")
        try:
            value = safe_loads(text)
        except JsonError:
            value = text
        filters[key] = value if isinstance(value, str | int | float) else text
    return filters


def _confirm(question: str) -> None:
    typer.confirm(question, abort=True, err=True)


def _report_as_json(report: "ImportReport") -> Json:
    return {
        "added": report.added,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "failed": [{"source": failure.source, "reason": failure.reason} for failure in report.failed],
        "passages": report.passages,
    }


def _as_json(info: CollectionInfo) -> Json:
    return cast("Json", info.model_dump(mode="json"))


def _print_json(value: Json) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
