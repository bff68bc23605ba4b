"""AWS clients with random faults."""

import json
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError

from dev.chaos.faults import FAULTS, FaultSource, FaultyClient
from dev.chaos.functions import FAULTS as FUNCTION_FAULTS
from dev.chaos.functions import Functions


class PagedTable:
    """Table client that stores items and returns them in pages of two."""

    exceptions = "its own"
    meta = SimpleNamespace(method_to_api_mapping={"put_item": "PutItem", "query": "Query"})

    def __init__(self) -> None:
        self.put: list[Any] = []

    def put_item(self, *, Item: Any) -> dict[str, Any]:  # noqa: N803 (botocore's own name)
        self.put.append(Item)
        return {}

    def query(self, *, ExclusiveStartKey: int = 0) -> dict[str, Any]:  # noqa: N803
        end = ExclusiveStartKey + 2
        more = {"LastEvaluatedKey": end} if end < len(self.put) else {}
        return {"Items": self.put[ExclusiveStartKey:end], **more}


def call(number: int) -> bytes:
    event = {
        "tool": "calculate",
        "arguments": {"expression": "1+1"},
        "implementation": {"type": "builtin", "handler": "math_eval"},
        "call_id": "c",
        "idempotency_key": f"r:{number}",
        "request_id": "r",
        "timeout_ms": 1000,
    }
    return json.dumps(event).encode()


def test_tools_fail_in_every_way_and_executed_calls_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    sleeps: list[float] = []
    monkeypatch.setattr("time.sleep", sleeps.append)
    functions = Functions()
    functions.source.seed("seed")
    raised = Counter[str]()

    for number in range(300):
        try:
            functions.invoke(FunctionName="builtin", Payload=call(number))
        except (BotoCoreError, ClientError) as error:
            raised[type(error).__name__] += 1

    met = functions.met
    refused = met["throttled"] + met["gone"]
    assert met.keys() == set(FUNCTION_FAULTS)
    assert len(sleeps) == met["late"]
    assert raised == {
        "ClientError": refused,
        "EndpointConnectionError": met["unreachable"],
        "ReadTimeoutError": met["lost"],
    }
    ran = 300 - refused - met["unreachable"]
    assert sum(functions.executed.values()) == ran
    assert functions.effects == {'calculate {"expression": "1+1"}': ran}
    unread = sum(met[fault] for fault in ("lost", "crash", "killed", "garbled", "foreign"))
    assert len(functions.results) == ran - unread


def test_no_fault_is_injected_without_a_seed_or_after_it() -> None:
    functions, tables = Functions(), FaultyClient(PagedTable(), FaultSource(0.5))
    functions.source.seed("seed")
    functions.source.seed(None)

    for number in range(50):
        reply = functions.invoke(FunctionName="builtin", Payload=call(number))
        assert json.loads(reply["Payload"].read())["result"] == {"result": 2}
        tables.put_item(Item=number)
    assert not functions.met
    assert not tables.met


def test_a_table_fails_in_every_way_and_a_lost_response_has_its_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sleeps: list[float] = []
    monkeypatch.setattr("time.sleep", sleeps.append)
    rows = PagedTable()
    tables = FaultyClient(rows, FaultSource(0.15))
    tables.source.seed("seed")
    raised = Counter[str]()

    for number in range(600):
        try:
            tables.put_item(Item=number)
        except (ClientError, ReadTimeoutError) as error:
            raised[type(error).__name__] += 1

    met = tables.met
    assert met.keys() == set(FAULTS)
    assert len(sleeps) == met["slow"]
    assert raised == {"ClientError": met["throttled"] + met["broken"], "ReadTimeoutError": met["lost"]}
    assert len(rows.put) == 600 - raised["ClientError"]
    assert tables.exceptions == "its own"


def test_each_page_of_a_query_can_fail() -> None:
    rows = PagedTable()
    rows.put += range(5)
    tables = FaultyClient(rows, FaultSource(1.0))

    assert [page["Items"] for page in tables.get_paginator("query").paginate()] == [[0, 1], [2, 3], [4]]
    pages = tables.get_paginator("query").paginate()
    assert next(pages)["Items"] == [0, 1]
    tables.source = FaultSource(1.0)
    tables.source.seed("a seed whose first fault raises")
    with pytest.raises((ClientError, ReadTimeoutError)):
        next(pages)
