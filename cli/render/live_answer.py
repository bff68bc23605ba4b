"""Answer of a chat while it arrives: its text on a terminal, its steps beside it."""

import json
import unicodedata
from typing import TextIO

from rich.console import Console
from rich.text import Text

from cli.chat_stream import ChatEvent
from flexchat.messages import Json
from flexchat.text import truncate

ARGUMENTS_WIDTH = 160


def terminal_text(text: str) -> str:
    """Return `text` without control characters other than line feed and tab: they would control the terminal."""
    return "".join(character for character in text if character in "\n\t" or unicodedata.category(character) != "Cc")


class LiveAnswer:
    """Prints the text of a chat to `out` as it arrives, and one line per step to `steps`."""

    def __init__(self, out: TextIO, steps: Console) -> None:
        self._out = out
        self._steps = steps
        self._text = ""
        self._iteration: int = 0
        self._at_line_start = True

    def show(self, event: ChatEvent) -> None:
        """Print an event; unknown ones are ignored, as a newer service may send them."""
        match event.name:
            case "delta":
                self._begin(event.number("iteration"))
                self._write(terminal_text(event.text("text")))
            case "model_started":
                self._begin(event.number("iteration"))
            case "rule" if event.text("rule"):
                self._step(f"· rule {event.text('rule')}")
            case "phase":
                self._step(_phase(event))
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
        return bool(content) and terminal_text(content).strip() == self._text.strip()

    def end_line(self) -> None:
        """Move to the start of a line."""
        if not self._at_line_start:
            self._out.write("\n")
            self._out.flush()
            self._at_line_start = True

    def _begin(self, iteration: int) -> None:
        """Begin the text of another model turn on a new line."""
        if iteration != self._iteration:
            self.end_line()
            self._iteration, self._text = iteration, ""

    def _write(self, text: str) -> None:
        if text:
            self._out.write(text)
            self._out.flush()
            self._text += text
            self._at_line_start = text.endswith("\n")

    def _step(self, line: str, *, style: str = "dim") -> None:
        self.end_line()
        self._steps.print(Text(terminal_text(line), style=style), highlight=False, soft_wrap=True)


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
