"""Facts about model calls and tool calls in traces: retries, ids of providers, HTTP statuses and fallbacks."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import pytest

from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.messages import Completion, Message
from flexchat.traces import TraceRecord
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.retry import RetryPolicy
from tests.functional.chat.harness import Chat, InProcessLambdas, configuration, deploy, serve
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.test_traces import Traces, traced

HELLO: Mapping[str, Any] = {
    "id": "chatcmpl-7",
    "model": "gpt-4o-2024-08-06",
    "choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}],
}
BUSY = (503, {"error": {"message": "the server is busy"}})


def chat_of_provider(
    *answers: tuple[int, Mapping[str, Any]], config: dict[str, Any] | None = None, **settings: Any
) -> tuple[Chat, Traces]:
    """Return a chat function whose provider answers with `answers`, and then with the last one."""
    waiting = [(status, body, f"req-{number}") for number, (status, body) in enumerate(answers, 1)]

    def answer(_request: httpx2.Request) -> httpx2.Response:
        status, body, request_id = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return httpx2.Response(status, json=body, headers={"x-request-id": request_id})

    def provider(name: str, llm: LlmConfig) -> OpenAIProvider:
        retry = RetryPolicy(max_retries=2, sleep=lambda _: None, random=lambda: 1.0)
        return OpenAIProvider(name, llm, retry=retry, transport=httpx2.MockTransport(answer))

    own = {**(config or configuration()), "traces": settings}
    catalog = Catalog(configuration=Configuration.model_validate(own), disabled=(), version="1")
    traces = Traces()
    lambdas = InProcessLambdas({"traces": traces.handle})
    function = serve(lambdas, catalog=lambda: catalog, provider=provider)
    return Chat(function, model=deploy([], configuration()).model, lambdas=lambdas), traces


def facts(record: TraceRecord, *names: str) -> list[dict[str, Any]]:
    """Return some attributes of each span."""
    return [{name: span.attributes[name] for name in names if name in span.attributes} for span in record.spans]


CALL = ("http_status", "provider_request_id", "response_id", "retries")


def test_a_model_call_has_the_ids_of_its_request_and_its_response() -> None:
    chat, traces = chat_of_provider((200, HELLO))

    chat.post({"message": "Hello"})

    (record,) = traces.records
    assert facts(record, *CALL, "failed_attempts") == [
        {"http_status": 200, "provider_request_id": "req-1", "response_id": "chatcmpl-7"}
    ]


def test_a_model_call_has_its_failed_attempts_with_their_reasons_and_waits() -> None:
    chat, traces = chat_of_provider(BUSY, BUSY, (200, HELLO))

    chat.post({"message": "Hello"})

    (record,) = traces.records
    (span,) = record.spans
    assert (span.error, facts(record, *CALL)) == (
        None,
        [{"http_status": 200, "provider_request_id": "req-3", "response_id": "chatcmpl-7", "retries": 2}],
    )
    assert [{**each, "duration_ms": 0} for each in span.attributes["failed_attempts"]] == [
        {
            "error": "overloaded",
            "status": 503,
            "duration_ms": 0,
            "wait_ms": wait,
            "request_id": request_id,
            "message": "the server is busy",
        }
        for wait, request_id in ((500, "req-1"), (1_000, "req-2"))
    ]


def test_a_failed_model_call_has_the_status_and_the_id_of_its_last_response() -> None:
    chat, traces = chat_of_provider(BUSY, (401, {"error": {"message": "wrong key"}}))

    answer = chat.post({"message": "Hello"})

    (record,) = traces.records
    (span,) = record.spans
    assert answer.status >= 400
    assert (span.error, span.message) == ("authentication", "wrong key")
    assert facts(record, *CALL) == [{"http_status": 401, "provider_request_id": "req-2", "retries": 1}]
    assert [(each["error"], each.get("wait_ms")) for each in span.attributes["failed_attempts"]] == [
        ("overloaded", 500),
        ("authentication", None),
    ]


def test_a_request_that_is_repeated_without_a_refused_parameter_is_a_retry() -> None:
    refused = (400, {"error": {"message": "Unsupported parameter: 'temperature'", "param": "temperature"}})
    config = configuration(rule={"temperature": 0.5})
    chat, traces = chat_of_provider(refused, (200, HELLO), config=config)

    chat.post({"message": "Hello"})

    (record,) = traces.records
    assert facts(record, "retries", "http_status") == [{"retries": 1, "http_status": 200}]
    (failed,) = record.spans[0].attributes["failed_attempts"]
    assert (failed["error"], failed["status"], "wait_ms" in failed) == ("invalid_request", 400, False)


def test_a_call_of_a_fallback_names_the_failed_model() -> None:
    config = configuration(rule={"fallbacks": ["openai:gpt-4o-mini"]})
    chat, traces = chat_of_provider(*[BUSY] * 3, (200, HELLO), config=config)

    chat.post({"message": "Hello"})

    (record,) = traces.records
    assert [(span.name, span.error) for span in record.spans] == [
        ("openai:gpt-4o", "overloaded"),
        ("openai:gpt-4o-mini", None),
    ]
    assert facts(record, "fallback_of", "fallback_reason", "retries", "provider_request_id") == [
        {"retries": 2, "provider_request_id": "req-3"},
        {"fallback_of": "openai:gpt-4o", "fallback_reason": "overloaded", "provider_request_id": "req-4"},
    ]


def test_the_model_call_of_a_phase_has_its_facts_and_no_instructions() -> None:
    config = {**configuration(), "topic": {"provider": {"llm": "openai", "model": "gpt-4o-mini"}}}
    chat, traces = chat_of_provider(BUSY, (200, HELLO), config=config, content="all")

    chat.post({"message": "Hello", "topic": "greetings"})

    (record,) = traces.records
    topic = record.spans[0]
    assert (topic.kind, topic.name, topic.content) == ("topic", "openai:gpt-4o-mini", {})
    assert facts(record, *CALL, "finish_reason", "max_tokens")[0] == {
        "http_status": 200,
        "provider_request_id": "req-2",
        "response_id": "chatcmpl-7",
        "retries": 1,
        "finish_reason": "stop",
        "max_tokens": 200,
    }


def test_a_failed_phase_has_the_words_of_its_provider() -> None:
    config = {**configuration(), "topic": {"provider": {"llm": "openai", "model": "gpt-4o-mini"}}}
    chat, traces = chat_of_provider((401, {"error": {"message": "wrong key"}}), (200, HELLO), config=config)

    chat.post({"message": "Hello", "topic": "greetings"})

    (record,) = traces.records
    topic = record.spans[0]
    assert (topic.error, topic.message, topic.attributes["http_status"]) == ("authentication", "wrong key", 401)


def test_a_fault_of_the_recorder_does_not_change_the_answer(caplog: pytest.LogCaptureFixture) -> None:
    """The options of a request have a value that breaks the record."""

    def broken(_messages: Sequence[Message], options: ChatOptions) -> Completion:
        assert options.log is not None
        options.log.sent = "many"  # type: ignore[assignment]
        return text_completion("Hi")

    chat, traces = traced([broken])

    answer = chat.post({"message": "Hello"})

    assert (answer.status, answer.body["content"]) == (200, "Hi")
    assert traces.events == []
    assert "trace not recorded" in caplog.messages


def test_a_trace_that_is_no_json_does_not_change_the_answer(caplog: pytest.LogCaptureFixture) -> None:
    chat, traces = traced([text_completion("\ud800")], content="all")

    answer = chat.post({"message": "Hello"})

    assert answer.status == 200
    assert traces.events == []
    assert "trace not sent" in caplog.messages


WEATHER: dict[str, Any] = {
    "name": "weather",
    "description": "Weather of a city",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    "implementation": {"type": "http", "url": "https://api.example.com/weather"},
}
ASK = call_completion(("weather", {"city": "Bern"}))


@pytest.mark.parametrize(
    ("reply", "error", "facts"),
    [
        (
            {"ok": True, "result": 6, "measures": {"duration_ms": 40, "http_status": 200}},
            None,
            {"function_ms": 40, "http_status": 200},
        ),
        (
            {
                "ok": False,
                "error": {"type": "unavailable", "message": "The API answered with HTTP 503"},
                "measures": {"duration_ms": 90, "http_status": 503, "retries": 2},
            },
            "unavailable",
            {"function_ms": 90, "http_status": 503, "retries": 2},
        ),
        ({"ok": True, "result": 6}, None, {}),  # of a function of an earlier version
    ],
)
def test_a_tool_call_has_the_time_of_its_function_and_the_status_of_its_api(
    reply: dict[str, Any], error: str | None, facts: dict[str, Any]
) -> None:
    traces = Traces()

    def answer(_event: Any, _context: Any) -> dict[str, Any]:
        return {"version": 1, **reply}

    chat = deploy(
        [ASK, text_completion("6 degrees.")],
        configuration(tools=[WEATHER]),
        handlers={"traces": traces.handle, "http": answer},
    )

    chat.post({"message": "How warm is it?"})

    (record,) = traces.records
    tool = record.spans[1]
    assert (tool.error, tool.attributes) == (error, {"call_id": "call_1_0", "type": "http", **facts})


def test_a_call_that_is_not_run_has_no_measures() -> None:
    chat, traces = traced([call_completion(("calculate", {"expression": 5})), text_completion("No.")])

    chat.post({"message": "Add them"})

    (record,) = traces.records
    assert (record.spans[1].error, record.spans[1].attributes) == (
        "invalid_arguments",
        {"call_id": "call_1_0", "type": "builtin"},
    )
