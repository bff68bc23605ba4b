"""Limits of callers above the rate of one counter: several counters, each with a share of the limits."""

from collections.abc import Iterator
from itertools import count

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.limit_counters import LimitCounters
from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.http_api.caller import Caller
from flexchat.limits.admission import Admission
from flexchat.limits.counting import MAX_SHARDS, ROLE_SHARDS, SHARD_REQUESTS, Account, Reservation, Scope, Use
from flexchat.limits.rate_limits import RateLimits
from tests.unit.runs.table import CHATS, empty_tables

NOW = 1_795_343_380.0
CALLER = Caller("alice", frozenset({"user"}))


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


class Requests:
    """Requests of one caller with `limits`, each of which reserves 10 tokens."""

    def __init__(self, client: DynamoDBClient, limits: Limits) -> None:
        ids = count()
        self.clock = Clock()
        self._config = LimitsConfig(caller=limits, reserved_tokens=10)
        self._limits = RateLimits(
            counters=lambda: LimitCounters(client, CHATS),
            now=self.clock,
            stage="test",
            new_id=lambda: f"chat-{next(ids)}",
        )

    def admit(self) -> Admission:
        return self._limits.admit(
            CALLER, self._config, tokens=lambda: 0, session_id=None, seconds=60, deadline=Deadline.after(30)
        )

    def admit_all(self, requests: int) -> list[Admission]:
        return [self.admit() for _ in range(requests)]

    def readmit(self, *reservations: Reservation) -> Admission:
        return self._limits.readmit(CALLER, self._config, session_id=None, reservations=reservations)


def shards_of(limits: Limits) -> int:
    return Scope.of(Account("alice"), limits).shards


def shards(admissions: list[Admission]) -> set[int]:
    return {reservation.shard for admission in admissions for reservation in admission.reservations}


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flexchat.limits.counting.SHARD_REQUESTS", 5)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (Limits(), 1),
        (Limits(tokens_per_day=10**9), 1),
        (Limits(requests_per_minute=SHARD_REQUESTS), 1),
        (Limits(requests_per_minute=SHARD_REQUESTS + 1), 2),
        (Limits(requests_per_minute=10**9), MAX_SHARDS),
        (Limits(requests_per_minute=10**9, tokens_per_day=3), 3),
        (Limits(requests_per_minute=10**9, tool_calls_per_minute=2), 2),
    ],
)
def test_number_of_shards_follows_from_the_limits(limits: Limits, expected: int) -> None:
    assert shards_of(limits) == expected


def test_counters_of_a_role_have_several_shards_for_all_its_callers() -> None:
    account = Account("", role="analyst")
    assert Scope.of(account, Limits(usd_per_month=500), "role").shards == ROLE_SHARDS
    assert Scope.of(account, Limits(tokens_per_day=2), "role").shards == 2


def test_shares_of_all_shards_make_up_the_limits() -> None:
    limits = Limits(requests_per_minute=3 * SHARD_REQUESTS - 1, tokens_per_day=100, tool_calls_per_minute=7)
    shares = [share for _, share in Scope.of(Account("alice"), limits).shares(1)]
    assert [account.shard for account, _ in Scope.of(Account("alice"), limits).shares(1)] == [1, 2, 0]
    totals = [sum(limits[place].allowed for limits in shares) for place in range(3)]
    assert totals == [limits.requests_per_minute, 7, 100]


@pytest.mark.usefixtures("small_shards")
def test_a_sharded_limit_of_requests_is_exact(dynamodb: DynamoDBClient) -> None:
    requests = Requests(dynamodb, Limits(requests_per_minute=13))
    assert shards(requests.admit_all(13)) == {0, 1, 2}
    with pytest.raises(RequestError, match="is 13 requests a minute") as refused:
        requests.admit()
    assert refused.value.retry_after == 20


@pytest.mark.usefixtures("small_shards")
def test_a_sharded_budget_is_exceeded_by_at_most_one_chat_of_each_shard(dynamodb: DynamoDBClient) -> None:
    requests = Requests(dynamodb, Limits(requests_per_minute=15, tokens_per_day=75))
    requests.admit_all(9)  # shares of 25 tokens admit three chats of 10 in each of three shards
    with pytest.raises(RequestError, match="75 tokens a day, the rest of which is reserved by running requests"):
        requests.admit()


@pytest.mark.usefixtures("small_shards")
def test_settled_tokens_return_to_their_shard(dynamodb: DynamoDBClient) -> None:
    requests = Requests(dynamodb, Limits(requests_per_minute=15, tokens_per_day=75))
    for admission in requests.admit_all(9):
        (reservation,) = admission.reservations
        requests.readmit(reservation).settle(Use(5), deadline=Deadline.after(30))
    requests.admit_all(3)  # 15 tokens of each share of 25 are used
    with pytest.raises(RequestError):
        requests.admit()


@pytest.mark.usefixtures("small_shards")
def test_expired_reservations_of_every_shard_are_released(dynamodb: DynamoDBClient) -> None:
    requests = Requests(dynamodb, Limits(requests_per_minute=15, tokens_per_day=75))
    requests.admit_all(9)
    requests.clock.now += 60 + 31
    requests.admit_all(9)
    with pytest.raises(RequestError):
        requests.admit()


@pytest.mark.usefixtures("small_shards")
def test_a_sharded_limit_of_tool_calls_is_exact(dynamodb: DynamoDBClient) -> None:
    requests = Requests(dynamodb, Limits(requests_per_minute=15, tool_calls_per_minute=10))
    grants = [requests.admit().take_calls(4, Deadline.after(30)).calls for _ in range(4)]
    assert grants == [4, 4, 2, 0]


def test_reservation_of_one_counter_has_the_stored_form_of_earlier_versions() -> None:
    reservation = Reservation(id="one", at=NOW, tokens=10)
    assert reservation.model_dump() == {"id": "one", "session_id": None, "at": NOW, "tokens": 10}
    assert Reservation.model_validate({"id": "one", "at": NOW}).shard == 0
