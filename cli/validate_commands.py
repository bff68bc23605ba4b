"""`flexchat validate`: find out which models call tools properly."""

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter
from rich.console import Console

from cli.client import Client, ServiceError
from cli.service import JsonOption, TokenOption, UrlOption, connect
from cli.validate_records import export_records, import_records
from cli.validate_suites import check, draft, import_bfcl, suites
from cli.validation_junit import junit
from cli.validation_view import (
    comparison,
    records_table,
    run_summary,
    runs_table,
    status_details,
    statuses_table,
)
from cli.validation_watch import entries, read_run, watch
from flexchat.api.validation import ForgottenModel, History, RecordView, RunList, StatusList, ValidationRunView
from flexchat.messages import Json
from flexchat.validation.statistics import THRESHOLD

app = typer.Typer(no_args_is_help=True, help="Find out which models call tools properly, and how sure that is.")

BELOW_THRESHOLD = 1
NOT_FINISHED = 2
INTERRUPTED = 130

RunId = Annotated[str, typer.Argument(metavar="RUN", help="As `flexchat validate run` and `runs` name it.")]
ModelName = Annotated[str, typer.Argument(metavar="MODEL", help="llm:model, as `flexchat models` lists it.")]
Threshold = Annotated[
    float, typer.Option(min=0.0, max=1.0, help="Exit code 1 when a model's rate in the run is below.")
]
JunitFile = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", dir_okay=False, help="Write the verdicts as JUnit XML.")
]
Limit = Annotated[int, typer.Option(min=1, max=10_000, help="How many to show at most.")]


@app.command()
def run(
    model: Annotated[list[str], typer.Option("--model", "-m", metavar="LLM:MODEL", help="Whom to try, repeatable.")],
    *,
    suite: Annotated[str, typer.Option(help="The cases.")] = "default",
    repeats: Annotated[int, typer.Option(min=1, max=100, help="How often each case is asked.")] = 1,
    max_calls: Annotated[int | None, typer.Option(min=1, help="Stop the run after so many chats.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Stop it after so many tokens.")] = None,
    max_usd: Annotated[float | None, typer.Option(min=0.000001, help="Stop it after so many US dollars.")] = None,
    no_stop_early: Annotated[
        bool, typer.Option("--no-stop-early", help="Ask every case, also of a model whose outcome is decided.")
    ] = False,
    threshold: Threshold = THRESHOLD,
    junit_file: JunitFile = None,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Try models on a suite and watch. Exit code 0: every rate is high enough, 1: one is not, 2: it did not finish."""
    limits: dict[str, Json] = {"calls": max_calls, "tokens": max_tokens, "usd": max_usd}
    request: dict[str, Json] = {
        "models": [*model],
        "suite": suite,
        "repeats": repeats,
        "budget": {name: limit for name, limit in limits.items() if limit is not None},
        "stop_early": not no_stop_early,
    }
    with _errors_are_unfinished_runs():
        client = connect(url=url, token=token)
        begun = read_run(client.start_validation(request))
        _watch(client, begun.id, threshold=threshold, junit_file=junit_file, as_json=as_json)


@app.command("watch")
def watch_run(
    run: RunId,
    *,
    threshold: Threshold = THRESHOLD,
    junit_file: JunitFile = None,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Watch a run to its end, also one that has ended. Exit codes as of `run`."""
    with _errors_are_unfinished_runs():
        client = connect(url=url, token=token)
        _watch(client, run, threshold=threshold, junit_file=junit_file, as_json=as_json)


@app.command()
def stop(run: RunId, *, url: UrlOption = None, token: TokenOption = None) -> None:
    """End a run: it asks no more, and what is graded stays."""
    connect(url=url, token=token).stop_validation(run)
    typer.echo(f"{run} is stopped; what it found: flexchat validate watch {run}")


@app.command()
def resume(run: RunId, *, url: UrlOption = None, token: TokenOption = None) -> None:
    """Send a run that stands still on its way again: only cases that are not graded yet are asked."""
    found = read_run(connect(url=url, token=token).resume_validation(run))
    typer.echo(f"{run} goes on, {found.done} of {found.total} done; watch it: flexchat validate watch {run}")


@app.command()
def runs(*, limit: Limit = 20, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Show the runs, the newest first."""
    client = connect(url=url, token=token)
    found = list(islice(entries("runs", lambda cursor: client.validation_runs(cursor=cursor)), limit))
    if as_json:
        _print_json({"runs": found})
    elif found:
        Console().print(runs_table(RunList.model_validate({"runs": found}, extra="ignore").runs), highlight=False)
    else:
        typer.echo("no runs; begin one: flexchat validate run --model LLM:MODEL")


@app.command()
def status(
    model: Annotated[
        str | None, typer.Argument(metavar="MODEL", help="llm:model, in detail; every tested model without it.")
    ] = None,
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Show how well models call tools, over all of their tests, and how sure that is."""
    client = connect(url=url, token=token)
    if model is not None:
        body = client.validation_history(model)
        if as_json:
            _print_json(body.get("status"))
        else:
            Console().print(status_details(_read_history(body).status), highlight=False)
        return
    body = client.validations()
    if as_json:
        _print_json(body)
        return
    statuses = StatusList.model_validate(body, extra="ignore").validations
    if statuses:
        Console().print(statuses_table(statuses), highlight=False)
    else:
        typer.echo("no model was tested; begin: flexchat validate run --model LLM:MODEL")


@app.command()
def history(
    model: ModelName,
    *,
    limit: Limit = 50,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Show the graded cases of a model, the newest first, with what was wrong."""
    client = connect(url=url, token=token)
    found = list(islice(entries("records", lambda cursor: client.validation_history(model, cursor=cursor)), limit))
    if as_json:
        _print_json({"records": found})
        return
    records = TypeAdapter(tuple[RecordView, ...]).validate_python(found, extra="ignore")
    if records:
        Console().print(records_table(records), highlight=False)
    else:
        typer.echo(f"nothing is known of {model}")


@app.command()
def forget(
    model: ModelName,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Delete what is known of a model with its records: it is untested afterwards."""
    client = connect(url=url, token=token)
    if not yes:
        typer.confirm(f"Delete every test of {model} and what they add up to?", abort=True)
    records, complete = 0, False
    while not complete:
        done = ForgottenModel.model_validate(client.forget_model(model), extra="ignore")
        records, complete = records + done.records, done.complete
    typer.echo(f"{model} is forgotten: {records:,} {'record' if records == 1 else 'records'} deleted")


@app.command()
def compare(
    model: ModelName,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The model to compare it with.")],
    *,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Compare two models over all of their tests: by how much one is better, and whether that can be told at all."""
    client = connect(url=url, token=token)
    a, b = (_read_history(client.validation_history(name)).status for name in (model, other))
    untested = [status.model_id for status in (a, b) if not status.tested]
    if untested:
        typer.echo(
            f"cannot tell: {' and '.join(untested)} {'was' if len(untested) == 1 else 'were'} never tested", err=True
        )
        raise typer.Exit(1)
    Console().print(comparison(a, b), highlight=False)


app.command()(check)
app.command()(draft)
app.command("import-bfcl")(import_bfcl)
app.command("export")(export_records)
app.command("import")(import_records)
app.add_typer(suites, name="suites")


def _watch(client: Client, run_id: str, *, threshold: float, junit_file: Path | None, as_json: bool) -> None:
    """Watch a run, tell how it ended and leave with its exit code."""
    try:
        ended = watch(client, run_id, Console(stderr=True, quiet=as_json), sleep=time.sleep)
    except KeyboardInterrupt as interrupt:
        raise typer.Exit(INTERRUPTED) from interrupt
    if junit_file is not None:
        junit_file.write_text(junit(ended), encoding="utf-8")
    if as_json:
        _print_json(ended.model_dump(mode="json"))
    else:
        Console().print(run_summary(ended), highlight=False)
    raise typer.Exit(_exit_code(ended, threshold))


def _exit_code(run: ValidationRunView, threshold: float) -> int:
    if run.status != "finished":
        return NOT_FINISHED
    reached = (model.rate is not None and model.rate.rate >= threshold for model in run.models)
    return 0 if all(reached) else BELOW_THRESHOLD


@contextmanager
def _errors_are_unfinished_runs() -> Generator[None]:
    """Continuous integration must not take a service that cannot be asked for a model below the threshold."""
    try:
        yield
    except ServiceError as error:
        Console(stderr=True).print(str(error), style="red", highlight=False, markup=False, soft_wrap=True)
        raise typer.Exit(NOT_FINISHED) from error


def _read_history(body: dict[str, Json]) -> History:
    return History.model_validate(body, extra="ignore")


def _print_json(body: Json) -> None:
    typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
