"""Audit records of tool calls: every way to run a tool leaves one for each call, refused calls included."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.audit import AuditRecord
from flexchat.errors import ToolErrorType
from flexchat.redaction import redact_in_logs
from tests.functional.chat.background import deploy_with_background
from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.chat.test_secret_canaries import CANARIES, SECRET_NAMES, TOOL
from tests.functional.chat.test_traces import Traces

SUM = call_completion(("calculate", {"expression": "2 + 3"}))
OPERATOR = "user,operator"


def audited(*script: Step, config: dict[str, Any] | None = None, **handlers: Any) -> tuple[Chat, Traces]:
    traces = Traces()
    own = config or configuration(tools=[CALCULATE])
    return deploy(list(script), own, handlers={"traces": traces.handle, **handlers}), traces


def chat_route(chat: Chat, tool: str) -> None:
    chat.model.script[:] = [call_completion((tool, {"expression": "2 + 3"})), text_completion("done")]
    chat.post({"message": "hi"})


def completion_route(chat: Chat, tool: str) -> None:
    chat.model.script[:] = [call_completion((tool, {"expression": "2 + 3"})), text_completion("done")]
    chat.post({"model": "flexchat", "messages": [{"role": "user", "content": "hi"}]}, path="/v1/chat/completions")


def response_route(chat: Chat, tool: str) -> None:
    chat.model.script[:] = [call_completion((tool, {"expression": "2 + 3"})), text_completion("done")]
    chat.post({"model": "flexchat", "input": "hi", "store": False}, path="/v1/responses")


def model_test_route(chat: Chat, tool: str) -> None:
    chat.model.script[:] = [call_completion((tool, {"expression": "2 + 3"})), text_completion("done")]
    chat.post({"query": "hi", "model": "openai:gpt-4o"}, path="/api/tools/test", roles=OPERATOR)


def tool_test_route(chat: Chat, tool: str) -> None:
    chat.post({"tool": tool, "arguments": {"expression": "2 + 3"}}, path="/api/tools/call", roles=OPERATOR)


def mcp_route(chat: Chat, tool: str) -> None:
    params = {"name": tool, "arguments": {"expression": "2 + 3"}}
    chat.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, path="/mcp")


def direct_event(chat: Chat, tool: str) -> None:
    chat.model.script[:] = [call_completion((tool, {"expression": "2 + 3"})), text_completion("done")]
    chat.direct({"message": "hi"})


def trial_event(chat: Chat, tool: str) -> None:
    chat.model.script[:] = [call_completion((tool, {"expression": "2 + 3"})), text_completion("done")]
    chat.direct({"trial": {"model": "openai:gpt-4o", "message": "Add", "prompt": "You add."}})


WAYS: dict[str, tuple[Callable[[Chat, str], None], str, str]] = {
    "chat": (chat_route, "chat", "k7m2p9qx4d"),
    "completions": (completion_route, "openai", "k7m2p9qx4d"),
    "responses": (response_route, "responses", "k7m2p9qx4d"),
    "test of a model": (model_test_route, "trial", "k7m2p9qx4d"),
    "test of a tool": (tool_test_route, "tool_test", "k7m2p9qx4d"),
    "mcp": (mcp_route, "mcp", "k7m2p9qx4d"),
    "direct": (direct_event, "direct", "direct"),
    "case of a validation": (trial_event, "trial", "direct"),
}


def facts(record: AuditRecord) -> tuple[Any, ...]:
    return record.tool, record.outcome, record.reason, record.front_end, record.principal


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sample", [1, 0], ids=["traced", "without traces"])
def test_every_way_to_run_a_tool_leaves_a_record(way: str, sample: float) -> None:
    send, front_end, principal = WAYS[way]
    chat, traces = audited(config={**configuration(tools=[CALCULATE]), "traces": {"sample": sample}})

    send(chat, "calculate")

    (record,) = traces.audited
    assert facts(record) == ("calculate", "succeeded", None, front_end, principal)
    assert (record.kind, record.action, record.id) == ("tool_call", "call", f"{record.request_id}:1")
    assert record.details["arguments"] == {"expression": "2 + 3"}
    assert record.details["arguments_sha256"] == hashlib.sha256(b'{"expression":"2 + 3"}').hexdigest()


@pytest.mark.parametrize("way", WAYS)
def test_a_refused_call_leaves_a_record_with_the_reason_by_every_way(way: str) -> None:
    send, front_end, principal = WAYS[way]
    chat, traces = audited()

    send(chat, "сalculate")  # noqa: RUF001 # begins with a Cyrillic letter

    (record,) = traces.audited
    assert facts(record) == ("сalculate", "refused", "tool_not_found", front_end, principal)  # noqa: RUF001
    assert [event for event in chat.lambdas.executed if "audit" not in event] == []


def test_records_are_in_the_one_invocation_that_has_the_trace() -> None:
    chat, traces = audited(SUM, text_completion("5"))

    answer = chat.post({"message": "Add them"})

    (event,) = traces.events
    assert event.keys() == {"trace", "audit"}
    assert chat.lambdas.invocation_types == ["RequestResponse", "Event"]
    assert traces.records[0].id == traces.audited[0].request_id == answer.body["request_id"]


def test_a_chat_without_tool_calls_and_without_a_trace_sends_nothing() -> None:
    chat, traces = audited(text_completion("Hi"), config={**configuration(), "traces": {"sample": 0}})

    chat.post({"message": "Hello"})

    assert traces.events == []


def reasons(traces: Traces) -> list[tuple[str | None, str, str | None]]:
    return [(record.tool, record.outcome, record.reason) for record in traces.audited]


def test_each_reason_of_a_refusal_is_recorded() -> None:
    off = {**mock_tool("off"), "enabled": False}
    hidden = mock_tool("hidden")
    script = [
        call_completion(
            ("calculate", {"expression": "1"}),
            ("calculate", {}),
            ("calculate", '{"broken'),
            ("off", {"location": "Bern"}),
            ("hidden", {"location": "Bern"}),
            ("Calculate", {"expression": "1"}),
            ("calculate", {"expression": "2 +"}),
            ("calculate", {"expression": "3"}),
        ),
        text_completion("done"),
    ]
    rule = {"tools": {"enabled": True, "allowed_tools": ["calculate", "off"]}}
    config = configuration(tools=[CALCULATE, off, hidden], rule=rule, max_calls_per_turn=7)
    chat, traces = audited(*script, config=config)

    chat.post({"message": "hi"})

    assert sorted(reasons(traces), key=str) == sorted(
        [
            ("calculate", "succeeded", None),
            ("calculate", "refused", "invalid_arguments"),
            ("calculate", "refused", "malformed_arguments"),
            ("off", "refused", "tool_disabled"),
            ("hidden", "refused", "tool_not_allowed"),
            ("Calculate", "refused", "tool_not_found"),
            ("calculate", "failed", "execution_failed"),
            ("calculate", "refused", "too_many_calls"),
        ],
        key=str,
    )
    assert len({record.id for record in traces.audited}) == 8


def test_repeated_calls_are_recorded_as_refused() -> None:
    chat, traces = audited(*[call_completion(("calculate", {"expression": "1"}), turn=turn) for turn in range(1, 5)])

    chat.post({"message": "hi"})

    repeated: ToolErrorType = "repeated_call"
    assert reasons(traces) == [("calculate", "succeeded", None)] * 2 + [("calculate", "refused", repeated)] * 2


def test_a_reached_limit_of_calls_is_recorded(dynamodb: DynamoDBClient) -> None:
    config = {**configuration(tools=[CALCULATE]), "limits": {"caller": {"tool_calls_per_minute": 1}}}
    calls = call_completion(("calculate", {"expression": "1"}), ("calculate", {"expression": "2"}))
    traces = Traces()
    chat = deploy([calls, text_completion("1")], config, dynamodb=dynamodb, handlers={"traces": traces.handle})

    chat.post({"message": "hi"})

    assert reasons(traces) == [("calculate", "refused", "rate_limited"), ("calculate", "succeeded", None)]


def test_background_runs_leave_records(dynamodb: DynamoDBClient) -> None:
    traces = Traces()
    chat = deploy_with_background(
        [SUM, text_completion("5")], configuration(tools=[CALCULATE]), dynamodb, handlers={"traces": traces.handle}
    )
    chat.post({"message": "hi"}, headers={"Prefer": "respond-async"})
    chat.deliver()

    events = [event for function, event in chat.background.queued if function == "traces"]
    assert [record["tool"] for event in events for record in event["audit"]] == ["calculate"]


def test_long_arguments_are_shortened_and_many_records_are_sent_in_parts() -> None:
    text = "long words " * 5_000
    calls = [("get_weather", {"location": f"{number} {text}"}) for number in range(128)]
    config = configuration(tools=[mock_tool()], max_calls_per_turn=128, max_tool_calls=200)
    chat, traces = audited(call_completion(*calls), text_completion("done"), config=config)

    chat.post({"message": "hi"})

    assert len(traces.audited) == 128
    assert len({record.details["arguments_sha256"] for record in traces.audited}) == 128
    assert all(len(json.dumps(record.details["arguments"])) < 2_200 for record in traces.audited)
    assert all(len(json.dumps(event)) < 250_000 for event in traces.events)


@pytest.mark.parametrize("form", CANARIES)
def test_secrets_in_arguments_and_names_are_not_in_records(form: str) -> None:
    secret, searched = CANARIES[form]
    redact_in_logs(["configured-secret-0123456789"])
    named = dict.fromkeys(SECRET_NAMES, f"plain-{searched}")
    arguments: dict[str, Any] = {"query": f"find {secret} now", "deep": [{"note": secret}], secret: 1, **named}
    script = [
        call_completion(
            ("lookup", arguments),
            (f"no_such_{secret}", {"text": "configured-secret-0123456789"}),
            ("lookup", f'{{"broken": "{secret}'),
        ),
        text_completion("done"),
    ]
    chat, traces = audited(*script, config=configuration(tools=[TOOL]))

    chat.post({"message": f"My secret is {secret}"})

    assert len(traces.audited) == 3
    sent = json.dumps([event["audit"] for event in traces.events])
    assert searched not in sent
    assert "configured-secret" not in sent


def test_records_that_cannot_be_sent_are_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(_event: Any, _context: Any) -> Any:
        raise ClientError({"Error": {"Code": "ServiceException"}}, "Invoke")

    chat, _ = audited(SUM, text_completion("5"), traces=refuse)

    assert chat.post({"message": "Add"}).status == 200

    (line,) = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "audit record not sent" in line]
    assert (line["level"], line["record"]["tool"], line["record"]["outcome"]) == ("ERROR", "calculate", "succeeded")
    assert line["record"]["details"] == {}
