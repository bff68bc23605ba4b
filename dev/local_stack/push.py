"""Push to the running local stack, and commands of its MCP servers."""

import os
import shutil
from pathlib import Path
from typing import Final

from cli.configuration import PushSummary
from cli.console import Console
from cli.errors import LocalError
from cli.layout import Layout
from cli.local_stack import StackState
from cli.lock import exclusive
from dev.local_stack.environment import command_path
from dev.local_stack.progress import Progress
from dev.local_stack.running import own_processes
from dev.local_stack.stack import StackBuilder

INSTALLATION: Final = {
    "npx": " (`make node` installs Node.js and npx for this checkout)",
    "node": " (`make node` installs Node.js for this checkout)",
    "docker": " (https://docs.docker.com/get-docker/); many servers start without it, by npx or uvx",
}
"""Ways to install a command."""


def push_locally(file: Path, stack: StackState, *, quiet: bool, comment: str) -> PushSummary:
    """Push a configuration as `make up CONFIG=` does; progress goes to standard error unless `quiet`."""
    console = Console(stderr=True, quiet=quiet)
    layout = Layout.here()
    with exclusive(layout, console), Progress(console) as progress:
        _, summary = StackBuilder(layout, progress, own_processes(layout)).push(stack, file, comment=comment)
    return summary


def allow_locally(command: str, stack: StackState) -> None:
    """Allow MCP servers of the running stack to be started with a command; progress goes to standard error.

    Raises LocalError for a command that is not installed.
    """
    console = Console(stderr=True)
    layout = Layout.here()
    if shutil.which(command, path=command_path(layout, os.environ)) is None:
        message = f"{command!r} is not installed on this machine, or not on your PATH; install it, then try again"
        raise LocalError(f"{message}{INSTALLATION.get(command, '')}")
    with exclusive(layout, console), Progress(console) as progress:
        StackBuilder(layout, progress, own_processes(layout)).allow_command(stack, command)
