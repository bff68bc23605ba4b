"""The typer application of all commands, and its errors."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from cli.invocation import as_invoked
from cli.lazy import LazyCommand, lazy_app
from cli.terminal import echo, guard_streams
from flexchat.errors import FlexchatError


def application(commands: Sequence[LazyCommand], *, help: str, version: Callable[[], str]) -> typer.Typer:
    """Return the application of `commands`; `version` returns the line that `--version` prints."""

    def print_version(wanted: bool) -> None:
        if wanted:
            echo(version())
            raise typer.Exit

    def options(
        _version: Annotated[
            bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show the version and exit.")
        ] = False,
    ) -> None:
        """Options of `flexchat` itself."""

    return lazy_app(commands, help=help, options=options)


def run(app: typer.Typer) -> None:
    """Run the command; print the message of a FlexchatError or of a file error and exit with code 1."""
    # pydantic searches the entry points of all installed packages for plugins; none is installed.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    guard_streams()
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
    echo(as_invoked(message), err=True, colour="red")
