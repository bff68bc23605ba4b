"""Contents that are larger than a DynamoDB item."""

import random
from typing import Any, cast

import pytest
from botocore.stub import Stubber
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.blobs import MAX_CHUNK_BYTES, Blobs
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, UnavailableError
from tests.aws import aws_client
from tests.unit.runs.table import CHATS, CrashingDynamoDb, ProcessCrashError

pytestmark = pytest.mark.slow

NOW = 1_800_000_000
LATER = NOW + 3_600
SOON = Deadline(at=30.0, clock=lambda: 0.0)


def incompressible(size: int, seed: int = 1) -> bytes:
    """Bytes that do not become fewer by compression."""
    return random.Random(seed).randbytes(size)  # noqa: S311 (not a secret)


@pytest.fixture
def blobs(dynamodb: DynamoDBClient) -> Blobs:
    return Blobs(dynamodb, CHATS)


def items(dynamodb: DynamoDBClient) -> list[dict[str, Any]]:
    return [dict(item) for page in dynamodb.get_paginator("scan").paginate(TableName=CHATS) for item in page["Items"]]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"one",
        incompressible(MAX_CHUNK_BYTES),
        incompressible(3 * MAX_CHUNK_BYTES + 17),
        incompressible(5_000_000),
        b"text " * 1_000_000,
    ],
    ids=["empty", "small", "about one chunk", "several chunks", "5 MB", "5 MB that compress"],
)
def test_content_of_any_size_is_read_as_it_was_written(blobs: Blobs, content: bytes) -> None:
    blobs.put("answer/1", content, expires_at=LATER, deadline=SOON)

    assert blobs.get("answer/1", now=NOW, deadline=SOON) == content


def test_every_item_is_within_the_dynamodb_limit_and_expires(blobs: Blobs, dynamodb: DynamoDBClient) -> None:
    blobs.put("a", incompressible(1_000_000), expires_at=LATER, deadline=SOON)

    stored = items(dynamodb)
    assert len(stored) == 3
    assert {item["pk"]["S"] for item in stored} == {"B#a"}
    assert {item["expires_at"]["N"] for item in stored} == {str(LATER)}
    assert max(len(item["content"]["B"]) for item in stored) <= MAX_CHUNK_BYTES


def test_small_content_is_one_item(blobs: Blobs, dynamodb: DynamoDBClient) -> None:
    blobs.put("a", b"x" * 100_000, expires_at=LATER, deadline=SOON)

    assert [item["sk"]["S"] for item in items(dynamodb)] == ["0000"]


def test_an_unwritten_key_has_no_content(blobs: Blobs) -> None:
    blobs.put("a", b"content", expires_at=LATER, deadline=SOON)

    assert blobs.get("b", now=NOW, deadline=SOON) is None


@pytest.mark.parametrize(("now", "content"), [(LATER - 0.5, b"content"), (LATER, None), (LATER + 1, None)])
def test_expired_content_is_not_returned_before_its_items_are_deleted(
    blobs: Blobs, now: float, content: bytes | None
) -> None:
    blobs.put("a", b"content", expires_at=LATER, deadline=SOON)

    assert blobs.get("a", now=now, deadline=SOON) == content


@pytest.mark.parametrize("before", [None, incompressible(800_000, seed=2), b"small"], ids=["nothing", "large", "small"])
def test_an_interrupted_write_leaves_the_previous_content(dynamodb: DynamoDBClient, before: bytes | None) -> None:
    blobs = Blobs(dynamodb, CHATS)
    after = incompressible(1_200_000)
    if before is not None:
        blobs.put("a", before, expires_at=LATER, deadline=SOON)
    writes = 4
    for at in range(writes):
        crashing = CrashingDynamoDb(dynamodb, at=at)

        with pytest.raises(ProcessCrashError):
            Blobs(cast("DynamoDBClient", crashing), CHATS).put("a", after, expires_at=LATER, deadline=SOON)

        assert blobs.get("a", now=NOW, deadline=SOON) == before
    survivor = CrashingDynamoDb(dynamodb, at=-1)
    Blobs(cast("DynamoDBClient", survivor), CHATS).put("a", after, expires_at=LATER, deadline=SOON)
    assert survivor.writes == writes
    assert blobs.get("a", now=NOW, deadline=SOON) == after


def test_an_interrupted_deletion_leaves_all_or_nothing(dynamodb: DynamoDBClient) -> None:
    content = incompressible(1_000_000)
    for at in range(3):
        blobs = Blobs(dynamodb, CHATS)
        blobs.put("a", content, expires_at=LATER, deadline=SOON)

        with pytest.raises(ProcessCrashError):
            Blobs(cast("DynamoDBClient", CrashingDynamoDb(dynamodb, at=at)), CHATS).delete("a", deadline=SOON)

        assert blobs.get("a", now=NOW, deadline=SOON) == (content if at == 0 else None)


def test_deleted_content_leaves_no_items(blobs: Blobs, dynamodb: DynamoDBClient) -> None:
    blobs.put("a", incompressible(1_000_000), expires_at=LATER, deadline=SOON)
    blobs.put("a", incompressible(900_000, seed=3), expires_at=LATER, deadline=SOON)

    blobs.delete("a", deadline=SOON)
    blobs.delete("a", deadline=SOON)

    assert items(dynamodb) == []


def test_content_with_a_missing_chunk_is_not_read(blobs: Blobs, dynamodb: DynamoDBClient) -> None:
    blobs.put("a", incompressible(1_000_000), expires_at=LATER, deadline=SOON)
    last = max(item["sk"]["S"] for item in items(dynamodb))
    dynamodb.delete_item(TableName=CHATS, Key={"pk": {"S": "B#a"}, "sk": {"S": last}})

    assert blobs.get("a", now=NOW, deadline=SOON) is None


def test_no_call_starts_after_the_deadline(blobs: Blobs, dynamodb: DynamoDBClient) -> None:
    over = Deadline(at=0.0, clock=lambda: 0.0)

    with pytest.raises(UnavailableError, match="in time"):
        blobs.put("a", b"content", expires_at=LATER, deadline=over)
    with pytest.raises(UnavailableError, match="in time"):
        blobs.get("a", now=NOW, deadline=over)
    with pytest.raises(UnavailableError, match="in time"):
        blobs.delete("a", deadline=over)

    assert items(dynamodb) == []


@pytest.mark.parametrize(
    ("code", "error"),
    [("ProvisionedThroughputExceededException", UnavailableError), ("AccessDeniedException", ConfigError)],
)
def test_a_table_error_is_unavailable_or_a_configuration_error(code: str, error: type[Exception]) -> None:
    client = aws_client("dynamodb")
    with Stubber(client) as stubber:
        stubber.add_client_error("get_item", code)

        with pytest.raises(error):
            Blobs(client, CHATS).get("a", now=NOW, deadline=SOON)
