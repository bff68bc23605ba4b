"""A push to the running local stack."""

from pathlib import Path

from rich.console import Console

from cli.configuration import PushSummary
from cli.local.layout import Layout
from cli.local.lock import exclusive
from cli.local.progress import Progress
from cli.local.running import own_processes
from cli.local.stack import StackBuilder
from cli.local.state import StackState


def push_locally(file: Path, stack: StackState, *, quiet: bool) -> PushSummary:
    """Push a configuration as `make up CONFIG=` does; progress goes to standard error unless `quiet`."""
    console = Console(stderr=True, quiet=quiet)
    layout = Layout.here()
    with exclusive(layout, console), Progress(console) as progress:
        _, summary = StackBuilder(layout, progress, own_processes(layout)).push(stack, file)
    return summary
