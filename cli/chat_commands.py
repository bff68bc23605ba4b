"""`flexchat chat`: one question to a running service."""

import json
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from cli.answer import show_answer
from cli.client import Client, ServiceError, find_target
from cli.local.layout import Layout
from flexchat.messages import Json

UrlOption = Annotated[
    str | None, typer.Option(help="The service's address. [default: FLEXCHAT_URL or the local stack's]")
]
TokenOption = Annotated[str | None, typer.Option(help="A token for it. [default: FLEXCHAT_TOKEN or the local stack's]")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the service's own JSON.")]


def chat(
    message: Annotated[str, typer.Argument(help="What to ask.")],
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
    deadline_ms: Annotated[int | None, typer.Option(min=1, help="When the answer is due, in milliseconds.")] = None,
    history: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="A JSON file with the messages so far.")
    ] = None,
    profile: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="A profile field, repeatable.")] = None,
    topic: Annotated[str | None, typer.Option(help="What the conversation is about.")] = None,
    collection: Annotated[
        list[str] | None,
        typer.Option(metavar="[SERVICE/]NAME", help="A collection to search before it is answered, repeatable."),
    ] = None,
) -> None:
    """Ask one question and print the answer with its tool calls and timings."""
    request: dict[str, Json] = {"message": message}
    if history is not None:
        request["history"] = _read_history(history)
    if profile:
        request["profile"] = _profile(profile)
    if topic is not None:
        request["topic"] = topic
    if collection:
        request["selected_collections"] = [*collection]
    if deadline_ms is not None:
        request["deadline_ms"] = deadline_ms
    client = Client(find_target(url=url, token=token, environ=os.environ, state=Layout.here().state))
    body = client.chat(request)
    if as_json:
        typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
    else:
        show_answer(Console(), body)


def _read_history(path: Path) -> Json:
    try:
        return json.loads(path.read_text())
    except ValueError as error:
        raise ServiceError(f"{path} is not JSON: {error}") from error


def _profile(fields: list[str]) -> dict[str, Json]:
    profile: dict[str, Json] = {}
    for field in fields:
        name, equals, value = field.partition("=")
        if not name or not equals:
            raise typer.BadParameter(f"{field!r} is not KEY=VALUE", param_hint="--profile")
        profile[name] = value
    return profile
