"""Progress of a validation run in a terminal, with every verdict that is not a pass and its reasons."""

from collections.abc import Callable
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cli.client import Client
from cli.console import Console, Text
from cli.errors import ServiceError
from cli.follow_run import waits
from cli.invocation import as_invoked, flexchat, trace_hint
from cli.transport import entries, parse_answer
from flexchat.text import counted
from flexchat.validation.views import RecordView, ValidationRunView

ENDED = ("finished", "stopped", "failed")


def watch(client: Client, run_id: str, console: Console, *, sleep: Callable[[float], object]) -> ValidationRunView:
    """Return the ended run with all of its verdicts; those that are not a pass are printed as they arrive.

    When interrupted, or when the service fails, it prints the command that continues watching: the run itself
    continues.
    """
    console.print(f"run {run_id}", style="dim")
    shown: set[tuple[str, str, int]] = set()
    failures_shown = 0
    try:
        with _progress(console) as progress:
            task = progress.add_task("queued", total=None)
            for wait in waits():
                run = read_run(client.validation_run(run_id))
                ended = run.status in ENDED
                progress.update(task, description=_so_far(run), completed=run.done, total=run.total)
                if ended or run.failed + run.errors > failures_shown:
                    # Verdicts are in the order of their cases, not of their time: new ones may be on any page.
                    failures_shown = run.failed + run.errors
                    verdicts = _verdicts(client, run_id)
                    for verdict in verdicts:
                        if verdict.result in ("failed", "error") and _key(verdict) not in shown:
                            shown.add(_key(verdict))
                            progress.console.print(_line(verdict), soft_wrap=True)
                    if ended:
                        return run.model_copy(update={"verdicts": verdicts, "cursor": None})
                sleep(wait)
    except (KeyboardInterrupt, ServiceError) as error:
        if isinstance(error, ServiceError) and error.status in (401, 403, 404):
            raise
        console.print(
            f"\nThe run continues. Watch it: {flexchat('validate', 'watch', run_id)}"
            f"\nStop it: {flexchat('validate', 'stop', run_id)}"
            f"\nResume it if it stalls: {flexchat('validate', 'resume', run_id)}",
            soft_wrap=True,
        )
        raise
    raise AssertionError("waits do not end")


def read_run(body: Any) -> ValidationRunView:
    """Return a run from the service's response; keys of a newer service are ignored."""
    return parse_answer(ValidationRunView, body)


def _verdicts(client: Client, run_id: str) -> tuple[RecordView, ...]:
    found = entries("verdicts", lambda cursor: client.validation_run(run_id, cursor=cursor))
    return tuple(parse_answer(RecordView, verdict) for verdict in found)


def _progress(console: Console) -> Progress:
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
    )


def _so_far(run: ValidationRunView) -> str:
    parts = [run.status, f"{run.passed} passed", f"{run.failed} failed"]
    parts += [counted(run.errors, "error")] if run.errors else []
    parts += [f"{run.skipped} skipped"] if run.skipped else []
    return ", ".join([*parts, f"${run.cost_usd:.4f}"] if run.cost_usd else parts)


def _key(verdict: RecordView) -> tuple[str, str, int]:
    return verdict.model, verdict.case, verdict.repeat


def _line(verdict: RecordView) -> Text:
    mark = ("✗", "red") if verdict.result == "failed" else ("!", "yellow")
    times = f" #{verdict.repeat}" if verdict.repeat > 1 else ""
    reasons = as_invoked("; ".join(verdict.reasons))
    about = f" {verdict.model} {verdict.case}{times}"
    trace = f"\n  request id: {trace_hint(verdict.request_id)}" if verdict.request_id else ""
    return Text.assemble(mark, about, (f"  {reasons}" if reasons else "", "dim"), (trace, "dim"))
