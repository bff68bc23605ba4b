"""Redelivery of messages without an extended visibility timeout."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.functional.validation.harness import LambdaContext, Service
from tests.unit.validation.harness import empty_table


def test_message_without_extended_visibility_is_reported_as_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with empty_table(monkeypatch) as dynamodb:
        service = Service(dynamodb)

        def refuses(**_request: Any) -> None:
            raise ClientError({"Error": {"Code": "ReceiptHandleIsInvalid"}}, "ChangeMessageVisibility")

        def fail(**_request: Any) -> None:
            raise ClientError({"Error": {"Code": "ThrottlingException"}}, "Query")

        monkeypatch.setattr(service.queue, "change_message_visibility", refuses)
        monkeypatch.setattr(service.dynamodb, "query", fail)
        record = {
            "messageId": "m",
            "receiptHandle": "r",
            "body": '{"item": {"run": "x", "model": "a:b", "case": "c", "repeat": 1}}',
        }

        failed = service.function.handle({"Records": [record]}, LambdaContext(remaining_ms=5_000))

    assert failed == {"batchItemFailures": [{"itemIdentifier": "m"}]}
    assert "message not delayed" in capsys.readouterr().out
