"""Counters of limits on the DynamoDB of the stack: parallel requests do not exceed a limit."""

import itertools
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, cast
from uuid import uuid4

import pytest

from cli.local_stack import StackState
from flexchat.aws.limit_counters import LimitCounters
from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.http_api.caller import Caller
from flexchat.limits.admission import Admission
from flexchat.limits.counting import Account, Use
from flexchat.limits.rate_limits import RateLimits
from flexchat.limits.windows import Moment
from tests.e2e.conftest import AwsClients

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

CHATS = 200
CLIENTS = 8
WORKERS = 64
CHAT_TOKENS = 100
PATIENCE_SECONDS = 120


class Callers:
    """Unused caller with the limits of its admission at a fixed time."""

    def __init__(self, aws: AwsClients, table: str) -> None:
        clients = [cast("DynamoDBClient", aws.client("dynamodb")) for _ in range(CLIENTS)]
        self._next = itertools.cycle(clients)
        self.table = table
        self.caller = Caller(f"e2e{uuid4().hex}", frozenset({"user"}))
        self.at = time.time()

    def counters(self) -> LimitCounters:
        return LimitCounters(next(self._next), self.table)

    @property
    def deadline(self) -> Deadline:
        return Deadline.after(PATIENCE_SECONDS)

    def admit(
        self, limits: Limits, *, session_id: str | None = None, session: Limits | None = None
    ) -> Admission | None:
        """Return the admission of one request, or None if a limit rejects it."""
        config = LimitsConfig(caller=limits, session=session or Limits(), reserved_tokens=CHAT_TOKENS)
        rates = RateLimits(counters=self.counters, now=lambda: self.at, stage="local")
        try:
            return rates.admit(
                self.caller, config, tokens=lambda: 0, session_id=None, seconds=60, deadline=self.deadline
            )
        except RequestError:
            return None

    def at_once(self, limits: Limits) -> list[Admission]:
        """Return the admissions of concurrent requests."""
        with ThreadPoolExecutor(WORKERS) as requests:
            admitted = list(requests.map(self.admit, [limits] * CHATS))
        return [each for each in admitted if each is not None]

    def tokens(self) -> int:
        """Return the tokens of the day."""
        account, moment = Account(self.caller.principal), Moment(self.at)
        return self.counters().read(account, moment, deadline=self.deadline).of("tokens_per_day")


@pytest.fixture
def callers(aws: AwsClients, stack: StackState) -> Iterator[Callers]:
    callers = Callers(aws, f"flexchat-{stack.stage}-chats")
    yield callers
    moment = Moment(callers.at)
    for sk in (f"DAY#{moment.day}", f"MONTH#{moment.month}"):
        key = {"pk": {"S": Account(callers.caller.principal).pk}, "sk": {"S": sk}}
        aws.client("dynamodb").delete_item(TableName=callers.table, Key=key)


def test_parallel_chats_exceed_a_token_budget_by_at_most_one(callers: Callers) -> None:
    spent = callers.admit(Limits(tokens_per_day=1_000))
    assert spent is not None
    spent.settle(Use(950), deadline=callers.deadline)

    admitted = callers.at_once(Limits(tokens_per_day=1_000))
    assert len(admitted) == 1
    admitted[0].settle(Use(CHAT_TOKENS), deadline=callers.deadline)
    assert callers.tokens() == 950 + CHAT_TOKENS


def test_parallel_chats_use_a_token_budget_completely(callers: Callers) -> None:
    admitted = callers.at_once(Limits(tokens_per_day=2_450))
    assert len(admitted) == 25

    def settle(admission: Admission) -> None:
        admission.settle(Use(40), deadline=callers.deadline)

    with ThreadPoolExecutor(WORKERS) as requests:
        list(requests.map(settle, admitted))
    assert callers.tokens() == 25 * 40


def test_parallel_requests_do_not_exceed_the_limit_per_minute(callers: Callers) -> None:
    assert len(callers.at_once(Limits(requests_per_minute=20))) == 20


def test_parallel_turns_do_not_exceed_the_tool_call_limit(callers: Callers) -> None:
    limits = Limits(tool_calls_per_minute=50)

    def turn(_: int) -> int:
        admission = callers.admit(limits)
        assert admission is not None
        return admission.take_calls(3, callers.deadline).calls

    with ThreadPoolExecutor(WORKERS) as turns:
        granted = list(turns.map(turn, range(CHATS)))
    assert sum(granted) == 50


def test_parallel_chats_do_not_exceed_a_budget_of_a_month_when_they_reserve_more(callers: Callers) -> None:
    limits = Limits(usd_per_month=0.5)  # 50 reservations of a cent
    admitted = callers.at_once(limits)
    assert len(admitted) == 50

    def go_on(admission: Admission) -> bool:
        try:
            admission.extend(lambda: Use(micros=20_000), callers.deadline)
        except RequestError:
            admission.settle(Use(micros=20_000), deadline=callers.deadline)
            return False
        return True

    with ThreadPoolExecutor(WORKERS) as requests:
        assert not any(requests.map(go_on, admitted))
    account = Account(callers.caller.principal, monthly=True)
    counters = callers.counters().read(account, Moment(callers.at), deadline=callers.deadline)
    assert (counters.spent("usd_per_month"), counters.of("usd_per_month")) == (1_000_000, 1_000_000)


def test_reservations_of_dead_requests_are_released_once_by_parallel_requests(callers: Callers) -> None:
    limits = Limits(tokens_per_day=500)
    assert len(callers.at_once(limits)) == 5

    callers.at += 3_600
    admitted = callers.at_once(limits)
    assert len(admitted) == 5
    for each in admitted:
        each.settle(Use(90), deadline=callers.deadline)
    assert callers.tokens() == 450
