"""Audit records of publications and tokens: the intent before the change, the result after it."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from flexchat.audit import AuditRecord
from tests.functional.configuration.harness import AUDIT_TABLE, Service, edited


def facts(record: AuditRecord) -> tuple[Any, ...]:
    return record.kind, record.action, record.target, record.outcome, record.reason


def published(service: Service, **changes: Any) -> Any:
    draft = {"base": service.version, **changes}
    return service.post("/api/configuration/versions", {"draft": draft, "comment": "warmer"})


def test_a_publication_is_recorded_before_and_after_it(service: Service) -> None:
    weather, fallback = service.rules()

    published(service, responses=[edited(weather, prompt="Be warm."), fallback])

    intent, result = service.audited()
    assert facts(intent) == ("configuration", "publish", None, "intended", None)
    assert facts(result) == ("configuration", "publish", None, "succeeded", None)
    changes = {"changes": ["~ responses[0] (weather): prompt"], "comment": "warmer"}
    assert (intent.details, result.details) == (changes, {**changes, "number": 2})
    for record in (intent, result):
        assert (record.principal, record.name, record.request_id) == ("k7m2p9qx4d", "grace", "api-request")
        assert record.front_end == "api"


def test_a_rollback_is_recorded_with_its_version(service: Service) -> None:
    weather, fallback = service.rules()
    published(service, responses=[edited(weather, prompt="Be warm."), fallback])

    answer = service.post("/api/configuration/versions/1/restore", {"base": service.version, "comment": "as before"})

    assert answer.status == 201
    assert [facts(record) for record in service.audited()[2:]] == [
        ("configuration", "roll_back", "1", "intended", None),
        ("configuration", "roll_back", "1", "succeeded", None),
    ]


def test_a_draft_that_is_not_published_leaves_no_record(service: Service) -> None:
    assert published(service).body["error"] == "nothing_to_publish"
    assert published(service, base="0" * 32, responses=[]).status == 409
    assert service.audited() == []


def test_a_limit_of_a_token_is_recorded_with_the_token(service: Service) -> None:
    limits = {"k3m9x2p7qd": '{"tool_calls_per_minute": 5}'}

    assert published(service, token_limits=limits).status == 201

    assert facts(service.audited()[-1]) == ("token", "limit", "k3m9x2p7qd", "succeeded", None)


class Unavailable:
    """Client of DynamoDB whose audit table does not answer after some writes."""

    def __init__(self, client: Any, *, after: int = 0) -> None:
        self._client = client
        self._left = after

    def put_item(self, **request: Any) -> Any:
        if request["TableName"] == AUDIT_TABLE:
            if not self._left:
                raise ClientError({"Error": {"Code": "InternalServerError"}}, "PutItem")
            self._left -= 1
        return self._client.put_item(**request)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def failing(service: Service, *, after: int = 0) -> None:
    client = service.dynamodb
    service.dynamodb = Unavailable(client, after=after)  # type: ignore[assignment]
    service.function = service.of()
    service.dynamodb = client


def test_without_a_record_nothing_is_changed(service: Service) -> None:
    token = service.post("/api/tokens", {"name": "ops"}).body["record"]["id"]
    before, tokens = service.version, service.get("/api/tokens").body["tokens"]
    weather, fallback = service.rules()
    failing(service)

    assert published(service, responses=[edited(weather, prompt="Be warm."), fallback]).status == 503
    assert service.post("/api/tokens", {"name": "another"}).status == 503
    assert service.delete(f"/api/tokens/{token}").status == 503

    assert (service.version, service.get("/api/tokens").body["tokens"]) == (before, tokens)


def test_a_result_that_is_not_written_is_in_the_log(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    failing(service, after=1)

    assert service.post("/api/tokens", {"name": "ops"}).status == 201

    (intent,) = service.audited()
    assert facts(intent)[1:] == ("create", intent.target, "intended", None)
    assert "audit record not written" in capsys.readouterr().out


def test_tokens_are_recorded_with_their_holder_and_never_a_secret(service: Service) -> None:
    created = service.post("/api/tokens", {"name": "Ada's laptop", "roles": ["operator", "user"], "days": 30}).body
    token, secret = created["record"]["id"], created["token"]

    assert service.delete(f"/api/tokens/{token}").status == 204
    service.delete(f"/api/tokens/{secret}")

    records = service.audited()
    assert [facts(record) for record in records[:4]] == [
        ("token", "create", token, "intended", None),
        ("token", "create", token, "succeeded", None),
        ("token", "revoke", token, "intended", None),
        ("token", "revoke", token, "succeeded", None),
    ]
    assert records[1].details["holder"] == records[3].details["holder"] == "Ada's laptop"
    assert records[1].details["roles"] == ["user", "operator"]
    stored = str(service.dynamodb.scan(TableName=AUDIT_TABLE))
    assert secret not in stored
    assert secret.rpartition("_")[2] not in stored


def test_a_token_that_is_not_found_is_recorded_as_failed(service: Service) -> None:
    service.delete("/api/tokens/unknown")

    assert [facts(record) for record in service.audited()] == [
        ("token", "revoke", "unknown", "intended", None),
        ("token", "revoke", "unknown", "failed", "token_not_found"),
    ]
