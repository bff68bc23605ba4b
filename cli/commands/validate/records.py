"""`flexchat validate export` and `import`: the validation records of models as a file.

The commands access the table directly, with AWS credentials: write access to records decides which models count as
validated.
"""

import time
from pathlib import Path
from typing import Annotated

import typer

from cli.commands.validate.legacy_export import EXPORTED_HISTORY
from cli.files import read_json, read_text, write_text
from cli.options import Stage
from cli.terminal import echo
from flexchat.deadline import Deadline
from flexchat.text import counted

PATIENCE_SECONDS = 3600.0


def export_records(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    stage: Stage,
    history: Annotated[int, typer.Option(min=0, max=10_000, help="The most tests of each model.")] = EXPORTED_HISTORY,
) -> None:
    """Write the records of every model with its last tests to a file."""
    from cli.commands.validate.legacy_export import export_pairs
    from flexchat.aws.validation.tracker import operator_tracker

    tracker = operator_tracker(stage)
    write_text(file, export_pairs(tracker, deadline=Deadline.after(PATIENCE_SECONDS), history=history))
    echo(f"{file}: written", err=True)


def import_records(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `export` wrote.")],
    stage: Stage,
) -> None:
    """Record the tests of a file that are not recorded yet."""
    from cli.commands.validate.legacy_export import MAX_BYTES, import_pairs
    from flexchat.aws.validation.tracker import operator_tracker

    read_json(file, max_bytes=MAX_BYTES)  # an error in its form has the file and the position
    done = import_pairs(
        read_text(file), operator_tracker(stage), now=time.time(), deadline=Deadline.after(PATIENCE_SECONDS)
    )
    recorded = f"{counted(done.recorded, 'test')} recorded, {done.known} known, {done.expired} too old"
    echo(f"{counted(done.models, 'model')}: {recorded}")
    if done.uncounted:
        echo(f"{counted(done.uncounted, 'test')} without a result in the file: left out", err=True)
