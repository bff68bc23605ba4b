"""`flexchat traces` and `flexchat trace`: stored traces of chats."""

import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.client import Client
from cli.errors import ServiceError
from cli.invocation import flexchat
from cli.lazy import command_group
from cli.options import JsonOption, Limit, TokenOption, UrlOption, connect, print_json
from cli.terminal import echo
from cli.times import iso, now, read_moment
from cli.transport import entries, parse_answer
from flexchat.messages import Json

if TYPE_CHECKING:
    from flexchat.api.traces import TraceSummary

app = command_group()

LAST = "last"
LATEST = 5
"""Traces among which the last chat is: the title of its session is a trace as well."""

PAGE = 200
"""Maximum page size of the service."""

POLL_SECONDS = 2.0
LONGEST_CHAT = timedelta(minutes=15)
"""Maximum duration of a chat: a list is by the start of chats, and a trace is stored at their end."""

Moment = Annotated[str | None, typer.Option(metavar="TIME", help="A time ago such as 2h, or ISO 8601 in UTC.")]
Rating = Literal["up", "down"]


@app.command("traces")
def list_traces(
    *,
    failed: Annotated[
        bool, typer.Option("--failed", help="Only chats that did not answer or had a failed tool call.")
    ] = False,
    since: Moment = None,
    until: Moment = None,
    tool: Annotated[str | None, typer.Option(help="Only chats that called this tool.")] = None,
    model: Annotated[str | None, typer.Option(metavar="LLM:MODEL", help="Only chats of this model.")] = None,
    rule: Annotated[str | None, typer.Option(help="Only chats of this response rule.")] = None,
    caller: Annotated[str | None, typer.Option(metavar="TOKEN-ID", help="Only chats of this token.")] = None,
    session: Annotated[str | None, typer.Option(metavar="ID", help="Only chats of this session.")] = None,
    outcome: Annotated[str | None, typer.Option(help="Only this outcome, such as answered or error.")] = None,
    rating: Annotated[Rating | None, typer.Option(help="Only answers with this rating.")] = None,
    min_ms: Annotated[int | None, typer.Option(min=0, help="Only chats of at least this duration.")] = None,
    limit: Limit = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Also print new traces until Ctrl-C.")] = False,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """List the traces of chats, the newest first."""
    if follow and as_json:
        raise typer.BadParameter("pass only one of --follow and --json")
    if follow and until is not None:
        raise typer.BadParameter("pass only one of --follow and --until")
    named = {
        "since": iso(read_moment(since)) if since is not None else None,
        "until": iso(read_moment(until)) if until is not None else None,
        "failed": "true" if failed else None,
        "min_ms": str(min_ms) if min_ms is not None else None,
        "tool": tool,
        "model": model,
        "rule": rule,
        "caller": caller,
        "session": session,
        "outcome": outcome,
        "rating": rating,
    }
    query = {name: value for name, value in named.items() if value is not None}
    client = connect(url=url, token=token)
    found = list(_traces(client, query, limit))
    if as_json:
        print_json({"traces": found})
        return
    listed = _read(found)
    if not (listed or follow):
        echo("no traces; see `traces` in the configuration for which chats are stored" if not query else "no traces")
        return
    from cli.render.traces import show_traces

    show_traces(tuple(reversed(listed)) if follow else listed)
    if follow:
        _follow(client, query, {trace.id for trace in listed})


@app.command("trace")
def show_one(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id of a request, or `last` for your last chat.")],
    *,
    content: Annotated[bool, typer.Option("--content", help="Also print the messages, arguments and results.")] = False,
    logs: Annotated[bool, typer.Option("--logs", help="Also print the log lines; needs an operator's token.")] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the trace on the page.")] = False,
    case: Annotated[
        str | None, typer.Option(metavar="SUITE", help="Add it to a suite as a validation case; creates the suite.")
    ] = None,
    feedback: Annotated[Rating | None, typer.Option(help="Rate the answer.")] = None,
    comment: Annotated[str | None, typer.Option(help="The comment of --feedback.")] = None,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Show what one chat did, step by step. With --open, --case or --feedback, only do that."""
    if comment is not None and feedback is None:
        raise typer.BadParameter("--comment belongs to --feedback")
    client = connect(url=url, token=token)
    trace_id = _last(client) if id == LAST else id
    if feedback is not None:
        client.rate_answer(trace_id, {"rating": feedback, "comment": comment or ""})
        echo(f"{trace_id} is rated {feedback}")
    if case is not None:
        from cli.suites.trace_case import add_case

        echo(add_case(client, trace_id, case))
    if open_page:
        _open(f"{client.url}/runs/{trace_id}")
    if feedback is None and case is None and not open_page:
        _show(client, trace_id, content=content, logs=logs, as_json=as_json)


def _show(client: Client, trace_id: str, *, content: bool, logs: bool, as_json: bool) -> None:
    body = client.trace(trace_id)
    lines = client.trace_logs(trace_id) if logs else {}
    if as_json:
        print_json({**body, **lines})
        return
    from cli.console import Console, Text
    from cli.render.logs import show_log
    from cli.render.trace import show_trace
    from flexchat.api.traces import LogLines

    console = Console()
    show_trace(console, body, content=content)
    if logs:
        console.print(Text("\nlog", style="bold"))
        show_log(console, parse_answer(LogLines, lines).lines, request_id=trace_id)
        if lines.get("complete") is False:
            more = flexchat("logs", trace_id, "--stage", "STAGE")
            console.print(Text(f"the search was not complete; all lines: {more}", style="yellow"), soft_wrap=True)


def _last(client: Client) -> str:
    """Return the id of the newest chat. Raises ServiceError without one."""
    for trace in _traces(client, {}, LATEST):
        (summary,) = _read([trace])
        if summary.front_end != "title":
            return summary.id
    raise ServiceError(f"{client.url} has no traces for this token; start a chat: {flexchat('chat', 'Hello')}")


def _traces(client: Client, query: dict[str, str], limit: int) -> Iterator[Json]:
    sized = {**query, "limit": str(min(limit, PAGE))}
    return islice(entries("traces", lambda cursor: client.traces(sized, cursor=cursor)), limit)


def _read(found: list[Json]) -> "tuple[TraceSummary, ...]":
    from flexchat.api.traces import TraceList

    return parse_answer(TraceList, {"traces": found}).traces


def _follow(client: Client, query: dict[str, str], seen: set[str]) -> None:
    """Print new traces, the oldest first, until an interrupt."""
    from cli.render.traces import show_traces

    begun = now()
    try:
        while True:
            time.sleep(POLL_SECONDS)
            since = iso(max(begun, now()) - LONGEST_CHAT)
            newer = _read(list(_traces(client, {**query, "since": since}, PAGE)))
            fresh = [trace for trace in reversed(newer) if trace.id not in seen]
            seen.update(trace.id for trace in newer)
            if fresh:
                show_traces(fresh, headings=False)
    except KeyboardInterrupt:
        return


def _open(address: str) -> None:
    """Print the address of a page and open it where there is a browser."""
    import os
    import sys
    import webbrowser

    echo(address)
    # Without a display, a browser of the terminal would be started.
    if sys.platform != "linux" or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        webbrowser.open(address)
