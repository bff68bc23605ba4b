"""Audit records of sign-ins: one for each principal and day, and none that delays or refuses a request."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.audit import AuditRecord
from flexchat.aws.audit_log import AuditLog
from flexchat.aws.tokens import TokenStore
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.tokens import issue
from functions.authorizer import app
from functions.authorizer.authorize import Admitted
from functions.authorizer.sign_ins import MAX_SEEN, SignIns
from tests.aws import audit_records
from tests.functional.authorizer.events import authorizer_event
from tests.unit.tokens.table import AUDIT_TABLE

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def caller(principal: str = "k7m2p9qx4d") -> Admitted:
    return Admitted(principal, "laptop", ("user", "operator"), NOON + timedelta(days=30))


def test_the_first_request_of_a_token_leaves_a_record(store: TokenStore, dynamodb: DynamoDBClient) -> None:
    issued = issue(name="laptop", roles=("user",), lifetime=timedelta(days=1), now=datetime.now(UTC))
    store.put(issued.record)
    event = authorizer_event(f"Bearer {issued.token.reveal()}")

    for _ in range(3):
        app.lambda_handler(event, None)
    app.lambda_handler(authorizer_event("Bearer fc_unknown_token"), None)

    (record,) = audit_records(dynamodb, AUDIT_TABLE)
    assert (record.kind, record.action, record.principal, record.name) == (
        "sign_in",
        "sign_in",
        issued.token.id,
        "laptop",
    )
    assert record.details == {"roles": ["user"]}
    assert issued.token.reveal() not in str(dynamodb.scan(TableName=AUDIT_TABLE))


def test_several_environments_leave_one_record_a_day(dynamodb: DynamoDBClient) -> None:
    environments = [SignIns(AuditLog(dynamodb, AUDIT_TABLE)) for _ in range(3)]

    for day in range(2):
        for number, environment in enumerate(environments):
            now = NOON + timedelta(days=day, minutes=number)
            environment.add(caller(), request_id=f"r{day}{number}", now=now)
            environment.add(caller("other"), request_id=f"o{day}{number}", now=now)

    records = audit_records(dynamodb, AUDIT_TABLE)
    assert sorted((record.principal, record.request_id) for record in records) == [
        ("k7m2p9qx4d", "r00"),
        ("k7m2p9qx4d", "r10"),
        ("other", "o00"),
        ("other", "o10"),
    ]


class Log:
    """Table that counts its calls, and does not answer while it `fails`."""

    def __init__(self) -> None:
        self.fails = False
        self.calls: list[str] = []

    def claim(self, name: str, *, deadline: Deadline) -> bool:
        self.calls.append(name)
        if self.fails:
            raise UnavailableError("no answer")
        return True

    def write(self, record: AuditRecord, *, deadline: Deadline) -> bool:
        self.calls.append(record.principal)
        return True


def test_a_table_that_does_not_answer_is_asked_again_after_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    sign_ins = SignIns(log)
    log.fails = True
    for second in range(59):
        sign_ins.add(caller(f"p{second}"), request_id="r", now=NOON + timedelta(seconds=second))
    assert log.calls == ["sign_in#p0#2026-11-27"]
    assert "sign-in not audited" in capsys.readouterr().out

    log.fails = False
    sign_ins.add(caller("p0"), request_id="r", now=NOON + timedelta(seconds=61))
    assert log.calls[1:] == ["sign_in#p0#2026-11-27", "p0"]


def test_the_memory_of_an_environment_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_SEEN == 20_000
    monkeypatch.setattr("functions.authorizer.sign_ins.MAX_SEEN", 3)
    log = Log()
    sign_ins = SignIns(log)

    for number in range(4):
        sign_ins.add(caller(f"p{number}"), request_id="r", now=NOON)
    seen: Any = vars(sign_ins)["_seen"]

    assert seen == {"p3"}


def test_a_request_is_admitted_without_the_table(store: TokenStore, dynamodb: DynamoDBClient) -> None:
    issued = issue(name="laptop", roles=("user",), lifetime=timedelta(days=1), now=datetime.now(UTC))
    store.put(issued.record)
    dynamodb.delete_table(TableName=AUDIT_TABLE)

    answer = app.lambda_handler(authorizer_event(f"Bearer {issued.token.reveal()}"), None)

    assert answer["principalId"] == issued.token.id
