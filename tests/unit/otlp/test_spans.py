"""Spans by the semantic conventions for generative AI, as a collector receives them."""

import json
from typing import Any

import pytest

from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient
from flexchat.traces import Span, TraceRecord
from functions.traces.otlp.exporter import otlp_export
from functions.traces.otlp.settings import OtlpSettings
from tests.unit.otlp.collector import Collector, all_spans, attributes_of
from tests.unit.otlp.records import (
    ANSWER,
    ARGUMENT,
    CHAT,
    CLIENT,
    CONTENT,
    DESCRIPTION,
    FAILED,
    INSTRUCTIONS,
    PROBLEM,
    QUESTION,
    REASONING,
    RESULT,
    STEPS,
    TRACE_ID,
    record_of,
)

RESOURCE = {"service.name": "flexchat", "deployment.environment.name": "dev", "cloud.region": ""}


class NoSecrets:
    def __call__(self, names: tuple[str, ...]) -> dict[str, str]:
        raise AssertionError("no secret expected")

    def hosts(self, names: tuple[str, ...]) -> dict[str, frozenset[str]]:
        raise AssertionError("no secret expected")


def exported(record: TraceRecord, *, captures_content: bool = False) -> Collector:
    collector = Collector()
    export = otlp_export(
        OtlpSettings("https://collector.example.com/v1/traces", captures_content=captures_content),
        secrets=NoSecrets(),
        egress=EgressPolicy(),
        resource=RESOURCE,
        client=BoundedHttpClient(transport=collector.transport),
    )
    assert export(record, deadline=Deadline.after(20))
    return collector


def test_the_spans_have_the_ids_the_times_and_the_parents_of_the_record() -> None:
    collector = exported(record_of())
    spans = all_spans(collector.export)
    start = 1_760_000_000_250_000_000

    assert [span.span_id.hex() for span in spans] == [CHAT, *(step.id for step in STEPS)]
    assert {span.trace_id.hex() for span in spans} == {TRACE_ID}
    assert [span.parent_span_id.hex() for span in spans] == [CLIENT, *[CHAT] * len(STEPS)]
    assert [(span.start_time_unix_nano - start, span.end_time_unix_nano - start) for span in spans[:4]] == [
        (0, 750_000_000),
        (0, 40_000_000),
        (5_000_000, 35_000_000),
        (50_000_000, 450_000_000),
    ]


def test_names_and_kinds_are_those_of_the_conventions() -> None:
    spans = all_spans(exported(record_of()).export)
    kinds = {1: "INTERNAL", 3: "CLIENT"}

    assert [(span.name, kinds[span.kind]) for span in spans] == [
        ("invoke_agent support", "INTERNAL"),
        ("chat gpt-mini", "CLIENT"),
        ("retrieval kb/manual", "CLIENT"),
        ("chat claude-x:1", "CLIENT"),
        ("execute_tool weather", "INTERNAL"),
        ("chat claude-x:1", "CLIENT"),
    ]


def test_the_span_of_a_chat_has_its_agent_conversation_usage_and_outcome() -> None:
    collector = exported(record_of())

    assert attributes_of(collector.spans["invoke_agent support"]) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "aws.bedrock",
        "gen_ai.agent.name": "support",
        "gen_ai.conversation.id": "session-1",
        "gen_ai.request.model": "claude-x:1",
        "gen_ai.request.stream": True,
        "enduser.pseudo.id": "token-7",
        "gen_ai.usage.input_tokens": 150,
        "gen_ai.usage.output_tokens": 40,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "gen_ai.usage.cache_creation.input_tokens": 0,
        "gen_ai.usage.reasoning.output_tokens": 0,
        "flexchat.request_id": "request-1",
        "flexchat.front_end": "chat",
        "flexchat.outcome": "answered",
        "flexchat.llm": "main",
        "flexchat.intent": "question",
        "flexchat.turn": 2,
        "flexchat.configuration": "abc123",
        "flexchat.cost_usd": 0.5,
        "flexchat.first_token_ms": 90,
    }


def test_the_span_of_a_model_call_has_its_request_its_response_and_its_usage() -> None:
    first = next(span for span in all_spans(exported(record_of()).export) if span.span_id.hex() == STEPS[2].id)

    assert attributes_of(first) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "aws.bedrock",
        "gen_ai.conversation.id": "session-1",
        "gen_ai.request.model": "claude-x:1",
        "gen_ai.request.stream": True,
        "gen_ai.request.max_tokens": 500,
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.top_p": 0.9,
        "gen_ai.response.id": "resp-9",
        "gen_ai.response.finish_reasons": ["tool_calls"],
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "gen_ai.usage.cache_creation.input_tokens": 10,
        "gen_ai.usage.reasoning.output_tokens": 5,
        "flexchat.llm": "main",
        "flexchat.iteration": 1,
        "flexchat.cost_usd": 0.25,
        "flexchat.tools": 2,
        "flexchat.tool_choice": "auto",
        "flexchat.fallback_of": "fast:gpt-mini",
        "flexchat.fallback_reason": "timeout",
        "flexchat.failed_attempts": ["overloaded"],
        "flexchat.provider_request_id": "req-9",
        "aws.request_id": "req-9",
        "http.response.status_code": 200,
        "http.request.resend_count": 1,
    }


def test_the_span_of_a_tool_of_an_mcp_server_has_the_attributes_of_both_conventions() -> None:
    span = exported(record_of()).spans["execute_tool weather"]

    assert attributes_of(span) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "weather",
        "gen_ai.tool.type": "extension",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.conversation.id": "session-1",
        "mcp.method.name": "tools/call",
        "error.type": "timeout",
        "flexchat.mcp_server": "meteo",
        "flexchat.tool_type": "mcp",
        "flexchat.iteration": 1,
        "flexchat.function_ms": 110,
    }
    assert (span.status.code, span.status.message) == (2, "")


@pytest.mark.parametrize(
    ("own", "type"), [("builtin", "function"), ("http", "extension"), ("internal", "datastore"), ("mock", "function")]
)
def test_the_type_of_a_tool_is_one_of_the_conventions(own: str, type: str) -> None:
    step = Span(id="0000000000000009", kind="tool", name="t", start_ms=0, duration_ms=1, attributes={"type": own})
    attributes = attributes_of(exported(record_of(spans=(step,))).spans["execute_tool t"])

    assert (attributes["gen_ai.tool.type"], attributes["flexchat.tool_type"]) == (type, own)
    assert "mcp.method.name" not in attributes


def test_the_span_of_an_http_tool_has_its_status_and_its_repeated_requests() -> None:
    facts = {"type": "http", "http_status": 503, "retries": 2, "function_ms": 40}
    step = Span(id="0000000000000009", kind="tool", name="t", start_ms=0, duration_ms=60, attributes=facts, error="x")
    attributes = attributes_of(exported(record_of(spans=(step,))).spans["execute_tool t"])

    assert attributes == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "t",
        "gen_ai.tool.type": "extension",
        "gen_ai.conversation.id": "session-1",
        "http.response.status_code": 503,
        "http.request.resend_count": 2,
        "error.type": "x",
        "flexchat.tool_type": "http",
        "flexchat.function_ms": 40,
    }


def test_the_id_of_a_request_to_another_provider_is_none_of_aws() -> None:
    facts = {"provider": "openai", "provider_request_id": "req-1", "failed_attempts": "many"}
    step = Span(id="0000000000000009", kind="model", name="main:m", start_ms=0, duration_ms=1, attributes=facts)
    attributes = attributes_of(exported(record_of(spans=(step,))).spans["chat m"])

    assert attributes["flexchat.provider_request_id"] == "req-1"
    assert not {"aws.request_id", "flexchat.failed_attempts", "http.request.resend_count"} & attributes.keys()


def test_phases_are_model_calls_and_searches_are_retrievals() -> None:
    spans = exported(record_of()).spans

    assert attributes_of(spans["chat gpt-mini"]) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "fast",
        "gen_ai.conversation.id": "session-1",
        "gen_ai.request.model": "gpt-mini",
        "flexchat.llm": "fast",
        "flexchat.phase": "topic",
    }
    assert attributes_of(spans["retrieval kb/manual"]) == {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.data_source.id": "kb/manual",
    }


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"outcome": "answered"}, None),
        ({"outcome": "client_calls"}, None),
        ({"outcome": "out_of_time"}, "out_of_time"),
        ({"outcome": "error", "error": FAILED}, "model_error"),
    ],
)
def test_a_failed_chat_has_its_error_type(fields: dict[str, Any], error: str | None) -> None:
    span = exported(record_of(**fields)).spans["invoke_agent support"]

    assert attributes_of(span).get("error.type") == error
    assert (span.status.code, span.status.message) == (2 if error else 0, "")


def test_a_chat_without_a_client_s_trace_and_without_a_rule_has_the_default_agent_and_no_parent() -> None:
    span = exported(record_of(parent_id=None, rule=None)).spans["invoke_agent flexchat"]

    assert span.parent_span_id == b""
    assert attributes_of(span)["gen_ai.agent.name"] == "flexchat"


def test_the_resource_names_the_service_and_the_scope_the_version_of_the_conventions() -> None:
    [resource_spans] = exported(record_of()).export.resource_spans
    [scope_spans] = resource_spans.scope_spans

    assert attributes_of(resource_spans.resource) == {"service.name": "flexchat", "deployment.environment.name": "dev"}
    assert scope_spans.scope.name == "flexchat"
    assert scope_spans.schema_url == "https://opentelemetry.io/schemas/gen-ai/1.42.0"


def test_no_content_is_exported_by_default() -> None:
    sent = exported(record_of(outcome="error", error=FAILED)).export.SerializeToString()

    assert [text for text in CONTENT if text.encode() in sent] == []


def test_no_content_is_exported_of_a_record_that_has_none() -> None:
    attributes = attributes_of(exported(record_of(has_content=False), captures_content=True).spans["chat claude-x:1"])

    assert not {name for name in attributes if name.startswith(("gen_ai.input", "gen_ai.output", "gen_ai.system"))}


def test_content_is_exported_in_the_form_of_the_conventions_on_request() -> None:
    spans = all_spans(exported(record_of(), captures_content=True).export)
    chat, _, _, first, tool, last = map(attributes_of, spans)

    assert json.loads(chat["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [{"type": "text", "content": QUESTION}]}
    ]
    assert json.loads(chat["gen_ai.output.messages"]) == [
        {"role": "assistant", "parts": [{"type": "text", "content": ANSWER}], "finish_reason": "stop"}
    ]
    called = [
        {"type": "reasoning", "content": REASONING},
        {"type": "tool_call", "id": "call_1", "name": "weather", "arguments": {"city": ARGUMENT}},
    ]
    assert json.loads(first["gen_ai.system_instructions"]) == [{"type": "text", "content": INSTRUCTIONS}]
    assert json.loads(first["gen_ai.output.messages"]) == [
        {"role": "assistant", "parts": called, "finish_reason": "tool_call"}
    ]
    assert json.loads(first["gen_ai.tool.definitions"]) == [
        {"type": "function", "name": "weather", "description": DESCRIPTION, "parameters": {"type": "object"}}
    ]
    assert "gen_ai.tool.definitions" not in last
    assert json.loads(last["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [{"type": "text", "content": QUESTION}]},
        {"role": "assistant", "parts": called},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "call_1", "response": RESULT}]},
    ]
    assert json.loads(tool["gen_ai.tool.call.arguments"]) == {"city": ARGUMENT}
    assert json.loads(tool["gen_ai.tool.call.result"]) == RESULT
    assert spans[4].status.message == PROBLEM
