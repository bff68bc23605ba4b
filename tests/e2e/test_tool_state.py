"""State of tools on the DynamoDB of the stack: parallel environments open, test and count exactly."""

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, cast
from uuid import uuid4

import pytest

from cli.local_stack import StackState
from flexchat.deadline import Deadline
from flexchat.errors import ToolError
from functions.tools.http.aws.tool_state import ToolStateTable
from functions.tools.http.circuit_breaker import Circuit, CircuitBreakers, OpenCircuit
from functions.tools.http.implementation import CircuitBreaker, RateLimit
from functions.tools.http.shared_state import ToolRateLimits
from tests.clock import Clock
from tests.e2e.conftest import AwsClients

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

ENVIRONMENTS = 64
CLIENTS = 8
PATIENCE_SECONDS = 120
SETTINGS = CircuitBreaker(failures=1, open_ms=30_000)


class SlowTable(ToolStateTable):
    """Table without the short time limits of a call, which a busy machine exceeds."""

    def start_probe(
        self, circuit: Circuit, *, by: str, now: float, until: float, deadline: Deadline
    ) -> OpenCircuit | bool:
        return super().start_probe(circuit, by=by, now=now, until=until, deadline=Deadline.after(PATIENCE_SECONDS))

    def read_circuit(self, circuit: Circuit, deadline: Deadline) -> OpenCircuit | None:
        return super().read_circuit(circuit, Deadline.after(PATIENCE_SECONDS))

    def count_call(self, counter: str, *, most: int, end: float, deadline: Deadline) -> bool:
        return super().count_call(counter, most=most, end=end, deadline=Deadline.after(PATIENCE_SECONDS))


class Environments:
    """Environments with one table and one clock, and a tool that no other test uses."""

    def __init__(self, aws: AwsClients, table: str) -> None:
        self._clients = itertools.cycle([cast("DynamoDBClient", aws.client("dynamodb")) for _ in range(CLIENTS)])
        self._table = table
        self.tool = f"e2e{uuid4().hex}"
        self.circuit = Circuit(self.tool, "api.example.com")
        self.clock = Clock(now=time.time())

    def store(self) -> SlowTable:
        return SlowTable(next(self._clients), self._table)

    def at_once(self, call: Callable[[int], bool]) -> int:
        """Return the number of parallel calls, one of each environment, that return true."""
        with ThreadPoolExecutor(ENVIRONMENTS) as environments:
            return sum(environments.map(call, range(ENVIRONMENTS)))

    def delete_items(self) -> None:
        client = next(self._clients)
        pages = client.get_paginator("scan").paginate(
            TableName=self._table,
            FilterExpression="contains(pk, :tool)",
            ExpressionAttributeValues={":tool": {"S": self.tool}},
            ProjectionExpression="pk",
        )
        for key in [item for page in pages for item in page["Items"]]:
            client.delete_item(TableName=self._table, Key=key)


@pytest.fixture
def environments(aws: AwsClients, stack: StackState) -> Iterator[Environments]:
    environments = Environments(aws, f"flexchat-{stack.stage}-tool-state")
    yield environments
    environments.delete_items()


def open_circuit(environments: Environments, number: int = 0) -> bool:
    now = environments.clock()
    return environments.store().open_circuit(
        environments.circuit, now=now, until=now + 30 + number, deadline=Deadline.after(PATIENCE_SECONDS)
    )


def test_parallel_failures_open_a_circuit_once(environments: Environments) -> None:
    assert environments.at_once(lambda number: open_circuit(environments, number)) == 1


def test_exactly_one_of_parallel_calls_tests_a_half_open_circuit(environments: Environments) -> None:
    assert open_circuit(environments)
    breakers = [CircuitBreakers(environments.store(), clock=environments.clock) for _ in range(ENVIRONMENTS)]
    deadline = Deadline.after(PATIENCE_SECONDS)

    def enters(number: int) -> bool:
        try:
            breakers[number].enter(environments.circuit, SETTINGS, call_id=f"call-{number}", deadline=deadline)
        except ToolError as exc:
            return exc.type != "circuit_open"
        return True

    assert environments.at_once(enters) == 0
    environments.clock.now += 31
    assert environments.at_once(enters) == 1


def test_parallel_calls_do_not_exceed_a_rate_limit(environments: Environments) -> None:
    limit = RateLimit(calls=20, period_ms=86_400_000)

    def admitted(_: int) -> bool:
        limits = ToolRateLimits(environments.store(), stage="local", clock=environments.clock)
        try:
            limits.admit(environments.tool, limit, deadline=Deadline.after(PATIENCE_SECONDS))
        except ToolError as exc:
            return exc.type != "rate_limited"
        return True

    assert environments.at_once(admitted) == 20
