"""`flexchat models`: the models of a running service."""

import json

import typer

from cli.lazy import command_group
from cli.service import JsonOption, TokenOption, UrlOption, connect

app = command_group()


@app.command()
def models(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """List the models with their capabilities and validation."""
    body = connect(url=url, token=token).models()
    if as_json:
        typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    from cli.render.models import show_models

    show_models(Console(), body)
