"""Traces of tests: of a phase, of a tool, of a model, and of the cases of a validation."""

from typing import Any

import pytest

from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy, mock_tool
from tests.functional.chat.phase_chat import DOWN, INTENTS, found, phases
from tests.functional.chat.scripted_provider import Step, text_completion
from tests.functional.chat.test_traces import SUM, Traces

OPERATOR = "user,operator"
PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
TOOLS = (CALCULATE, mock_tool("breaks", error="no such place"))


def service(*script: Step, **settings: Any) -> tuple[Chat, Traces]:
    """Return a chat function with two phases and two tools; `settings` are those of its traces."""
    traces = Traces()
    config: dict[str, Any] = {
        **configuration(tools=TOOLS),
        "topic": {"provider": {"model": "gpt-4o-mini"}},
        "intent": {"detection": {"intents": INTENTS}},
        "rag_services": {"kb": {}},
        "traces": settings,
    }
    handlers = {"traces": traces.handle, "internal": found(0.4)}
    return deploy(script or [phases()] * 3, config, handlers=handlers), traces


def post(chat: Chat, path: str, body: dict[str, Any], *, roles: str = OPERATOR) -> Any:
    return chat.post(body, path=path, roles=roles, headers={"traceparent": PARENT})


def test_a_test_of_the_topic_phase_leaves_a_trace() -> None:
    chat, traces = service()

    answer = post(chat, "/api/topic/test", {"message": "Will it rain?"})

    (record,) = traces.records
    (span,) = record.spans
    assert answer.status == 200
    assert (record.front_end, record.caller, record.outcome, record.is_failed) == (
        "phase_test",
        "k7m2p9qx4d",
        "answered",
        False,
    )
    assert (record.topic, record.intent, record.rule) == ("weather in Paris", None, None)
    assert (record.trace_id, record.parent_id) == ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
    assert (span.kind, span.name, span.error) == ("topic", "openai:gpt-4o-mini", None)
    assert (record.usage.input_tokens, span.attributes["finish_reason"]) == (10, "stop")
    (options,) = chat.model.options
    assert options.headers["traceparent"].split("-")[2] == span.id


def test_a_test_of_the_intent_phase_leaves_a_trace_with_its_search() -> None:
    chat, traces = service()

    body = {"message": "Will it rain?", "topic": "weather", "selected_collections": ["kb/faq"]}
    answer = post(chat, "/api/intent/test", body)

    (record,) = traces.records
    assert answer.status == 200
    assert [(span.kind, span.name, span.error) for span in record.spans] == [
        ("search", "kb/faq", None),
        ("intent", "openai:gpt-4o", None),
    ]
    assert (record.front_end, record.outcome, record.topic, record.intent) == (
        "phase_test",
        "answered",
        "weather",
        "weather",
    )


@pytest.mark.parametrize(("path", "phase"), [("/api/topic/test", "topic"), ("/api/intent/test", "intent")])
def test_a_phase_whose_model_fails_leaves_the_trace_of_a_failure(path: str, phase: str) -> None:
    chat, traces = service(phases(topic=DOWN, intent=DOWN))

    answer = post(chat, path, {"message": "Will it rain?"})

    (record,) = traces.records
    assert answer.status == 200
    assert (record.outcome, record.is_failed, record.message) == ("model_failed", True, "Will it rain?")
    assert [(span.kind, span.error, span.message) for span in record.spans] == [
        (phase, "server_error", "the provider is down")
    ]


def test_a_call_of_one_tool_leaves_a_trace() -> None:
    chat, traces = service(content="all")

    answer = post(chat, "/api/tools/call", {"tool": "calculate", "arguments": {"expression": "2 + 3"}})

    (record,) = traces.records
    (span,) = record.spans
    assert answer.body["result"]["success"]
    assert (record.id, record.front_end, record.outcome, record.is_failed) == (
        answer.body["request_id"],
        "tool_test",
        "answered",
        False,
    )
    assert (record.model, record.usage.input_tokens, record.cost_usd) == (None, 0, None)
    assert (span.kind, span.name, span.iteration, span.attributes["type"]) == ("tool", "calculate", 1, "builtin")
    assert span.content == {"arguments": {"expression": "2 + 3"}, "result": {"result": 5}}
    sent = next(event for event in chat.lambdas.executed if event.get("tool") == "calculate")
    assert sent["traceparent"].split("-")[2] == span.id


def test_a_failed_call_of_one_tool_leaves_the_trace_of_a_failure() -> None:
    chat, traces = service()

    post(chat, "/api/tools/call", {"tool": "breaks", "arguments": {"location": "Paris"}})

    (record,) = traces.records
    assert (record.outcome, record.is_failed, record.has_content) == ("answered", True, True)
    assert [(span.error, span.message) for span in record.spans] == [("execution_failed", "no such place")]


def test_a_test_of_a_model_and_a_case_of_a_validation_leave_traces() -> None:
    chat, traces = service(SUM, text_completion("5"), text_completion("5"))
    trial = {"model": "openai:gpt-4o", "message": "Add them", "prompt": "You add."}

    answer = post(chat, "/api/tools/test", {"query": "Add them", "model": "openai:gpt-4o"}, roles="user")
    outcome = chat.direct({"trial": trial})

    test, case = traces.records
    assert (test.id, test.front_end, len(test.spans)) == (answer.body["request_id"], "trial", 3)
    assert (case.id, case.front_end, len(case.spans)) == (outcome["answer"]["request_id"], "trial", 1)


def test_a_mock_of_a_case_is_not_taken_for_the_configured_tool() -> None:
    chat, traces = service(SUM, text_completion("5"))
    mock = {**CALCULATE, "implementation": {"type": "mock", "response": {"result": 5}}}

    chat.direct({"trial": {"model": "openai:gpt-4o", "message": "Add", "prompt": "You add.", "tools": [mock]}})

    (record,) = traces.records
    assert (record.spans[1].name, record.spans[1].attributes["type"]) == ("calculate", "mock")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/topic/test", {"message": "Will it rain?"}),
        ("/api/intent/test", {"message": "Will it rain?"}),
        ("/api/tools/call", {"tool": "calculate", "arguments": {"expression": "2 + 3"}}),
    ],
)
def test_a_test_obeys_the_policy_of_traces_and_the_roles(path: str, body: dict[str, Any]) -> None:
    usual, kept = service()
    never, none = service(sample=0)

    assert post(usual, path, body).status == 200
    assert post(usual, path, body, roles="user").status == 403
    assert post(never, path, body).status == 200

    (record,) = kept.records
    assert (record.has_content, record.message, record.spans[0].content) == (False, "", {})
    assert none.records == []


def test_a_test_that_is_refused_leaves_no_trace() -> None:
    chat, traces = service()

    assert post(chat, "/api/tools/call", {"tool": "unknown"}).status == 404
    assert traces.records == []
