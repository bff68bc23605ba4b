"""Counters of limits after repeated and concurrent requests."""

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.limit_counters import LimitCounters
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError
from flexchat.limits.admission import Account, Counted, Counters, Hold, Moment
from tests.unit.runs.table import CHATS, empty_tables
from tests.unit.sessions.clients import FailingClient

ACCOUNT = Account("alice")
MOMENT = Moment(1_795_343_380.0)  # 2026-11-22T10:29:40Z
HOLD = Hold(tokens=40, until=MOMENT.at + 60)


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client


def reserve(client: Any, id: str, *, max_requests: int | None = 10, max_tokens: int | None = 100) -> Counted:
    return LimitCounters(client, CHATS).reserve(
        ACCOUNT,
        MOMENT,
        id=id,
        max_requests=max_requests,
        max_tokens=max_tokens,
        hold=HOLD,
        deadline=Deadline.after(30),
    )


def settle(client: Any, id: str, tokens: int) -> bool:
    return LimitCounters(client, CHATS).settle(ACCOUNT, MOMENT.day, id=id, tokens=tokens, deadline=Deadline.after(30))


def test_windows_of_a_time_follow_the_clock_in_utc() -> None:
    assert (MOMENT.day, MOMENT.minute) == ("2026-11-22", "1029")
    assert (MOMENT.end_of_minute, MOMENT.end_of_day) == (MOMENT.at + 20, 1_795_392_000.0)


def test_a_repeated_request_counts_once(dynamodb: DynamoDBClient) -> None:
    counters = Counters(requests=1, tokens=40, holds={"one": HOLD}, past=())
    assert reserve(dynamodb, "one") == Counted(admitted=True, counters=counters)
    assert reserve(dynamodb, "one") == Counted(admitted=True, counters=counters)


def test_the_last_chat_can_exceed_the_limit_and_no_other_is_admitted(dynamodb: DynamoDBClient) -> None:
    assert [reserve(dynamodb, str(number)).admitted for number in range(5)] == [True, True, True, False, False]
    assert reserve(dynamodb, "again").counters.tokens == 120


def test_a_hold_is_released_once(dynamodb: DynamoDBClient) -> None:
    reserve(dynamodb, "one")
    assert settle(dynamodb, "one", 15 - 40)
    assert not settle(dynamodb, "one", 15 - 40)
    assert reserve(dynamodb, "two").counters.tokens == 15 + 40


def test_expired_holds_are_released_once(dynamodb: DynamoDBClient) -> None:
    for number in range(3):
        reserve(dynamodb, str(number))
    counters = LimitCounters(dynamodb, CHATS)
    dead = reserve(dynamodb, "refused").counters.holds
    assert set(dead) == {"0", "1", "2"}
    assert counters.reclaim(ACCOUNT, MOMENT.day, dead, deadline=Deadline.after(30))
    assert not counters.reclaim(ACCOUNT, MOMENT.day, dead, deadline=Deadline.after(30))
    assert reserve(dynamodb, "next").counters.tokens == 40


def test_settling_a_missing_item_creates_none(dynamodb: DynamoDBClient) -> None:
    counters = LimitCounters(dynamodb, CHATS)
    past = ("requests_1000",)
    assert not counters.settle(ACCOUNT, MOMENT.day, id=None, past=past, deadline=Deadline.after(30))
    assert dynamodb.scan(TableName=CHATS)["Items"] == []


def test_tool_calls_are_counted_by_minute(dynamodb: DynamoDBClient) -> None:
    counters = LimitCounters(dynamodb, CHATS)
    later = Moment(MOMENT.at + 60)
    deadline = Deadline.after(30)
    assert [counters.take_calls(ACCOUNT, MOMENT, calls=each, deadline=deadline) for each in (2, 3)] == [2, 5]
    assert counters.take_calls(ACCOUNT, later, calls=1, deadline=deadline) == 1


def test_denied_access_is_a_configuration_error(dynamodb: DynamoDBClient) -> None:
    denied = ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "UpdateItem")
    with pytest.raises(ConfigError):
        reserve(FailingClient(dynamodb, "update_item", denied), "one")
