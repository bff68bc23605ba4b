"""Listings of MCP servers in the table of tool states: one item `MCP#<server>` each, with compressed definitions."""

import zlib
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import Value, Values, decimals, failed_condition, from_item, to_item, with_deadline
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.mcp_listings import Definitions, ListingTooLargeError, McpFailure, McpListing, definitions_of
from flexchat.messages import Json
from flexchat.observability import logger

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY_PREFIX: Final = "MCP#"

MAX_DEFINITIONS_BYTES: Final = 4_000_000
"""Maximum size of a server's definitions as JSON."""

MAX_STORED_BYTES: Final = 300_000
"""Maximum compressed size of a server's definitions; an item of DynamoDB has at most 400 KB."""

READ_ATTEMPTS: Final = 3
"""Batch reads without all items before a read fails."""


class McpListingTable:
    """Store of listings.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError for an
    error that only the operator can correct.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def read_all(self, servers: Collection[str], deadline: Deadline) -> dict[str, McpListing]:
        """Return the stored listings of at most 100 servers by name; each may be a second old."""
        keys: Any = [to_item({"pk": KEY_PREFIX + server}) for server in servers]
        found: dict[str, McpListing] = {}
        for _ in range(READ_ATTEMPTS):
            if not keys:
                break
            request: dict[str, Any] = {self._table: {"Keys": keys}}
            answer: Any = with_deadline(
                deadline,
                "read listings from",
                self._table,
                partial(self._client.batch_get_item, RequestItems=request),
            )
            for item in answer["Responses"].get(self._table, ()):
                listing = _listing(from_item(item))
                found[listing.server] = listing
            keys = answer.get("UnprocessedKeys", {}).get(self._table, {}).get("Keys", [])
        if keys:
            raise UnavailableError(f"could not read listings from table {self._table!r}: DynamoDB processes no keys")
        return {server: found[server] for server in servers if server in found}

    def read(self, server: str, deadline: Deadline) -> McpListing | None:
        """Return one stored listing, read consistently."""
        answer = with_deadline(
            deadline,
            "read a listing from",
            self._table,
            lambda: self._client.get_item(
                TableName=self._table, Key=to_item({"pk": KEY_PREFIX + server}), ConsistentRead=True
            ),
        )
        return _listing(from_item(answer["Item"])) if "Item" in answer else None

    def write(self, listing: McpListing, deadline: Deadline) -> bool:
        """Write a listing as the next revision; return False, without effect, when the stored one has another.

        Raises ListingTooLargeError.
        """
        item = _item(listing)
        condition: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(pk)"}
        if listing.revision:
            condition = {
                "ConditionExpression": "revision = :revision",
                "ExpressionAttributeValues": to_item({":revision": listing.revision}),
            }

        def put() -> bool:
            try:
                self._client.put_item(TableName=self._table, Item=to_item(item), **condition)
            except ClientError as exc:
                failed_condition(exc)
                return False
            return True

        return with_deadline(deadline, "write a listing to", self._table, put)


def _item(listing: McpListing) -> dict[str, Value]:
    failure = listing.failure
    return {
        "pk": KEY_PREFIX + listing.server,
        "revision": listing.revision + 1,
        "server_state": listing.state,
        "checked_at": decimals(listing.checked_at, 3),
        "stale_at": decimals(listing.stale_at, 3),
        "listed_at": None if listing.listed_at is None else decimals(listing.listed_at, 3),
        "connection_hash": listing.connection_hash,
        "definitions": _packed(listing),
        "protocol_version": listing.protocol_version,
        "server_name": listing.server_name,
        "server_version": listing.server_version,
        "failure": None
        if failure is None
        else {"message": failure.message, "attempts": failure.attempts, "stderr": failure.stderr or None},
        "approved_at": None if listing.approved_at is None else decimals(listing.approved_at, 3),
        "approved_by": listing.approved_by,
        "left_out": dict(listing.left_out) or None,
    }


def _packed(listing: McpListing) -> bytes:
    """Return the listed definitions, and the accepted ones that differ from them, in their order."""
    listed: list[Json] = [dict(definition.content) for definition in listing.listed.values()]
    accepted: list[Json] = []
    for name, definition in listing.accepted.items():
        same = name in listing.listed and listing.listed[name].hash == definition.hash
        accepted.append(name if same else dict(definition.content))
    text = dumps({"listed": listed, "accepted": accepted}).encode()
    if len(text) > MAX_DEFINITIONS_BYTES:
        raise ListingTooLargeError(f"{len(text)} bytes, at most {MAX_DEFINITIONS_BYTES} are stored")
    packed = zlib.compress(text, level=6)
    if len(packed) > MAX_STORED_BYTES:
        raise ListingTooLargeError(f"{len(packed)} bytes after compression, at most {MAX_STORED_BYTES} are stored")
    return packed


def _listing(item: Values) -> McpListing:
    listed, accepted = _unpacked(item["definitions"], server=item["pk"].removeprefix(KEY_PREFIX))
    return McpListing(
        server=item["pk"].removeprefix(KEY_PREFIX),
        revision=item["revision"],
        state=item["server_state"],
        checked_at=float(item["checked_at"]),
        stale_at=float(item["stale_at"]),
        listed_at=_moment(item, "listed_at"),
        connection_hash=item["connection_hash"],
        listed=listed,
        accepted=accepted,
        protocol_version=item.get("protocol_version"),
        server_name=item.get("server_name"),
        server_version=item.get("server_version"),
        failure=_failure(item.get("failure")),
        approved_at=_moment(item, "approved_at"),
        approved_by=item.get("approved_by"),
        left_out=item.get("left_out") or {},
    )


def _unpacked(packed: bytes, *, server: str) -> tuple[Definitions, Definitions]:
    """Return the listed and the accepted definitions; none of damaged ones, so that all wait for an approval."""
    try:
        content = safe_loads(
            zlib.decompressobj().decompress(packed, MAX_DEFINITIONS_BYTES), max_bytes=MAX_DEFINITIONS_BYTES
        )
    except (JsonError, zlib.error) as exc:
        logger.error("listing not read", server=server, reason=str(exc))
        return {}, {}
    parts = cast("Mapping[str, list[Json]]", content)
    listed = definitions_of(_objects(parts["listed"]))
    changed = definitions_of(_objects(parts["accepted"]))
    names = [
        entry if isinstance(entry, str) else str(cast("Mapping[str, Json]", entry)["name"])
        for entry in parts["accepted"]
    ]
    return listed, {name: changed[name] if name in changed else listed[name] for name in names}


def _objects(entries: list[Json]) -> Iterator[Mapping[str, Json]]:
    yield from (entry for entry in entries if isinstance(entry, dict))


def _failure(stored: Values | None) -> McpFailure | None:
    if stored is None:
        return None
    return McpFailure(message=stored["message"], attempts=stored.get("attempts"), stderr=stored.get("stderr", ""))


def _moment(item: Values, name: str) -> float | None:
    return float(item[name]) if name in item else None
