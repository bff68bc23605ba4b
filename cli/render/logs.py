"""Log lines in one form: the time in UTC, the level, the function, the message and the keys."""

import json
from collections.abc import Iterable

from cli.console import Console, Text
from cli.times import iso
from flexchat.api.traces import LogLine
from flexchat.messages import Json

STYLES = {"DEBUG": "dim", "WARNING": "yellow", "ERROR": "red", "CRITICAL": "red"}


def show_log(console: Console, lines: Iterable[LogLine], *, request_id: str | None = None) -> None:
    """Print log lines, each in one row; `request_id` is one that all of them have, and is left out."""
    for line in lines:
        facts = " ".join(
            f"{name}={_compact(value)}"
            for name, value in line.fields.items()
            if name != "request_id" or value != request_id
        )
        text = Text.assemble(
            (f"{iso(line.at)} ", "dim"),
            (f"{line.level:<7} ", STYLES.get(line.level, "")),
            f"{line.function} {line.message}",
            (f"  {facts}" if facts else "", "dim"),
        )
        console.print(text, soft_wrap=True)


def _compact(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
