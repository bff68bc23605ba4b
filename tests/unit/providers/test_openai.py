"""Behaviour of the OpenAI adapter beyond the contract suite of all adapters."""

import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message, Text, ToolCall, ToolOutput, Usage, assistant, user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.bodies import MAX_ANSWER_BYTES
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.retry import RetryPolicy
from tests.unit.providers.http_server import CountedChunks

TOOL: Mapping[str, Json] = {"type": "function", "function": {"name": "t", "parameters": {"type": "object"}}}


class Server:
    """Gives `answers` in order, the last one for ever, and keeps the requests."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self._answers = list(answers) or [completion({"content": "Hello."})]
        self.requests: list[httpx2.Request] = []

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]


def completion(message: dict[str, Any], **choice: Any) -> httpx2.Response:
    return httpx2.Response(200, json={"choices": [{"message": message, **choice}]})


def refused(message: str, *, status: int = 400, code: str | None = None, param: str | None = None) -> httpx2.Response:
    return httpx2.Response(status, json={"error": {"message": message, "code": code, "param": param}})


def provider_of(
    server: Server, *, max_retries: int = 0, sleeps: list[float] | None = None, **config: Any
) -> OpenAIProvider:
    waits: list[float] = [] if sleeps is None else sleeps
    return OpenAIProvider(
        "main",
        LlmConfig.model_validate({"type": "openai", "api_key": "k-1234567", **config}),
        retry=RetryPolicy(max_retries=max_retries, sleep=waits.append, random=lambda: 1.0),
        transport=httpx2.MockTransport(server.handle),
    )


def send_chat(
    provider: OpenAIProvider,
    messages: Sequence[Message] = (user("Hello"),),
    *,
    model: str = "gpt-4o",
    max_tokens: int | None = None,
    temperature: float | None = None,
    tools: Sequence[Mapping[str, Json]] = (),
    deadline: Deadline | None = None,
) -> Completion:
    options = ChatOptions(deadline or Deadline.after(30), max_tokens, temperature, tools)
    return provider.generate_chat(messages, model, options)


def failure(provider: OpenAIProvider, **options: Any) -> tuple[str, str]:
    with pytest.raises(ModelError) as caught:
        send_chat(provider, **options)
    return caught.value.type, caught.value.message


@pytest.mark.parametrize(
    ("request_options", "configured", "sent"),
    [
        ({}, {}, {"temperature": 0.7}),
        ({"temperature": 0}, {"temperature": 1.5}, {"temperature": 0}),
        ({}, {"temperature": 0}, {"temperature": 0}),
        ({"max_tokens": 5}, {"max_tokens": 9}, {"max_tokens": 5, "temperature": 0.7}),
        ({}, {"max_tokens": 9, "temperature": 1.5}, {"max_tokens": 9, "temperature": 1.5}),
    ],
)
def test_options_override_the_configuration_and_the_defaults(
    request_options: dict[str, Any], configured: dict[str, Any], sent: dict[str, Any]
) -> None:
    server = Server()

    send_chat(provider_of(server, **configured), **request_options)

    assert server.bodies == [{"model": "gpt-4o", "messages": [{"role": "user", "content": "Hello"}], **sent}]


def test_a_reasoning_model_gets_its_own_limit_and_no_temperature() -> None:
    server = Server()

    send_chat(provider_of(server), model="o3-mini", max_tokens=5, temperature=0.2)

    assert server.bodies == [
        {"model": "o3-mini", "messages": [{"role": "user", "content": "Hello"}], "max_completion_tokens": 5}
    ]


def test_tools_can_be_offered_with_calls_forbidden() -> None:
    server = Server()

    provider_of(server).generate_chat(
        [user("Hi")], "m", ChatOptions(Deadline.after(30), tools=[TOOL], tool_choice="none")
    )
    provider_of(server).generate_chat([user("Hi")], "m", ChatOptions(Deadline.after(30), tool_choice="none"))

    with_tools, without = server.bodies
    assert (with_tools["tools"], with_tools["tool_choice"]) == ([TOOL], "none")
    assert without.keys() == {"model", "messages", "temperature"}


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        (
            refused("Unsupported parameter", code="unsupported_parameter", param="max_tokens"),
            {"max_completion_tokens": 5, "temperature": 0.2},
        ),
        (
            refused("Only the default (1) value", code="unsupported_value", param="temperature"),
            {"max_tokens": 5},
        ),
        (
            refused("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
            {"max_completion_tokens": 5, "temperature": 0.2},
        ),
        (
            httpx2.Response(422, json={"detail": [{"loc": ["temperature"], "msg": "Extra inputs are not permitted"}]}),
            {"max_tokens": 5},
        ),
    ],
)
def test_a_rejected_parameter_is_omitted_and_remembered_for_the_model(
    answer: httpx2.Response, sent: dict[str, Any]
) -> None:
    server = Server(answer, completion({"content": "Hello."}))
    provider = provider_of(server)
    plain: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
    everything: dict[str, Any] = {"max_tokens": 5, "temperature": 0.2}

    send_chat(provider, model="new", **everything)
    send_chat(provider, model="new", **everything)
    send_chat(provider, model="other", **everything)

    assert server.bodies == [
        {"model": "new", **plain, **everything},
        {"model": "new", **plain, **sent},
        {"model": "new", **plain, **sent},
        {"model": "other", **plain, **everything},
    ]


def test_each_parameter_is_omitted_once_and_a_repeated_rejection_is_an_error() -> None:
    server = Server(
        refused("no", code="unsupported_parameter", param="max_tokens"),
        refused("no", code="unsupported_parameter", param="max_completion_tokens"),
        refused("no", code="unsupported_value", param="temperature"),
        refused("no", code="unsupported_parameter", param="tool_choice"),
        refused("really no", code="unsupported_value", param="temperature"),
    )

    assert failure(provider_of(server), max_tokens=5, tools=[TOOL]) == ("invalid_request", "really no")
    assert [sorted(body.keys() - {"model", "messages", "tools"}) for body in server.bodies] == [
        ["max_tokens", "temperature", "tool_choice"],
        ["max_completion_tokens", "temperature", "tool_choice"],
        ["temperature", "tool_choice"],
        ["tool_choice"],
        [],
    ]


@pytest.mark.parametrize(
    "answer",
    [
        refused("tools is not supported", code="unsupported_parameter", param="tools"),
        refused("this model does not support tools"),
        refused("temperature must be below 2", code="invalid_value", param="temperature"),
        refused("temperature is not supported", status=403),
    ],
)
def test_other_rejections_are_errors(answer: httpx2.Response) -> None:
    server = Server(answer)

    failure(provider_of(server))

    assert len(server.requests) == 1


def test_the_history_is_sent_in_the_format_of_the_server() -> None:
    server = Server()
    long_id = "x" * 41
    history = [
        user("Hello"),
        Message(
            "assistant",
            (
                Text("Let me see."),
                ToolCall(id=long_id, name="functions.get weather", arguments={"a": 1}, raw='{"a": 1}'),
                ToolCall(id="b", name="n" * 70, arguments=None, raw="{oops", problem="not JSON"),
                ToolCall(id="c", name="t", arguments={}, raw=" "),
                ToolCall(id="d", name="t", arguments={"k": "v"}, raw=""),
            ),
        ),
        Message("tool", tuple(ToolOutput(call_id, "t", call_id[:1]) for call_id in (long_id, "b", "c", "d"))),
        assistant("half \ud83d pair"),
    ]

    send_chat(provider_of(server), history)

    short_id = server.bodies[0]["messages"][1]["tool_calls"][0]["id"]
    assert len(short_id) <= 40
    assert server.bodies[0]["messages"] == [
        {"role": "user", "content": "Hello"},
        {
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [
                _call(short_id, "functions_get_weather", '{"a": 1}'),
                _call("b", "n" * 64, '{"unreadable_arguments":"{oops"}'),
                _call("c", "t", "{}"),
                _call("d", "t", '{"k":"v"}'),
            ],
        },
        {"role": "tool", "tool_call_id": short_id, "content": "x"},
        {"role": "tool", "tool_call_id": "b", "content": "b"},
        {"role": "tool", "tool_call_id": "c", "content": "c"},
        {"role": "tool", "tool_call_id": "d", "content": "d"},
        {"role": "assistant", "content": "half ? pair"},
    ]


def _call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_repeated_and_missing_call_ids_become_unique_in_the_conversation() -> None:
    call = {"type": "function", "function": {"name": "t", "arguments": "{}"}}
    server = Server(completion({"tool_calls": [{"id": "a", **call}, {"id": "a", **call}, call]}, finish_reason="stop"))
    history = [user("Hi"), Message("assistant", (ToolCall(id="a", name="t", arguments={}, raw="{}"),))]

    answer = send_chat(provider_of(server), [*history, Message("tool", (ToolOutput("a", "t", "1"),))])

    assert answer.finish_reason == "tool_calls"
    assert [call.id for call in answer.message.tool_calls] == ["call_2_0", "call_2_1", "call_2_2"]


@pytest.mark.parametrize(
    ("message", "choice", "text", "finish_reason"),
    [
        ({"content": "Hi"}, {}, "Hi", "stop"),
        ({"content": "Hi"}, {"finish_reason": None}, "Hi", "stop"),
        ({"content": "Hi"}, {"finish_reason": "end_turn"}, "Hi", "stop"),
        ({"content": "Hi", "tool_calls": []}, {"finish_reason": "tool_calls"}, "Hi", "unknown"),
        ({"content": "Hi", "tool_calls": None}, {"finish_reason": "weird"}, "Hi", "unknown"),
        (
            {"content": None, "function_call": {"name": "t", "arguments": "{}"}},
            {"finish_reason": "function_call"},
            "",
            "unknown",
        ),
        (
            {"content": [{"type": "text", "text": "H"}, {"type": "text", "text": "i"}]},
            {"finish_reason": "stop"},
            "Hi",
            "stop",
        ),
        ({"content": [{"type": "refusal", "refusal": "No."}]}, {"finish_reason": "stop"}, "No.", "refusal"),
        ({"content": "Half", "refusal": "No."}, {"finish_reason": "stop"}, "Half", "refusal"),
        ({}, {"finish_reason": "stop"}, "", "stop"),
    ],
)
def test_an_answer_with_missing_fields_of_a_compatible_server_is_parsed(
    message: dict[str, Any], choice: dict[str, Any], text: str, finish_reason: str
) -> None:
    answer = send_chat(provider_of(Server(completion(message, **choice))))

    assert (answer.message.text, answer.finish_reason) == (text, finish_reason)
    assert (answer.usage, answer.model, answer.raw_finish_reason) == (Usage(), "gpt-4o", choice.get("finish_reason"))


def test_usage_without_details_is_counted() -> None:
    body = {"choices": [{"message": {"content": "Hi"}}], "usage": {"prompt_tokens": 3, "completion_tokens": None}}

    assert send_chat(provider_of(Server(httpx2.Response(200, json=body)))).usage == Usage(input_tokens=3)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"error": {"message": "busy", "code": 503}}, ("overloaded", "busy")),
        ({"error": {"message": "bad", "code": "400"}}, ("invalid_request", "bad")),
        ({"error": "model is loading"}, ("server_error", "model is loading")),
        ({"message": "gone", "code": 404}, ("server_error", "gone")),
        ({"detail": "nope"}, ("server_error", "nope")),
    ],
)
def test_an_error_with_a_success_status_is_an_error(body: Json, expected: tuple[str, str]) -> None:
    assert failure(provider_of(Server(httpx2.Response(200, json=body)))) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (httpx2.Response(400, json={"error": "plain text"}), ("invalid_request", "plain text")),
        (
            httpx2.Response(500, json={"error": {"message": {"odd": 1}}}),
            ("server_error", "the provider answered with status 500"),
        ),
        (
            refused("This model's maximum context length is 4096 tokens"),
            ("context_length", "This model's maximum context length is 4096 tokens"),
        ),
        (httpx2.Response(413, text=""), ("invalid_request", "the provider answered with status 413")),
        (httpx2.ConnectTimeout("t"), ("network", "no connection could be made to the provider")),
        (httpx2.LocalProtocolError("x"), ("network", "the request could not be sent to this address")),
        (httpx2.ReadError("reset by 10.0.0.7"), ("network", "the connection broke before the answer was complete")),
        (
            httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=httpx2.ByteStream(b"no gzip")),
            ("invalid_response", "the answer could not be decompressed"),
        ),
    ],
)
def test_each_failure_has_an_error_type_and_no_host_name(
    answer: httpx2.Response | Exception, expected: tuple[str, str]
) -> None:
    assert failure(provider_of(Server(answer))) == expected


@pytest.mark.parametrize(
    ("answer", "attempts"),
    [
        (refused("slow down", status=429), 3),
        (refused("pay", status=429, code="insufficient_quota"), 1),
        (refused("oops", status=500), 3),
        (refused("not implemented", status=501), 1),
        (refused("busy", status=529), 3),
        (httpx2.ConnectError("refused"), 3),
        (httpx2.RemoteProtocolError("cut"), 3),
        (httpx2.ReadTimeout("slow"), 1),
        (refused("bad key", status=401), 1),
        (httpx2.Response(200, text="{"), 1),
        (httpx2.Response(200, json={"error": {"message": "busy", "code": 503}}), 3),
    ],
)
def test_only_transient_errors_are_retried(answer: httpx2.Response | Exception, attempts: int) -> None:
    server = Server(answer)

    failure(provider_of(server, max_retries=2))

    assert len(server.requests) == attempts
    assert len({request.content for request in server.requests}) == 1


@pytest.mark.parametrize(
    ("headers", "wait"),
    [({"retry-after": "2"}, 2.0), ({"retry-after-ms": "250", "retry-after": "2"}, 0.25), ({}, 0.5)],
)
def test_the_retry_delay_is_from_the_server_or_the_default(headers: dict[str, str], wait: float) -> None:
    sleeps: list[float] = []
    server = Server(httpx2.Response(503, headers=headers), completion({"content": "Hello."}))

    send_chat(provider_of(server, max_retries=1, sleeps=sleeps))

    assert sleeps == [wait]


def test_an_endless_response_is_abandoned() -> None:
    body = _Chunks([b" " * (MAX_ANSWER_BYTES // 4)] * 5)

    error = failure(provider_of(Server(httpx2.Response(200, stream=body))))

    assert error == ("invalid_response", f"the answer is larger than {MAX_ANSWER_BYTES} bytes")
    assert body.closed


def test_an_error_body_is_read_up_to_64_kib_and_its_message_is_reported() -> None:
    body = _Chunks([b'{"error": {"code": "model_not_found", "message": "no such ', *[b"x" * 1024] * 1_000])

    error = failure(provider_of(Server(httpx2.Response(404, stream=body))))

    assert error == ("not_found", f"no such {'x' * 492}… [65486 characters]")
    assert (body.sent, body.closed) == (65, True)


def test_an_error_in_a_large_response_of_status_200_is_read_up_to_64_kib() -> None:
    answer = httpx2.Response(200, json={"error": {"code": 503, "message": "busy"}, "input": "x" * 1_000_000})

    assert failure(provider_of(Server(answer))) == ("overloaded", "busy")


@pytest.mark.parametrize("status", [200, 400])
def test_a_slow_response_is_abandoned_at_the_deadline(status: int) -> None:
    now = iter([0.0, 0.0, 0.0, 1.0, 1.0])
    deadline = Deadline(at=2.0, clock=lambda: next(now, 2.0))
    body = _Chunks([b"{"] * 100)

    error = failure(provider_of(Server(httpx2.Response(status, stream=body))), deadline=deadline)

    assert error == ("timeout", "the model did not answer within 2000 ms")
    assert body.closed


class _Chunks(CountedChunks, httpx2.SyncByteStream):
    """Counted chunks of httpx2."""


def test_a_compressed_response_is_decompressed() -> None:
    content = gzip.compress(json.dumps({"choices": [{"message": {"content": "Hi"}}]}).encode())
    server = Server(httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=httpx2.ByteStream(content)))

    assert send_chat(provider_of(server)).message == assistant("Hi")


@pytest.mark.parametrize(
    ("config", "authorization"),
    [
        ({}, "Bearer k-1234567"),
        ({"api_key": None}, None),
        ({"api_key": ""}, None),
        ({"api_key": None, "headers": {"authorization": "Basic eA=="}}, "Basic eA=="),
    ],
)
def test_the_key_is_sent_only_in_the_header(
    monkeypatch: pytest.MonkeyPatch, config: dict[str, Any], authorization: str | None
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-someone-else")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.test")
    server = Server()

    send_chat(provider_of(server, **config))

    (request,) = server.requests
    assert request.headers.get("authorization") == authorization
    assert str(request.url) == "https://api.openai.com/v1/chat/completions"
    assert b"k-1234567" not in request.content


def test_configured_headers_are_sent_and_never_reported() -> None:
    server = Server(refused("bad api-key azure-secret-value", status=401))

    error = failure(provider_of(server, api_key=None, headers={"api-key": "azure-secret-value"}))

    assert server.requests[0].headers["api-key"] == "azure-secret-value"
    assert error == ("authentication", "bad api-key [redacted]")


def test_a_model_of_single_calls_is_limited_to_one_a_turn_until_the_server_rejects_the_parameter() -> None:
    server = Server(
        completion({"content": "Hello."}),
        refused("Unsupported parameter: 'parallel_tool_calls'", param="parallel_tool_calls"),
        completion({"content": "Hello."}),
    )
    provider = provider_of(server, profiles={"gpt-*": {"parallel_tool_calls": False}})

    send_chat(provider, tools=[TOOL])
    send_chat(provider, tools=[TOOL])

    sent = [body.get("parallel_tool_calls") for body in server.bodies]
    assert sent == [False, False, None]
