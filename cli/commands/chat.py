"""`flexchat chat`: one question to a running service."""

import time
from pathlib import Path
from typing import Annotated

import typer

from cli.client import Client
from cli.files import read_json
from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, connect, print_json
from flexchat.messages import Json

app = command_group()


@app.command()
def chat(
    message: Annotated[str | None, typer.Argument(help="The question; not with --resume or --follow.")] = None,
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
    deadline_ms: Annotated[int | None, typer.Option(min=1, help="The deadline of the answer, in milliseconds.")] = None,
    history: Annotated[Path | None, typer.Option(help="A JSON file with the previous messages.")] = None,
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="A session, created on first use."),
    ] = None,
    profile: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="A profile field, repeatable.")] = None,
    topic: Annotated[str | None, typer.Option(help="The topic of the conversation.")] = None,
    collection: Annotated[
        list[str] | None,
        typer.Option(metavar="[SERVICE/]NAME", help="A collection to search first, repeatable."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also print why this answer was produced.")] = False,
    resume: Annotated[
        str | None, typer.Option(metavar="TOKEN", help="Continue a partial answer, by its resume token.")
    ] = None,
    in_background: Annotated[
        bool, typer.Option("--async", help="Run in the background for up to 15 minutes, and watch.")
    ] = False,
    follow_run: Annotated[
        str | None, typer.Option("--follow", metavar="RUN", help="Watch a run that was started with --async.")
    ] = None,
    idempotency_key: Annotated[
        str | None, typer.Option(metavar="KEY", help="A request with the same key gets the first answer again.")
    ] = None,
) -> None:
    """Ask a question and print the answer and its tool calls.

    Exit code 1 when a selected collection cannot be searched.
    """
    _only_one(message, resume, follow_run)
    if follow_run is not None:
        _show(_follow(connect(url=url, token=token), follow_run, quiet=as_json), as_json=as_json)
        return
    request: dict[str, Json] = {"message": message} if resume is None else {"resume_token": resume}
    if history is not None:
        request["history"] = read_json(history)
    if session is not None:
        request["session_id"] = session
    if profile:
        request["profile"] = _profile(profile)
    if topic is not None:
        request["topic"] = topic
    if collection:
        request["selected_collections"] = [*collection]
    if explain:
        request["explain"] = True
    if deadline_ms is not None:
        request["deadline_ms"] = deadline_ms
    client = connect(url=url, token=token)
    if in_background:
        run = client.start_chat(request, idempotency_key=idempotency_key)
        body = _follow(client, run, quiet=as_json)
    else:
        body = client.chat(request, idempotency_key=idempotency_key)
    _show(body, as_json=as_json)


def _only_one(message: str | None, resume: str | None, follow_run: str | None) -> None:
    given = [value for value in (message, resume, follow_run) if value is not None]
    if not given:
        raise typer.BadParameter("give a message, --resume TOKEN or --follow RUN")
    if len(given) > 1:
        raise typer.BadParameter("give only one of a message, --resume and --follow")


def _follow(client: Client, run: str, *, quiet: bool) -> dict[str, Json]:
    from rich.console import Console

    from cli.follow_run import follow

    return follow(client, run, Console(stderr=True, quiet=quiet), sleep=time.sleep)


def _show(body: dict[str, Json], *, as_json: bool) -> None:
    from cli.render.answer import require_collections, show_answer

    if as_json:
        print_json(body)
    else:
        from rich.console import Console

        show_answer(Console(), body)
    require_collections(body)


def _profile(fields: list[str]) -> dict[str, Json]:
    profile: dict[str, Json] = {}
    for field in fields:
        name, equals, value = field.partition("=")
        if not name or not equals:
            raise typer.BadParameter(f"{field!r} is not KEY=VALUE", param_hint="--profile")
        profile[name] = value
    return profile
