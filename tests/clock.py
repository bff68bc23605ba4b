"""Manual clock."""

from dataclasses import dataclass


@dataclass
class Clock:
    """Clock that advances only with `now` and `sleep`."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
