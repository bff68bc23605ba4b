"""Answer of a chat as text."""

import json
from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.padding import Padding

from cli.console import Console, Text
from cli.errors import ServiceError
from cli.invocation import flexchat, trace_hint
from cli.render.approvals import print_approval, print_onwards, waiting_line
from cli.render.explain import explanation
from cli.render.money import dollars
from cli.render.outcomes import OUTCOMES
from cli.transport import parse_answer
from flexchat.api import ChatResponse, RagView, ToolCallView, ToolFailureView, ToolSuccessView
from flexchat.messages import Json
from flexchat.text import truncate
from flexchat.traces import FAILED_OUTCOMES

RESULT_WIDTH = 160


def show_answer(console: Console, body: Mapping[str, Json], *, content: bool = True, hint: bool = True) -> None:
    """Print the content, the search results, the tool calls, the cost and the next command.

    `body` is the service's answer; keys of a newer service are ignored. Without `content` the text is left out, which
    was printed as it arrived. Without `hint`, the command that shows the trace of a failed chat is left out.
    """
    answer = parse_answer(ChatResponse, body)
    text = [Text(answer.content or "(no text)")] if content else []
    console.print(Group(*text, *_parts(answer)))
    if answer.resume_token is not None:
        # not wrapped: the command is for copying
        again = flexchat("chat", "--resume", answer.resume_token)
        console.print(Text.assemble(("not finished; continue with ", "yellow"), again), soft_wrap=True)
    if answer.approvals is not None:
        console.print(Text(waiting_line(answer.approvals), style="yellow"), soft_wrap=True)
        print_approval(console, answer.approvals)
        print_onwards(console, answer.approvals)
    if hint and _failed(answer):
        console.print(Text.assemble(("request id ", "dim"), trace_hint(answer.request_id)), soft_wrap=True)


def require_collections(body: Mapping[str, Json]) -> None:
    """Check the searches of an answer. Raises ServiceError when a selected collection was not searched."""
    rag = parse_answer(ChatResponse, body).rag
    if rag is not None and rag.skipped:
        raise ServiceError(
            "\n".join(f"collection {entry.collection!r} was not searched: {entry.reason}" for entry in rag.skipped)
        )


def _failed(answer: ChatResponse) -> bool:
    return answer.outcome in FAILED_OUTCOMES or any(not call.result.success for call in answer.tool_calls)


def _parts(answer: ChatResponse) -> Iterator[RenderableType]:
    if answer.rag is not None:
        yield Text("")
        yield from _found(answer.rag)
    if answer.tool_calls:
        yield Text("")
    for call in answer.tool_calls:
        yield _call(call)
        yield Padding(_outcome(call.result), (0, 0, 0, 4), expand=False)
    if answer.explain is not None:
        yield Text("")
        yield from explanation(answer.explain)
    yield Text("")
    yield Text(_footer(answer), style="dim")
    yield from _onwards(answer)


def _onwards(answer: ChatResponse) -> Iterator[RenderableType]:
    """Yield the session of the answer, and a problem of saving it."""
    session = answer.session
    if session is not None and not session.saved:
        yield Text(f"not all of it was saved: {session.problem or 'no reason was recorded'}", style="red")
    if session is not None:
        yield Text(f"session {session.id}: {session.title}", style="dim")


def _found(rag: RagView) -> Iterator[RenderableType]:
    """Yield the match class of the selected collections, and the passages with their distances."""
    place = f" {rag.service}/{rag.collection}" if rag.collection else ""
    yield Text.assemble(("⌕", "green" if rag.documents else "yellow"), f" {rag.result}{place}")
    for document in rag.documents:
        title = document.title or document.source
        source = f" ({document.source})" if document.source not in ("", title) else ""
        place = "" if rag.collection else f"  {document.service}/{document.collection}"
        line = Text.assemble(f"{title}{source}", (f"  {document.distance:.3f}{place}", "dim"))
        yield Padding(line, (0, 0, 0, 4), expand=False)


def _call(call: ToolCallView) -> Text:
    mark = ("✓", "green") if call.result.success else ("✗", "red")
    return Text.assemble(
        mark,
        " ",
        (call.tool, "bold"),
        f" {_compact(call.params)}",
        (f"  iteration {call.iteration}, {call.result.execution_time_ms} ms", "dim"),
    )


def _outcome(result: ToolSuccessView | ToolFailureView) -> Text:
    if isinstance(result, ToolFailureView):
        return Text(f"→ {_short(result.error)}", style="red")
    return Text(f"→ {_short(_compact(result.result))}")


def _footer(answer: ChatResponse) -> str:
    parts = [f"{answer.model} (demo model)" if answer.demo else answer.model]
    if answer.rule:
        parts.append(f"rule {answer.rule}")
    if answer.fallback:
        parts.append(f"instead of {answer.fallback.instead_of} ({answer.fallback.reason})")
    if answer.status != "complete":
        parts.append(f"{answer.status} ({answer.finish_reason})")
    elif answer.outcome != "answered":
        parts.append(OUTCOMES[answer.outcome])
    if answer.deadline_reached:
        parts.append("answered early, for want of time")
    parts.append(f"{answer.usage.input_tokens} + {answer.usage.output_tokens} tokens")
    if answer.usage.cost_usd is not None:
        parts.append(dollars(answer.usage.cost_usd))
    model_ms = sum(step.duration_ms for step in answer.timings.steps if step.step == "model")
    parts.append(f"{answer.timings.total_ms} ms, of which {model_ms} ms the model")
    return " · ".join(parts)


def _compact(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return truncate(line, RESULT_WIDTH)
