"""Behaviour of the Bedrock adapter beyond the contract suite of all adapters."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, NoCredentialsError
from botocore.session import Session

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, ModelError, Problem
from flexchat.messages import (
    Completion,
    Json,
    Message,
    ProviderState,
    Reasoning,
    Text,
    ToolCall,
    ToolOutput,
    Usage,
    assistant,
    system,
    user,
)
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.bedrock.aws.converse import BedrockRuntime, ConverseError, bedrock_runtime
from functions.chat.providers.retry import RetryPolicy
from tests.contract.bedrock_wire import REGION, bedrock_client, check_bedrock_body
from tests.contract.wire_script import Playback, WireAnswer

TOOL: Mapping[str, Json] = {
    "toolSpec": {"name": "t", "description": "A tool", "inputSchema": {"json": {"type": "object"}}}
}
HELLO: Json = {"role": "user", "content": [{"text": "Hello"}]}


class Service:
    """Return `answers` in order, repeat the last one, and record the requests."""

    def __init__(self, *answers: bytes | ConverseError) -> None:
        self._answers = list(answers) or [turn({"text": "Hello."})]
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def converse(self, model: str, body: bytes, *, seconds: float) -> bytes:
        self.asked.append((model, json.loads(body)))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, ConverseError):
            raise answer
        return answer

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [body for _, body in self.asked]


def turn(*blocks: Any, stop: str | None = "end_turn", **answer: Json) -> bytes:
    message = {"role": "assistant", "content": list(blocks)}
    return json.dumps({"output": {"message": message}, "stopReason": stop, **answer}).encode()


def refused(message: str) -> ConverseError:
    return ConverseError("ValidationException", message, status=400)


def provider_of(
    service: Service, *, max_retries: int = 0, sleeps: list[float] | None = None, **config: Any
) -> BedrockProvider:
    waits: list[float] = [] if sleeps is None else sleeps
    return BedrockProvider(
        "main",
        LlmConfig.model_validate({"type": "bedrock", **config}),
        retry=RetryPolicy(max_retries=max_retries, sleep=waits.append, random=lambda: 1.0),
        client=service,
    )


def send_chat(
    provider: BedrockProvider,
    messages: Sequence[Message] = (user("Hello"),),
    *,
    model: str = "amazon.nova-pro-v1:0",
    **options: Any,
) -> Completion:
    return provider.generate_chat(messages, model, ChatOptions(Deadline.after(30), **options))


def failure(provider: BedrockProvider) -> tuple[str, str]:
    with pytest.raises(ModelError) as caught:
        send_chat(provider)
    return caught.value.type, caught.value.message


def body_of(*messages: Message, **options: Any) -> dict[str, Any]:
    """Return the request for `messages`, validated by the provider's types."""
    service = Service()
    send_chat(provider_of(service), messages, **options)
    (body,) = service.bodies
    check_bedrock_body(body)
    return body


@pytest.mark.parametrize(
    ("asked", "configured", "sent"),
    [
        ({}, {}, {"temperature": 0.7}),
        ({"temperature": 0}, {"temperature": 0.5}, {"temperature": 0}),
        ({}, {"temperature": 0}, {"temperature": 0}),
        ({"max_tokens": 5}, {"max_tokens": 9}, {"maxTokens": 5, "temperature": 0.7}),
        ({}, {"max_tokens": 9, "temperature": 0.5}, {"maxTokens": 9, "temperature": 0.5}),
        ({"temperature": 1.5}, {}, {"temperature": 1.0}),
    ],
)
def test_options_override_the_configuration_and_the_defaults(
    asked: dict[str, Any], configured: dict[str, Any], sent: dict[str, Any]
) -> None:
    service = Service()

    send_chat(provider_of(service, **configured), **asked)

    assert service.asked == [("amazon.nova-pro-v1:0", {"messages": [HELLO], "inferenceConfig": sent})]


@pytest.mark.parametrize(
    ("message", "left_out"),
    [
        ("The model returned the following errors: `temperature` is deprecated for this model.", "temperature"),
        ("Malformed input request: #: extraneous key [max_tokens] is not permitted.", "maxTokens"),
        ("This model doesn't support the inferenceConfig.maxTokens field.", "maxTokens"),
        ("This model doesn't support the toolConfig.toolChoice.auto field.", "toolChoice"),
    ],
)
def test_a_rejected_parameter_is_omitted_and_remembered_for_the_model(message: str, left_out: str) -> None:
    service = Service(refused(message), turn({"text": "Hello."}))
    provider = provider_of(service)
    everything: dict[str, Any] = {"max_tokens": 5, "temperature": 0.2, "tools": [TOOL]}

    send_chat(provider, model="new", **everything)
    send_chat(provider, model="new", **everything)
    send_chat(provider, model="other", **everything)

    sent = [body["inferenceConfig"] | body["toolConfig"] for body in service.bodies]
    assert [left_out in parameters for parameters in sent] == [True, False, False, True]
    assert all(body["toolConfig"]["tools"] == [TOOL] for body in service.bodies)


def test_no_inference_configuration_is_sent_if_the_model_supports_none() -> None:
    service = Service(refused("temperature is not supported"), turn({"text": "Hello."}))

    send_chat(provider_of(service))

    assert service.bodies[1] == {"messages": [HELLO]}


@pytest.mark.parametrize(
    "error",
    [
        refused("This model doesn't support tool use."),
        refused("1.5 is greater or equal to 1: temperature"),
        ConverseError("AccessDeniedException", "temperature is not supported", status=403),
    ],
)
def test_other_rejections_are_errors(error: ConverseError) -> None:
    service = Service(error)

    failure(provider_of(service))

    assert len(service.asked) == 1


@pytest.mark.parametrize("options", [{}, {"tools": [TOOL], "tool_choice": "none"}], ids=["none", "forbidden"])
def test_calls_in_the_history_are_described_as_text_without_tools(options: dict[str, Any]) -> None:
    state = ProviderState("bedrock", {"reasoningText": {"text": "Hm.", "signature": "s"}})
    calls = (ToolCall("a", "get weather", {"q": 1}, '{"q": 1}'), ToolCall("b", "t", {}, ""))
    outputs = (ToolOutput("a", "get weather", "22"), ToolOutput("b", "t", "no such place", is_error=True))

    body = body_of(
        user("Hello"),
        Message("assistant", (Reasoning(state, "Hm."), Text("Let me see."), *calls)),
        Message("tool", outputs),
        **options,
    )

    assert "toolConfig" not in body
    assert body["messages"] == [
        HELLO,
        {
            "role": "assistant",
            "content": [
                {"text": "Let me see."},
                {"text": '(called get weather with {"q": 1})'},
                {"text": "(called t with {})"},
            ],
        },
        {"role": "user", "content": [{"text": "(get weather answered: 22)"}, {"text": "(t failed: no such place)"}]},
    ]


def test_consecutive_messages_of_one_role_are_one_turn_and_empty_ones_are_omitted() -> None:
    calls = Message("assistant", (ToolCall("a", "t", {}, ""), ToolCall("b", "t", {}, "")))
    results = [Message("tool", (ToolOutput(call_id, "t", "22"),)) for call_id in ("a", "b")]

    body = body_of(
        system("Be short."),
        assistant("Welcome!"),
        user("Hello"),
        Message("assistant", ()),
        user(" "),
        user("Still there?"),
        calls,
        *results,
        user("And?"),
        system("Be kind."),
        system(" "),
        tools=[TOOL],
    )

    assert body["system"] == [{"text": "Be short."}, {"text": "Be kind."}]
    assert [(message["role"], len(message["content"])) for message in body["messages"]] == [
        ("user", 1),
        ("assistant", 1),
        ("user", 2),
        ("assistant", 2),
        ("user", 3),
    ]


def test_a_conversation_without_user_text_gets_a_first_user_message() -> None:
    assert body_of()["messages"] == [{"role": "user", "content": [{"text": "(no user message)"}]}]


@pytest.mark.parametrize(
    ("output", "content"),
    [
        (ToolOutput("a", "t", '{"success":true,"result":[1]}'), {"json": {"success": True, "result": [1]}}),
        (ToolOutput("a", "t", "22 degrees"), {"text": "22 degrees"}),
        (ToolOutput("a", "t", " "), {"text": "(nothing)"}),
        (ToolOutput("a", "t", "[1,2]"), {"text": "[1,2]"}),
        (ToolOutput("a", "t", '{"a":[{"id":9007199254740993}]}'), {"text": '{"a":[{"id":9007199254740993}]}'}),
    ],
)
@pytest.mark.parametrize(("is_error", "status"), [(False, "success"), (True, "error")])
def test_a_result_is_an_object_or_text_without_losses(
    output: ToolOutput, content: Json, is_error: bool, status: str
) -> None:
    call = Message("assistant", (ToolCall("a", "t", {}, ""),))
    result = Message("tool", (ToolOutput(output.call_id, output.name, output.content, is_error),))

    body = body_of(user("Hello"), call, result, tools=[TOOL])

    assert body["messages"][2]["content"] == [
        {"toolResult": {"toolUseId": "a", "content": [content], "status": status}}
    ]


def test_invalid_ids_names_and_arguments_are_converted() -> None:
    calls = (
        ToolCall("call:1/ü", "functions.get weather", {"q": 1}, ""),
        ToolCall("x" * 65, "n" * 70, None, "{oops", problem="not JSON"),
        ToolCall("c", "", {"half": "\ud83d"}, ""),
    )
    outputs = tuple(ToolOutput(call.id, call.name, "{}") for call in calls)

    body = body_of(user("Hello"), Message("assistant", calls), Message("tool", outputs), tools=[TOOL])

    written = [block["toolUse"] for block in body["messages"][1]["content"]]
    answered = [block["toolResult"]["toolUseId"] for block in body["messages"][2]["content"]]
    assert [(use["name"], use["input"]) for use in written] == [
        ("functions_get_weather", {"q": 1}),
        ("n" * 64, {"unreadable_arguments": "{oops"}),
        ("unnamed_tool", {"half": "?"}),
    ]
    assert [use["toolUseId"] for use in written] == answered
    assert answered[2] == "c"


def test_signed_reasoning_is_sent_back_in_its_position() -> None:
    blocks: list[Json] = [
        {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2ln"}}},
        {"reasoningContent": {"redactedContent": "cmVkYWN0ZWQ="}},
        {"text": "Let me see."},
        {"toolUse": {"toolUseId": "a", "name": "t", "input": {"q": 1}}},
    ]
    service = Service(turn(*blocks, stop="tool_use"), turn({"text": "Done."}))
    provider = provider_of(service)

    asked = send_chat(provider, tools=[TOOL]).message
    send_chat(provider, [user("Hello"), asked, Message("tool", (ToolOutput("a", "t", "1"),))], tools=[TOOL])

    assert service.bodies[1]["messages"][1] == {"role": "assistant", "content": blocks}
    check_bedrock_body(service.bodies[1])
    assert asked.parts == (
        Reasoning(ProviderState("bedrock", {"reasoningText": {"text": "Hm.", "signature": "c2ln"}}), "Hm."),
        Reasoning(ProviderState("bedrock", {"redactedContent": "cmVkYWN0ZWQ="})),
        Text("Let me see."),
        ToolCall("a", "t", {"q": 1}, '{"q": 1}'),
    )


@pytest.mark.parametrize(
    "state",
    [
        ProviderState("bedrock", {"reasoningText": {"text": "Hm."}}),
        ProviderState("bedrock", None),
        ProviderState("anthropic", {"reasoningText": {"text": "Hm.", "signature": "s"}}),
    ],
    ids=["unsigned", "unknown", "another provider"],
)
def test_reasoning_that_is_not_required_is_omitted(state: ProviderState) -> None:
    body = body_of(
        user("Hello"), Message("assistant", (Reasoning(state, "Hm."), Text("Hi"))), user("And?"), tools=[TOOL]
    )

    assert body["messages"][1]["content"] == [{"text": "Hi"}]


def test_reasoning_without_a_result_is_omitted() -> None:
    state = ProviderState("bedrock", {"reasoningText": {"text": "Hm.", "signature": "s"}})

    body = body_of(user("Hello"), Message("assistant", (Reasoning(state, "Hm."),)), user("And?"), tools=[TOOL])

    assert body["messages"] == [{"role": "user", "content": [{"text": "Hello"}, {"text": "And?"}]}]


@pytest.mark.parametrize(
    ("word", "finish_reason"),
    [
        (None, "stop"),
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("guardrail_intervened", "content_filter"),
        ("content_filtered", "content_filter"),
        ("tool_use", "unknown"),
        ("malformed_tool_use", "unknown"),
    ],
)
def test_the_finish_reason_without_calls_is_that_of_the_service(word: str | None, finish_reason: str) -> None:
    answer = send_chat(provider_of(Service(turn({"text": "Half"}, stop=word))))

    assert (answer.message, answer.finish_reason, answer.raw_finish_reason) == (assistant("Half"), finish_reason, word)
    assert (answer.usage, answer.model) == (Usage(), "amazon.nova-pro-v1:0")


def test_calls_set_the_finish_reason_and_their_ids_become_unique() -> None:
    uses: list[dict[str, Json]] = [
        {"toolUseId": "a", "name": "t", "input": {}},
        {"name": "t"},
        {"toolUseId": "b", "name": "t", "input": "x"},
    ]
    service = Service(turn(*({"toolUse": use} for use in uses), stop="max_tokens"))
    history = [user("Hi"), Message("assistant", (ToolCall("a", "t", {}, "{}"),)), Message("tool", ())]

    answer = send_chat(provider_of(service), history)

    assert answer.finish_reason == "tool_calls"
    assert [(call.id, call.arguments) for call in answer.message.tool_calls] == [
        ("call_2_0", {}),
        ("call_2_1", {}),
        ("b", None),
    ]


def test_cache_tokens_count_as_input_tokens() -> None:
    usage: Json = {"inputTokens": 10, "outputTokens": 5, "cacheReadInputTokens": 3, "cacheWriteInputTokens": 2}

    answer = send_chat(provider_of(Service(turn({"text": "Hi"}, usage=usage))))

    assert answer.usage == Usage(input_tokens=15, output_tokens=5, cached_tokens=3)


@pytest.mark.parametrize(
    ("error", "attempts"),
    [
        (ConverseError("ThrottlingException", "slow down", status=429), 3),
        (ConverseError("ServiceQuotaExceededException", "spent", status=400), 1),
        (ConverseError("ModelNotReadyException", "soon", status=429), 3),
        (ConverseError("ServiceUnavailableException", "busy", status=503), 3),
        (ConverseError("InternalServerException", "oops", status=500), 3),
        (ConverseError("ModelTimeoutException", "too long", status=408), 1),
        (ConverseError("SomethingNew", "busy", status=503), 3),
        (ConverseError("SomethingNew", "bad", status=400), 1),
        (ConverseError("EndpointConnectionError"), 3),
        (ConverseError("ConnectionClosedError"), 3),
        (ConverseError("ReadTimeoutError"), 1),
        (ConverseError("NoCredentialsError"), 1),
        (refused("bad"), 1),
    ],
)
def test_only_transient_errors_are_retried(error: ConverseError, attempts: int) -> None:
    service = Service(error)

    failure(provider_of(service, max_retries=2))

    assert len(service.asked) == attempts


@pytest.mark.parametrize(("asked", "wait"), [("2", 2.0), (None, 0.5)])
def test_the_retry_delay_is_from_the_service_or_the_default(asked: str | None, wait: float) -> None:
    sleeps: list[float] = []
    busy = ConverseError("ThrottlingException", "slow down", status=429, retry_after=asked)

    send_chat(provider_of(Service(busy, turn({"text": "Hi"})), max_retries=1, sleeps=sleeps))

    assert sleeps == [wait]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ConverseError("SSLError"), ("network", "no connection could be made to the provider")),
        (ConverseError("HTTPClientError"), ("network", "the connection broke before the answer was complete")),
        (
            ConverseError("CredentialRetrievalError"),
            ("authentication", "no AWS credentials were found that could be used"),
        ),
        (
            ConverseError("ParamValidationError"),
            ("invalid_request", "the model must be named by its Bedrock id or ARN"),
        ),
        (ConverseError("SomethingNew", status=418), ("invalid_request", "the provider answered with status 418")),
    ],
)
def test_each_failure_has_an_error_type_and_no_host_name(error: ConverseError, expected: tuple[str, str]) -> None:
    assert failure(provider_of(Service(error))) == expected


def test_configured_headers_are_sent_signed_and_never_reported() -> None:
    playback = Playback([WireAnswer(status=403, headers={}, body={"message": "bad header-of-the-team"})])
    config = LlmConfig(type="bedrock", headers={"x-team": "header-of-the-team"})
    client = bedrock_client(playback, key="k", headers=config.headers)

    error = failure(BedrockProvider("main", config, retry=RetryPolicy(max_retries=0), client=client))

    (request,) = playback.requests
    assert request.headers["x-team"] == "header-of-the-team"
    assert "x-team" in request.headers["Authorization"]
    assert error == ("permission", "bad [redacted]")


def test_a_body_shorter_than_its_content_length_is_a_network_error() -> None:
    body = turn({"text": "Hello."}).decode()
    announced = {"content-length": str(len(body))}
    cut = Playback([WireAnswer(text=body, headers=announced, fault="cut")])
    whole = Playback([WireAnswer(text=body, headers=announced)])

    with pytest.raises(ConverseError) as caught:
        bedrock_client(cut, key="k").converse("m", b"{}", seconds=1)

    assert (caught.value.code, str(caught.value)) == ("ConnectionClosedError", "ConnectionClosedError")
    assert bedrock_client(whole, key="k").converse("m", b"{}", seconds=1) == body.encode()


def test_an_error_without_a_code_is_reported_completely() -> None:
    playback = Playback([WireAnswer(status=400, headers={}, body={"code": "ValidationException", "Message": "bad"})])

    with pytest.raises(ConverseError) as caught:
        bedrock_client(playback, key="k").converse("m", b"{}", seconds=1)

    assert (str(caught.value), caught.value.status) == ("ValidationException: bad", 400)


def test_a_client_without_credentials_is_a_configuration_error(monkeypatch: pytest.MonkeyPatch) -> None:
    _forget_aws(monkeypatch)

    with pytest.raises(ConverseError) as caught:
        _runtime(region=REGION).converse("m", b"{}", seconds=1)

    assert caught.value.code == NoCredentialsError.__name__


def test_a_region_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    _forget_aws(monkeypatch)

    with pytest.raises(ConfigError) as caught:
        BedrockProvider("cloud", LlmConfig(type="bedrock"))

    assert caught.value.problems == (Problem("llms.cloud.region", "is required: the environment names no AWS region"),)


def test_options_rejected_by_botocore_are_a_configuration_error(monkeypatch: pytest.MonkeyPatch) -> None:
    _forget_aws(monkeypatch)
    monkeypatch.setenv("AWS_PROFILE", "missing")

    with pytest.raises(ConfigError) as caught:
        _runtime(region=REGION)

    assert caught.value.problems == (Problem("llms.main", "cannot be used (ProfileNotFound)"),)
    assert isinstance(caught.value.__cause__, BotoCoreError)


def _runtime(*, region: str | None) -> BedrockRuntime:
    return bedrock_runtime(
        "llms.main", region=region, endpoint_url=None, timeout_seconds=1, headers={}, session=Session()
    )


def _forget_aws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere/config")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere/credentials")
