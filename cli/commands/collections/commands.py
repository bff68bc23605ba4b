"""`flexchat collections`: create, fill, search, calibrate and delete the collections of a stage."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

from cli.collections import collections_of
from cli.commands.collections.add import add, reindex, sync
from cli.files import read_text
from cli.invocation import flexchat
from cli.lazy import command_group
from cli.options import JsonOption, Stage, YesOption, print_json
from cli.terminal import echo, require_confirmation
from flexchat.deadline import Deadline
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.retrieval import LEXICAL, CollectionInfo, CollectionMetadata, MetadataValue, SearchQuery
from flexchat.sessions import timestamp
from flexchat.text import counted

app = command_group("Create, fill, search and calibrate document collections.")

QUESTION_SECONDS = 60.0

Name = Annotated[str, typer.Argument(metavar="NAME", help="The collection's name.")]


@app.command()
def create(
    name: Name,
    stage: Stage,
    display_name: Annotated[str | None, typer.Option(help="Name shown to users.")] = None,
    description: Annotated[str, typer.Option(help="Contents of the collection; models read this too.")] = "",
    embedding_model: Annotated[str, typer.Option(help="`lexical`, or llm:model of the configuration.")] = LEXICAL,
    match_threshold: Annotated[
        float | None, typer.Option(min=0, max=2, help="Distance below which a passage matches.")
    ] = None,
    partial_threshold: Annotated[
        float | None, typer.Option(min=0, max=2, help="Distance below which a passage matches partially.")
    ] = None,
    title_field: Annotated[str | None, typer.Option(help="The metadata that titles come from.")] = None,
    source_field: Annotated[str | None, typer.Option(help="The metadata that sources come from.")] = None,
    as_json: JsonOption = False,
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
        print_json(_as_json(info))
        return
    echo(f"{name!r} is created. {_how_to_add(name, stage)}")


@app.command("list")
def list_(stage: Stage, as_json: JsonOption = False) -> None:
    """List the collections with their numbers of documents."""
    with collections_of(stage) as collections:
        found = collections.list()
    if as_json:
        print_json([_as_json(info) for info in found])
    elif found:
        from cli.console import Console
        from cli.render.collections import show_list

        show_list(Console(), found)
    else:
        create = flexchat("collections", "create", "NAME", "--stage", stage)
        echo(f"{stage!r} has no collection. Create one: {create}", err=True)


@app.command()
def show(name: Name, stage: Stage, as_json: JsonOption = False) -> None:
    """Show the metadata of a collection."""
    with collections_of(stage) as collections:
        info = collections.get(name)
    if as_json:
        print_json(_as_json(info))
        return
    from cli.console import Console
    from cli.render.collections import show_collection

    show_collection(Console(), info)


app.command()(add)
app.command()(sync)
app.command()(reindex)

documents = command_group("List and remove the documents of a collection.")
app.add_typer(documents, name="documents")


@documents.command("list")
def list_documents(name: Name, stage: Stage, as_json: JsonOption = False) -> None:
    """List the documents of a collection with their origins."""
    with collections_of(stage) as collections:
        found = collections.documents(name)
    if as_json:
        print_json(
            [
                {
                    "id": document.id,
                    "title": document.title,
                    "source": document.source,
                    "passages": document.passages,
                    "characters": document.characters,
                    "bytes": document.bytes or None,
                    "added_at": timestamp(document.added_at) if document.added_at else None,
                    "origin": document.origin,
                }
                for document in found
            ]
        )
    elif found:
        from cli.console import Console
        from cli.render.collections import show_documents

        show_documents(Console(), found)
    else:
        echo(f"{name!r} has no documents. {_how_to_add(name, stage)}", err=True)


@documents.command()
def remove(
    name: Name,
    stage: Stage,
    ids: Annotated[list[str], typer.Argument(metavar="IDS...", help="Ids, as `documents list` shows them.")],
    yes: YesOption = False,
) -> None:
    """Remove documents from a collection."""
    with collections_of(stage) as collections:
        collections.get(name)
        if not yes:
            _confirm(f"Remove {', '.join(map(repr, ids))} from {name!r}?")
        info = collections.delete_documents(name, ids)
    echo(f"{counted(len(set(ids)), 'document')} removed; {name!r} has {counted(info.documents, 'document')}.", err=True)


@app.command()
def search(
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
    as_json: JsonOption = False,
) -> None:
    """Search a collection; show the passages and the match class."""
    wanted = SearchQuery(text, top_k=top_k, filters=_filters(filter or []) or None, max_distance=max_distance)
    with collections_of(stage) as collections:
        answer = collections.query(name, wanted, deadline=Deadline.after(QUESTION_SECONDS))
    if not as_json:
        from cli.console import Console
        from cli.render.collections import show_answer

        show_answer(Console(), answer)
        return
    from functions.retrieval.route_models import AnswerView

    print_json(cast("Json", AnswerView.of(answer).model_dump(mode="json")))


app.command("query", hidden=True)(search)  # the name of earlier releases


@app.command()
def calibrate(
    name: Name,
    stage: Stage,
    questions: Annotated[
        Path | None,
        typer.Option(help="A file of questions that the collection answers, one per line."),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Store the proposed thresholds.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Propose thresholds from the distribution of distances in a collection."""
    lines = read_text(questions).decode().splitlines() if questions else []
    texts = [line.strip() for line in lines if line.strip()]
    with collections_of(stage) as collections:
        proposal = collections.calibrate(name, texts, apply=apply, deadline=Deadline.after(QUESTION_SECONDS))
    if as_json:
        print_json(
            {
                "match_threshold": proposal.match_threshold,
                "partial_threshold": proposal.partial_threshold,
                "applied": apply,
                "answered": list(proposal.answered),
                "unanswered": list(proposal.unanswered),
            }
        )
        return
    from cli.console import Console
    from cli.render.collections import show_calibration

    show_calibration(Console(), proposal)
    echo(f"{name!r} has these thresholds now." if apply else "Store them with --apply.")


@app.command()
def empty(name: Name, stage: Stage, yes: YesOption = False) -> None:
    """Delete every document of a collection, but not its metadata."""
    with collections_of(stage) as collections:
        if not yes:
            _confirm(f"Delete {counted(collections.get(name).documents, 'document')} of {name!r}?")
        collections.empty(name)
    echo(f"{name!r} is empty.", err=True)


@app.command()
def delete(name: Name, stage: Stage, yes: YesOption = False) -> None:
    """Delete a collection with its documents."""
    with collections_of(stage) as collections:
        if not yes:
            _confirm(f"Delete {name!r} with its {counted(collections.get(name).documents, 'document')}?")
        collections.delete(name)
    echo(f"{name!r} is deleted.", err=True)


def _filters(pairs: Sequence[str]) -> dict[str, MetadataValue]:
    """Parse `key=value` pairs; a value that is a number, true or false has that type, in quotes it is text."""
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


def _how_to_add(name: str, stage: str) -> str:
    return f"Add documents: {flexchat('collections', 'add', name, 'PATH', '--stage', stage)}"


def _confirm(question: str) -> None:
    require_confirmation(question, err=True)


def _as_json(info: CollectionInfo) -> Json:
    return cast("Json", info.model_dump(mode="json"))
