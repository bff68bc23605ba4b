"""Random faults, deterministic for a seed, message and request number, so that a run can be repeated."""

import random
from collections import Counter
from copy import replace
from threading import Lock

from dev.demo_model.fault_injection import Faults
from dev.demo_model.server_quirks import QUIRKS

DEFAULT_PERCENT = 30
MAX_SLOW_SECONDS = 30.0
MAX_PAUSE_SECONDS = 5.0
"""Maximum pause between the events of a stream."""


class RandomFaults:
    """Random faults of the requests that enable them."""

    def __init__(self) -> None:
        self._requests: Counter[str] = Counter()
        self._lock = Lock()

    def draw(self, faults: Faults, message: str) -> Faults:
        """Return `faults` with the random faults of this request."""
        if faults.chaos is None:
            return faults
        with self._lock:
            self._requests[message] += 1
            number = self._requests[message]
        rng = random.Random(f"{faults.chaos} {number} {message}")  # noqa: S311 (no secret depends on it)
        percent = DEFAULT_PERCENT if faults.percent is None else faults.percent
        return _drawn(faults, rng) if rng.random() * 100 < percent else faults


BODIES = ("oversize", "drip", "bomb")
STREAMS = ("cut", "error", "end", "pauses")
EVERY = ("busy", "broken", "overloaded", "slow", "cut", "malformed", "bad_json", "empty", "length", *BODIES)


def _drawn(faults: Faults, rng: random.Random) -> Faults:
    if faults.of == "servers":
        return replace(faults, quirk=rng.choice(QUIRKS))
    kinds = {"bodies": BODIES, "streams": STREAMS}
    match rng.choice(kinds.get(faults.of or "", EVERY)):
        case "busy":
            return replace(faults, status=429, retry_after=rng.choice((None, "0.2", "1", "60")), times=None)
        case "broken":
            return replace(faults, status=500, times=None)
        case "overloaded":
            return replace(faults, status=503, times=None)
        case "slow":
            return replace(faults, slow_ms=round(MAX_SLOW_SECONDS ** rng.random() * 1000))
        case "cut":
            return replace(faults, cut=True, times=None)
        case "error":
            return replace(faults, error=True, at=rng.randrange(8), times=None)
        case "end":
            return replace(faults, end=True, at=rng.randrange(8), times=None)
        case "pauses":
            return replace(faults, stream_ms=round(MAX_PAUSE_SECONDS ** rng.random() * 1000))
        case "malformed":
            return replace(faults, malformed=True)
        case "bad_json":
            return replace(faults, bad_json=True)
        case "empty":
            return replace(faults, empty=True)
        case "oversize":
            return replace(faults, oversize=True)
        case "drip":
            return replace(faults, drip=True)
        case "bomb":
            return replace(faults, bomb=True)
        case _:
            return replace(faults, length=True)
