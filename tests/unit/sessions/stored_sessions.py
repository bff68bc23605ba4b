"""Sessions of one owner in the table."""

from flexchat.sessions import Session
from tests.unit.sessions.harness import SessionHarness

DAY = 86_400


def create(
    harness: SessionHarness, session_id: str = "s1", *, owner: str = "ann", title: str | None = "Plans"
) -> Session:
    return harness.store.create(
        owner, session_id, title=title, now=harness.now, expires_at=int(harness.now) + DAY, deadline=harness.deadline
    )


def listed(harness: SessionHarness, *, owner: str = "ann", limit: int = 10) -> list[str]:
    page = harness.store.list(owner, limit=limit, cursor=None, now=harness.now, deadline=harness.deadline)
    return [session.id for session in page.sessions]
