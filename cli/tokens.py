"""API tokens that commands create."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from flexchat.tokens import IssuedToken, issue

if TYPE_CHECKING:
    from flexchat.aws.tokens import TokenStore

SMOKE_TEST_MINUTES = 15


def create_token(
    *, store: "TokenStore", name: str, roles: tuple[str, ...] = ("user",), days: int = 90, now: datetime
) -> IssuedToken:
    """Create a token, store its record in `store` and return it; its secret is not available later."""
    issued = issue(name=name, roles=roles, lifetime=timedelta(days=days), now=now)
    store.put(issued.record)
    return issued


@contextmanager
def short_lived_token(store: "TokenStore", *, now: datetime | None = None) -> Generator[str]:
    """Yield a user token for a smoke test; it is revoked at the end, and expires by itself."""
    lifetime = timedelta(minutes=SMOKE_TEST_MINUTES)
    issued = issue(name="smoke test", roles=("user",), lifetime=lifetime, now=now or datetime.now(UTC))
    store.put(issued.record)
    try:
        yield issued.token.reveal()
    finally:
        store.revoke(issued.record.id)
