"""Audit records: written once each, listed by time, principal, tool and kind."""

import base64
import gzip
import json
from typing import Any

import pytest
from botocore.exceptions import ClientError
from msgspec import convert

from flexchat.audit import AuditRecord, print_record
from flexchat.aws.dynamodb import from_item
from functions.traces.aws import merged
from tests.functional.traces.harness import AUDIT, DAY, NOW, LambdaContext, Service, chat, packed


def record(number: int, *, at: float | None = None, tool: str | None = "calculate", **fields: Any) -> dict[str, Any]:
    """Return a record of a tool call; later ones have higher numbers."""
    given = {} if tool is None else {"tool": tool}
    return {
        "id": f"r{number:03}:1",
        "at": NOW - 1_000 + number if at is None else at,
        "kind": "tool_call",
        "action": "call",
        "principal": "ana",
        "request_id": f"r{number:03}",
        "outcome": "succeeded",
        **given,
        **fields,
    }


def items(service: Service) -> list[dict[str, Any]]:
    """Return the items of the table."""
    return [from_item(item) for item in service.dynamodb.scan(TableName=AUDIT)["Items"]]


def ids(service: Service, **query: Any) -> list[str]:
    """Return the ids of all pages of a list."""
    found: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(200):
        answer = service.get("/api/audit", **query, **cursor)
        assert answer.status == 200, answer.body
        found += [each["request_id"] for each in answer.body["records"]]
        if "cursor" not in answer.body:
            return found
        cursor = {"cursor": answer.body["cursor"]}
    raise AssertionError("the list has no end")


def test_a_record_is_listed_as_it_was_sent(service: Service) -> None:
    sent = record(
        1,
        outcome="refused",
        reason="tool_not_allowed",
        front_end="chat",
        details={"call_id": "c1", "arguments": {"a": [1, None]}},
    )

    assert service.invoke({"audit": [sent]}) == {"stored": None}

    assert service.get("/api/audit").body == {"records": [{**sent, "at": "2026-11-27T02:43:21Z"}]}


def test_an_event_that_is_delivered_again_writes_nothing(service: Service) -> None:
    event = {"audit": [record(1), record(2)]}
    service.invoke(event)
    before = items(service)

    service.invoke({"audit": [record(1, outcome="failed"), record(2), record(3)]})

    after = items(service)
    assert [item for item in after if item in before] == [item for item in after if "r003" not in item["sk"]]
    assert (len(before), len(after)) == (2, 3)


@pytest.mark.parametrize("trace", [{"trace": None}, packed(chat("t1"))], ids=["plain", "packed"])
def test_records_beside_a_trace_are_stored_with_it(service: Service, trace: dict[str, Any]) -> None:
    event = trace if trace.get("trace", "") is not None else {"trace": json.loads(chat("t1").as_json())}

    assert service.invoke({**event, "audit": [record(1)]}) == {"stored": "t1"}

    assert ids(service) == ["r001"]
    assert service.get("/api/traces/t1").status == 200


@pytest.mark.parametrize("broken", [None, {}, [{}], [{**record(1), "kind": "party"}], [{**record(1), "at": "now"}]])
def test_malformed_records_are_rejected_without_a_retry(service: Service, broken: Any) -> None:
    assert service.invoke({"audit": broken}) == {"stored": None}
    assert ids(service) == []


class Broken:
    """Client of DynamoDB that fails some writes."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.fails = True

    def put_item(self, **request: Any) -> Any:
        if self.fails and "r002" in request["Item"]["sk"]["S"]:
            raise ClientError({"Error": {"Code": "ProvisionedThroughputExceededException"}}, "PutItem")
        return self._client.put_item(**request)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def test_a_write_that_fails_fails_the_event_and_its_repetition_completes_it(service: Service) -> None:
    client = Broken(service.dynamodb)
    function = service.of(client)
    event = {"audit": [record(1), record(2), record(3)]}

    with pytest.raises(Exception, match="could not write an audit record"):
        function.handle(event, LambdaContext())
    client.fails = False
    function.handle(event, LambdaContext())

    assert ids(service) == ["r003", "r002", "r001"]


def test_filters_select_by_time_principal_tool_and_kind(service: Service) -> None:
    service.invoke(
        {
            "audit": [
                record(1, at=NOW - 90 * DAY),
                record(2, at=NOW - 2 * DAY, principal="bob"),
                record(3, tool="get_time", outcome="failed", reason="timeout"),
                record(4, tool=None, kind="token", action="create", target="k7m2p9qx4d", principal="root"),
                record(5, principal="bob", tool="get_time"),
            ]
        }
    )

    assert ids(service) == ["r005", "r004", "r003", "r002", "r001"]
    assert ids(service, since="2d") == ["r005", "r004", "r003", "r002"]
    assert ids(service, until="1d") == ["r002", "r001"]
    assert ids(service, principal="bob") == ["r005", "r002"]
    assert ids(service, principal="bob", since="1d") == ["r005"]
    assert ids(service, tool="get_time") == ["r005", "r003"]
    assert ids(service, tool="get_time", principal="ana") == ["r003"]
    assert ids(service, kind="token") == ["r004"]
    assert ids(service, kind="token", principal="ana") == []
    assert ids(service, principal="nobody") == []


def test_pages_of_several_partitions_are_in_order_without_gaps(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.invoke({"audit": [record(number, at=NOW - 90 * DAY + number * 180_000) for number in range(20)]})
    monkeypatch.setattr(merged, "MAX_PAGE_ITEMS", 2)
    expected = [f"r{number:03}" for number in reversed(range(20))]
    for queries in (4, 5, 7):
        monkeypatch.setattr(merged, "MAX_QUERIES", queries)
        for query in ({"since": "100d"}, {}, {"principal": "ana"}, {"tool": "calculate"}):
            assert ids(service, limit=3, **query) == expected


def test_records_of_one_moment_are_in_several_partitions_and_complete(service: Service) -> None:
    service.invoke({"audit": [record(number, at=NOW - 5) for number in range(40)]})

    partitions = {item["pk"] for item in items(service)}
    assert partitions == {f"{number}#2026-11" for number in range(4)}
    assert sorted(ids(service, limit=7, since="1h")) == [f"r{number:03}" for number in range(40)]


def test_expired_records_are_not_listed(service: Service) -> None:
    service.invoke({"audit": [record(1, at=NOW - 500 * DAY), record(2)]})

    assert ids(service, principal="ana") == ["r002"]
    (kept,) = (item for item in items(service) if "r002" in item["sk"])
    assert kept["expires_at"] == int(NOW) - 998 + 400 * DAY


def test_only_operators_list_records(service: Service) -> None:
    assert service.get("/api/audit", caller="ana").status == 403
    assert service.get("/api/audit", caller="ana", principal="ana").status == 403


@pytest.mark.parametrize(
    "query", [{"kind": "party"}, {"limit": 0}, {"limit": 201}, {"since": "yesterday"}, {"cursor": "x"}, {"tool": ""}]
)
def test_a_wrong_value_of_a_filter_is_a_request_error(service: Service, query: dict[str, Any]) -> None:
    assert service.get("/api/audit", **query).status == 400


def test_a_cursor_of_another_list_is_refused(service: Service) -> None:
    service.invoke({"audit": [record(number) for number in range(5)]})
    cursor = service.get("/api/audit", limit=2, since="1h").body["cursor"]

    assert service.get("/api/audit", limit=2, since="1h", principal="ana", cursor=cursor).status == 400
    assert service.get("/api/audit", limit=2, since="1h", cursor=cursor).status == 200


def delivered(*lines: str) -> dict[str, Any]:
    """Return the event of CloudWatch Logs with lines of a log."""
    events = [{"id": str(number), "timestamp": 1, "message": line} for number, line in enumerate(lines)]
    content = {"messageType": "DATA_MESSAGE", "owner": "123456789012", "logGroup": "g", "logEvents": events}
    return {"awslogs": {"data": base64.b64encode(gzip.compress(json.dumps(content).encode())).decode()}}


def test_approvals_in_lines_of_a_log_are_stored_once(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    approval = record(1, tool=None, kind="approval", action="approve_definitions", target="files")
    print_record(convert(approval, AuditRecord))
    quoted = json.dumps({"message": 'the key "audit_record"'})
    event = delivered(capsys.readouterr().out, '{"audit_record": 1}', "audit_record", quoted)

    for _ in range(2):
        assert service.invoke(event) == {"stored": None}

    assert service.get("/api/audit", kind="approval").body["records"][0]["target"] == "files"
    assert ids(service) == ["r001"]


def test_only_approvals_are_taken_from_a_log(service: Service) -> None:
    """The function of MCP servers runs programs of others, which could write such lines."""
    service.invoke(delivered(json.dumps({"audit_record": record(1)})))

    assert ids(service) == []


@pytest.mark.parametrize(
    "data", ["", "%", "aGk=", base64.b64encode(gzip.compress(b"{}")).decode()], ids=["empty", "text", "bytes", "object"]
)
def test_other_data_of_a_log_is_rejected_without_a_retry(service: Service, data: str) -> None:
    assert service.invoke({"awslogs": {"data": data}}) == {"stored": None}
