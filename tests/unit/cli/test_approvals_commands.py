"""Approvals from the command line."""

import json
import sys
from io import StringIO
from typing import Any

import pytest

from tests.unit.cli.command_runner import Flexchat, SentRequest

DIGEST = "ab" * 32
CALL: dict[str, Any] = {
    "call_id": "call_1",
    "tool": "pay_invoice",
    "arguments": {"invoice": "[R-7]", "euros": 45},
    "digest": DIGEST,
}
APPROVAL: dict[str, Any] = {
    "id": "r1",
    "status": "pending",
    "created_at": "2026-11-29T09:00:00Z",
    "expires_at": "2026-11-29T10:00:00Z",
    "calls": [CALL],
    "key_of_a_newer_service": 1,
}
DECIDED: dict[str, Any] = {
    **APPROVAL,
    "status": "decided",
    "run_id": "run2",
    "calls": [{**CALL, "decision": "denied", "decided_by": "k7m2p9qx4d", "reason": "no budget"}],
}
OTHER = {**CALL, "call_id": "call_2", "tool": "send_letter", "approvers": ["finance"]}


def test_approvals_are_listed_with_their_tools(flexchat: Flexchat) -> None:
    flexchat.serve({"approvals": [{**APPROVAL, "calls": [CALL, OTHER, CALL]}]})

    code, printed, _ = flexchat.type("approvals", "list")

    assert code == 0
    assert [line.split() for line in printed.splitlines()][1] == [
        "r1",
        "pay_invoice,",
        "send_letter",
        "2026-11-29",
        "09:00",
        "2026-11-29",
        "10:00",
    ]


def test_without_approvals_that_is_said(flexchat: Flexchat) -> None:
    flexchat.serve({"approvals": []})

    assert flexchat.type("approvals", "list")[1] == "no tool call waits for you"


def test_all_arguments_and_the_next_command_are_shown(flexchat: Flexchat) -> None:
    flexchat.serve({**APPROVAL, "calls": [CALL, OTHER]})

    _, printed, _ = flexchat.type("approvals", "show", "r1")

    assert '"invoice": "[R-7]"' in printed
    assert "decided by the role finance" in printed
    assert "decide: flexchat approvals approve r1" in printed


def test_a_denial_sends_the_digest_that_was_shown_and_the_reason(flexchat: Flexchat) -> None:
    service = flexchat.serve(APPROVAL, DECIDED)

    code, printed, _ = flexchat.type("approvals", "deny", "r1", "--yes", "--reason", "no budget")

    decisions = [{"call_id": "call_1", "digest": DIGEST, "approve": False, "reason": "no budget"}]
    assert code == 0
    assert service.requests[-1] == SentRequest("POST", "/api/runs/r1/approvals", {"decisions": decisions})
    assert "denied by k7m2p9qx4d: no budget" in printed
    assert "flexchat chat --follow run2" in printed


def test_only_the_named_call_is_approved(flexchat: Flexchat) -> None:
    service = flexchat.serve({**APPROVAL, "calls": [CALL, OTHER]}, APPROVAL)

    flexchat.type("approvals", "approve", "r1", "--yes", "--call", "call_2")

    body: Any = service.requests[-1].body
    assert [(each["call_id"], each["approve"]) for each in body["decisions"]] == [("call_2", True)]


def test_a_call_that_does_not_wait_is_refused_with_those_that_do(flexchat: Flexchat) -> None:
    service = flexchat.serve(APPROVAL)

    code, _, errors = flexchat.type("approvals", "approve", "r1", "--yes", "--call", "call_9")

    assert code == 2
    assert "call_9 does not wait; the calls that do: call_1" in " ".join(errors.split())
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", ["expired", "pending"])
def test_without_a_waiting_call_nothing_is_sent(flexchat: Flexchat, status: str) -> None:
    calls = [{**CALL, "decision": "approved"}]
    service = flexchat.serve({**APPROVAL, "status": status, "calls": calls})

    code, _, errors = flexchat.type("approvals", "approve", "r1", "--yes")

    assert (code, len(service.requests)) == (1, 1)
    assert f"no call of r1 waits: it is {status}" in errors


def test_the_answer_no_decides_nothing(flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch) -> None:
    service = flexchat.serve(APPROVAL)
    monkeypatch.setattr(sys, "stdin", StringIO("n\n"))

    code, _, errors = flexchat.type("approvals", "approve", "r1")

    assert (code, len(service.requests)) == (1, 1)
    assert "pay_invoice" in errors


def test_json_is_the_body_of_the_service(flexchat: Flexchat) -> None:
    flexchat.serve(APPROVAL)

    assert json.loads(flexchat.type("approvals", "show", "r1", "--json")[1]) == APPROVAL
