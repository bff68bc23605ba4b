"""Time that a process waited for a processor: on a busy machine it must not count against the service."""

import threading
import time
from pathlib import Path

PULSE_SECONDS = 0.05

_SCHEDULING = Path("/proc/thread-self/schedstat")


class Delays:
    """Sum of the delays of a thread that wants to run every 50 ms.

    It waits for the interpreter's lock too, while another thread holds the lock without a processor.
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
    """Measures how long this thread and its process waited for a processor."""

    def __init__(self) -> None:
        self._delays = Delays()

    def total(self) -> float:
        """Return the seconds since the thread began; take the difference of two."""
        return _own_wait() + self._delays.seconds


def _own_wait() -> float:
    """Return the seconds for which this thread was ready and had no processor; 0.0 where the system has no count."""
    try:
        return int(_SCHEDULING.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0
