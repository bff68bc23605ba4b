"""`flexchat`: operate and try a deployment."""

import sys

import typer
from rich.console import Console

from cli import collections_commands, config_commands, secrets_commands, tokens_commands, tools_commands
from cli.chat_commands import chat
from cli.local import commands as local_commands
from cli.models_commands import models
from flexchat.errors import FlexchatError

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help="Operate and try a Flexchat deployment.")
app.command()(chat)
app.command()(models)
app.add_typer(tools_commands.app, name="tools")
app.add_typer(collections_commands.app, name="collections")
app.add_typer(config_commands.app, name="config")
app.add_typer(secrets_commands.app, name="secrets")
app.add_typer(tokens_commands.app, name="tokens")
app.add_typer(local_commands.app, name="local")


def main() -> None:
    """Run the command; an error of ours ends in its message and exit code 1."""
    try:
        app()
    except FlexchatError as error:
        Console(stderr=True).print(str(error), style="red", highlight=False, markup=False, soft_wrap=True)
        sys.exit(1)
