"""Audit records of sign-ins: the first use of each principal on a day."""

from collections.abc import Callable
from datetime import datetime
from typing import Final, Protocol

from flexchat.audit import AuditRecord
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.observability import logger
from functions.authorizer.authorize import Admitted

WRITE_SECONDS: Final = 1.0
"""Time for the writes of one record."""

PAUSE_SECONDS: Final = 60.0
"""Time without further writes after a failed one: no request waits for a table that does not answer."""

MAX_SEEN: Final = 20_000
"""Principals that one environment remembers."""


class SignInLog(Protocol):
    """Table of audit records. Methods raise UnavailableError and ConfigError."""

    def claim(self, name: str, *, deadline: Deadline) -> bool: ...

    def write(self, record: AuditRecord, *, deadline: Deadline) -> bool: ...


class SignIns:
    """Writer of the first use of each principal on a day, in UTC, once for all environments.

    A record that cannot be written is a line in the log: the request is admitted.
    """

    def __init__(self, log: SignInLog, *, deadline: Callable[[float], Deadline] = Deadline.after) -> None:
        self._log = log
        self._deadline = deadline
        self._day = ""
        self._seen: set[str] = set()
        self._paused_until = 0.0

    def add(self, caller: Admitted, *, request_id: str, now: datetime) -> None:
        """Record the first use of a caller on the day of `now`."""
        day, at = now.date().isoformat(), now.timestamp()
        if day != self._day or len(self._seen) >= MAX_SEEN:
            self._day, self._seen = day, set()
        if caller.principal in self._seen or at < self._paused_until:
            return
        record = AuditRecord(
            id=f"{request_id}:sign_in",
            at=at,
            kind="sign_in",
            action="sign_in",
            principal=caller.principal,
            request_id=request_id,
            outcome="succeeded",
            name=caller.name or None,
            details={"roles": list(caller.roles)},
        )
        deadline = self._deadline(WRITE_SECONDS)
        try:
            if self._log.claim(f"sign_in#{caller.principal}#{day}", deadline=deadline):
                self._log.write(record, deadline=deadline)
            self._seen.add(caller.principal)
        except FlexchatError as error:
            self._paused_until = at + PAUSE_SECONDS
            logger.error("sign-in not audited", principal=caller.principal, reason=str(error))
