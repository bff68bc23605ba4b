"""Push to the running local stack."""

from pathlib import Path

from cli.configuration import PushSummary
from cli.console import Console
from cli.layout import Layout
from cli.local_stack import StackState
from cli.lock import exclusive
from dev.local_stack.progress import Progress
from dev.local_stack.running import own_processes
from dev.local_stack.stack import StackBuilder


def push_locally(file: Path, stack: StackState, *, quiet: bool) -> PushSummary:
    """Push a configuration as `make up CONFIG=` does; progress goes to standard error unless `quiet`."""
    console = Console(stderr=True, quiet=quiet)
    layout = Layout.here()
    with exclusive(layout, console), Progress(console) as progress:
        _, summary = StackBuilder(layout, progress, own_processes(layout)).push(stack, file)
    return summary
