"""Fake clock that advances only with `sleep`, and retries that use it."""

from dataclasses import dataclass, field

from flexchat.deadline import Deadline
from flexchat.retry import Retry


@dataclass
class Time:
    now: float = 1_000.0
    waits: list[float] = field(default_factory=list[float])

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def deadline(self, seconds: float = 10.0) -> Deadline:
        return Deadline.after(seconds, clock=self.clock)

    def retry(self, max_retries: int = 2) -> Retry:
        return Retry(max_retries=max_retries, sleep=self.sleep, random=lambda: 1.0)
