"""Audit records from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.aws import aws_client, emulated_aws
from tests.unit.cli.command_runner import Flexchat, SentRequest

CALL: dict[str, Any] = {
    "id": "r-1:1",
    "at": "2026-11-27T08:00:00Z",
    "kind": "tool_call",
    "action": "call",
    "principal": "k7m2p9qx4d",
    "request_id": "r-1",
    "outcome": "refused",
    "reason": "tool_not_allowed",
    "tool": "delete_\u202eall",
    "front_end": "chat",
    "details": {"arguments": {"a": 1}},
}
PUSH: dict[str, Any] = {
    "id": "r-2:result",
    "at": "2026-11-27T07:00:00Z",
    "kind": "configuration",
    "action": "publish",
    "principal": "arn:aws:sts::123456789012:assumed-role/Operators/ada",
    "request_id": "r-2",
    "outcome": "succeeded",
    "target": "7",
}


def test_records_are_listed_with_their_subject_and_outcome(flexchat: Flexchat) -> None:
    service = flexchat.serve({"records": [CALL, PUSH]})

    code, printed, _ = flexchat.type("audit", "list", "--principal", "k7m2p9qx4d", "--tool", "t", "--kind", "tool_call")

    assert code == 0
    assert [" ".join(line.split()) for line in printed.splitlines()] == [
        "TIME (UTC) KIND ACTION PRINCIPAL SUBJECT OUTCOME REQUEST ID",
        "2026-11-27 08:00:00 tool_call call k7m2p9qx4d delete_⟨U+202E⟩all ✗ refused, tool_not_allowed r-1",
        (
            "2026-11-27 07:00:00 configuration publish arn:aws:sts::123456789012:assumed-role/Operators/ada "
            "7 ✓ succeeded r-2"
        ),
    ]
    assert service.requests == [SentRequest("GET", "/api/audit?principal=k7m2p9qx4d&tool=t&kind=tool_call&limit=50")]


def test_pages_are_read_until_the_limit_and_printed_as_json(flexchat: Flexchat) -> None:
    service = flexchat.serve({"records": [CALL], "cursor": "c1"}, {"records": [PUSH], "cursor": "c2"})

    code, printed, _ = flexchat.type("audit", "list", "--limit", "2", "--json")

    assert (code, json.loads(printed)) == (0, {"records": [CALL, PUSH]})
    assert [request.target for request in service.requests] == ["/api/audit?limit=2", "/api/audit?limit=2&cursor=c1"]


def test_without_records_a_line_says_so(flexchat: Flexchat) -> None:
    flexchat.serve({"records": []})

    assert flexchat.type("audit", "list")[:2] == (0, "no audit records")


def test_times_are_sent_as_iso_8601(flexchat: Flexchat) -> None:
    service = flexchat.serve({"records": []})

    flexchat.type("audit", "list", "--since", "2026-11-27T08:00", "--until", "2026-11-28")

    assert service.requests[0].target == (
        "/api/audit?since=2026-11-27T08%3A00%3A00.000Z&until=2026-11-28T00%3A00%3A00.000Z&limit=50"
    )


def test_an_export_is_json_lines_of_all_pages(flexchat: Flexchat) -> None:
    flexchat.serve({"records": [CALL], "cursor": "c1"}, {"records": [PUSH]})

    code, printed, _ = flexchat.type("audit", "export")

    assert (code, [json.loads(line) for line in printed.splitlines()]) == (0, [CALL, PUSH])
    assert printed.isascii()


def test_an_export_writes_a_file(flexchat: Flexchat, tmp_path: Path) -> None:
    flexchat.serve({"records": [CALL, PUSH]})
    file = tmp_path / "audit.jsonl"

    code, _, error = flexchat.type("audit", "export", "--to", str(file))

    assert (code, error) == (0, f"2 audit records in {file}")
    assert [json.loads(line) for line in file.read_text().splitlines()] == [CALL, PUSH]


def test_an_export_writes_an_object(flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch) -> None:
    with emulated_aws(monkeypatch):
        s3 = aws_client("s3")
        s3.create_bucket(Bucket="exports")
        flexchat.serve({"records": [CALL]})

        code, _, error = flexchat.type("audit", "export", "--to", "s3://exports/2026/audit.jsonl")

        assert (code, error) == (0, "1 audit record in s3://exports/2026/audit.jsonl")
        body = s3.get_object(Bucket="exports", Key="2026/audit.jsonl")["Body"].read()
        assert [json.loads(line) for line in body.splitlines()] == [CALL]


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("s3://exports", "must be the address of an object"),
        ("s3://Exports/a", "must be the address of an object"),
        ("s3://absent-bucket/a", "bucket not found"),
    ],
)
def test_an_object_that_cannot_be_written_is_an_error(
    address: str, problem: str, flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch
) -> None:
    with emulated_aws(monkeypatch):
        flexchat.serve({"records": []})

        code, printed, error = flexchat.type("audit", "export", "--to", address)

    assert (code, printed) == (1, "")
    assert problem in error


def test_a_stage_without_the_route_is_an_error_with_the_remedy(flexchat: Flexchat) -> None:
    flexchat.serve((404, {"error": "not_found", "message": "no", "request_id": "q"}))

    code, _, error = flexchat.type("audit", "list")

    assert code == 1
    assert "keeps no audit records: the stage is older than this command" in error
