"""Calls of tools that wait for the approval of a person, over HTTP."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.messages import ToolOutput
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CALCULATE, Answer, configuration, mock_tool
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.chat.streams import streamed
from tests.functional.mcp_server.mcp_chat import McpClient

ASK = {"message": "Pay the invoice of 45 euros."}
PAY: dict[str, Any] = {**mock_tool("pay_invoice"), "approval": "always"}
PAID = {"location": "Rome"}
LATER = {"Prefer": "respond-async"}
OWNER = "k7m2p9qx4d"


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def deployed(
    dynamodb: DynamoDBClient,
    clock: Clock,
    *tools: dict[str, Any],
    script: list[Step] | None = None,
    roles: Mapping[str, Any] | None = None,
) -> BackgroundChat:
    steps = script or [call_completion(("pay_invoice", PAID)), text_completion("It is paid.")]
    named = configuration(tools=[*(tools or (PAY,))], rule={"name": "pay"})
    config = {**named, "roles": roles or {}, "openai_api": {"rules": ["pay"]}}
    return deploy_with_background(steps, config, dynamodb, now=clock)


@pytest.fixture
def chat(dynamodb: DynamoDBClient, clock: Clock) -> BackgroundChat:
    return deployed(dynamodb, clock)


def decide(
    chat: BackgroundChat, waiting: Mapping[str, Any], *, approve: bool = True, reason: str = "", **caller: Any
) -> Answer:
    decisions = [
        {"call_id": call["call_id"], "digest": call["digest"], "approve": approve, "reason": reason}
        for call in waiting["calls"]
    ]
    return chat.post({"decisions": decisions}, path=f"/api/runs/{waiting['id']}/approvals", **caller)


def executed(chat: BackgroundChat) -> list[str]:
    return [event["tool"] for event in chat.lambdas.executed if "tool" in event]


def results(chat: BackgroundChat) -> list[str]:
    """Return the results of tools that the model received with its last call."""
    return [part.content for each in chat.model.seen[-1] for part in each.parts if isinstance(part, ToolOutput)]


def test_a_chat_waits_and_goes_on_in_a_run_after_the_approval(chat: BackgroundChat) -> None:
    waiting = chat.post(ASK)
    approvals = waiting.body["approvals"]
    before = executed(chat)
    decided = decide(chat, approvals)
    ended = chat.deliver()
    run = chat.get(decided.headers["location"].removeprefix("/dev")).body

    assert (waiting.status, waiting.body["outcome"], waiting.body["status"]) == (200, "waiting", "partial")
    assert [(call["tool"], call["arguments"]) for call in approvals["calls"]] == [
        ("pay_invoice", {**PAID, "units": "celsius"})
    ]
    assert (approvals["status"], before) == ("pending", [])
    assert (decided.status, decided.body["status"], decided.body["run_id"]) == (202, "decided", run["id"])
    assert ended["status"] == run["status"] == "succeeded"
    assert run["answer"]["content"] == "It is paid."
    assert [call["tool"] for call in run["answer"]["tool_calls"]] == executed(chat) == ["pay_invoice"]


def test_a_background_run_ends_as_waiting_and_another_one_goes_on(chat: BackgroundChat) -> None:
    accepted = chat.post(ASK, headers=LATER)
    ended = chat.deliver()
    run = chat.get(f"/api/runs/{accepted.body['id']}").body
    decide(chat, run["answer"]["approvals"])
    chat.deliver()
    later = chat.get(f"/api/runs/{accepted.body['id']}/approvals").body

    assert ended["status"] == run["status"] == "waiting"
    assert run["answer"]["approvals"]["id"] == run["id"]
    assert chat.get(f"/api/runs/{later['run_id']}").body["answer"]["content"] == "It is paid."


def test_a_denied_call_does_not_run_and_the_model_receives_the_reason(chat: BackgroundChat) -> None:
    decided = decide(chat, chat.post(ASK).body["approvals"], approve=False, reason="Wrong amount")
    chat.deliver()
    [result] = results(chat)
    answer = chat.get(f"/api/runs/{decided.body['run_id']}").body["answer"]

    assert executed(chat) == []
    assert "denied" in result
    assert "Wrong amount" in result
    assert answer["tool_calls"][0]["result"]["error_type"] == "approval_denied"


def test_calls_beside_the_waiting_one_run_at_once_and_only_once(dynamodb: DynamoDBClient, clock: Clock) -> None:
    script: list[Step] = [
        call_completion(("calculate", {"expression": "1 + 1"}), ("pay_invoice", PAID)),
        text_completion("done"),
    ]
    chat = deployed(dynamodb, clock, PAY, CALCULATE, script=script)
    waiting = chat.post(ASK).body
    before = executed(chat)
    decided = decide(chat, waiting["approvals"])
    chat.deliver()
    answer = chat.get(f"/api/runs/{decided.body['run_id']}").body["answer"]

    assert before == ["calculate"]
    assert [call["tool"] for call in waiting["tool_calls"]] == ["calculate"]
    assert executed(chat) == ["calculate", "pay_invoice"]
    assert [call["tool"] for call in answer["tool_calls"]] == ["calculate", "pay_invoice"]
    assert len(results(chat)) == 2


def test_one_of_two_calls_is_approved_and_the_other_denied(dynamodb: DynamoDBClient, clock: Clock) -> None:
    other = {**mock_tool("send_letter"), "approval": "always"}
    script: list[Step] = [call_completion(("pay_invoice", PAID), ("send_letter", PAID)), text_completion("done")]
    chat = deployed(dynamodb, clock, PAY, other, script=script)
    waiting = chat.post(ASK).body["approvals"]
    pay, letter = waiting["calls"]
    path = f"/api/runs/{waiting['id']}/approvals"
    no, yes = (
        {"call_id": call["call_id"], "digest": call["digest"], "approve": call is letter} for call in (pay, letter)
    )
    first, second = chat.post({"decisions": [no]}, path=path), chat.post({"decisions": [yes]}, path=path)
    chat.deliver()

    assert (first.status, first.body["status"], "run_id" in first.body) == (200, "pending", False)
    assert (second.status, [call["decision"] for call in second.body["calls"]]) == (202, ["denied", "approved"])
    assert executed(chat) == ["send_letter"]


def test_a_call_is_decided_once(chat: BackgroundChat) -> None:
    waiting = chat.post(ASK).body["approvals"]
    decide(chat, waiting)
    again, other = decide(chat, waiting), decide(chat, waiting, approve=False)

    assert (again.status, other.status, other.body["error"]) == (202, 409, "approval_decided")
    assert len(chat.background.queued) == 1


def test_a_decision_after_the_time_does_not_count(chat: BackgroundChat, clock: Clock) -> None:
    waiting = chat.post(ASK).body["approvals"]
    clock.now += 3_600
    late = decide(chat, waiting)

    assert (late.status, late.body["error"]) == (410, "approval_expired")
    assert chat.get(f"/api/runs/{waiting['id']}/approvals").body["status"] == "expired"
    assert (executed(chat), chat.background.queued) == ([], [])


def test_a_decision_names_the_digest_of_the_call(chat: BackgroundChat) -> None:
    waiting = chat.post(ASK).body["approvals"]
    waiting["calls"][0]["digest"] = "0" * 64
    wrong = decide(chat, waiting)
    waiting["calls"][0]["call_id"] = "call_unknown"
    unknown = decide(chat, waiting)

    assert (wrong.status, wrong.body["error"]) == (409, "approval_mismatch")
    assert (unknown.status, unknown.body["details"][0]["path"]) == (400, "decisions[0].call_id")
    assert "'call_1_0'" in unknown.body["message"]


def test_a_tool_that_changed_after_the_request_does_not_run(dynamodb: DynamoDBClient, clock: Clock) -> None:
    chat = deployed(dynamodb, clock)
    decided = decide(chat, chat.post(ASK).body["approvals"])
    changed = deployed(dynamodb, clock, {**PAY, **mock_tool("pay_invoice", seed=7), "approval": "always"})
    changed.background.queued.extend(chat.background.queued)
    changed.model.script[:] = [text_completion("not paid")]
    changed.deliver()
    answer = changed.get(f"/api/runs/{decided.body['run_id']}").body["answer"]

    assert executed(changed) == []
    assert answer["tool_calls"][0]["result"]["error_type"] == "approval_required"


def test_another_person_neither_sees_nor_decides(chat: BackgroundChat) -> None:
    waiting = chat.post(ASK).body["approvals"]
    seen = chat.get(f"/api/runs/{waiting['id']}/approvals", principal="other00000")
    decided = decide(chat, waiting, principal="other00000")
    as_operator = decide(chat, waiting, principal="other00000", roles="operator,user")

    assert (seen.status, decided.status, as_operator.status) == (404, 404, 404)
    assert chat.get("/api/approvals", principal="other00000").body == {"approvals": []}


def test_a_person_with_the_role_of_the_tool_decides_and_the_caller_does_not(
    dynamodb: DynamoDBClient, clock: Clock
) -> None:
    roles = {"finance": {"rules": ["*"], "models": ["*"], "tools": ["*"]}}
    chat = deployed(dynamodb, clock, {**PAY, "approvers": ["finance"]}, roles=roles)
    waiting = chat.post(ASK).body["approvals"]
    refused = decide(chat, waiting)
    approver: dict[str, Any] = {"principal": "finance000", "roles": "finance"}
    listed = chat.request("GET", "/api/approvals", **approver).body["approvals"]
    decided = decide(chat, waiting, **approver)
    ended = chat.deliver()
    run = chat.get(f"/api/runs/{decided.body['run_id']}")

    assert (refused.status, "'finance'" in refused.body["message"]) == (403, True)
    assert [each["id"] for each in listed] == [waiting["id"]]
    assert "session_id" not in listed[0]
    assert (decided.status, decided.body["calls"][0]["decided_by"]) == (202, "finance000")
    assert ended["status"] == "succeeded"
    assert run.body["answer"]["content"] == "It is paid."
    assert chat.request("GET", "/api/approvals", **approver).body == {"approvals": []}


def test_an_approval_is_listed_until_it_is_decided(chat: BackgroundChat) -> None:
    waiting = chat.post(ASK).body["approvals"]
    before = chat.get("/api/approvals").body
    decide(chat, waiting)

    assert before == {"approvals": [waiting]}
    assert chat.get("/api/approvals").body == {"approvals": []}


def test_a_run_that_lambda_refused_is_started_by_the_same_request(chat: BackgroundChat) -> None:
    waiting = chat.post(ASK).body["approvals"]
    chat.background.refuses = True
    refused = decide(chat, waiting)
    chat.background.refuses = False
    again = decide(chat, waiting)
    chat.deliver()

    assert (refused.status, refused.body["error"], again.status) == (503, "unavailable", 202)
    assert chat.get(f"/api/runs/{again.body['run_id']}").body["status"] == "succeeded"
    assert executed(chat) == ["pay_invoice"]


def test_a_second_call_of_the_continued_chat_waits_again(dynamodb: DynamoDBClient, clock: Clock) -> None:
    script: list[Step] = [
        call_completion(("pay_invoice", PAID)),
        call_completion(("pay_invoice", PAID)),
        text_completion("Both are paid."),
    ]
    chat = deployed(dynamodb, clock, script=script)
    first = decide(chat, chat.post(ASK).body["approvals"])
    middle = chat.deliver()
    waiting = chat.get(f"/api/runs/{first.body['run_id']}").body["answer"]["approvals"]
    second = decide(chat, waiting)
    chat.deliver()
    answer = chat.get(f"/api/runs/{second.body['run_id']}").body["answer"]

    assert (middle["status"], waiting["id"]) == ("waiting", first.body["run_id"])
    assert (answer["content"], executed(chat)) == ("Both are paid.", ["pay_invoice"] * 2)
    assert [call["iteration"] for call in answer["tool_calls"]] == [1, 2]


def test_a_session_has_the_answer_of_the_run_in_place_of_the_waiting_one(chat: BackgroundChat) -> None:
    waiting = chat.post({**ASK, "session_id": "invoices"}).body
    between = chat.get("/api/sessions/invoices/messages").body["messages"]
    decided = decide(chat, waiting["approvals"])
    chat.deliver()
    after = chat.get("/api/sessions/invoices/messages").body["messages"]

    assert waiting["approvals"]["session_id"] == "invoices"
    assert between[-1]["outcome"] == "waiting"
    assert (after[-1]["content"], after[-1]["outcome"]) == ("It is paid.", "answered")
    assert chat.get(f"/api/runs/{decided.body['run_id']}").body["answer"]["session"]["saved"] is True


def test_a_decision_on_a_session_that_moved_on_fails_with_the_reason(chat: BackgroundChat) -> None:
    waiting = chat.post({**ASK, "session_id": "invoices"}).body["approvals"]
    chat.model.script[:] = [text_completion("Hello"), *chat.model.script]
    chat.post({"message": "Something else", "session_id": "invoices"})
    decided = decide(chat, waiting)
    with pytest.raises(Exception, match="failed"):
        chat.deliver()
    run = chat.get(f"/api/runs/{decided.body['run_id']}").body

    assert (run["status"], executed(chat)) == ("failed", [])
    assert run["error"]["error"] == "session_moved_on"


def test_arguments_that_do_not_fit_are_an_error_for_the_model_and_nobody_is_asked(
    dynamodb: DynamoDBClient, clock: Clock
) -> None:
    script: list[Step] = [call_completion(("calculate", {"expression": 7})), text_completion("Sorry.")]
    chat = deployed(dynamodb, clock, {**CALCULATE, "approval": "always"}, script=script)
    answer = chat.post(ASK).body

    assert (answer["outcome"], answer["tool_calls"][0]["result"]["error_type"]) == ("answered", "invalid_arguments")


def test_only_a_person_runs_a_call_without_an_approval(dynamodb: DynamoDBClient, clock: Clock) -> None:
    """Every way to run a tool: none but the call of an operator runs one that needs an approval."""
    asked: list[Step] = [call_completion(("pay_invoice", PAID)), text_completion("done")]
    message = {"model": "flexchat/pay", "messages": [{"role": "user", "content": "Pay it."}]}
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    own: dict[str, Any] = {"type": "function", "function": {"name": "own_tool", "parameters": schema}}
    ran: dict[str, list[str]] = {}

    def way(name: str, send: Callable[[BackgroundChat], object], script: list[Step] | None = None) -> None:
        chat = deployed(dynamodb, clock, script=list(script or asked))
        send(chat)
        ran[name] = executed(chat)

    way("chat", lambda chat: chat.post(ASK))
    way("streamed chat", lambda chat: streamed(chat, ASK))
    way("background run", lambda chat: (chat.post(ASK, headers=LATER), chat.deliver()))
    way("direct invocation", lambda chat: chat.direct(ASK))
    way("completion", lambda chat: chat.post(message, path="/v1/chat/completions"))
    way("response", lambda chat: chat.post({"model": "flexchat/pay", "input": "Pay it."}, path="/v1/responses"))
    way(
        "beside a call of the client",
        lambda chat: chat.post({**message, "tools": [own]}, path="/v1/chat/completions"),
        [call_completion(("pay_invoice", PAID), ("own_tool", {}))],
    )
    way("mcp", lambda chat: McpClient(chat).call("pay_invoice", PAID))
    way("mcp chat", lambda chat: McpClient(chat).call("chat", ASK))
    way("trial", lambda chat: chat.direct({"trial": {"model": "openai:gpt-4o", "message": "Pay", "prompt": "Pay"}}))
    way("tools test", lambda chat: chat.post({"query": "Pay"}, path="/api/tools/test", roles="operator"))
    call = {"tool": "pay_invoice", "arguments": PAID}
    way("operator", lambda chat: chat.post(call, path="/api/tools/call", roles="operator"))

    assert ran == {name: (["pay_invoice"] if name == "operator" else []) for name in ran}
    assert len(ran) == 12


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
def test_an_openai_client_gets_a_text_and_the_approval_as_an_extension(
    dynamodb: DynamoDBClient, clock: Clock, path: str
) -> None:
    chat = deployed(dynamodb, clock, script=[call_completion(("pay_invoice", PAID)), text_completion("It is paid.")])
    body = {"model": "flexchat/pay", "messages": [{"role": "user", "content": "Pay it."}], "temperature": 0.25}
    if path == "/v1/responses":
        body = {"model": "flexchat/pay", "input": "Pay it.", "temperature": 0.25}
    answer = chat.post(body, path=path).body
    decided = decide(chat, answer["flexchat"]["approvals"])
    chat.deliver()
    run = chat.get(f"/api/runs/{decided.body['run_id']}").body

    assert answer["flexchat"]["outcome"] == "waiting"
    assert "waits for the approval" in str(answer)
    assert answer.get("status", answer.get("choices", [{}])[0].get("finish_reason")) in ("completed", "stop")
    assert (run["answer"]["content"], executed(chat)) == ("It is paid.", ["pay_invoice"])
    assert [options.temperature for options in chat.model.options] == [0.25, 0.25]
