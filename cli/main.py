"""`flexchat`: operate and try a deployment."""

import sys
from typing import Annotated

import typer

from cli.invocation import as_invoked
from cli.lazy import LazyCommand, lazy_app
from flexchat.errors import FlexchatError

COMMANDS = (
    LazyCommand("chat", "cli.chat_commands", "Ask a question and print the answer and its tool calls."),
    LazyCommand("sessions", "cli.sessions_commands", "List, show, rename and delete sessions."),
    LazyCommand("models", "cli.models_commands", "List the models with their capabilities and validation."),
    LazyCommand("tools", "cli.tools_commands", "List tools; show the definitions sent to each provider."),
    LazyCommand("validate", "cli.validate_commands", "Measure how reliably models call tools."),
    LazyCommand("collections", "cli.collections_commands", "Create, fill, search and calibrate document collections."),
    LazyCommand("config", "cli.config_commands", "Check, push, pull and compare configurations."),
    LazyCommand("secrets", "cli.secrets_commands", "Store, list and delete the secrets of a stage."),
    LazyCommand("tokens", "cli.tokens_commands", "Create, list and revoke the API tokens of a stage."),
    LazyCommand("deploy", "cli.deployment.commands", "Deploy a stage to AWS."),
    LazyCommand("build", "cli.deployment.commands", "Build the functions of a stage for AWS."),
    LazyCommand("local", "cli.local.commands", "Run the whole service on this machine, without AWS."),
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"flexchat {version('flexchat-service')}")
        raise typer.Exit


def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of `flexchat` itself."""


app = lazy_app(COMMANDS, help="Operate and try a Flexchat deployment.", options=_options)


def main() -> None:
    """Run the command. A FlexchatError or a file that cannot be read or written ends in its message and exit code 1."""
    try:
        app()
    except FlexchatError as error:
        _print_error(str(error))
        sys.exit(1)
    except OSError as error:
        if error.filename is None:
            raise
        _print_error(f"{error.filename}: {error.strerror}")
        sys.exit(1)


def _print_error(message: str) -> None:
    typer.secho(as_invoked(message), fg=typer.colors.RED, err=True)
