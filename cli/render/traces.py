"""Table of traces."""

from collections.abc import Sequence

from cli.console import WIDEST, Console, Table, Text, natural_width, print_whole
from cli.render.money import cost
from cli.render.outcomes import outcome_text
from cli.times import ago, duration, exact
from flexchat.api.traces import TraceSummary
from flexchat.text import single_line, truncate

HEADINGS = ("TIME (UTC)", "AGO", "ID", "OUTCOME", "DURATION", "MODEL", "TOOLS", "TOKENS", "COST", "MESSAGE")
RIGHT = ("AGO", "DURATION", "TOKENS", "COST")
RATINGS = {"up": "+ ", "down": "- "}

TOOLS_WIDTH = 40
MESSAGE_WIDTH = 24
"""Characters of the list of tools on a terminal, and of a message where it has no room for more."""


def show_traces(traces: Sequence[TraceSummary], *, headings: bool = True) -> None:
    """Print one row per trace, with complete ids and the head of the message that the terminal has room for; in a pipe
    with all tools and the whole message."""
    room = Console().width - natural_width(_table(traces, headings=headings, message_width=0)) - len("  ")
    print_whole(_table(traces, headings=headings, message_width=max(MESSAGE_WIDTH, room)))


def _table(traces: Sequence[TraceSummary], *, headings: bool, message_width: int) -> Table:
    table = Table(box=None, pad_edge=False, show_header=headings)
    for heading in HEADINGS if message_width else HEADINGS[:-1]:
        table.add_column(heading, justify="right" if heading in RIGHT else "left")
    is_terminal = Console().is_terminal
    for trace in traces:
        cells = _cells(trace, is_terminal=is_terminal)
        message = f"{RATINGS.get(trace.rating or '', '')}{single_line(trace.message or '')}"
        table.add_row(*cells, *([Text(truncate(message, message_width))] if message_width else []))
    return table


def _cells(trace: TraceSummary, *, is_terminal: bool) -> tuple[Text | str, ...]:
    used = trace.usage.input_tokens + trace.usage.output_tokens
    return (
        exact(trace.started_at),
        ago(trace.started_at),
        Text(trace.id),
        _outcome(trace),
        duration(trace.duration_ms),
        Text(f"{trace.model or ''}{' demo' if trace.demo else ''}"),
        Text(truncate(", ".join(trace.tools), TOOLS_WIDTH if is_terminal else WIDEST)),
        f"{used:,}",
        cost(trace.cost_usd, used),
    )


def _outcome(trace: TraceSummary) -> Text:
    mark = ("✗ ", "red") if trace.failed else ("✓ ", "green")
    words = trace.error.type if trace.error is not None else outcome_text(trace)
    return Text.assemble(mark, words)
