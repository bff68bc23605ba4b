"""Runs: chats that go on in the background, and what is known of each while it does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

RunStatus = Literal["queued", "running", "succeeded", "failed", "cancelled"]

WallClock = Callable[[], float]
"""Seconds since the epoch, like `time.time`: the clock that what is stored is compared with."""

RUN_TTL_SECONDS = 24 * 3_600
"""How long a run can be asked for, from its beginning."""

RUN_SECONDS = 600.0
"""How long a run may take whose caller named no deadline."""

HEARTBEAT_SECONDS = 10.0
LEASE_SECONDS = 30.0
"""How long a run is believed to be at work without a sign of it: two heartbeats may get lost."""

QUEUED_SECONDS = 3_600.0 + 300.0
"""Lambda drops an event that is an hour old (`template.yaml` says so); whatever is queued longer has no event left."""


@dataclass(frozen=True, slots=True)
class RunKey:
    """A run belongs to the principal who asked for it; nobody else finds it."""

    principal: str
    id: str


@dataclass(frozen=True, slots=True)
class Run:
    """What is stored of a run. Times are seconds since the epoch, `request` and `answer` the keys of blobs.

    `worker` names the execution that claimed the run and holds it until `lease_until`, which each heartbeat renews.
    `failure` is the JSON text of the error envelope.
    """

    key: RunKey
    status: RunStatus
    request: str
    request_id: str
    created_at: float
    expires_at: int
    deadline_at: float | None = None
    started_at: float | None = None
    finished_at: float | None = None
    worker: str | None = None
    lease_until: float | None = None
    answer: str | None = None
    failure: str | None = None

    def is_lost(self, *, now: float) -> bool:
        """Whether nobody is at work on it any more, though it was neither finished nor cancelled."""
        match self.status:
            case "queued":
                return self.created_at + QUEUED_SECONDS <= now
            case "running":
                return self.lease_until is not None and self.lease_until <= now
            case _:
                return False
