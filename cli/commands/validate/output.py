"""JSON output and the limit option of `flexchat validate`."""

import json
from typing import Annotated

import typer

from flexchat.messages import Json

Limit = Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of entries.")]


def print_json(body: Json) -> None:
    """Print a response of the service."""
    typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
