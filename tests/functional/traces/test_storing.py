"""Events with the record of a chat: stored once, all or nothing."""

import gzip
import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from flexchat.errors import UnavailableError
from flexchat.traces import TraceRecord
from functions.traces.aws.index import PARTITIONS, SHARDS
from functions.traces.summaries import MAX_TOOLS
from functions.traces.usage import MAX_MODELS
from tests.functional.traces.harness import BUCKET, NOW, LambdaContext, Service, chat, model_call, packed, tool_call


def test_trace_is_stored_with_an_item_of_each_index(service: Service) -> None:
    record = chat("r1", session_id="s1", outcome="error")

    service.store(record)

    keys = {item["pk"]["S"] for item in service.items() if "U#" not in item["pk"]["S"]}
    shared = ("D#2026-11-27", "C#ana", "M#demo:good", "L#get_weather", "O#error", "F#failed")
    assert keys == {"I#r1", "S#s1", *(f"2#{pk}" for pk in shared)}
    body = service.s3.get_object(Bucket=BUCKET, Key="traces/2026/11/27/r1.json.gz")["Body"].read()
    assert TraceRecord.from_json(gzip.decompress(body)) == record


def test_second_delivery_of_an_event_changes_nothing(service: Service) -> None:
    event = {"trace": json.loads(chat("r1").as_json())}
    assert service.invoke(event) == {"stored": "r1"}
    before = service.items()

    assert service.invoke(event) == {"stored": None}

    assert service.items() == before
    assert service.get("/api/usage").body["rows"][0]["chats"] == 1


def test_second_record_of_a_request_does_not_replace_the_first(service: Service) -> None:
    service.store(chat("r1", answer="first"))

    assert service.invoke({"trace": json.loads(chat("r1", answer="second").as_json())}) == {"stored": None}

    assert service.get("/api/traces/r1").body["answer"] == "first"


def test_packed_record_is_stored(service: Service) -> None:
    assert service.invoke(packed(chat("r1", answer="long " * 50_000))) == {"stored": "r1"}

    assert service.get("/api/traces/r1").body["answer"] == "long " * 50_000


class FailingOnce:
    """Client of DynamoDB whose first transaction fails after a part of it was sent."""

    def __init__(self, client: Any, error: ClientError) -> None:
        self._client = client
        self.errors = [error]

    def transact_write_items(self, **request: Any) -> Any:
        if self.errors:
            raise self.errors.pop()
        return self._client.transact_write_items(**request)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def cancelled(*codes: str) -> ClientError:
    response: Any = {
        "Error": {"Code": "TransactionCanceledException"},
        "CancellationReasons": [{"Code": code} for code in codes],
    }
    return ClientError(response, "TransactWriteItems")


def test_failed_transaction_stores_nothing_and_the_retry_of_lambda_all(service: Service) -> None:
    event = {"trace": json.loads(chat("r1").as_json())}
    function = service.of(FailingOnce(service.dynamodb, cancelled("None", "ValidationError")))

    with pytest.raises(UnavailableError, match="could not write a trace to table"):
        function.handle(event, LambdaContext())
    assert service.items() == []
    assert service.get("/api/traces/r1").status == 404

    assert function.handle(event, LambdaContext()) == {"stored": "r1"}
    assert service.get("/api/traces/r1").status == 200
    assert service.get("/api/usage").body["rows"][0]["chats"] == 1


def test_transaction_in_conflict_with_another_one_is_repeated(service: Service) -> None:
    client = FailingOnce(service.dynamodb, cancelled("None", "None", "TransactionConflict"))

    assert service.of(client).handle({"trace": json.loads(chat("r1").as_json())}, LambdaContext()) == {"stored": "r1"}


def test_chat_of_more_tools_than_a_transaction_has_items_is_stored(service: Service) -> None:
    tools = tuple(tool_call(f"tool{number}") for number in range(150))
    models = tuple(model_call(name=f"demo:{number}") for number in range(30))

    service.store(chat("r1", session_id="s1", outcome="error", spans=(*models, *tools)))

    assert len(service.items()) == 100
    (trace,) = service.get("/api/traces").body["traces"]
    assert (len(trace["tools"]), trace["tool_calls"], trace["model_calls"]) == (MAX_TOOLS, 150, 30)
    assert len(service.get("/api/usage", group="model").body["rows"]) == MAX_MODELS
    assert len(service.get("/api/traces/r1").body["spans"]) == 180


def test_name_of_any_length_that_a_model_calls_is_stored(service: Service) -> None:
    service.store(chat("r1", spans=(tool_call("x" * 5_000, error="unknown_tool"), tool_call("x" * 6_000))))

    (trace,) = service.get("/api/traces").body["traces"]
    assert service.ids(tool=trace["tools"][0]) == ["r1"]


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({}, "expected 'trace' or 'packed'"),
        ({"trace": {"id": "r1"}}, "missing required field"),
        ({"trace": None}, "Expected `object`"),
        ({"packed": "no base64!"}, "'packed' is no gzip in base64"),
        ({"packed": "bm8gZ3ppcA=="}, "'packed' is no gzip in base64"),
        ({"trace": json.loads(chat("../other").as_json())}, "id '../other' of a record"),
        ({"trace": json.loads(chat(at=1e20, expires_at=2**60).as_json())}, "'started_at' 1e+20 of a record"),
        ({"trace": json.loads(chat(v=2).as_json())}, "version 2 of a record"),
    ],
)
def test_malformed_event_is_logged_and_not_repeated(
    service: Service, event: dict[str, Any], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert service.invoke(event) == {"stored": None}

    (line,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (line["level"], line["message"]) == ("ERROR", "trace rejected")
    assert reason in line["reason"]
    assert service.items() == []


def test_trace_is_kept_at_most_for_the_retention(service: Service) -> None:
    service.store(chat("r1", expires_at=int(NOW) + 365 * 86_400), chat("r2"))
    expiries = {item["pk"]["S"]: int(item["expires_at"]["N"]) for item in service.items() if item["sk"]["S"] == "trace"}

    assert expiries == {"I#r1": int(NOW) - 60 + 30 * 86_400, "I#r2": int(NOW) - 60 + 7 * 86_400}
    service.now += 8 * 86_400
    assert service.ids() == ["r1"]
    assert service.get("/api/traces/r2").status == 404


def test_expired_record_is_not_stored(service: Service) -> None:
    assert service.invoke({"trace": json.loads(chat(expires_at=int(NOW) - 1).as_json())}) == {"stored": None}

    assert service.items() == []


def test_counters_and_indexes_are_spread_over_several_partitions(service: Service) -> None:
    service.store(*(chat(f"r{number}") for number in range(16)))

    counters = [item for item in service.items() if item["sk"]["S"].startswith("day#")]
    assert 1 < len(counters) <= SHARDS
    for pk in ("U#2026-11-27", "D#2026-11-27", "C#ana", "M#demo:good", "L#get_weather", "O#answered"):
        found = {item["pk"]["S"] for item in service.items() if item["pk"]["S"].endswith(pk)}
        assert found == {pk, *(f"{number}#{pk}" for number in range(1, PARTITIONS))}
    assert service.get("/api/usage").body["rows"][0]["chats"] == 16
