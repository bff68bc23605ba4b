"""`flexchat validate status`, `history`, `forget` and `compare`: validation records of models."""

from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import ServiceError
from cli.invocation import flexchat
from cli.options import JsonOption, Limit, TokenOption, UrlOption, YesOption, connect, print_json
from cli.terminal import echo, require_confirmation
from cli.transport import parse_answer
from flexchat.messages import Json

if TYPE_CHECKING:
    from cli.client import Client
    from flexchat.validation.views import History

ModelName = Annotated[str, typer.Argument(metavar="MODEL", help="llm:model, from `flexchat models`.")]


SEARCHED = 2_000
"""Most verdicts that `show` reads, the newest first."""


def status(
    model: Annotated[
        str | None, typer.Argument(metavar="MODEL", help="llm:model, in detail. [default: all tested models]")
    ] = None,
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Show the pass rates of models over all of their tests, with their confidence."""
    from cli.console import Console
    from cli.render.validation import status_details, statuses_table
    from flexchat.validation.views import StatusList

    client = connect(url=url, token=token)
    if model is not None:
        body = client.validation_history(model)
        if as_json:
            print_json(body.get("status"))
        else:
            status = _read_history(body).status
            if not status.tested:
                client.check_model(model)
            Console().print(status_details(status))
        return
    body = client.validations()
    if as_json:
        print_json(body)
        return
    statuses = parse_answer(StatusList, body).validations
    if statuses:
        Console().print(statuses_table(statuses))
    else:
        echo(f"no model is tested; start a run: {flexchat('validate', 'run', '--model', 'LLM:MODEL')}")


def history(
    model: ModelName,
    *,
    limit: Limit = 50,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """List the verdicts of a model with their reasons, the newest first."""
    from pydantic import TypeAdapter

    from cli.console import Console
    from cli.render.validation import records_table
    from cli.transport import entries
    from flexchat.validation.views import RecordView

    client = connect(url=url, token=token)
    found = list(islice(entries("records", lambda cursor: client.validation_history(model, cursor=cursor)), limit))
    if as_json:
        print_json({"records": found})
        return
    records = TypeAdapter(tuple[RecordView, ...]).validate_python(found, extra="ignore")
    if records:
        Console().print(records_table(records))
    else:
        client.check_model(model)
        echo(f"{model} has no verdicts; run {flexchat('validate', 'run', '--model', model)}")


def show(
    model: ModelName,
    case: Annotated[str, typer.Argument(metavar="CASE", help="The case, from `history`.")],
    *,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="The run. [default: the latest with the case]")] = None,
    repeat: Annotated[int | None, typer.Option(min=1, help="The repetition. [default: the latest]")] = None,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Show one verdict of a model with its reasons, and the messages and calls of the case."""
    from pydantic import TypeAdapter

    from cli.transport import entries
    from flexchat.validation.views import RecordView

    client = connect(url=url, token=token)
    pages = entries("records", lambda cursor: client.validation_history(model, cursor=cursor))
    records = (TypeAdapter(RecordView).validate_python(found, extra="ignore") for found in islice(pages, SEARCHED))
    wanted = (
        each
        for each in records
        if each.case == case and run in (None, each.run) and repeat in (None, each.repeat) and each.result != "skipped"
    )
    record = next(wanted, None)
    if record is None:
        client.check_model(model)
        echo(
            f"{model} has no verdict on {case!r}; list its verdicts: {flexchat('validate', 'history', model)}", err=True
        )
        raise typer.Exit(1)
    trace = _trace(client, record.request_id)
    if as_json:
        print_json({"verdict": record.model_dump(mode="json"), "trace": trace})
        return
    from cli.console import Console
    from cli.render.trace import transcript
    from cli.render.validation import verdict_details

    console = Console()
    console.print(verdict_details(record))
    if trace is not None:
        for part in transcript(trace):
            console.print(part, soft_wrap=True)
        echo(f"the whole trace: {flexchat('trace', record.request_id)}")
    else:
        echo("The trace of this verdict is not available: it is no longer kept (`traces.days`), or was not stored.")


def _trace(client: "Client", request_id: str) -> dict[str, Json] | None:
    """Return the trace of a verdict; None if there is none."""
    if not request_id:
        return None
    try:
        return client.trace(request_id)
    except ServiceError as error:
        if error.status != HTTPStatus.NOT_FOUND:
            raise
        return None


def forget(
    model: ModelName,
    *,
    yes: YesOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Delete the records of a model; it is untested afterwards."""
    client = connect(url=url, token=token)
    if not yes:
        require_confirmation(f"Delete every test of {model} and what they add up to?")
    from flexchat.validation.views import ForgottenModel

    records, complete = 0, False
    while not complete:
        done = parse_answer(ForgottenModel, client.forget_model(model))
        records, complete = records + done.records, done.complete
    if not records:
        client.check_model(model)
    echo(f"{model}: {records:,} {'record' if records == 1 else 'records'} deleted")


def compare(
    model: ModelName,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The model to compare it with.")],
    *,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Compare the pass rates of two models and the significance of their difference."""
    from cli.console import Console
    from cli.render.validation import comparison

    client = connect(url=url, token=token)
    a, b = (_read_history(client.validation_history(name)).status for name in (model, other))
    untested = [status.model_id for status in (a, b) if not status.tested]
    if untested:
        for name in untested:
            client.check_model(name)
        echo(f"not comparable: {' and '.join(untested)} {'has' if len(untested) == 1 else 'have'} no tests", err=True)
        raise typer.Exit(1)
    Console().print(comparison(a, b))


def _read_history(body: dict[str, Json]) -> "History":
    from flexchat.validation.views import History

    return parse_answer(History, body)
