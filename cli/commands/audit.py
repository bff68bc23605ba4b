"""`flexchat audit`: list and export audit records."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Literal

import typer

from cli.lazy import command_group
from cli.options import JsonOption, Limit, TokenOption, UrlOption, connect, print_json
from cli.terminal import echo
from cli.times import iso, read_moment
from cli.transport import entries, parse_answer
from flexchat.messages import Json
from flexchat.text import counted

app = command_group("List and export audit records: tool calls, changes, approvals, sign-ins, exports.")

PAGE = 200
"""Maximum page size of the service."""

Moment = Annotated[str | None, typer.Option(metavar="TIME", help="A time ago such as 2h, or ISO 8601 in UTC.")]
Principal = Annotated[
    str | None, typer.Option(metavar="ID", help="Only records of this principal, such as a token's id.")
]
Tool = Annotated[str | None, typer.Option(help="Only calls of this tool.")]
Kind = Annotated[
    Literal["tool_call", "configuration", "token", "approval", "sign_in", "export"] | None,
    typer.Option(help="Only records of this kind."),
]


@app.command("list")
def list_records(
    *,
    since: Moment = None,
    until: Moment = None,
    principal: Principal = None,
    tool: Tool = None,
    kind: Kind = None,
    limit: Limit = 50,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """List audit records, the newest first. Needs a token with the role operator."""
    query = _query(since=since, until=until, principal=principal, tool=tool, kind=kind)
    query["limit"] = str(min(limit, PAGE))
    found = list(islice(_records(query, url=url, token=token), limit))
    if as_json:
        print_json({"records": found})
        return
    if not found:
        echo("no audit records")
        return
    from cli.render.audit import show_records
    from flexchat.api.audit import AuditList

    show_records(parse_answer(AuditList, {"records": found}).records)


@app.command()
def export(
    *,
    since: Moment = None,
    until: Moment = None,
    principal: Principal = None,
    tool: Tool = None,
    kind: Kind = None,
    to: Annotated[
        str | None,
        typer.Option(metavar="FILE|s3://BUCKET/KEY", help="The file or object to write. [default: standard output]"),
    ] = None,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Write audit records as JSON lines, the newest first. Needs a token with the role operator.

    An object in S3 is written with your own AWS credentials.
    """
    query = {**_query(since=since, until=until, principal=principal, tool=tool, kind=kind), "limit": str(PAGE)}
    # ASCII: the filter of the terminal changes none of it.
    lines = (json.dumps(record, separators=(",", ":")) for record in _records(query, url=url, token=token))
    if to is None:
        for line in lines:
            echo(line)
        return
    if to.startswith("s3://"):
        from cli.aws.objects import object_at

        target = object_at(to)
        written = list(lines)
        target.write("".join(f"{line}\n" for line in written).encode())
    else:
        from pathlib import Path

        from cli.files import write_text

        written = list(lines)
        write_text(Path(to), "".join(f"{line}\n" for line in written))
    echo(f"{counted(len(written), 'audit record')} in {to}", err=True)


def _query(**named: str | None) -> dict[str, str]:
    query = {name: value for name, value in named.items() if value is not None}
    return query | {name: iso(read_moment(query[name])) for name in ("since", "until") if name in query}


def _records(query: dict[str, str], *, url: str | None, token: str | None) -> Iterator[Json]:
    client = connect(url=url, token=token)
    return entries("records", lambda cursor: client.audit(query, cursor=cursor))
