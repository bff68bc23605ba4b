"""A chat's answer as a person reads it."""

import json
from collections.abc import Iterator, Mapping

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from flexchat.api import ChatResponse, ToolCallView, ToolFailureView, ToolSuccessView
from flexchat.messages import Json

RESULT_WIDTH = 160


def show_answer(console: Console, body: Mapping[str, Json]) -> None:
    """Print the content, then each tool call with arguments, result and time, then what it cost.

    `body` is the service's answer; keys that only a newer service sends are ignored.
    """
    answer = ChatResponse.model_validate(body, extra="ignore")
    console.print(Group(*_parts(answer)), highlight=False)


def _parts(answer: ChatResponse) -> Iterator[RenderableType]:
    yield Text(answer.content or "(no text)")
    if answer.tool_calls:
        yield Text("")
    for call in answer.tool_calls:
        yield _call(call)
        yield Padding(_outcome(call.result), (0, 0, 0, 4), expand=False)
    yield Text("")
    yield Text(_footer(answer), style="dim")


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
    parts = [answer.model]
    if answer.fallback:
        parts.append(f"instead of {answer.fallback.instead_of} ({answer.fallback.reason})")
    if answer.status != "complete":
        parts.append(f"{answer.status} ({answer.finish_reason})")
    parts.append(f"{answer.usage.input_tokens} + {answer.usage.output_tokens} tokens")
    model_ms = sum(step.duration_ms for step in answer.timings.steps if step.step == "model")
    parts.append(f"{answer.timings.total_ms} ms, of which {model_ms} ms the model")
    return " · ".join(parts)


def _compact(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= RESULT_WIDTH else f"{line[: RESULT_WIDTH - 1]}…"
