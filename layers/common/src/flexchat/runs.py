"""Background runs: the stored state of a chat that is answered in the background."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct

RunStatus = Literal["queued", "running", "succeeded", "waiting", "failed", "cancelled"]
"""Status of a run; `waiting` is an end too: its tool calls wait for an approval, and another run goes on after it."""

WallClock = Callable[[], float]
"""Seconds since the epoch, like `time.time`: the clock of stored times."""


def iso(seconds: float) -> str:
    """Return seconds since the epoch as ISO 8601 in UTC with milliseconds; such texts sort by time."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


RUN_TTL_SECONDS = 24 * 3_600
"""Lifetime of a stored run."""

RUN_SECONDS = 600.0
"""Default deadline of a run."""

HEARTBEAT_SECONDS = 10.0
LEASE_SECONDS = 30.0
"""Lease of a run between heartbeats, of which two may be lost."""

QUEUED_SECONDS = 3_600.0 + 300.0
"""Age at which a queued run is lost: Lambda drops events after an hour (`template.yaml`)."""


class RunKey(Struct, frozen=True):
    """Key of a run: its principal, to whom alone it is visible, and its id."""

    principal: str
    id: str


class Run(Struct, frozen=True):
    """A stored run. Times are seconds since the epoch, `request` and `answer` the keys of blobs.

    `worker` names the execution that claimed the run until `lease_until`, which each heartbeat extends.
    `failure` is the JSON text of the error envelope. With `client_seconds` the run is cancelled after `client_until`,
    which each renewal by its client extends by them.
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
    client_seconds: int | None = None
    client_until: float | None = None

    def is_abandoned(self, *, now: float) -> bool:
        """Return True for a run whose client has not renewed its lease in time."""
        return self.client_until is not None and self.client_until <= now

    def is_lost(self, *, now: float) -> bool:
        """Return True for an unfinished run without a worker or event."""
        match self.status:
            case "queued":
                return self.created_at + QUEUED_SECONDS <= now
            case "running":
                return self.lease_until is not None and self.lease_until <= now
            case _:
                return False
