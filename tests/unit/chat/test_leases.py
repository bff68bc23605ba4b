"""Leases of one holder at a time. Sequential here; concurrent writers need a real table."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.stub import Stubber
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, UnavailableError
from functions.chat.aws.leases import LeaseStore
from functions.chat.resumption.tokens import RefusedLease
from tests.aws import aws_client
from tests.unit.runs.table import CHATS, empty_tables

KEY = "P#alice#1"
FOREVER = 2_000_000_000


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client


@pytest.fixture
def leases(dynamodb: DynamoDBClient) -> LeaseStore:
    return LeaseStore(dynamodb, CHATS)


def deadline() -> Deadline:
    return Deadline.after(30)


def take(
    leases: LeaseStore, by: str, *, now: float = 1_000, lease_until: float = 1_030.125, expires_at: int = FOREVER
) -> RefusedLease | None:
    return leases.take(KEY, by=by, now=now, lease_until=lease_until, expires_at=expires_at, deadline=deadline())


def items(dynamodb: DynamoDBClient) -> list[Any]:
    return dynamodb.scan(TableName=CHATS)["Items"]


def test_the_first_request_takes_the_lease(leases: LeaseStore, dynamodb: DynamoDBClient) -> None:
    assert take(leases, "one") is None
    assert items(dynamodb) == [
        {
            "pk": {"S": KEY},
            "sk": {"S": "CLAIM"},
            "claimed_by": {"S": "one"},
            "lease_until": {"N": "1030.125"},
            "expires_at": {"N": str(FOREVER)},
        }
    ]


def test_the_second_request_gets_the_end_of_the_lease(leases: LeaseStore) -> None:
    take(leases, "one")

    assert take(leases, "two", now=1_030.1) == RefusedLease(done=False, lease_until=1_030.125)


def test_a_holder_can_take_the_lease_again_after_a_lost_response(leases: LeaseStore) -> None:
    take(leases, "one")

    assert take(leases, "one", lease_until=1_090) is None
    assert take(leases, "two", now=1_050) == RefusedLease(done=False, lease_until=1_090)


def test_the_next_request_takes_the_lease_after_its_end(leases: LeaseStore) -> None:
    take(leases, "one")

    assert take(leases, "two", now=1_030.125, lease_until=1_060) is None
    assert take(leases, "one", now=1_031) == RefusedLease(done=False, lease_until=1_060)


def test_a_completed_lease_is_refused_to_every_holder(leases: LeaseStore) -> None:
    take(leases, "one")

    assert leases.complete(KEY, by="one", now=1_010, deadline=deadline())
    done = RefusedLease(done=True, lease_until=1_030.125)
    assert [take(leases, "one"), take(leases, "two"), take(leases, "two", now=9_000)] == [done] * 3


def test_a_holder_can_complete_its_lease_twice(leases: LeaseStore) -> None:
    take(leases, "one")

    assert [leases.complete(KEY, by="one", now=1_010, deadline=deadline()) for _ in range(2)] == [True, True]


def test_an_earlier_holder_cannot_complete_a_lease_taken_over_by_another(leases: LeaseStore) -> None:
    take(leases, "one")
    take(leases, "two", now=1_031, lease_until=1_060)

    assert not leases.complete(KEY, by="one", now=1_032, deadline=deadline())
    assert take(leases, "three", now=1_033) == RefusedLease(done=False, lease_until=1_060)


def test_completing_a_missing_lease_does_not_create_it(leases: LeaseStore, dynamodb: DynamoDBClient) -> None:
    assert not leases.complete(KEY, by="one", now=1_010, deadline=deadline())
    assert items(dynamodb) == []


def test_a_released_lease_is_available_at_once(leases: LeaseStore) -> None:
    take(leases, "one")
    leases.release(KEY, by="one", deadline=deadline())

    assert take(leases, "two") is None


@pytest.mark.parametrize("by", ["two", "one"], ids=["another holder", "completed"])
def test_a_completed_or_foreign_lease_cannot_be_released(leases: LeaseStore, dynamodb: DynamoDBClient, by: str) -> None:
    take(leases, "one")
    if by == "one":
        leases.complete(KEY, by="one", now=1_010, deadline=deadline())
    before = items(dynamodb)

    leases.release(KEY, by=by, deadline=deadline())

    assert items(dynamodb) == before


def test_an_expired_lease_that_is_still_stored_is_ignored(leases: LeaseStore) -> None:
    take(leases, "one", expires_at=1_100)
    leases.complete(KEY, by="one", now=1_010, deadline=deadline())

    assert take(leases, "two", now=1_099.9) == RefusedLease(done=True, lease_until=1_030.125)
    assert take(leases, "two", now=1_100) is None


CALLS: list[Callable[[LeaseStore, Deadline], object]] = [
    lambda leases, due: leases.take(KEY, by="one", now=1, lease_until=2, expires_at=3, deadline=due),
    lambda leases, due: leases.complete(KEY, by="one", now=1, deadline=due),
    lambda leases, due: leases.release(KEY, by="one", deadline=due),
]


@pytest.mark.parametrize(
    ("call", "operation", "action"),
    [(CALLS[0], "put_item", "take"), (CALLS[1], "update_item", "complete"), (CALLS[2], "delete_item", "release")],
    ids=["take", "complete", "release"],
)
def test_a_failing_table_is_an_error_and_no_refusal(
    call: Callable[[LeaseStore, Deadline], object], operation: str, action: str
) -> None:
    client = aws_client("dynamodb")
    with Stubber(client) as stub:
        stub.add_client_error(operation, "ThrottlingException")
        stub.add_client_error(operation, "ResourceNotFoundException")
        with pytest.raises(UnavailableError, match=f"could not {action} a lease .* DynamoDB answered Throttling"):
            call(LeaseStore(client, CHATS), deadline())
        with pytest.raises(ConfigError, match="deploy the stage first"):
            call(LeaseStore(client, CHATS), deadline())


@pytest.mark.parametrize("call", CALLS, ids=["take", "complete", "release"])
def test_no_call_outlasts_its_deadline(leases: LeaseStore, call: Callable[[LeaseStore, Deadline], object]) -> None:
    with pytest.raises(UnavailableError, match="in time"):
        call(leases, Deadline.after(0))
