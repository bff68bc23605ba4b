"""`flexchat logs`: log lines of the functions of a stage."""

import time
from typing import Annotated

import typer

from cli.errors import unknown
from cli.invocation import flexchat
from cli.layout import LOCAL_STAGE, Layout
from cli.lazy import command_group
from cli.options import Stage
from cli.terminal import echo
from cli.times import exact, read_moment

app = command_group()

RECENT = "10m"
DAY = "1d"


@app.command()
def logs(
    id: Annotated[str | None, typer.Argument(metavar="ID", help="The id of a request. [default: all lines]")] = None,
    *,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Also print new lines until Ctrl-C.")] = False,
    function: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A function such as chat-stream, repeatable. [default: all]"),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="A time ago such as 2h, or ISO 8601 in UTC. [default: 10m; 1d with ID]"),
    ] = None,
    level: Annotated[str, typer.Option(help="The least level: DEBUG, INFO, WARNING, ERROR or CRITICAL.")] = "DEBUG",
    stage: Stage = LOCAL_STAGE,
) -> None:
    """Print the log lines of a stage or of one request, of all functions by their time."""
    from cli.aws.logs import LEVELS, LogSelection, StageLogs, function_names
    from cli.console import Console
    from cli.render.logs import show_log

    if level.upper() not in LEVELS:
        raise typer.BadParameter(f"must be one of {', '.join(LEVELS)}, not {level!r}", param_hint="--level")
    known = function_names(Layout.here().template)
    for name in function or ():
        if name not in known:
            raise unknown("function", name, known, where="template.yaml")
    begin = read_moment(since or (DAY if id is not None else RECENT))
    selection = LogSelection(tuple(function or known), level=level.upper(), request_id=id)
    reader = StageLogs(stage, selection)
    console = Console()
    if follow:
        try:
            show_log(console, reader.follow(begin, sleep=time.sleep), request_id=id)
        except KeyboardInterrupt:
            return
    lines = reader.read(begin)
    show_log(console, lines, request_id=id)
    if not lines:
        longer = flexchat("logs", *([id] if id else []), "--stage", stage, "--since", "7d")
        found = f"no log lines of the request {id}" if id is not None else "no log lines"
        echo(f"{found} since {exact(begin)} UTC; search a longer time: {longer}", err=True)
