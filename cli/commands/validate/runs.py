"""`flexchat validate run`, `watch`, `stop`, `resume` and `runs`."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.client import Client
from cli.errors import ServiceError
from cli.files import file_error, write_text
from cli.invocation import as_invoked, flexchat
from cli.options import JsonOption, Limit, TokenOption, UrlOption, connect, print_json
from cli.terminal import echo
from cli.transport import parse_answer
from flexchat.messages import Json
from flexchat.validation.statistics import THRESHOLD

if TYPE_CHECKING:
    from flexchat.validation.views import ValidationRunView

BELOW_THRESHOLD = 1
NOT_FINISHED = 2
INTERRUPTED = 130

RunId = Annotated[str, typer.Argument(metavar="RUN", help="The run's id, from `runs`.")]
Threshold = Annotated[float, typer.Option(min=0.0, max=1.0, help="Exit code 1 below this rate of any model.")]
JunitFile = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Also write the verdicts as JUnit XML.")
]


def run(
    model: Annotated[
        list[str], typer.Option("--model", "-m", metavar="LLM:MODEL", help="A model to validate, repeatable.")
    ],
    *,
    suite: Annotated[str, typer.Option(help="The suite of cases.")] = "default",
    repeats: Annotated[int, typer.Option(min=1, max=100, help="Chats per case.")] = 1,
    max_calls: Annotated[int | None, typer.Option(min=1, help="Stop the run after this many chats.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Stop the run after this many tokens.")] = None,
    max_usd: Annotated[
        float | None, typer.Option(min=0.000001, help="Stop the run after this many US dollars.")
    ] = None,
    no_stop_early: Annotated[
        bool, typer.Option("--no-stop-early", help="Run every case, also for a model whose outcome is decided.")
    ] = False,
    threshold: Threshold = THRESHOLD,
    junit_file: JunitFile = None,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Validate models with a suite and watch. Exit code 1: a rate is below the threshold, 2: the run did not finish."""
    limits: dict[str, Json] = {"calls": max_calls, "tokens": max_tokens, "usd": max_usd}
    request: dict[str, Json] = {
        "models": [*model],
        "suite": suite,
        "repeats": repeats,
        "budget": {name: limit for name, limit in limits.items() if limit is not None},
        "stop_early": not no_stop_early,
    }
    _check_junit_file(junit_file)
    with _errors_are_unfinished_runs():
        from cli.commands.validate.watch import read_run

        client = connect(url=url, token=token)
        client.check_listed(model)
        begun = read_run(client.start_validation(request))
        _watch(client, begun.id, threshold=threshold, junit_file=junit_file, as_json=as_json)


def watch_run(
    run: RunId,
    *,
    threshold: Threshold = THRESHOLD,
    junit_file: JunitFile = None,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Watch a run to its end. Exit codes as for `run`."""
    _check_junit_file(junit_file)
    with _errors_are_unfinished_runs():
        client = connect(url=url, token=token)
        _watch(client, run, threshold=threshold, junit_file=junit_file, as_json=as_json)


def stop(run: RunId, *, url: UrlOption = None, token: TokenOption = None) -> None:
    """Stop a run; its verdicts are not deleted."""
    connect(url=url, token=token).stop_validation(run)
    echo(f"{run} is stopped; its verdicts: {flexchat('validate', 'watch', run)}")


def resume(run: RunId, *, url: UrlOption = None, token: TokenOption = None) -> None:
    """Resume a stalled run with the cases that have no verdict."""
    from cli.commands.validate.watch import read_run

    found = read_run(connect(url=url, token=token).resume_validation(run))
    watch = flexchat("validate", "watch", run)
    echo(f"{run} is resumed, {found.done} of {found.total} done; watch it: {watch}")


def runs(*, limit: Limit = 20, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """List the runs, the newest first."""
    from cli.transport import entries

    client = connect(url=url, token=token)
    found = list(islice(entries("runs", lambda cursor: client.validation_runs(cursor=cursor)), limit))
    if as_json:
        print_json({"runs": found})
    elif found:
        from cli.console import Console
        from cli.render.validation import runs_table
        from flexchat.validation.views import RunList

        Console().print(runs_table(parse_answer(RunList, {"runs": found}).runs))
    else:
        echo(f"no runs; start one: {flexchat('validate', 'run', '--model', 'LLM:MODEL')}")


def _watch(client: Client, run_id: str, *, threshold: float, junit_file: Path | None, as_json: bool) -> None:
    """Watch a run, print its outcome and leave with its exit code."""
    from cli.commands.validate.watch import watch
    from cli.console import Console
    from cli.render.validation import run_summary

    try:
        ended = watch(client, run_id, Console(stderr=True, quiet=as_json), sleep=time.sleep)
    except KeyboardInterrupt as interrupt:
        raise typer.Exit(INTERRUPTED) from interrupt
    if junit_file is not None:
        from cli.render.junit import junit

        write_text(junit_file, junit(ended))
    if as_json:
        print_json(ended.model_dump(mode="json"))
    else:
        Console().print(run_summary(ended))
    raise typer.Exit(_exit_code(ended, threshold))


def _check_junit_file(file: Path | None) -> None:
    """Raise ConfigError for a file that cannot be written, before the run starts."""
    if file is None:
        return
    if file.is_dir():
        raise file_error(file, "is a directory; name a file")
    if not file.parent.is_dir():
        raise file_error(file, f"directory {str(file.parent)!r} not found")


def _exit_code(run: "ValidationRunView", threshold: float) -> int:
    if run.status != "finished":
        return NOT_FINISHED
    reached = (model.rate is not None and model.rate.rate >= threshold for model in run.models)
    return 0 if all(reached) else BELOW_THRESHOLD


@contextmanager
def _errors_are_unfinished_runs() -> Generator[None]:
    """Return a distinct exit code, so that continuous integration does not report an unavailable service as a
    failed model."""
    try:
        yield
    except ServiceError as error:
        echo(as_invoked(str(error)), err=True, colour="red")
        raise typer.Exit(NOT_FINISHED) from error
