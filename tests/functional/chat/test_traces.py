"""Traces that chats leave: their spans, their content by policy, and the one invocation that hands them over."""

import base64
import gzip
import json
from collections.abc import Sequence
from secrets import token_hex
from typing import Any

import pytest

from flexchat.audit import AuditRecord, records_of
from flexchat.errors import ModelError
from flexchat.redaction import redact_in_logs
from flexchat.traces import TraceRecord
from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion

SUM = call_completion(("calculate", {"expression": "2 + 3"}))
BROKEN_SUM = call_completion(("calculate", {"expression": "2 +"}))
DOWN = ModelError("the server is down", type="server_error", provider="openai", status=500)


class Traces:
    """Traces function that keeps its events."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def handle(self, event: dict[str, Any], _context: Any) -> dict[str, Any]:
        self.events.append(event)
        return {}

    @property
    def records(self) -> list[TraceRecord]:
        return [TraceRecord.from_json(_text(event)) for event in self.events if event.keys() != {"audit"}]

    @property
    def audited(self) -> list[AuditRecord]:
        return [record for event in self.events if "audit" in event for record in records_of(event["audit"])]


def _text(event: dict[str, Any]) -> bytes:
    if "packed" in event:
        return gzip.decompress(base64.b64decode(event["packed"]))
    return json.dumps(event["trace"]).encode()


def traced(script: Sequence[Step], config: dict[str, Any] | None = None, **settings: Any) -> tuple[Chat, Traces]:
    traces = Traces()
    own = {**(config or configuration(tools=[CALCULATE])), "traces": settings}
    return deploy(script, own, handlers={"traces": traces.handle}), traces


def test_a_chat_leaves_a_trace_with_its_steps() -> None:
    chat, traces = traced([SUM, text_completion("5")])

    answer = chat.post({"message": "Add them"})

    (record,) = traces.records
    assert (record.id, record.outcome, record.caller) == (answer.body["request_id"], "answered", "k7m2p9qx4d")
    assert (record.rule, record.model, record.front_end, record.stage) == (None, "openai:gpt-4o", "chat", "test")
    assert (record.usage.input_tokens, record.usage.output_tokens) == (20, 10)
    assert [(span.kind, span.name, span.iteration, span.error) for span in record.spans] == [
        ("model", "openai:gpt-4o", 1, None),
        ("tool", "calculate", 1, None),
        ("model", "openai:gpt-4o", 2, None),
    ]
    model, tool, _ = record.spans
    assert model.attributes == {
        "finish_reason": "tool_calls",
        "response_model": "scripted",
        "provider": "openai",
        "streamed": False,
        "tools": 1,
        "tool_choice": "auto",
    }
    assert {**tool.attributes, "function_ms": 0} == {"call_id": "call_1_0", "type": "builtin", "function_ms": 0}
    assert 0 <= tool.attributes["function_ms"] <= tool.duration_ms + 1  # both are rounded
    assert len({record.span_id, *(span.id for span in record.spans)}) == 4
    assert chat.lambdas.invocation_types[-1] == "Event"


def test_the_usual_trace_has_no_content() -> None:
    chat, traces = traced([SUM, text_completion("5")])

    chat.post({"message": "Add the secret numbers"})

    (record,) = traces.records
    assert (record.has_content, record.messages, record.tools, record.message, record.answer) == (False, [], [], "", "")
    assert all(span.content == {} for span in record.spans)
    assert "secret numbers" not in json.dumps(traces.events)


def test_with_all_content_the_messages_are_those_that_the_model_got() -> None:
    chat, traces = traced([SUM, text_completion("5")], content="all")

    chat.post({"message": "Add them"})

    (record,) = traces.records
    first, tool, second = record.spans
    assert first.content["messages"] == [0, 1]
    assert second.content["messages"] == [0, 1, 2, 3]
    assert [message["role"] for message in record.messages] == ["system", "user", "assistant", "tool"]  # type: ignore[index]
    assert tool.content == {"arguments": {"expression": "2 + 3"}, "result": {"result": 5}}
    assert second.content["answer"] == {"role": "assistant", "parts": [{"type": "text", "text": "5"}]}
    assert (record.message, record.answer) == ("Add them", "5")
    (offered,) = record.tools
    assert isinstance(offered, dict)
    assert offered["name"] == "calculate"
    assert isinstance(offered["parameters"], dict)


@pytest.mark.parametrize(
    ("script", "outcome", "error"),
    [([BROKEN_SUM, text_completion("No.")], "answered", None), ([DOWN], "error", "model_server_error")],
)
def test_a_failed_chat_has_its_content(script: Sequence[Step], outcome: str, error: str | None) -> None:
    chat, traces = traced(script)

    chat.post({"message": "Add them"})

    (record,) = traces.records
    assert (record.outcome, record.has_content, record.is_failed) == (outcome, True, True)
    assert (record.error and record.error.type) == error
    assert record.message == "Add them"
    failed = next(span for span in record.spans if span.error)
    assert failed.message


def test_the_error_of_a_provider_is_in_its_span() -> None:
    chat, traces = traced([DOWN])

    answer = chat.post({"message": "Hello"})

    (record,) = traces.records
    assert record.id == answer.body["request_id"]
    assert [(span.error, span.message) for span in record.spans] == [("server_error", "the server is down")]
    assert record.error is not None
    assert (record.error.type, record.error.status) == ("model_server_error", 500)


def test_a_sample_keeps_failed_chats_and_zero_keeps_none() -> None:
    rare, kept = traced([text_completion("a"), DOWN], sample=1e-9)
    never, none = traced([DOWN], sample=0)

    for _ in range(2):
        rare.post({"message": "Hello"})
    never.post({"message": "Hello"})

    assert [record.outcome for record in kept.records] == ["error"]
    assert none.events == []


def test_a_secret_of_the_configuration_is_in_no_trace() -> None:
    redact_in_logs(["canary-7f3a9c1e5b"])
    chat, traces = traced([text_completion("It is canary-7f3a9c1e5b.")], content="all")

    chat.post({"message": "Tell me canary-7f3a9c1e5b"})

    assert "canary-7f3a9c1e5b" not in json.dumps(traces.events)
    assert traces.records[0].message == "Tell me [redacted]"


def test_a_large_trace_is_packed_and_one_beyond_the_limit_loses_its_content() -> None:
    texts = [token_hex(9_900) for _ in range(20)]
    history = [{"role": "user", "content": text} for text in texts]
    chat, traces = traced([text_completion("a"), text_completion("b")], content="all")

    for messages in (history[:1] * 8, history):
        chat.post({"model": "flexchat", "messages": messages}, path="/v1/chat/completions")

    packed, cut = traces.records
    assert "packed" in traces.events[0]
    assert (packed.has_content, cut.has_content) == (True, False)
    assert len(json.dumps(traces.events[1])) < 256_000


def test_a_traces_function_that_fails_does_not_fail_the_chat(caplog: pytest.LogCaptureFixture) -> None:
    chat = deploy([text_completion("Hi")], configuration(), handlers={"traces": lambda _event, _context: 1 / 0})

    answer = chat.post({"message": "Hello"})

    assert (answer.status, answer.body["content"]) == (200, "Hi")


def test_without_a_traces_function_nothing_is_sent() -> None:
    chat = deploy([text_completion("Hi")], configuration())

    chat.post({"message": "Hello"})

    assert chat.lambdas.executed == []


def test_requests_of_openai_clients_leave_traces_too() -> None:
    chat, traces = traced([text_completion("Hi"), text_completion("Hi")])

    chat.post({"model": "flexchat", "messages": [{"role": "user", "content": "Hello"}]}, path="/v1/chat/completions")
    chat.direct({"message": "Hello"})

    assert [record.front_end for record in traces.records] == ["openai", "direct"]
