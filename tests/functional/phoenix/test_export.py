"""Traces of chats in a real server for OpenTelemetry, read back by its API."""

import time
from collections.abc import Iterator
from copy import replace
from secrets import token_hex
from typing import Any

import pytest

from flexchat.deadline import Deadline
from flexchat.egress.client import GuardedTransport
from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient
from flexchat.traces import TraceRecord
from functions.traces.otlp.exporter import otlp_export
from functions.traces.otlp.settings import OtlpSettings
from tests.functional.chat.harness import CALCULATE, configuration, deploy
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.test_traces import Traces
from tests.functional.phoenix.phoenix_server import phoenix_server, spans_of
from tests.unit.otlp.records import CHAT, CLIENT, PROBLEM, STEPS, record_of
from tests.unit.otlp.test_spans import NoSecrets

pytestmark = pytest.mark.slow

LOCAL = EgressPolicy(local=True)


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with phoenix_server(tmp_path_factory.mktemp("phoenix")) as address:
        yield address


def exported(record: TraceRecord, address: str, *, captures_content: bool = False) -> dict[str, dict[str, Any]]:
    """Export a record, and return the spans that the server has stored."""
    settings = OtlpSettings(f"{address}/v1/traces", captures_content=captures_content, is_private=True)
    resource = {"service.name": settings.service_name}
    with GuardedTransport(LOCAL) as transport:  # whose connections are closed at the end
        client = BoundedHttpClient(transport=transport)
        export = otlp_export(settings, secrets=NoSecrets(), egress=LOCAL, resource=resource, client=client)
        assert export(record, deadline=Deadline.after(30))
    return spans_of(address, record.trace_id, 1 + len(record.spans))


def test_a_server_recognizes_the_kinds_the_order_and_the_usage_of_the_spans(phoenix: str) -> None:
    spans = exported(record_of(started_at=time.time()), phoenix, captures_content=True)

    shown = {key: (span["name"], span["span_kind"], span["status_code"]) for key, span in spans.items()}
    assert shown == {
        CHAT: ("invoke_agent support", "AGENT", "UNSET"),
        STEPS[0].id: ("chat gpt-mini", "LLM", "UNSET"),
        STEPS[1].id: ("retrieval kb/manual", "RETRIEVER", "UNSET"),
        STEPS[2].id: ("chat claude-x:1", "LLM", "UNSET"),
        STEPS[3].id: ("execute_tool weather", "TOOL", "ERROR"),
        STEPS[4].id: ("chat claude-x:1", "LLM", "UNSET"),
    }
    assert spans[CHAT]["parent_id"] == CLIENT
    assert {spans[step.id]["parent_id"] for step in STEPS} == {CHAT}
    assert spans[STEPS[3].id]["status_message"] == PROBLEM
    first = spans[STEPS[2].id]["attributes"]
    # Its own names, which it derives from those of the conventions.
    assert (first["llm.token_count.prompt"], first["llm.token_count.completion"]) == (100, 20)
    assert spans[CHAT]["attributes"]["session.id"] == "session-1"


def test_a_chat_of_the_service_is_stored_with_the_ids_that_its_response_names(phoenix: str) -> None:
    traces = Traces()
    config = {**configuration(tools=[CALCULATE]), "traces": {"content": "all"}}
    script = [call_completion(("calculate", {"expression": "2 + 3"})), text_completion("The sum is 5.")]
    chat = deploy(script, config, handlers={"traces": traces.handle})
    trace_id, client = token_hex(16), token_hex(8)

    answer = chat.post({"message": "Add 2 and 3"}, headers={"traceparent": f"00-{trace_id}-{client}-01"})
    (record,) = traces.records
    spans = exported(record, phoenix, captures_content=True)

    assert sorted(span["name"] for span in spans.values()) == [
        "chat gpt-4o",
        "chat gpt-4o",
        "execute_tool calculate",
        "invoke_agent flexchat",
    ]
    assert answer.headers["traceresponse"] == f"00-{trace_id}-{record.span_id}-01"
    root = spans[record.span_id]
    assert root["parent_id"] == client
    assert root["attributes"]["llm.output_messages.0.message.content"] == "The sum is 5."


def test_content_reaches_the_server_on_request_alone(phoenix: str) -> None:
    spans = tuple(replace(step, id=token_hex(8)) for step in STEPS)
    record = record_of(trace_id=token_hex(16), span_id=token_hex(8), started_at=time.time(), spans=spans)

    assert "canary" not in str(exported(record, phoenix))
