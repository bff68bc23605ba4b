"""Export of stored traces: after storing, once, and without a loss when the collector fails."""

import json
from typing import Any

import pytest

from tests.aws import aws_client
from tests.functional.traces.harness import Service, chat

PARAMETER = "/flexchat/test/deployment/otlp"


def set_collector(endpoint: str, headers: str = "") -> None:
    """Store the settings as the template does."""
    value = {"endpoint": endpoint, "headers": headers, "captures_content": False, "is_private": False}
    aws_client("ssm").put_parameter(Name=PARAMETER, Value=json.dumps(value), Type="String", Overwrite=True)


def lines_of(output: str, message: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in output.splitlines()]
    return [line for line in lines if line.get("message") == message]


@pytest.mark.parametrize("endpoint", [None, ""])
def test_nothing_is_exported_without_a_collector(
    service: Service, endpoint: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if endpoint is not None:
        set_collector(endpoint)

    service.store(chat("r1"))

    assert not [line for line in capsys.readouterr().out.splitlines() if "exported" in line]


def test_a_trace_is_stored_when_its_export_fails_and_the_failure_is_logged_once(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    set_collector("https://10.0.0.7", "authorization=Bearer%20canary")
    record = chat("r1")

    service.store(record)
    again = service.invoke({"trace": json.loads(record.as_json())})

    output = capsys.readouterr().out
    [line] = lines_of(output, "trace not exported")
    assert line["request_id"] == "r1"
    assert line["reason"].startswith("the address of the collector is not allowed")
    assert again == {"stored": None}
    assert service.get("/api/traces/r1").status == 200
    assert "canary" not in output


def test_a_secret_that_is_not_stored_is_named(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    set_collector("https://collector.example.com", "authorization=${COLLECTOR_KEY}")

    service.store(chat("r1"))

    [line] = lines_of(capsys.readouterr().out, "trace not exported")
    assert line["reason"].startswith("secret 'COLLECTOR_KEY' is not stored")
