"""The typer application of all commands, and its errors."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from cli.invocation import as_invoked
from cli.lazy import LazyCommand, lazy_app
from cli.system import bypass_proxy_for_loopback
from cli.terminal import echo, guard_streams, silence_libraries
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
    bypass_proxy_for_loopback(os.environ)
    guard_streams()
    silence_libraries()
    try:
        app()
    except FlexchatError as error:
        _print_error(str(error))
        sys.exit(1)
    except OSError as error:
        from cli.files import STORAGE_ERRORS, reason

        if error.filename is None and error.errno not in STORAGE_ERRORS:
            raise
        _print_error(f"{error.filename}: {reason(error)}" if error.filename is not None else reason(error))
        sys.exit(1)


def _print_error(message: str) -> None:
    echo(as_invoked(message), err=True, colour="red")
