"""`flexchat chat`: one question to a running service."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.client import Client
from cli.files import read_json
from cli.layout import Layout
from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, connect, print_json
from flexchat.messages import Json

if TYPE_CHECKING:
    from cli.console import Console

app = command_group()


@app.command()
def chat(
    message: Annotated[str | None, typer.Argument(help="The question; not with --resume or --follow.")] = None,
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
    deadline_ms: Annotated[int | None, typer.Option(min=1, help="The deadline of the answer, in milliseconds.")] = None,
    image: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="A picture of the question, repeatable.")
    ] = None,
    file: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="A PDF, office or text file of the question, repeatable.")
    ] = None,
    history: Annotated[Path | None, typer.Option(help="A JSON file with the previous messages.")] = None,
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="A session, created on first use."),
    ] = None,
    profile: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="A profile field, repeatable.")] = None,
    topic: Annotated[str | None, typer.Option(help="The topic of the conversation.")] = None,
    collection: Annotated[
        list[str] | None,
        typer.Option(metavar="[SERVICE/]NAME", help="A collection to search first, repeatable."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="LLM:MODEL", help="A model that the configuration lets you choose.")
    ] = None,
    rule: Annotated[
        str | None, typer.Option(metavar="NAME", help="A response rule that the configuration lets you choose.")
    ] = None,
    schema: Annotated[Path | None, typer.Option(help="A JSON file with the JSON Schema of the answer.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also print why this answer was produced.")] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Like --explain; also print each step with its times, and the log lines.")
    ] = False,
    resume: Annotated[
        str | None, typer.Option(metavar="TOKEN", help="Continue a partial answer, by its resume token.")
    ] = None,
    in_background: Annotated[
        bool, typer.Option("--async", help="Run in the background for up to 15 minutes, and watch.")
    ] = False,
    follow_run: Annotated[
        str | None, typer.Option("--follow", metavar="RUN", help="Watch a run that was started with --async.")
    ] = None,
    idempotency_key: Annotated[
        str | None, typer.Option(metavar="KEY", help="A request with the same key gets the first answer again.")
    ] = None,
    no_stream: Annotated[
        bool, typer.Option("--no-stream", help="Print the answer in one piece, on a terminal as well.")
    ] = False,
) -> None:
    """Ask a question and print the answer and its tool calls.

    Exit code 1 when a selected collection cannot be searched. Ctrl-C cancels a streamed answer in the service.
    """
    _only_one(message, resume, follow_run)
    streams = not (no_stream or as_json) and sys.stdout.isatty()
    if follow_run is not None:
        client = connect(url=url, token=token)
        if streams:
            _show_streamed(client, trace=trace, run=follow_run)
        else:
            _show(client, _follow(client, follow_run, quiet=as_json), as_json=as_json, trace=trace)
        return
    request: dict[str, Json] = {"message": message} if resume is None else {"resume_token": resume}
    if history is not None:
        request["history"] = read_json(history)
    if session is not None:
        request["session_id"] = session
    if profile:
        request["profile"] = _profile(profile)
    if topic is not None:
        request["topic"] = topic
    if collection:
        request["selected_collections"] = [*collection]
    if model is not None:
        request["model"] = model
    if rule is not None:
        request["rule"] = rule
    if schema is not None:
        request["response_schema"] = read_json(schema)
    if explain or trace:
        request["explain"] = True
    if deadline_ms is not None:
        request["deadline_ms"] = deadline_ms
    client = connect(url=url, token=token)
    if image or file:
        from cli.attachments import attachments

        request["attachments"] = attachments(client, [*(image or ()), *(file or ())])
    if in_background:
        run = client.start_chat(request, idempotency_key=idempotency_key)
        if streams:
            _show_streamed(client, trace=trace, run=run)
            return
        body = _follow(client, run, quiet=as_json)
    elif streams:
        _show_streamed(client, trace=trace, request=request, idempotency_key=idempotency_key)
        return
    else:
        body = client.chat(request, idempotency_key=idempotency_key)
    _show(client, body, as_json=as_json, trace=trace)


def _only_one(message: str | None, resume: str | None, follow_run: str | None) -> None:
    given = [value for value in (message, resume, follow_run) if value is not None]
    if not given:
        raise typer.BadParameter("pass a message, --resume TOKEN or --follow RUN")
    if len(given) > 1:
        raise typer.BadParameter("pass only one of a message, --resume and --follow")


def _follow(client: Client, run: str, *, quiet: bool) -> dict[str, Json]:
    from cli.console import Console
    from cli.follow_run import follow

    return follow(client, run, Console(stderr=True, quiet=quiet), sleep=time.sleep)


def _show_streamed(
    client: Client,
    *,
    trace: bool,
    request: dict[str, Json] | None = None,
    idempotency_key: str | None = None,
    run: str = "",
) -> None:
    """Print the answer to `request` as it arrives, or that of the background run `run`."""
    from cli.console import Console
    from cli.streamed_answer import StreamedAnswer

    answer = StreamedAnswer(client, Console(stderr=True), sleep=time.sleep)
    body = answer.follow(run) if request is None else answer.send(request, idempotency_key=idempotency_key)
    _show(client, body, as_json=False, trace=trace, content=not answer.is_shown)


def _show(client: Client, body: dict[str, Json], *, as_json: bool, trace: bool, content: bool = True) -> None:
    from cli.render.answer import require_collections, show_answer

    if as_json:
        print_json(body)
    else:
        from cli.console import Console

        console = Console()
        show_answer(console, body, content=content, hint=not trace)
        if trace:
            _show_trace(client, console, body)
    require_collections(body)
    if not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        _ask(client, body, trace=trace)


def _ask(client: Client, body: dict[str, Json], *, trace: bool) -> None:
    """Ask the person at the terminal about the calls that wait, and show the answer of the run that goes on."""
    from cli.terminal import confirmed
    from cli.transport import parse_answer
    from flexchat.api.approvals import ApprovalView

    waiting = body.get("approvals")
    if not isinstance(waiting, dict):
        return
    approval = parse_answer(ApprovalView, waiting)
    if any(call.approvers for call in approval.calls):  # people with these roles decide
        return
    decisions: list[Json] = [
        {"call_id": call.call_id, "digest": call.digest, "approve": confirmed(f"Run {call.tool}?")}
        for call in approval.calls
    ]
    decided = parse_answer(ApprovalView, client.decide(approval.id, decisions))
    if decided.run_id is not None:
        _show_streamed(client, trace=trace, run=decided.run_id)


def _show_trace(client: Client, console: "Console", body: dict[str, Json]) -> None:
    """Print the steps and the request id; for the local stack also the log lines, else the command that finds them."""
    import os

    from cli.console import Text
    from cli.invocation import flexchat, trace_hint
    from cli.local_stack import point_at_emulator, read_state
    from cli.render.trace import show_steps

    show_steps(console, body)
    stack, request_id = read_state(Layout.here().state), str(body.get("request_id"))
    console.print(Text.assemble(("request id ", "bold"), trace_hint(request_id)), soft_wrap=True)
    if stack is None or stack.url != client.url:
        command = flexchat("logs", request_id, "--stage", "STAGE")
        console.print(Text.assemble(("log ", "bold"), command), soft_wrap=True)
        return
    from cli.aws.logs import LogSelection, StageLogs, function_names
    from cli.render.logs import show_log
    from cli.times import read_moment

    point_at_emulator(os.environ, stack.endpoint, stack.access_key_id)
    functions = function_names(Layout.here().template)
    reader = StageLogs(stack.stage, LogSelection(functions, request_id=request_id))
    console.print(Text("log", style="bold"))
    show_log(console, reader.read(read_moment("1d")), request_id=request_id)


def _profile(fields: list[str]) -> dict[str, Json]:
    profile: dict[str, Json] = {}
    for field in fields:
        name, equals, value = field.partition("=")
        if not name or not equals:
            raise typer.BadParameter(f"{field!r} is not KEY=VALUE", param_hint="--profile")
        profile[name] = value
    return profile
