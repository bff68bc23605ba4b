"""A run as a person watches it: each step once it is over, then its answer."""

from collections.abc import Callable, Iterator

from rich.console import Console
from rich.text import Text

from cli.client import Client
from cli.errors import ServiceError
from cli.http_client import parse_answer
from cli.invocation import flexchat
from flexchat.api import StepView
from flexchat.api.runs import RunView
from flexchat.messages import Json

FIRST_WAIT_SECONDS = 0.3
LONGEST_WAIT_SECONDS = 3.0
WAIT_GROWTH = 1.5


def follow(client: Client, run_id: str, console: Console, *, sleep: Callable[[float], object]) -> dict[str, Json]:
    """The answer of the run `run_id`, once it is there; its steps are printed as they end.

    Raises ServiceError when the run fails or is cancelled. Interrupted, it says how to come back: the run goes on.
    """
    console.print(f"run {run_id}", style="dim", highlight=False)
    shown = 0
    try:
        for wait in waits():
            body = client.run(run_id)
            run = parse_answer(RunView, body)
            for step in run.steps[shown:]:
                console.print(_line(step), highlight=False)
            shown = max(shown, len(run.steps))
            if (answer := _answer(run, body)) is not None:
                return answer
            sleep(wait)
    except KeyboardInterrupt:
        again = flexchat("chat", "--follow", run_id)
        console.print(f"\nThe run continues. Its answer: {again}", highlight=False, markup=False, soft_wrap=True)
        raise
    raise AssertionError("waits do not end")


def _answer(run: RunView, body: dict[str, Json]) -> dict[str, Json] | None:
    """The answer of a run that has succeeded, None of one that is not over."""
    match run.status:
        case "queued" | "running":
            return None
        case "succeeded":
            answer = body.get("answer")
            if isinstance(answer, dict):
                return answer
            raise ServiceError(f"the run {run.id} has succeeded, but its answer is no longer there")
        case "failed":
            reason = f"{run.error.message}\n  request id: {run.error.request_id}" if run.error else "no reason is known"
            raise ServiceError(f"the run {run.id} failed: {reason}")
        case "cancelled":
            raise ServiceError(f"the run {run.id} was cancelled")


def waits() -> Iterator[float]:
    """Seconds between looks at a run, short ones first: many runs are over in a few."""
    wait = FIRST_WAIT_SECONDS
    while True:
        yield wait
        wait = min(LONGEST_WAIT_SECONDS, wait * WAIT_GROWTH)


def _line(step: StepView) -> Text:
    mark = ("✓", "green") if step.ok else ("✗", "red")
    error = f", {step.error}" if step.error else ""
    at = f"{step.start_ms / 1000:6.1f} s "
    return Text.assemble((at, "dim"), mark, f" {step.step} {step.name}", (f"  {step.duration_ms} ms{error}", "dim"))
