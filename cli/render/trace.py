"""Trace of one chat: the steps with their times, and the log lines of the request."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.table import Table

from cli.console import Console, Text
from cli.transport import parse_answer
from flexchat.api import ChatResponse, StepView
from flexchat.json import dumps
from flexchat.messages import Json

if TYPE_CHECKING:
    from flexchat.aws.logs import LoggedLine


def show_steps(console: Console, body: Mapping[str, Json]) -> None:
    """Print the steps of an answer and its request id."""
    answer = parse_answer(ChatResponse, body)
    table = Table(box=None, pad_edge=False, show_header=False)
    for justify in ("right", "right", "left", "left", "left"):
        table.add_column(justify=justify)
    for step in answer.timings.steps:
        table.add_row(*_cells(step))
    console.print()
    console.print(Text("steps (start, duration)", style="bold"))
    console.print(table)
    console.print(Text.assemble(("request id ", "bold"), answer.request_id))


def show_log(console: Console, lines: "Iterable[LoggedLine]") -> None:
    """Print log lines: the time, the function, the level, the event and its facts."""
    console.print(Text("log", style="bold"))
    for line in lines:
        time = line.at.time().isoformat(timespec="milliseconds")
        facts = " ".join(f"{name}={_compact(value)}" for name, value in line.fields.items())
        text = Text.assemble((f"{time} ", "dim"), f"{line.function} {line.level} {line.message}  ", (facts, "dim"))
        console.print(text, soft_wrap=True)


def _compact(value: Json) -> str:
    return value if isinstance(value, str) else dumps(value)


def _cells(step: StepView) -> tuple[str, str, Text, str, Text]:
    mark = Text("✓", style="green") if step.ok else Text("✗", style="red")
    details = [f"iteration {step.iteration}"] if step.iteration else []
    if step.total_tokens is not None:
        details.append(f"{step.total_tokens} tokens")
    details += [str(detail) for detail in (step.finish_reason, step.error) if detail]
    name = f"{step.step} {step.name}"
    return f"{step.start_ms} ms", f"{step.duration_ms} ms", mark, name, Text(", ".join(details), style="dim")
