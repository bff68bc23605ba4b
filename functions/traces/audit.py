"""Audit records: those of events, stored once each, and lists of the stored ones."""

import base64
import gzip
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from flexchat.api.audit import AuditEntry, AuditList
from flexchat.audit import AuditKind, AuditRecord, printed_record, records_of
from flexchat.deadline import Deadline
from flexchat.json import dumps
from flexchat.observability import logger
from flexchat.runs import WallClock, iso
from functions.traces.filters import TimeRange, time_range

WRITERS: Final = 8
"""Records that are written at the same time."""


class AuditFilters(Struct, frozen=True, kw_only=True):
    """Filters as the caller sent them; None admits every value. `since` and `until` are ISO 8601, or an age as `2h`."""

    since: str | None = None
    until: str | None = None
    principal: str | None = None
    tool: str | None = None
    kind: AuditKind | None = None

    @property
    def scope(self) -> str:
        """Name of the list for its cursors."""
        return "audit\0" + dumps(asdict(self))


class AuditPage(Struct, frozen=True):
    """Records, the newest first; `cursor` is that of the next page, None after the last."""

    records: Sequence[AuditRecord]
    cursor: str | None


class AuditTable(Protocol):
    """Stored records. Methods raise UnavailableError and ConfigError."""

    def write(self, record: AuditRecord, *, deadline: Deadline) -> bool: ...

    def list(
        self, filters: AuditFilters, within: TimeRange, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> AuditPage: ...


class AuditRecords:
    """Audit records of one stage, which are kept for `retention_days`."""

    def __init__(self, table: AuditTable, *, retention_days: int, clock: WallClock) -> None:
        self._table = table
        self._retention_days = retention_days
        self._clock = clock

    def store(self, event: dict[str, Any], *, deadline: Deadline) -> None:
        """Store the records of an event, if it has some, or those in lines of a log that CloudWatch Logs delivers.

        Malformed records are logged: Lambda would only repeat the event. Raises UnavailableError and ConfigError, which
        fail the invocation: Lambda repeats it, and records that are stored stay as they are.
        """
        try:
            match event:
                case {"audit": values}:
                    records = records_of(values)
                case {"awslogs": {"data": str(data)}}:
                    records = tuple(_printed(data))
                case _:
                    return
        except ValueError as exc:
            logger.error("audit records rejected", reason=str(exc))
            return
        with ThreadPoolExecutor(max_workers=WRITERS) as writers:
            new = list(writers.map(partial(self._table.write, deadline=deadline), records))
        logger.info("audit records stored", records=len(new), new=sum(new))

    def list(self, filters: AuditFilters, *, limit: int, cursor: str | None, deadline: Deadline) -> AuditList:
        """Return the newest records of the filters. Raises RequestError (400)."""
        within = time_range(filters.since, filters.until, now=self._clock(), retention_days=self._retention_days)
        page = self._table.list(filters, within, limit=limit, cursor=cursor, deadline=deadline)
        return AuditList(records=tuple(map(_entry, page.records)), cursor=page.cursor)


def _printed(data: str) -> Iterator[AuditRecord]:
    """Return the records in delivered log lines: approvals, which functions without access to the table record.

    A line without a record is logged and left out. Raises ValueError for other data.
    https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html
    """
    try:
        delivered = msgspec.json.decode(gzip.decompress(base64.b64decode(data, validate=True)), type=_Delivered)
    except (OSError, EOFError, zlib.error) as exc:
        raise ValueError(f"log lines that are no gzip in base64: {exc}") from exc
    for line in delivered.log_events:
        try:
            record = printed_record(line.message)
        except ValueError:
            logger.warning("audit line rejected")
            continue
        if record.kind == "approval":
            yield record


class _LogLine(Struct, frozen=True):
    message: str


class _Delivered(Struct, frozen=True, rename="camel"):
    """Delivery of CloudWatch Logs; one that checks the subscription has a line without a record."""

    log_events: tuple[_LogLine, ...]


def _entry(record: AuditRecord) -> AuditEntry:
    return AuditEntry.model_validate({**asdict(record), "at": iso(record.at)})
