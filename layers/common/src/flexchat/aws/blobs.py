"""Contents too large for one DynamoDB item: compressed, cut into chunks, and readable only once they are whole."""

import gzip
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flexchat.aws.dynamodb import with_deadline
from flexchat.deadline import Deadline

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

MAX_CHUNK_BYTES = 350_000
"""An item holds 400 KB with its keys and names."""

_HEAD = "0000"
"""The sort key of the item that makes a content readable; what does not fit into it stands in items of its own."""

_COMPRESSION = 3
"""Twice as fast as gzip's usual 6, for JSON a few per cent larger."""


class Blobs:
    """Contents in one DynamoDB table, by keys that its callers choose.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError when the
    operator must do something first.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def put(self, key: str, content: bytes, *, expires_at: int, deadline: Deadline) -> None:
        """Keep `content` until `expires_at`, in seconds since the epoch, in the place of what the key had.

        The head is written last and names the write that its further chunks belong to: until then a reader finds what
        was there before, whole, and a write that dies leaves chunks that nobody reads and that expire by themselves.
        """
        first, *others = _chunks(gzip.compress(content, _COMPRESSION, mtime=0))
        write = uuid4().hex
        head = {"write": {"S": write}, "chunks": {"N": str(len(others))}}
        items = [_item(key, f"{write}#{index:04}", chunk, expires_at) for index, chunk in enumerate(others)]
        for item in (*items, _item(key, _HEAD, first, expires_at) | head):
            with_deadline(
                deadline,
                "write a blob to",
                self._table,
                lambda item=item: self._client.put_item(TableName=self._table, Item=item),
            )

    def get(self, key: str, *, now: float, deadline: Deadline) -> bytes | None:
        """The content of a key, as it was last written whole; None when there is none, or it expired before `now`."""
        head = with_deadline(deadline, "read a blob from", self._table, lambda: self._head(key))
        if head is None or int(head["expires_at"]["N"]) <= now:
            return None
        chunks = [head["content"]["B"]]
        if expected := int(head["chunks"]["N"]):
            write = head["write"]["S"]
            chunks += with_deadline(deadline, "read a blob from", self._table, lambda: self._others(key, write))
        if len(chunks) != expected + 1:  # deleted while it was read
            return None
        return gzip.decompress(b"".join(chunks))

    def delete(self, key: str, *, deadline: Deadline) -> None:
        """Forget a content; one that is not there is no error. The head goes first, so that no half of it is read."""
        sort_keys = with_deadline(deadline, "delete a blob from", self._table, lambda: self._sort_keys(key))
        for sort_key in sorted(sort_keys, key=lambda sort_key: sort_key != _HEAD):
            with_deadline(
                deadline,
                "delete a blob from",
                self._table,
                lambda sort_key=sort_key: self._client.delete_item(TableName=self._table, Key=_key(key, sort_key)),
            )

    def _head(self, key: str) -> Mapping[str, Any] | None:
        answer = self._client.get_item(TableName=self._table, Key=_key(key, _HEAD), ConsistentRead=True)
        return answer.get("Item")

    def _others(self, key: str, write: str) -> list[bytes]:
        """The further chunks of one write, in their order."""
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            KeyConditionExpression="pk = :pk AND begins_with(sk, :write)",
            ExpressionAttributeValues={":pk": {"S": f"B#{key}"}, ":write": {"S": f"{write}#"}},
            ConsistentRead=True,
        )
        return [bytes(item["content"].get("B", b"")) for page in pages for item in page["Items"]]

    def _sort_keys(self, key: str) -> list[str]:
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": f"B#{key}"}},
            ProjectionExpression="sk",
            ConsistentRead=True,
        )
        return [item["sk"].get("S", "") for page in pages for item in page["Items"]]


def _chunks(content: bytes) -> Iterator[bytes]:
    return (content[start : start + MAX_CHUNK_BYTES] for start in range(0, len(content), MAX_CHUNK_BYTES))


def _key(key: str, sort_key: str) -> "dict[str, AttributeValueTypeDef]":
    return {"pk": {"S": f"B#{key}"}, "sk": {"S": sort_key}}


def _item(key: str, sort_key: str, chunk: bytes, expires_at: int) -> "dict[str, AttributeValueTypeDef]":
    return {**_key(key, sort_key), "content": {"B": chunk}, "expires_at": {"N": str(expires_at)}}
