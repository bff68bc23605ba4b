"""Contents too large for one DynamoDB item: compressed, split into chunks, and readable only once complete."""

import gzip
from collections.abc import Iterator
from typing import TYPE_CHECKING
from uuid import uuid4

from flexchat.aws.dynamodb import Table, Value
from flexchat.deadline import Deadline

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MAX_CHUNK_BYTES = 350_000
"""Below the 400 KB of an item with its keys and names."""

_HEAD = "0000"
"""Sort key of the item that makes a content readable; it holds the first chunk, others are items of their own."""

_COMPRESSION = 3
"""Twice as fast as gzip's usual 6, for JSON a few per cent larger."""


class Blobs:
    """Contents in one DynamoDB table, by keys that the callers choose.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError for an
    error that only the operator can correct.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = Table(client, table, subject="a blob")

    def put(self, key: str, content: bytes, *, expires_at: int, deadline: Deadline) -> None:
        """Store `content` until `expires_at`, in seconds since the epoch, in place of the key's earlier content.

        The head is written last and names the write that the further chunks belong to. Until then readers get the
        earlier content; chunks of an interrupted write are never read and expire by themselves.
        """
        first, *others = _chunks(gzip.compress(content, _COMPRESSION, mtime=0))
        write = uuid4().hex
        for index, chunk in enumerate(others):
            self._table.put(_item(key, f"{write}#{index:04}", chunk, expires_at), deadline)
        head = {**_item(key, _HEAD, first, expires_at), "write": write, "chunks": len(others)}
        self._table.put(head, deadline)

    def get(self, key: str, *, now: float, deadline: Deadline) -> bytes | None:
        """Return the last complete content of a key; None when there is none, or it expired before `now`."""
        head = self._table.get(_partition(key), _HEAD, deadline)
        if head is None or head["expires_at"] <= now:
            return None
        chunks: list[bytes] = [head["content"]]
        if head["chunks"]:
            values = {":pk": _partition(key), ":write": f"{head['write']}#"}
            items = self._table.query("pk = :pk AND begins_with(sk, :write)", values, deadline)
            chunks += [item["content"] for item in items]
        if len(chunks) != head["chunks"] + 1:  # deleted during the read
            return None
        return gzip.decompress(b"".join(chunks))

    def delete(self, key: str, *, deadline: Deadline) -> None:
        """Delete a content if there is one. The head is deleted first, so that no part of the rest is read."""
        items = self._table.query("pk = :pk", {":pk": _partition(key)}, deadline, projection="sk")
        for sort_key in sorted((item["sk"] for item in items), key=lambda sort_key: sort_key != _HEAD):
            self._table.delete(_partition(key), sort_key, deadline)


def _chunks(content: bytes) -> Iterator[bytes]:
    return (content[start : start + MAX_CHUNK_BYTES] for start in range(0, len(content), MAX_CHUNK_BYTES))


def _partition(key: str) -> str:
    return f"B#{key}"


def _item(key: str, sort_key: str, chunk: bytes, expires_at: int) -> dict[str, Value]:
    return {"pk": _partition(key), "sk": sort_key, "content": chunk, "expires_at": expires_at}
