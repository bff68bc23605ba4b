"""Claims: who may do what is done once. Sequential here; writers at the same time need a real table."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.stub import Stubber
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, UnavailableError
from functions.chat.aws.leases import LeaseStore, Refusal
from tests.unit.runs.table import CHATS, empty_tables

KEY = "P#alice#1"
FOREVER = 2_000_000_000


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client


@pytest.fixture
def claims(dynamodb: DynamoDBClient) -> LeaseStore:
    return LeaseStore(dynamodb, CHATS)


def deadline() -> Deadline:
    return Deadline.after(30)


def take(
    claims: LeaseStore, by: str, *, now: float = 1_000, lease_until: float = 1_030.125, expires_at: int = FOREVER
) -> Refusal | None:
    return claims.take(KEY, by=by, now=now, lease_until=lease_until, expires_at=expires_at, deadline=deadline())


def items(dynamodb: DynamoDBClient) -> list[Any]:
    return dynamodb.scan(TableName=CHATS)["Items"]


def test_the_first_to_ask_gets_it(claims: LeaseStore, dynamodb: DynamoDBClient) -> None:
    assert take(claims, "one") is None
    assert items(dynamodb) == [
        {
            "pk": {"S": KEY},
            "sk": {"S": "CLAIM"},
            "claimed_by": {"S": "one"},
            "lease_until": {"N": "1030.125"},
            "expires_at": {"N": str(FOREVER)},
        }
    ]


def test_the_second_is_told_until_when(claims: LeaseStore) -> None:
    take(claims, "one")

    assert take(claims, "two", now=1_030.1) == Refusal(done=False, lease_until=1_030.125)


def test_a_holder_may_take_it_again_as_when_its_first_request_was_answered_to_nobody(claims: LeaseStore) -> None:
    take(claims, "one")

    assert take(claims, "one", lease_until=1_090) is None
    assert take(claims, "two", now=1_050) == Refusal(done=False, lease_until=1_090)


def test_after_the_lease_the_next_one_gets_it(claims: LeaseStore) -> None:
    take(claims, "one")

    assert take(claims, "two", now=1_030.125, lease_until=1_060) is None
    assert take(claims, "one", now=1_031) == Refusal(done=False, lease_until=1_060)


def test_what_is_done_is_done_for_everybody_and_for_good(claims: LeaseStore) -> None:
    take(claims, "one")

    assert claims.complete(KEY, by="one", now=1_010, deadline=deadline())
    done = Refusal(done=True, lease_until=1_030.125)
    assert [take(claims, "one"), take(claims, "two"), take(claims, "two", now=9_000)] == [done] * 3


def test_it_may_be_done_twice_by_the_same_holder(claims: LeaseStore) -> None:
    take(claims, "one")

    assert [claims.complete(KEY, by="one", now=1_010, deadline=deadline()) for _ in range(2)] == [True, True]


def test_who_came_too_late_cannot_complete_what_another_has_taken_over(claims: LeaseStore) -> None:
    take(claims, "one")
    take(claims, "two", now=1_031, lease_until=1_060)

    assert not claims.complete(KEY, by="one", now=1_032, deadline=deadline())
    assert take(claims, "three", now=1_033) == Refusal(done=False, lease_until=1_060)


def test_a_claim_that_nobody_took_is_not_made_by_completing_it(claims: LeaseStore, dynamodb: DynamoDBClient) -> None:
    assert not claims.complete(KEY, by="one", now=1_010, deadline=deadline())
    assert items(dynamodb) == []


def test_a_claim_that_is_given_up_can_be_taken_at_once(claims: LeaseStore) -> None:
    take(claims, "one")
    claims.release(KEY, by="one", deadline=deadline())

    assert take(claims, "two") is None


@pytest.mark.parametrize("by", ["two", "one"], ids=["another's", "one that is done"])
def test_nobody_can_give_up(claims: LeaseStore, dynamodb: DynamoDBClient, by: str) -> None:
    take(claims, "one")
    if by == "one":
        claims.complete(KEY, by="one", now=1_010, deadline=deadline())
    before = items(dynamodb)

    claims.release(KEY, by=by, deadline=deadline())

    assert items(dynamodb) == before


def test_a_claim_that_has_expired_is_forgotten_even_when_the_table_still_has_it(claims: LeaseStore) -> None:
    take(claims, "one", expires_at=1_100)
    claims.complete(KEY, by="one", now=1_010, deadline=deadline())

    assert take(claims, "two", now=1_099.9) == Refusal(done=True, lease_until=1_030.125)
    assert take(claims, "two", now=1_100) is None


CALLS: list[Callable[[LeaseStore, Deadline], object]] = [
    lambda claims, due: claims.take(KEY, by="one", now=1, lease_until=2, expires_at=3, deadline=due),
    lambda claims, due: claims.complete(KEY, by="one", now=1, deadline=due),
    lambda claims, due: claims.release(KEY, by="one", deadline=due),
]


@pytest.mark.parametrize(
    ("call", "operation", "action"),
    [(CALLS[0], "put_item", "take"), (CALLS[1], "update_item", "complete"), (CALLS[2], "delete_item", "release")],
    ids=["take", "complete", "release"],
)
def test_a_table_that_fails_is_told_apart_from_a_claim_that_is_taken(
    dynamodb: DynamoDBClient, call: Callable[[LeaseStore, Deadline], object], operation: str, action: str
) -> None:
    with Stubber(dynamodb) as stub:
        stub.add_client_error(operation, "ThrottlingException")
        stub.add_client_error(operation, "ResourceNotFoundException")
        with pytest.raises(UnavailableError, match=f"could not {action} a lease .* DynamoDB answered Throttling"):
            call(LeaseStore(dynamodb, CHATS), deadline())
        with pytest.raises(ConfigError, match="deploy the stage first"):
            call(LeaseStore(dynamodb, CHATS), deadline())


@pytest.mark.parametrize("call", CALLS, ids=["take", "complete", "release"])
def test_no_call_outlasts_its_deadline(claims: LeaseStore, call: Callable[[LeaseStore, Deadline], object]) -> None:
    with pytest.raises(UnavailableError, match="in time"):
        call(claims, Deadline.after(0))
