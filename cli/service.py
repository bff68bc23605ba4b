"""Options that say which service a command talks to, and the client for it."""

import os
from typing import Annotated

import typer

from cli.client import Client, find_target
from dev.local_stack.layout import Layout

UrlOption = Annotated[
    str | None, typer.Option(help="The address of the service. [default: FLEXCHAT_URL or the local stack's]")
]
TokenOption = Annotated[
    str | None, typer.Option(help="A token of the service. [default: FLEXCHAT_TOKEN or the local stack's]")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the JSON response.")]


def connect(*, url: str | None, token: str | None) -> Client:
    """A client of the service that the options name, or else the environment, or else the local stack."""
    return Client(find_target(url=url, token=token, environ=os.environ, state=Layout.here().state))
