"""Trace of one chat in the terminal: its outcome, its steps with their times, its content."""

import json
from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.padding import Padding

from cli.console import Console, Folded, Table, Text, Whole
from cli.render.money import cost, tokens
from cli.render.outcomes import outcome_text
from cli.render.waterfall import Bar, Waterfall
from cli.times import ago, duration, exact
from cli.transport import parse_answer
from flexchat.api import ChatResponse, StepView
from flexchat.api.traces import SpanView, TraceView
from flexchat.messages import Json
from flexchat.text import counted


def show_steps(console: Console, body: Mapping[str, Json]) -> None:
    """Print the steps of an answer."""
    answer = parse_answer(ChatResponse, body)
    console.print()
    console.print(Text("steps (start, duration)", style="bold"))
    console.print(Waterfall(map(_step, answer.timings.steps), total_ms=answer.timings.total_ms), crop=False)


def show_trace(console: Console, body: Mapping[str, Json], *, content: bool) -> None:
    """Print a stored trace, with `content` also its messages, arguments and results."""
    trace = parse_answer(TraceView, body)
    console.print(Whole(Group(_headline(trace), _facts(trace))), crop=False)
    console.print()
    if trace.failures:
        console.print(Whole(Group(*_failures(trace))), crop=False)
    console.print(Waterfall(map(_span, trace.spans), total_ms=trace.duration_ms), crop=False)
    explained = {failure.span_id for failure in trace.failures}
    for span in trace.spans:
        for text in _errors(span, explained=span.id in explained):
            console.print(text, soft_wrap=True)
    for warning in trace.warnings:
        console.print(Text(f"! {warning}", style="yellow"), soft_wrap=True)
    for limit in trace.limits:
        console.print(Text(f"! limit reached: {limit}", style="yellow"), soft_wrap=True)
    if content:
        console.print(Group(*_content(trace)))


def _step(step: StepView) -> Bar:
    details = [f"iteration {step.iteration}"] if step.iteration else []
    if step.total_tokens is not None:
        details.append(counted(step.total_tokens, "token"))
    details += [str(step.finish_reason)] if step.finish_reason else []
    name = f"{step.step} {step.name}"
    error = str(step.error or "")
    return Bar(step.start_ms, step.duration_ms, step.ok, name, details=", ".join(details), error=error)


def _span(span: SpanView) -> Bar:
    return Bar(
        span.start_ms,
        span.duration_ms,
        span.error is None,
        f"{span.kind} {span.name}",
        details=", ".join(_details(span)),
        error=span.error or "",
    )


def _details(span: SpanView) -> Iterator[str]:
    facts = span.attributes
    if facts.get("http_status") is not None and (span.kind == "tool" or span.error):
        yield f"HTTP {facts['http_status']}"
    if span.iteration:
        yield f"iteration {span.iteration}"
    if span.usage is not None:
        yield tokens(span.usage)
        yield cost(span.cost_usd, span.usage.input_tokens + span.usage.output_tokens)
    if facts.get("verdict"):
        policies = facts.get("policies")
        named = f": {', '.join(map(str, policies))}" if isinstance(policies, list) and policies else ""
        yield f"{facts.get('source')} {facts['verdict']}{named}"
    if facts.get("finish_reason"):
        yield str(facts["finish_reason"])
    if facts.get("fallback_of"):
        yield f"instead of {facts['fallback_of']}"
    if isinstance(retries := facts.get("retries"), int) and retries:
        yield "1 retry" if retries == 1 else f"{retries} retries"
    if facts.get("server"):
        yield f"MCP server {facts['server']}"
    if isinstance(inside := facts.get("function_ms"), int):
        yield f"{duration(inside)} in its function"
    if facts.get("truncated"):
        yield "result shortened"


def _errors(span: SpanView, *, explained: bool) -> Iterator[Text]:
    """Yield the failed attempts of a step before the last one, and its error unless it is `explained` without an id."""
    attempts = span.attributes.get("failed_attempts")
    failed = [each for each in attempts if isinstance(each, dict)] if isinstance(attempts, list) else []
    for attempt in failed[:-1] if span.error else failed:
        yield Text(f"! {span.kind} {span.name}: {', '.join(_attempt(attempt))}", style="yellow")
    request = span.attributes.get("provider_request_id")
    named = f" (request {request} of the provider)" if request and span.error else ""
    if named or (span.message and not explained):
        text = f" {span.kind} {span.name}: {span.message or span.error}{named}"
        yield Text.assemble(("✗", "red"), text)


def _attempt(attempt: Mapping[str, Json]) -> Iterator[str]:
    yield f"an attempt failed: {attempt.get('error')}"
    if attempt.get("status") is not None:
        yield f"HTTP {attempt['status']}"
    if isinstance(took := attempt.get("duration_ms"), int):
        yield f"after {duration(took)}"
    if isinstance(wait := attempt.get("wait_ms"), int):
        yield f"repeated {duration(wait)} later"
    if attempt.get("request_id"):
        yield f"request {attempt['request_id']}"
    if attempt.get("message"):
        yield str(attempt["message"])


def _headline(trace: TraceView) -> Text:
    mark = ("✗", "red") if trace.failed else ("✓", "green")
    demo = (" demo model", "yellow") if trace.demo else ""
    return Text.assemble(mark, " ", (outcome_text(trace), "bold"), demo, (f"  {trace.id}", "dim"))


def _facts(trace: TraceView) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    for name, text in _named_facts(trace):
        if text:
            table.add_row(name, Text(text))
    return table


def _failures(trace: TraceView) -> Iterator[RenderableType]:
    """Yield what failed, in which step, with which message, and what to do."""
    spans = {span.id: span for span in trace.spans}
    failed = [spans.get(failure.span_id or "") for failure in trace.failures]
    answered = all(span is not None and span.kind == "tool" and span.error for span in failed)
    yield Text("failed tool calls" if answered else "why it failed", style="bold")
    for failure, span in zip(trace.failures, failed, strict=True):
        status = f", HTTP {failure.status}" if failure.status is not None else ""
        yield Text.assemble(("✗ ", "red"), failure.title, (f" ({failure.code}{status})", "dim"))
        step = "before the first step" if not trace.spans else "" if span is None else _step_name(span)
        for text in (step, failure.message or "", failure.advice):
            if text:
                yield Padding(Text(text), (0, 0, 0, 2), expand=False)
    yield Text("")


def _step_name(span: SpanView) -> str:
    iteration = f", iteration {span.iteration}" if span.iteration else ""
    return f"{'in' if span.error else 'last step:'} {span.kind} {span.name}{iteration}"


def _named_facts(trace: TraceView) -> Iterator[tuple[str, str]]:
    first = f", first token after {duration(trace.first_token_ms)}" if trace.first_token_ms is not None else ""
    yield "time", f"{exact(trace.started_at)} UTC, {ago(trace.started_at)} ago"
    yield "duration", f"{duration(trace.duration_ms)}{first}"
    if trace.error is not None and not trace.failures:
        status = f" (HTTP {trace.error.status})" if trace.error.status is not None else ""
        yield "error", f"{trace.error.type}{status}: {trace.error.message}"
    session = f", session {trace.session_id}" if trace.session_id else ""
    turn = f", turn {trace.turn}" if trace.turn is not None else ""
    yield "caller", f"{trace.caller} by {trace.front_end}{', streamed' if trace.streamed else ''}{session}{turn}"
    chosen_model = " chosen by the caller" if trace.chosen_model else ""
    yield "model", f"{trace.model or ''}{chosen_model}{f' instead of {trace.fallback_of}' if trace.fallback_of else ''}"
    yield "rule", f"{trace.rule or ''}{' chosen by the caller' if trace.chosen_rule else ''}"
    yield "topic", trace.topic or ""
    yield "intent", trace.intent or ""
    yield "configuration", trace.configuration
    calls = f"{counted(trace.model_calls, 'model call')}, {counted(trace.tool_calls, 'tool call')}"
    price = cost(trace.cost_usd, trace.usage.input_tokens + trace.usage.output_tokens)
    yield "tokens", f"{tokens(trace.usage)} · {price} · {calls}"
    for feedback in trace.feedback:
        comment = f": {feedback.comment}" if feedback.comment else ""
        yield f"rated {feedback.rating}", f"by {feedback.by} on {exact(feedback.created_at)}{comment}"
    yield "message", trace.message or ""


def _content(trace: TraceView) -> Iterator[RenderableType]:
    if not trace.has_content:
        note = "no content is stored: `traces.content` of the configuration decides which chats have it"
        yield Text(f"\n{note}", style="yellow")
        return
    shown: set[int] = set()
    for span in trace.spans:
        if not span.content:
            continue
        yield Text(f"\n{span.kind} {span.name}", style="bold")
        yield from _messages(trace, span, shown)
        for name in ("answer", "arguments", "result", "error"):
            if name in span.content:
                value = span.content[name]
                yield Text(f"  {name}", style="dim")
                yield Folded(_message_text(value) if name == "answer" else _plain(value))
    if trace.answer:
        yield Text("\nanswer", style="bold")
        yield Folded(trace.answer)


def transcript(body: Mapping[str, Json]) -> Iterator[RenderableType]:
    """Yield the messages and calls of a stored chat, as its last model call got them, and the answer of that call."""
    trace = parse_answer(TraceView, body)
    last = next((span for span in reversed(trace.spans) if span.kind == "model" and span.content), None)
    if last is None:
        yield Text(
            "the trace was stored without messages: `traces.content` of the configuration is not `all`", "yellow"
        )
        return
    yield from _messages(trace, last, set())
    if (answer := last.content.get("answer")) is not None:
        yield Text("  assistant", style="dim")
        yield Folded(_message_text(answer))


def _messages(trace: TraceView, span: SpanView, shown: set[int]) -> Iterator[RenderableType]:
    """Yield the messages of a model call that no earlier one had, and the number of the others."""
    listed = span.content.get("messages")
    places = [place for place in listed if isinstance(place, int)] if isinstance(listed, list) else []
    if earlier := len(shown.intersection(places)):
        yield Text(f"  {counted(earlier, 'message')} as above", style="dim")
    for place in places:
        if place not in shown and 0 <= place < len(trace.messages):
            shown.add(place)
            message = trace.messages[place]
            role = message.get("role") if isinstance(message, dict) else None
            yield Text(f"  {role or 'message'}", style="dim")
            yield Folded(_message_text(message))


def _message_text(message: Json) -> str:
    """Return the texts of a message, and its other parts as JSON."""
    parts: Json = message.get("parts") if isinstance(message, dict) else None
    if not isinstance(parts, list):
        return _plain(message)
    return "\n".join(_part(part) for part in parts)


def _part(part: Json) -> str:
    match part:
        case {"type": "reasoning", "text": str(text)}:
            return f"~ {text}"
        case {"text": str(text)}:
            return text
        case {"type": "tool_call", "name": str(name), "arguments": arguments}:
            return f"→ {name} {arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)}"
        case {"type": "tool_output", "content": str(text)}:
            return text
        case _:
            return _plain(part)


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
