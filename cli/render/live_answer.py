"""Answer of a chat while it arrives: its text on a terminal, its steps beside it."""

import json

from cli.chat_stream import ChatEvent
from cli.console import Console, Text
from cli.terminal import echo
from flexchat.messages import Json
from flexchat.text import truncate

ARGUMENTS_WIDTH = 160


class LiveAnswer:
    """Prints the text of a chat as it arrives, and one line per step to `steps`."""

    def __init__(self, steps: Console) -> None:
        self._steps = steps
        self._text = ""
        self._iteration: int = 0
        self._at_line_start = True

    def show(self, event: ChatEvent) -> None:
        """Print an event; unknown ones are ignored, as a newer service may send them."""
        match event.name:
            case "delta":
                self._begin(event.number("iteration"))
                self._write(event.text("text"))
            case "model_started":
                self._begin(event.number("iteration"))
            case "rule" if event.text("rule"):
                self._step(f"· rule {event.text('rule')}")
            case "phase":
                self._step(_phase(event))
            case "reasoning":
                self._step(f"~ {truncate(' '.join(event.text('text').split()), ARGUMENTS_WIDTH)}")
            case "tool_started":
                arguments = " ".join(_compact(event.data.get("arguments")).split())
                self._step(f"→ {event.text('tool')} {truncate(arguments, ARGUMENTS_WIDTH)}")
            case "tool_finished":
                self._step(_finished(event))
            case "warning":
                self._step(f"! {event.text('message')}", style="yellow")
            case _:
                pass

    def note(self, message: str) -> None:
        """Print a line about the stream itself."""
        self._step(message)

    def is_final(self, content: str) -> bool:
        """Return true if the text of the last model turn is `content`, which needs no other output."""
        return bool(content) and content.strip() == self._text.strip()

    def end_line(self) -> None:
        """Move to the start of a line."""
        if not self._at_line_start:
            echo()
            self._at_line_start = True

    def _begin(self, iteration: int) -> None:
        """Begin the text of another model turn on a new line."""
        if iteration != self._iteration:
            self.end_line()
            self._iteration, self._text = iteration, ""

    def _write(self, text: str) -> None:
        if text:
            echo(text, end="")
            self._text += text
            self._at_line_start = text.endswith("\n")

    def _step(self, line: str, *, style: str = "dim") -> None:
        self.end_line()
        self._steps.print(Text(line, style=style), soft_wrap=True)


def _phase(event: ChatEvent) -> str:
    mark = "✗" if event.data.get("ok") is False else "✓"
    words = (mark, event.text("phase"), event.text("name"))
    return f"{' '.join(word for word in words if word)}  {event.number('duration_ms')} ms"


def _finished(event: ChatEvent) -> str:
    is_ok = event.data.get("ok") is True
    error = "" if is_ok else f", {event.text('error') or 'failed'}"
    return f"{'✓' if is_ok else '✗'} {event.text('tool')}  {event.number('duration_ms')} ms{error}"


def _compact(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
