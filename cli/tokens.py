"""API tokens that commands create."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from flexchat.messages import Json
from flexchat.tokens import IssuedToken, TokenRecord, issue

if TYPE_CHECKING:
    from flexchat.audit import Auditor
    from flexchat.aws.tokens import TokenStore

SMOKE_TEST_MINUTES = 15


def create_token(
    *,
    store: "TokenStore",
    audit: "Auditor",
    name: str,
    roles: tuple[str, ...] = ("user",),
    days: int = 90,
    now: datetime,
) -> IssuedToken:
    """Create a token, store its record in `store` and return it; its secret is not available later."""
    issued = issue(name=name, roles=roles, lifetime=timedelta(days=days), now=now)
    _store(issued, store, audit)
    return issued


def revoke_token(id: str, *, store: "TokenStore", audit: "Auditor") -> TokenRecord | None:
    """Revoke a token and return its record; None when there was none."""
    from flexchat.audit import safe_name

    with audit.change("token", "revoke", safe_name(id)) as audited:
        record = store.revoke(id)
        audited["found"] = record is not None
    return record


@contextmanager
def short_lived_token(store: "TokenStore", audit: "Auditor", *, now: datetime | None = None) -> Generator[str]:
    """Yield a user token for a smoke test; it is revoked at the end, and expires by itself."""
    lifetime = timedelta(minutes=SMOKE_TEST_MINUTES)
    issued = issue(name="smoke test", roles=("user",), lifetime=lifetime, now=now or datetime.now(UTC))
    _store(issued, store, audit)
    try:
        yield issued.token.reveal()
    finally:
        revoke_token(issued.record.id, store=store, audit=audit)


def _store(issued: IssuedToken, store: "TokenStore", audit: "Auditor") -> None:
    record = issued.record
    roles, expires = list[Json](record.roles), record.expires_at.isoformat()
    with audit.change("token", "create", record.id, holder=record.name, roles=roles, expires_at=expires):
        store.put(record)
