"""`flexchat usage`: chats, tokens and cost."""

from typing import Annotated, Literal

import typer

from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, connect, print_json
from cli.terminal import echo
from cli.times import read_moment
from cli.transport import parse_answer
from flexchat.messages import Json

app = command_group()

Day = Annotated[str | None, typer.Option(metavar="DAY", help="A day in UTC, or a time ago such as 7d.")]


@app.command()
def usage(
    *,
    by: Annotated[
        Literal["day", "caller", "model", "tool", "rule"], typer.Option(help="The group of the rows.")
    ] = "day",
    since: Day = None,
    until: Day = None,
    limits: Annotated[
        bool, typer.Option("--limits", help="Show the use of the limits of your token and its roles instead.")
    ] = False,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Show chats, tokens and cost by day or another group.

    A user's token shows its own usage, an operator's that of all callers. A cost of `?` has tokens without a price.
    """
    if limits:
        _show_limits(connect(url=url, token=token).caller(), as_json=as_json)
        return
    days = {"since": since, "until": until}
    query = {name: read_moment(day).date().isoformat() for name, day in days.items() if day is not None}
    body = connect(url=url, token=token).usage({"group": by, **query})
    if as_json:
        print_json(body)
        return
    from cli.render.usage import show_usage
    from flexchat.api.traces import UsageReport

    report = parse_answer(UsageReport, body)
    if report.rows:
        show_usage(report)
    else:
        echo(f"no usage from {report.since} to {report.until}")


def _show_limits(caller: dict[str, Json], *, as_json: bool) -> None:
    found = caller.get("limits")
    if as_json:
        print_json({"limits": found})
    elif found is None:
        echo("the limits cannot be read now")
    elif not found:
        echo("no limits")
    else:
        from cli.render.usage import LimitsReport, show_limits

        show_limits(parse_answer(LimitsReport, {"limits": found}))
