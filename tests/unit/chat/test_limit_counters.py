"""Counters of limits after repeated and concurrent requests."""

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.limit_counters import LimitCounters
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, LimitName, UnavailableError
from flexchat.limits.counting import Account, Counted, Counters, Hold, Use, hold_id
from flexchat.limits.windows import Limit, Moment
from tests.unit.runs.table import CHATS, empty_tables
from tests.unit.sessions.clients import FailingClient

ACCOUNT = Account("alice")
MOMENT = Moment(1_795_343_380.0)  # 2026-11-22T10:29:40Z


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client


def hold(id: str, until: float = MOMENT.at + 60) -> Hold:
    return Hold(hold_id(until, id), 40)


def reserve(
    client: Any,
    id: str,
    *,
    max_requests: int | None = 10,
    max_tokens: int | None = 100,
    account: Account = ACCOUNT,
    until: float = MOMENT.at + 60,
) -> Counted:
    limits = [Limit("requests_per_minute", max_requests)] if max_requests else []
    limits += [Limit("tokens_per_day", max_tokens)] if max_tokens else []
    return LimitCounters(client, CHATS).reserve(
        account,
        MOMENT,
        limits=limits,
        hold=hold(id, until),
        deadline=Deadline.after(30),
    )


def settle(client: Any, id: str, tokens: int) -> Counters | None:
    return LimitCounters(client, CHATS).settle(
        ACCOUNT, MOMENT, id=hold(id).id, use=Use(tokens), now=MOMENT, deadline=Deadline.after(30)
    )


def counted(requests: int, tokens: int) -> Counters:
    """Return the counters of requests of the minute, and of the tokens of the day, all of which are reserved."""
    return Counters({"requests_per_minute": requests, "tokens_per_day": tokens}, {"tokens_per_day": tokens})


def test_windows_of_a_time_follow_the_clock_in_utc() -> None:
    assert (MOMENT.day, MOMENT.minute) == ("2026-11-22", "1029")
    assert (MOMENT.end_of_minute, MOMENT.end_of_day) == (MOMENT.at + 20, 1_795_392_000.0)


def test_a_request_is_counted_in_one_item_and_its_hold_in_another(dynamodb: DynamoDBClient) -> None:
    assert reserve(dynamodb, "one") == Counted(admitted=True, counters=counted(1, 40))
    items = sorted(dynamodb.scan(TableName=CHATS)["Items"], key=lambda item: str(item["pk"].get("S")))
    expires_at = {"N": "1795478400"}
    assert items == [
        {
            "pk": {"S": "L#alice"},
            "sk": {"S": "DAY#2026-11-22"},
            "requests_1029": {"N": "1"},
            "tokens": {"N": "40"},
            "reserved": {"N": "40"},
            "expires_at": expires_at,
        },
        {
            "pk": {"S": "L#alice#HOLDS"},
            "sk": {"S": "2026-11-22#1795343440000-one"},
            "tokens": {"N": "40"},
            "expires_at": expires_at,
        },
    ]


def test_counters_do_not_grow_with_the_number_of_active_chats(dynamodb: DynamoDBClient) -> None:
    for number in range(50):
        assert reserve(dynamodb, str(number), max_requests=100, max_tokens=10_000).admitted
    key = {"pk": {"S": "L#alice"}, "sk": {"S": "DAY#2026-11-22"}}
    item = dynamodb.get_item(TableName=CHATS, Key=key).get("Item", {})
    assert set(item) == {"pk", "sk", "requests_1029", "tokens", "reserved", "expires_at"}


def test_shards_have_counters_and_holds_of_their_own(dynamodb: DynamoDBClient) -> None:
    shard = Account("alice", shard=1)
    assert reserve(dynamodb, "one", max_tokens=40).admitted
    assert not reserve(dynamodb, "two", max_tokens=40).admitted
    assert reserve(dynamodb, "two", max_tokens=40, account=shard).admitted
    keys = {item["pk"].get("S") for item in dynamodb.scan(TableName=CHATS)["Items"]}
    assert keys == {"L#alice", "L#alice#HOLDS", "L#alice#SHARD#1", "L#alice#SHARD#1#HOLDS"}


def test_counters_of_an_earlier_version_are_counted_and_its_holds_are_ignored(dynamodb: DynamoDBClient) -> None:
    dynamodb.put_item(
        TableName=CHATS,
        Item={
            "pk": {"S": "L#alice"},
            "sk": {"S": "DAY#2026-11-22"},
            "tokens": {"N": "70"},
            "held_old": {"M": {"tokens": {"N": "30"}, "until": {"N": "1"}}},
        },
    )
    after = Counters({"requests_per_minute": 1, "tokens_per_day": 110}, {"tokens_per_day": 40})
    assert reserve(dynamodb, "one").counters == after
    assert settle(dynamodb, "old", 15) is None
    assert reserve(dynamodb, "two") == Counted(admitted=False, counters=after)


def test_the_last_chat_can_exceed_the_limit_and_no_other_is_admitted(dynamodb: DynamoDBClient) -> None:
    assert [reserve(dynamodb, str(number)).admitted for number in range(5)] == [True, True, True, False, False]
    assert reserve(dynamodb, "again").counters.of("tokens_per_day") == 120


def test_a_hold_is_released_once(dynamodb: DynamoDBClient) -> None:
    reserve(dynamodb, "one")
    assert settle(dynamodb, "one", 15) == Counters({"tokens_per_day": 15})
    assert settle(dynamodb, "one", 15) is None
    assert reserve(dynamodb, "two").counters.of("tokens_per_day") == 15 + 40


def test_expired_holds_are_released_once(dynamodb: DynamoDBClient) -> None:
    for number in range(2):
        reserve(dynamodb, str(number), until=MOMENT.at - 1)
    reserve(dynamodb, "active")
    counters = LimitCounters(dynamodb, CHATS)
    assert not reserve(dynamodb, "refused").admitted
    expired = [hold(str(number), MOMENT.at - 1) for number in range(2)]
    assert counters.reclaim(ACCOUNT, MOMENT, deadline=Deadline.after(30)) == expired
    assert counters.reclaim(ACCOUNT, MOMENT, deadline=Deadline.after(30)) == []
    assert reserve(dynamodb, "next").counters == counted(4, 80)


def test_tokens_of_a_hold_that_could_not_be_stored_remain_counted(dynamodb: DynamoDBClient) -> None:
    failed = ClientError({"Error": {"Code": "InternalServerError", "Message": "no"}}, "PutItem")
    with pytest.raises(UnavailableError):
        reserve(FailingClient(dynamodb, "put_item", failed), "one")
    assert reserve(dynamodb, "two").counters == counted(2, 80)


def test_settling_a_missing_item_creates_none(dynamodb: DynamoDBClient) -> None:
    counters = LimitCounters(dynamodb, CHATS)
    past = ("requests_1000",)
    settled = counters.settle(ACCOUNT, MOMENT, id=None, use=Use(), past=past, now=MOMENT, deadline=Deadline.after(30))
    assert settled is None
    assert dynamodb.scan(TableName=CHATS)["Items"] == []


def test_tool_calls_are_counted_by_minute_and_day(dynamodb: DynamoDBClient) -> None:
    counters = LimitCounters(dynamodb, CHATS)
    later = Moment(MOMENT.at + 60)
    deadline = Deadline.after(30)
    names: tuple[LimitName, ...] = ("tool_calls_per_minute", "tool_calls_per_day")
    for calls, expected in ((2, 2), (3, 5)):
        taken = counters.take_calls(ACCOUNT, MOMENT, limits=names, calls=calls, deadline=deadline)
        assert taken == {"tool_calls_per_minute": expected, "tool_calls_per_day": expected}
    taken = counters.take_calls(ACCOUNT, later, limits=names, calls=1, deadline=deadline)
    assert taken == {"tool_calls_per_minute": 1, "tool_calls_per_day": 6}


def test_denied_access_is_a_configuration_error(dynamodb: DynamoDBClient) -> None:
    denied = ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "UpdateItem")
    with pytest.raises(ConfigError):
        reserve(FailingClient(dynamodb, "update_item", denied), "one")
