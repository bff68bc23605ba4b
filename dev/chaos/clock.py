"""Wait of a process for a processor, which must not count against the service on a busy machine."""

import threading
import time
from pathlib import Path

PULSE_SECONDS = 0.05

_SCHEDULING = Path("/proc/thread-self/schedstat")


class Delays:
    """Sum of the delays of a thread that wakes every 50 ms.

    It includes waits for the interpreter's lock while its holder has no processor.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        threading.Thread(target=self._run, name="delays", daemon=True).start()

    def _run(self) -> None:
        while True:
            started = time.monotonic()
            time.sleep(PULSE_SECONDS)
            self.seconds += time.monotonic() - started - PULSE_SECONDS


class CpuWait:
    """Wait of this thread and its process for a processor."""

    def __init__(self) -> None:
        self._delays = Delays()

    def total(self) -> float:
        """Return the seconds since the thread began; use the difference of two values."""
        return _own_wait() + self._delays.seconds


def _own_wait() -> float:
    """Return the seconds in which this thread was ready without a processor; 0.0 on systems without a counter."""
    try:
        return int(_SCHEDULING.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0
