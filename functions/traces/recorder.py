"""Events with the record of a chat, stored once each."""

import base64
import binascii
import gzip
import re
import zlib
from typing import Any, Final

import msgspec

from flexchat.deadline import Deadline
from flexchat.observability import logger
from flexchat.runs import WallClock, iso
from flexchat.traces import VERSION, TraceRecord
from functions.traces.stores import StoredTrace, TraceIndex, TraceRecords
from functions.traces.summaries import summary_of
from functions.traces.usage import usage_of

ID_PATTERN: Final = r"^[A-Za-z0-9_.=-]{1,128}$"
"""Ids of requests; they are part of keys of objects."""

_ID: Final = re.compile(ID_PATTERN)


class Recorder:
    """Stores records in S3 and the index. A record is not kept longer than `retention_days`."""

    def __init__(self, records: TraceRecords, index: TraceIndex, *, retention_days: int, clock: WallClock) -> None:
        self._records = records
        self._index = index
        self._retention_days = retention_days
        self._clock = clock

    def handle(self, event: dict[str, Any], *, deadline: Deadline) -> TraceRecord | None:
        """Store the record of an event; return it, or None for an event without one and for a stored record.

        A malformed event is logged: Lambda would only repeat it. Raises UnavailableError and ConfigError, which fail
        the invocation: Lambda repeats it, then sends the event to the failure queue.
        """
        try:
            record = read_record(event)
        except ValueError as exc:
            logger.error("trace rejected", reason=str(exc))
            return None
        return record if self._store(record, deadline) else None

    def _store(self, record: TraceRecord, deadline: Deadline) -> bool:
        expires_at = min(record.expires_at, int(record.started_at) + self._retention_days * 86_400)
        if expires_at <= self._clock():
            logger.warning("trace expired", request_id=record.id)
            return False
        key = self._records.put(record)
        trace = StoredTrace(summary=summary_of(record), key=key, expires_at=expires_at)
        is_new = self._index.add(trace, usage_of(record), deadline=deadline)
        logger.info("trace stored" if is_new else "trace already stored", request_id=record.id)
        return is_new


def read_record(event: dict[str, Any]) -> TraceRecord:
    """Return the record of an event. Raises ValueError for any other event."""
    match event:
        case {"packed": str(packed)}:
            try:
                record = TraceRecord.from_json(gzip.decompress(base64.b64decode(packed, validate=True)))
            except (binascii.Error, OSError, EOFError, zlib.error) as exc:
                raise ValueError(f"'packed' is no gzip in base64: {exc}") from exc
        case {"trace": trace}:
            record = msgspec.convert(trace, TraceRecord)
        case _:
            raise ValueError(f"event with the keys {sorted(event)!r}; expected 'trace' or 'packed'")
    if record.v != VERSION:
        raise ValueError(f"version {record.v!r} of a record; this function reads version {VERSION}")
    if not _ID.fullmatch(record.id):
        raise ValueError(f"id {record.id!r} of a record; expected letters, digits, '_', '.' and '-'")
    try:
        iso(record.started_at)
    except (OverflowError, OSError) as exc:
        raise ValueError(f"'started_at' {record.started_at!r} of a record; expected seconds since the epoch") from exc
    return record
