"""The typer application of all commands, and how it ends."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer

from cli.invocation import as_invoked
from cli.lazy import LazyCommand, lazy_app
from flexchat.errors import FlexchatError


def _print_version(wanted: bool) -> None:
    if wanted:
        from cli.main import version_line

        typer.echo(version_line())
        raise typer.Exit


def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of `flexchat` itself."""


def application(commands: Sequence[LazyCommand], *, help: str) -> typer.Typer:
    """Return the application of `commands`."""
    return lazy_app(commands, help=help, options=_options)


def run(app: typer.Typer) -> None:
    """Run the command. A FlexchatError or a file that cannot be read or written ends in its message and exit code 1."""
    # httpx imports its own command line where click and rich are installed, which takes as long as the rest of httpx.
    sys.modules.setdefault("httpx._main", cast("Any", None))
    # pydantic looks for plugins among the entry points of all installed packages, and none of ours is one.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
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
