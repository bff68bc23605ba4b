"""`flexchat validate export` and `import`: what is known of models, as a file in the form of document 003.

They work on the table itself, with AWS credentials: who writes records decides which models count as validated.
"""

import time
from pathlib import Path
from typing import Annotated

import typer

from cli.stages import Stage
from flexchat.aws.validation_tracker import operator_tracker
from flexchat.deadline import Deadline
from flexchat.validation.pairs import EXPORTED_HISTORY, export_pairs, import_pairs

PATIENCE_SECONDS = 3600.0


def export_records(
    file: Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="Where to write it.")],
    stage: Stage,
    history: Annotated[int, typer.Option(min=0, max=10_000, help="Tests of each model at most.")] = EXPORTED_HISTORY,
) -> None:
    """Write what is known of every model: pairs of its id and its record, with its last tests."""
    tracker = operator_tracker(stage)
    file.write_text(export_pairs(tracker, deadline=Deadline.after(PATIENCE_SECONDS), history=history), encoding="utf-8")
    typer.echo(f"{file}: written", err=True)


def import_records(
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="As `export` wrote it.")],
    stage: Stage,
) -> None:
    """Record every test of a file that is not recorded yet; a file that is read twice counts once."""
    done = import_pairs(
        file.read_bytes(), operator_tracker(stage), now=time.time(), deadline=Deadline.after(PATIENCE_SECONDS)
    )
    typer.echo(f"{done.models} models: {done.recorded} tests recorded, {done.known} known, {done.expired} too old")
    if done.uncounted:
        typer.echo(f"{done.uncounted} tests are counted in the file without saying how they went: left out", err=True)
