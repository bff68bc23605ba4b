"""Trace context of requests: continued from the client, sent on with the ids of the trace, and returned."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.trace_context import TraceContext
from flexchat.traces import TraceRecord
from tests.functional.chat.background import deploy_with_background
from tests.functional.chat.harness import CALCULATE, EVENTS, Answer, Chat, configuration, deploy
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.chat.test_traces import Traces

TRACE, CLIENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{CLIENT}-01"
SUM = call_completion(("calculate", {"expression": "2 + 3"}))
ROUTES: dict[str, dict[str, Any]] = {
    "/api/chat": {"message": "Add them"},
    "/v1/chat/completions": {"model": "flexchat", "messages": [{"role": "user", "content": "Add them"}]},
    "/v1/responses": {"model": "flexchat", "input": "Add them", "store": False},
    "/mcp": {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "chat", "arguments": {"message": "Add them"}},
    },
}


def traced_chat(*script: Step, **config: Any) -> tuple[Chat, Traces]:
    traces = Traces()
    own: dict[str, Any] = {**configuration(tools=[CALCULATE]), "traces": {}, **config}
    return deploy(list(script), own, handlers={"traces": traces.handle}), traces


def sent_by(chat: Chat) -> tuple[list[str], list[str]]:
    """Return the trace contexts of the requests to the model, then those of the calls of tools."""
    calls = [event for event in chat.lambdas.executed if "call_id" in event]
    return [options.headers["traceparent"] for options in chat.model.options], [call["traceparent"] for call in calls]


def position(record: TraceRecord, kind: str) -> list[str]:
    """Return the trace contexts with the ids of the spans of a record."""
    return [f"00-{record.trace_id}-{span.id}-01" for span in record.spans if span.kind == kind]


@pytest.mark.parametrize("path", ROUTES)
def test_every_route_of_chats_continues_the_trace_of_its_client(path: str) -> None:
    chat, traces = traced_chat(SUM, text_completion("5"))

    answer = chat.post(ROUTES[path], path=path, headers={"traceparent": PARENT, "tracestate": "a=1,b=2"})

    assert answer.status == 200, answer.body
    (record,) = traces.records
    assert (record.trace_id, record.parent_id) == (TRACE, CLIENT)
    models, tools = sent_by(chat)
    assert models == position(record, "model")
    assert tools == position(record, "tool")
    assert len({record.span_id, *(span.id for span in record.spans)}) == 4
    assert [options.headers["tracestate"] for options in chat.model.options] == ["a=1,b=2"] * 2
    assert re.fullmatch(f"00-{TRACE}-[0-9a-f]{{16}}-01", answer.headers["traceresponse"])


@pytest.mark.parametrize("path", ["/api/chat", "/v1/chat/completions", "/v1/responses"])
def test_the_response_has_the_ids_of_the_chat(path: str) -> None:
    chat, traces = traced_chat(text_completion("5"))

    answer = chat.post(ROUTES[path], path=path)

    (record,) = traces.records
    assert answer.headers["traceresponse"] == f"00-{record.trace_id}-{record.span_id}-01"
    assert record.parent_id is None


def test_a_client_that_is_not_sampled_stays_so() -> None:
    chat, _ = traced_chat(text_completion("5"))

    answer = chat.post(ROUTES["/api/chat"], headers={"traceparent": f"00-{TRACE}-{CLIENT}-00"})

    assert answer.headers["traceresponse"].endswith("-00")
    assert [header[-3:] for header in sent_by(chat)[0]] == ["-00"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"traceparent": "nonsense"},
        {"traceparent": f"00-{'0' * 32}-{CLIENT}-01"},
        {"traceparent": f"ff-{TRACE}-{CLIENT}-01"},
        {"tracestate": "a=1"},
    ],
)
def test_a_request_without_a_valid_context_begins_a_trace(headers: Mapping[str, str]) -> None:
    chat, traces = traced_chat(SUM, text_completion("5"))

    answer = chat.post(ROUTES["/api/chat"], headers={**headers, "X-Amzn-Trace-Id": ""})

    (record,) = traces.records
    expected = TraceContext.of_request(answer.body["request_id"]).trace_id
    assert (record.trace_id, record.parent_id) == (expected, None)
    assert sent_by(chat) == (position(record, "model"), position(record, "tool"))
    assert not any("tracestate" in options.headers for options in chat.model.options)


def test_a_request_without_a_context_continues_its_x_ray_trace() -> None:
    chat, traces = traced_chat(text_completion("5"))

    chat.post(ROUTES["/api/chat"], headers={"X-Amzn-Trace-Id": "Root=1-5759e988-bd862e3fe1be46a994272793"})

    assert traces.records[0].trace_id == "5759e988bd862e3fe1be46a994272793"


def test_two_contexts_of_a_client_are_none() -> None:
    chat, traces = traced_chat(text_completion("5"))
    event = json.loads((EVENTS / "chat-http.json").read_text())
    event["multiValueHeaders"]["traceparent"] = [PARENT, PARENT]

    chat.send(event)

    assert traces.records[0].parent_id is None


@pytest.mark.parametrize(
    ("path", "body", "roles", "status"),
    [
        ("/api/chat", {"message": " "}, "user", 400),
        ("/api/chat", "{", "user", 400),
        ("/api/nowhere", {}, "user", 404),
        ("/api/topic/test", {}, "user", 403),
    ],
)
def test_an_error_has_the_context_of_its_request_too(path: str, body: Any, roles: str, status: int) -> None:
    chat, _ = traced_chat()

    answer: Answer = chat.post(body, path=path, roles=roles, headers={"traceparent": PARENT})

    assert answer.status == status
    assert answer.headers["traceresponse"].startswith(f"00-{TRACE}-")


def test_the_log_lines_of_a_request_have_its_trace_id(capsys: pytest.CaptureFixture[str]) -> None:
    chat, _ = traced_chat(SUM, text_completion("5"))

    chat.post(ROUTES["/mcp"], path="/mcp", headers={"traceparent": PARENT})

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    logged = [line for line in lines if "message" in line and line["message"] != "trace sent"]
    assert len(logged) > 5
    assert [line["message"] for line in logged if line.get("trace_id") != TRACE] == []


def test_the_context_in_the_meta_of_an_mcp_call_takes_precedence_over_that_of_its_request() -> None:
    other = "11111111111111111111111111111111"
    chat, traces = traced_chat(text_completion("5"), text_completion("6"), text_completion("7"))
    message = ROUTES["/mcp"]
    call = {
        **message,
        "params": {**message["params"], "_meta": {"traceparent": f"00-{other}-{CLIENT}-01", "tracestate": "c=3"}},
    }
    broken = {**message, "params": {**message["params"], "_meta": {"traceparent": 7}}}

    for body in (message, call, broken):
        chat.post(body, path="/mcp", headers={"traceparent": PARENT})

    assert [record.trace_id for record in traces.records] == [TRACE, other, TRACE]
    assert chat.model.options[1].headers["tracestate"] == "c=3"


def test_the_calls_of_one_batch_are_spans_of_their_own() -> None:
    chat, traces = traced_chat(text_completion("5"), text_completion("6"))
    headers = {"traceparent": PARENT, "MCP-Protocol-Version": "2025-03-26"}

    answer = chat.post([ROUTES["/mcp"], {**ROUTES["/mcp"], "id": 2}], path="/mcp", headers=headers)

    assert answer.status == 200
    assert [record.trace_id for record in traces.records] == [TRACE] * 2
    assert len({record.span_id for record in traces.records}) == 2


def test_a_background_run_has_the_context_of_its_request(dynamodb: DynamoDBClient) -> None:
    chat = deploy_with_background([text_completion("hi")], configuration(), dynamodb)

    answer = chat.post({"message": "hello"}, headers={"Prefer": "respond-async", "traceparent": PARENT})
    chat.deliver()

    assert answer.status == 202
    position = answer.headers["traceresponse"].split("-")[2]
    context = TraceContext(trace_id=TRACE, span_id=position, parent_id=CLIENT)
    assert [options.headers["traceparent"] for options in chat.model.options] == [
        context.traceparent(context.child("model:1"))
    ]


def test_phases_send_the_context_of_their_spans() -> None:
    chat, traces = traced_chat(
        text_completion('{"topic_status": "new_topic", "topic_summary": "sums"}'),
        text_completion("5"),
        topic={"provider": {"llm": "openai", "model": "gpt-4o"}},
    )

    chat.post(ROUTES["/api/chat"], headers={"traceparent": PARENT})

    (record,) = traces.records
    assert [span.kind for span in record.spans] == ["topic", "model"]
    assert sent_by(chat)[0] == [*position(record, "topic"), *position(record, "model")]


def test_a_direct_invocation_begins_a_trace(capsys: pytest.CaptureFixture[str]) -> None:
    chat, traces = traced_chat(text_completion("5"))

    chat.direct({"message": "Add them"})

    (record,) = traces.records
    assert record.trace_id == TraceContext.of_request(record.id).trace_id
    assert sent_by(chat)[0] == position(record, "model")
    assert f'"trace_id":"{record.trace_id}"' in capsys.readouterr().out
