"""Records of traces as compressed objects in S3."""

import gzip
from typing import TYPE_CHECKING

from flexchat.aws.objects import ObjectStore
from flexchat.errors import RetrievalError
from flexchat.runs import iso
from flexchat.traces import TraceRecord
from functions.traces.summaries import record_key

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_COMPRESSION = 6


class TraceObjects:
    """Records in one bucket, each written once: a record of an existing id does not replace it."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._objects = ObjectStore(client, bucket)

    def put(self, record: TraceRecord) -> str:
        """Store a record and return its key."""
        key = record_key(record.id, iso(record.started_at))
        try:
            self._objects.put(key, gzip.compress(record.as_json(), _COMPRESSION, mtime=0), if_absent=True)
        except RetrievalError as exc:
            if exc.code != "conflict":
                raise
        return key

    def get(self, key: str) -> TraceRecord | None:
        """Return a record; None when it has been deleted."""
        try:
            found = self._objects.get(key)
        except RetrievalError as exc:
            if exc.code != "not_found":
                raise
            return None
        return TraceRecord.from_json(gzip.decompress(found.body))
