"""Output of commands: one filter for the texts of other parties, which could control the terminal.

Every text is printed by `echo`, or by the `Console` of `cli.console`. `guard_streams` applies the same filter to
whatever else is written to standard output and standard error, such as usage errors and tracebacks.
"""

import io
import re
import sys
from typing import Any, Final, Literal, TextIO

type Colour = Literal["red", "yellow"]

_COLOURS: Final[dict[Colour, str]] = {"red": "\x1b[31m", "yellow": "\x1b[33m"}
_RESET: Final = "\x1b[0m"

_CONTROLS: Final = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and line feed, DEL, C1
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"  # direction of text, separators of lines
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u3164\ufeff\uffa0\ufff0-\ufffb"  # invisible
    "\ud800-\udfff"  # not encodable
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # invisible, tags, variation selectors
    "]"
)


def visible_text(text: str) -> str:
    """Return `text` with the characters that control a terminal, reorder or hide text as `⟨U+202E⟩`.

    Tabs and line breaks are left, and the joiners and variation selectors of emoji and of scripts that need them.
    """
    return _CONTROLS.sub(_numbered, text.replace("\r\n", "\n"))


def number(character: str) -> str:
    """Return a character as its number: `⟨U+202E⟩`."""
    return f"⟨U+{ord(character):04X}⟩"


def _numbered(found: re.Match[str]) -> str:
    return number(found[0])


def json_text(value: object, *, ascii_only: bool = False) -> str:
    """Return a JSON document, indented; characters that `visible_text` replaces, or all beyond ASCII, are escaped."""
    import json

    # Outside of texts, which have it escaped, JSON has no such character.
    return _CONTROLS.sub(_json_escaped, json.dumps(value, ensure_ascii=ascii_only, indent=2))


def _json_escaped(found: re.Match[str]) -> str:
    import json

    return json.dumps(found[0])[1:-1]


def echo(text: str = "", *, err: bool = False, colour: Colour | None = None, end: str = "\n") -> None:
    """Print a text to standard output, or with `err` to standard error, and flush it; `colour` is for a terminal."""
    stream = sys.stderr if err else sys.stdout
    shown = visible_text(text)
    if colour is not None and stream.isatty() and not _without_colours():
        shown = f"{_COLOURS[colour]}{shown}{_RESET}"
    unguarded(stream).write(shown + end)
    stream.flush()


def confirm(question: str, *, default: bool | None = False, err: bool = False) -> bool:
    """Return the answer to a question at the terminal."""
    import typer

    return typer.confirm(visible_text(question), default=default, err=err)


def require_confirmation(question: str, *, err: bool = False) -> None:
    """Ask a question at the terminal. Raises typer.Abort for the answer no."""
    import typer

    typer.confirm(visible_text(question), abort=True, err=err)


def confirmed(question: str) -> bool:
    """Return the answer to a question at the terminal, no by default."""
    import typer

    return typer.confirm(visible_text(question), err=True)


def prompt(question: str, **options: Any) -> str:
    """Return a text that is typed at the terminal; `options` are those of `typer.prompt`."""
    import typer

    return typer.prompt(visible_text(question), **options)


class GuardedStream(io.TextIOBase):
    """Text stream that filters what is written to `unguarded`."""

    def __init__(self, unguarded: TextIO) -> None:
        self.unguarded: Final = unguarded

    def write(self, text: str, /) -> int:
        self.unguarded.write(visible_text(text))
        return len(text)

    def flush(self) -> None:
        self.unguarded.flush()

    def close(self) -> None:
        """Leave the stream open, which belongs to the interpreter."""

    def isatty(self) -> bool:
        return self.unguarded.isatty()

    def fileno(self) -> int:
        return self.unguarded.fileno()

    def writable(self) -> bool:
        return True

    @property
    def buffer(self) -> Any:
        """Bytes of the stream, for protocols."""
        return self.unguarded.buffer

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.unguarded.encoding

    @property
    def errors(self) -> str | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.unguarded.errors


def guard_streams() -> None:
    """Filter what is written to standard output and standard error from now on, also at the end of the process."""
    sys.stdout, sys.stderr = (
        stream if isinstance(stream, GuardedStream) else GuardedStream(stream) for stream in (sys.stdout, sys.stderr)
    )


def silence_libraries() -> None:
    """Keep warnings and log lines of libraries from the terminal, unless PYTHONWARNINGS or `-W` asks for them."""
    import logging
    import warnings

    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    if not logging.getLogger().handlers:  # without one, Python prints the warnings of all loggers
        logging.getLogger().addHandler(logging.NullHandler())


def unguarded(stream: Any) -> Any:
    """Return the stream behind a guarded one."""
    return stream.unguarded if isinstance(stream, GuardedStream) else stream


def _without_colours() -> bool:
    import os

    return "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
