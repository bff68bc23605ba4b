"""Progress of a start in the terminal: a line for each finished step, and the running ones."""

import threading
import time
from collections.abc import Callable
from types import TracebackType

from cli.console import Console, Text


class Progress:
    """Runs named steps and reports them; steps may run in parallel.

    A terminal shows the running ones with a spinner; any other output, such as a log or a pipe, has the finished lines
    only.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.Lock()
        self._running: list[str] = []
        self._status = console.status("starting")

    def __enter__(self) -> "Progress":
        self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._status.stop()

    def step[T](self, title: str, work: Callable[[], T]) -> T:
        """Run `work` as the step `title`; its line has the duration in seconds."""
        began = time.monotonic()
        self._change(lambda: self._running.append(title))
        try:
            result = work()
        finally:
            self._change(lambda: self._running.remove(title))
        took = f"{time.monotonic() - began:.1f} s"
        self._console.print(Text.assemble(("✓", "green"), f" {title} ", (took, "dim")))
        return result

    def note(self, text: str) -> None:
        """Print a line that is not a step."""
        self._console.print(f"  {text}", soft_wrap=True)

    def _change(self, change: Callable[[], None]) -> None:
        with self._lock:
            change()
            self._status.update(Text(", ".join(self._running)))
