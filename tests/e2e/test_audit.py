"""Audit records of the local stack: a tool call, a push, a token, and the permissions that they need."""

import json
import time
from typing import Any

import pytest

from tests.e2e.commands import flexchat

STAGE = ("--stage", "local")
WAIT_SECONDS = 30.0


def records(*filters: str) -> list[dict[str, Any]]:
    return json.loads(flexchat("audit", "list", *filters, "--json"))["records"]


@pytest.mark.usefixtures("default_configuration")
def test_a_tool_call_is_listed_by_its_tool_and_principal_and_exported() -> None:
    answer = json.loads(flexchat("chat", "What is 15% of 45?", "--json"))
    due = time.monotonic() + WAIT_SECONDS
    found: list[dict[str, Any]] = []
    while not found and time.monotonic() < due:  # sent after the answer
        listed = records("--tool", "calculate", "--since", "5m")
        found = [record for record in listed if record["request_id"] == answer["request_id"]]

    (record,) = found
    assert (record["kind"], record["outcome"], record["front_end"]) == ("tool_call", "succeeded", "chat")
    by_principal = records("--principal", record["principal"], "--kind", "tool_call", "--since", "5m")
    assert record in by_principal
    exported = [json.loads(line) for line in flexchat("audit", "export", "--since", "5m").splitlines()]
    assert record in exported


def test_tokens_and_sign_ins_are_listed() -> None:
    created = json.loads(flexchat("tokens", "create", *STAGE, "--name", "audit test", "--json"))
    flexchat("tokens", "revoke", created["id"], *STAGE)

    changes = [record for record in records("--kind", "token") if record["target"] == created["id"]]
    assert [(record["action"], record["outcome"]) for record in reversed(changes)] == [
        ("create", "intended"),
        ("create", "succeeded"),
        ("revoke", "intended"),
        ("revoke", "succeeded"),
    ]
    assert records("--kind", "sign_in")
    assert created["token"] not in json.dumps(records("--limit", "200"))
