"""Listings in DynamoDB: written under a revision, and read together."""

from copy import replace
from typing import Any

import pytest
from botocore.stub import Stubber

from flexchat.aws.dynamodb import to_item
from flexchat.aws.mcp_listings import McpListingTable
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.mcp_listings import ListingTooLargeError, McpDefinition, McpFailure, McpListing, definitions_of
from flexchat.messages import Json
from tests.aws import aws_client
from tests.unit.mcp.conftest import TABLE

READ: dict[str, Json] = {"name": "read", "description": "Reads a file.", "inputSchema": {"type": "object"}}
WRITE: dict[str, Json] = {"name": "write", "inputSchema": {"type": "object"}}

LISTING = McpListing(
    server="files",
    state="ready",
    checked_at=1_000.25,
    stale_at=2_700.25,
    listed_at=1_000.25,
    connection_hash="c1",
    listed=definitions_of([READ, WRITE]),
    accepted=definitions_of([{**WRITE, "title": "Write"}, READ, {"name": "old"}]),
    protocol_version="2025-11-25",
    server_name="example",
    server_version="1.2",
    approved_at=900.5,
    approved_by="token:abc",
    left_out={"odd": "it has no name"},
)


def soon() -> Deadline:
    return Deadline.after(5.0)


def test_a_listing_is_read_as_it_was_written_with_the_next_revision(table: McpListingTable) -> None:
    assert table.write(LISTING, soon())

    stored = table.read("files", soon())
    assert stored == replace(LISTING, revision=1)
    assert stored is not None
    assert list(stored.accepted) == ["write", "read", "old"]


def test_a_failed_listing_has_its_failure(table: McpListingTable) -> None:
    failed = McpListing(
        server="files",
        state="failed",
        checked_at=1.0,
        stale_at=2.0,
        connection_hash="c1",
        failure=McpFailure(message="no answer in time", attempts=3, stderr="cannot connect to broker"),
    )
    table.write(failed, soon())
    table.write(replace(LISTING, server="issues", failure=McpFailure(message="refused")), soon())

    assert table.read("files", soon()) == replace(failed, revision=1)
    assert table.read("issues", soon()) == replace(
        LISTING, server="issues", failure=McpFailure(message="refused"), revision=1
    )


def test_a_write_on_an_earlier_revision_has_no_effect(table: McpListingTable) -> None:
    table.write(LISTING, soon())
    first = table.read("files", soon())
    assert first is not None

    assert not table.write(LISTING, soon())
    assert table.write(replace(first, checked_at=5.0), soon())
    assert not table.write(replace(first, checked_at=6.0), soon())
    assert table.read("files", soon()) == replace(first, checked_at=5.0, revision=2)


def test_several_listings_are_read_at_once_without_those_that_are_not_stored(table: McpListingTable) -> None:
    for server in ("b", "a"):
        table.write(replace(LISTING, server=server), soon())

    assert table.read_all(["a", "missing", "b"], soon()) == {
        server: replace(LISTING, server=server, revision=1) for server in ("a", "b")
    }
    assert table.read_all([], soon()) == {}
    assert table.read("missing", soon()) is None


def test_keys_that_dynamodb_did_not_process_are_read_again_and_never_for_ever() -> None:
    client = aws_client("dynamodb")
    key = to_item({"pk": "MCP#files"})
    request: dict[str, Any] = {TABLE: {"Keys": [key]}}
    with Stubber(client) as stubber:
        for _ in range(3):
            stubber.add_response(
                "batch_get_item", {"Responses": {}, "UnprocessedKeys": request}, {"RequestItems": request}
            )
        with pytest.raises(UnavailableError, match="DynamoDB processes no keys"):
            McpListingTable(client, TABLE).read_all(["files"], soon())
        stubber.assert_no_pending_responses()


def test_damaged_definitions_leave_a_listing_without_tools(table: McpListingTable) -> None:
    table.write(LISTING, soon())
    aws_client("dynamodb").update_item(
        TableName=TABLE,
        Key=to_item({"pk": "MCP#files"}),
        UpdateExpression="SET definitions = :damaged",
        ExpressionAttributeValues=to_item({":damaged": b"damaged"}),
    )

    assert table.read("files", soon()) == replace(LISTING, listed={}, accepted={}, revision=1)


@pytest.mark.parametrize("characters", [5_000_000, 400_000])
def test_definitions_that_do_not_fit_into_an_item_are_an_error_with_their_size(
    table: McpListingTable, characters: int
) -> None:
    text = "x" * characters if characters > 4_000_000 else "".join(f"{number:x}" for number in range(100_000))
    long = McpDefinition.of({**READ, "description": text * (1 if characters > 4_000_000 else 4)})

    with pytest.raises(ListingTooLargeError, match=r"\d+ bytes"):
        table.write(replace(LISTING, listed={"read": long}), soon())
