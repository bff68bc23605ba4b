"""Output of a background run: each finished step, then the answer."""

from collections.abc import Callable, Iterator

from cli.client import Client
from cli.console import Console, Text
from cli.errors import ServiceError
from cli.invocation import flexchat, trace_hint
from cli.transport import parse_answer
from flexchat.api import StepView
from flexchat.api.runs import RunView
from flexchat.messages import Json

FIRST_WAIT_SECONDS = 0.3
LONGEST_WAIT_SECONDS = 3.0
WAIT_GROWTH = 1.5


def follow(client: Client, run_id: str, console: Console, *, sleep: Callable[[float], object]) -> dict[str, Json]:
    """Return the answer of the run `run_id` once it has succeeded; print its steps as they end.

    Raises ServiceError when the run fails or is cancelled. An interrupt prints the command that continues to follow.
    """
    console.print(f"run {run_id}", style="dim")
    shown = 0
    try:
        for wait in waits():
            body = client.run(run_id)
            run = parse_answer(RunView, body)
            for step in run.steps[shown:]:
                console.print(_line(step))
            shown = max(shown, len(run.steps))
            if (answer := _answer(run, body)) is not None:
                return answer
            sleep(wait)
    except KeyboardInterrupt:
        console.print()
        show_interrupted(console, run_id)
        raise
    raise AssertionError("waits do not end")


def show_interrupted(console: Console, run_id: str) -> None:
    """Print the command that continues to follow a run."""
    again = flexchat("chat", "--follow", run_id)
    console.print(f"The run continues. Its answer: {again}", soft_wrap=True)


def _answer(run: RunView, body: dict[str, Json]) -> dict[str, Json] | None:
    """Return the answer of a succeeded run, None for an unfinished one."""
    match run.status:
        case "queued" | "running":
            return None
        case "succeeded" | "waiting":
            answer = body.get("answer")
            if isinstance(answer, dict):
                return answer
            raise ServiceError(f"the run {run.id} succeeded, but its answer has expired")
        case "failed":
            reason = (
                f"{run.error.message}\n  request id: {trace_hint(run.error.request_id)}"
                if run.error
                else "no reason was recorded"
            )
            raise ServiceError(f"the run {run.id} failed: {reason}")
        case "cancelled":
            raise ServiceError(f"the run {run.id} was cancelled")


def waits() -> Iterator[float]:
    """Yield the seconds between two reads of a run, increasing: many runs end within a few."""
    wait = FIRST_WAIT_SECONDS
    while True:
        yield wait
        wait = min(LONGEST_WAIT_SECONDS, wait * WAIT_GROWTH)


def _line(step: StepView) -> Text:
    mark = ("✓", "green") if step.ok else ("✗", "red")
    error = f", {step.error}" if step.error else ""
    at = f"{step.start_ms / 1000:6.1f} s "
    return Text.assemble((at, "dim"), mark, f" {step.step} {step.name}", (f"  {step.duration_ms} ms{error}", "dim"))
