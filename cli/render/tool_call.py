"""One call of a tool as text: its requests and their responses, its result, its times."""

import json
from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType

from cli.console import Console, Folded, Text
from cli.invocation import flexchat
from flexchat.api.answer import ToolFailureView
from flexchat.api.tool_calls import ToolCallOutcome
from flexchat.messages import Json
from flexchat.tool_inspection import Exchange


def show_call(console: Console, outcome: ToolCallOutcome) -> None:
    """Print a call, with whole lines."""
    console.print(Group(*_parts(outcome)), soft_wrap=True)


def _parts(outcome: ToolCallOutcome) -> Iterator[RenderableType]:
    yield _headline(outcome)
    yield from _section("arguments", _indented(outcome.arguments))
    if outcome.inspection is not None:
        exchanges = outcome.inspection.exchanges
        for number, exchange in enumerate(exchanges, start=1):
            yield from _exchange(number, exchange)
        if outcome.inspection.omitted:
            yield Text(f"\n{outcome.inspection.omitted} more requests are not shown", style="yellow")
        if outcome.inspection.notes:
            notes = (f"{name}: {_plain(value)}" for name, value in outcome.inspection.notes.items())
            yield from _section("shaping", "\n".join(notes))
    result = outcome.result
    if isinstance(result, ToolFailureView):
        problems = "".join(f"\n- {problem}" for problem in result.validation_errors or ())
        yield from _section(f"error: {result.error_type}", f"{result.error}{problems}")
    else:
        shortened = " (shortened)" if result.truncated else ""
        yield from _section(f"result{shortened}", _indented(result.result))
    yield from _section(f"sent to a model ({len(outcome.content)} characters)", outcome.content)
    yield Text(
        f"\nrequest id {outcome.request_id} ({flexchat('logs', outcome.request_id, '--stage', 'STAGE')})", style="dim"
    )


def _headline(outcome: ToolCallOutcome) -> Text:
    mark = ("✓", "green") if outcome.result.success else ("✗", "red")
    times = f"  {outcome.result.execution_time_ms} ms, {outcome.total_ms} ms with the checks"
    return Text.assemble(mark, " ", (outcome.tool, "bold"), f" ({outcome.type})", (times, "dim"))


def _exchange(number: int, exchange: Exchange) -> Iterator[RenderableType]:
    purpose = "" if exchange.purpose == "request" else f" ({exchange.purpose})"
    attempt = f", attempt {exchange.attempt}" if exchange.attempt > 1 else ""
    answered = exchange.status is not None or (exchange.error is None and exchange.response_body is not None)
    unnumbered = exchange.error or ("answered" if answered else "no response")
    answer = unnumbered if exchange.status is None else f"HTTP {exchange.status}"
    times = f"  {exchange.duration_ms} ms from {exchange.start_ms} ms, {exchange.response_bytes} bytes{attempt}"
    yield Text.assemble((f"\nrequest {number}{purpose}: ", "bold"), answer, (times, "dim"))
    sent = _message(f"{exchange.method} {exchange.url}", exchange.request_headers, exchange.request_body)
    yield Folded(sent)
    if answered:
        received = _message("", exchange.response_headers, exchange.response_body)
        yield from _section("response", received)


def _message(first: str, headers: Mapping[str, str], body: str | None) -> str:
    lines = [*filter(None, [first]), *(f"{name}: {value}" for name, value in headers.items())]
    return "\n".join([*lines, *([""] if lines else []), body] if body else lines)


def _section(heading: str, text: str) -> Iterator[RenderableType]:
    yield Text(f"\n{heading}", style="bold")
    yield Folded(text)


def _indented(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
