"""Behaviour of the Gemini adapter beyond the contract suite of all adapters."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
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
from functions.chat.providers.gemini.adapter import GeminiProvider
from functions.chat.providers.gemini.messages import UNSIGNED
from functions.chat.providers.retry import RetryPolicy
from tests.contract.gemini_wire import check_gemini_body

SCHEMA: Json = {"type": "object", "properties": {"q": {"type": "string"}}, "additionalProperties": False}
DECLARATION: dict[str, Json] = {"name": "t", "description": "A tool", "parametersJsonSchema": SCHEMA}
TOOL: Mapping[str, Json] = {"functionDeclarations": [DECLARATION]}
HELLO: Json = {"role": "user", "parts": [{"text": "Hello"}]}


class Server:
    """Gives `answers` in order, the last one for ever, and keeps the requests."""

    def __init__(self, *answers: httpx.Response) -> None:
        self._answers = list(answers) or [content({"text": "Hello."})]
        self.requests: list[httpx.Request] = []

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]


def content(*parts: Any, **candidate: Json) -> httpx.Response:
    return httpx.Response(200, json={"candidates": [{"content": {"parts": list(parts)}, **candidate}]})


def refused(message: str, *, status: str = "INVALID_ARGUMENT", code: int = 400, details: Json = None) -> httpx.Response:
    error: dict[str, Json] = {"code": code, "message": message, "status": status, "details": details or []}
    return httpx.Response(code, json={"error": error})


def provider_of(
    server: Server, *, max_retries: int = 0, sleeps: list[float] | None = None, **config: Any
) -> GeminiProvider:
    waits: list[float] = [] if sleeps is None else sleeps
    return GeminiProvider(
        "main",
        LlmConfig.model_validate({"type": "gemini", "api_key": "k-1234567", **config}),
        retry=RetryPolicy(max_retries=max_retries, sleep=waits.append, random=lambda: 1.0),
        transport=httpx.MockTransport(server.handle),
    )


def send_chat(
    provider: GeminiProvider,
    messages: Sequence[Message] = (user("Hello"),),
    *,
    model: str = "gemini-3.8-flash",
    **options: Any,
) -> Completion:
    return provider.generate_chat(messages, model, ChatOptions(Deadline.after(30), **options))


def contents_of(*messages: Message) -> list[dict[str, Any]]:
    """Return the request for `messages`, validated by the provider's types."""
    server = Server()
    send_chat(provider_of(server), messages)
    (body,) = server.bodies
    check_gemini_body(body)
    return body["contents"]


@pytest.mark.parametrize(
    ("request_options", "configured", "sent"),
    [
        ({}, {}, {"temperature": 0.7}),
        ({"temperature": 0}, {"temperature": 1.5}, {"temperature": 0}),
        ({}, {"temperature": 0}, {"temperature": 0}),
        ({"max_tokens": 5}, {"max_tokens": 9}, {"temperature": 0.7, "maxOutputTokens": 5}),
        ({}, {"max_tokens": 9, "temperature": 1.5}, {"temperature": 1.5, "maxOutputTokens": 9}),
    ],
)
def test_options_override_the_configuration_and_the_defaults(
    request_options: dict[str, Any], configured: dict[str, Any], sent: dict[str, Any]
) -> None:
    server = Server()

    send_chat(provider_of(server, **configured), **request_options)

    assert server.bodies == [{"contents": [HELLO], "generationConfig": sent}]


@pytest.mark.parametrize(
    "tools",
    [
        [{"functionDeclarations": [DECLARATION, {**DECLARATION, "name": "u"}]}],
        [TOOL, {"functionDeclarations": [{"name": "u", "description": "A tool", "parameters": SCHEMA}]}],
        [
            {"name": name, "description": "A tool", "parameters": SCHEMA, "handler": "not for the model"}
            for name in ("t", "u")
        ],
        [
            {"type": "function", "function": {"name": name, "description": "A tool", "parameters": SCHEMA}}
            for name in ("t", "u")
        ],
    ],
    ids=["one wrapper", "a wrapper each", "flat", "OpenAI's"],
)
def test_tools_of_every_documented_form_become_one_list_of_functions(tools: list[dict[str, Json]]) -> None:
    server = Server()

    send_chat(provider_of(server), tools=tools)

    (body,) = server.bodies
    assert body["tools"] == [{"functionDeclarations": [DECLARATION, {**DECLARATION, "name": "u"}]}]
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "AUTO"}}
    check_gemini_body(body)


def test_tools_can_be_offered_with_calls_forbidden() -> None:
    server = Server()

    send_chat(provider_of(server), tools=[TOOL], tool_choice="none")
    send_chat(provider_of(server), tool_choice="none")

    with_tools, without = server.bodies
    assert with_tools["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    assert without.keys() == {"contents", "generationConfig"}


@pytest.mark.parametrize(
    ("message", "left_out"),
    [
        ("Temperature is not supported by this model.", ("generationConfig", "temperature")),
        (
            "Invalid JSON payload. Unknown name \"maxOutputTokens\" at 'generation_config': Cannot find field.",
            ("generationConfig", "maxOutputTokens"),
        ),
        ("tool_config is unsupported.", ("toolConfig", "functionCallingConfig")),
    ],
)
def test_a_rejected_parameter_is_omitted_and_remembered_for_the_model(message: str, left_out: tuple[str, str]) -> None:
    server = Server(refused(message), content({"text": "Hello."}))
    provider = provider_of(server)
    everything: dict[str, Any] = {"max_tokens": 5, "temperature": 0.2, "tools": [TOOL]}

    send_chat(provider, model="new", **everything)
    send_chat(provider, model="new", **everything)
    send_chat(provider, model="other", **everything)

    where, name = left_out
    assert [name in body.get(where, {}) for body in server.bodies] == [True, False, False, True]


def test_no_generation_configuration_is_sent_if_the_model_supports_none() -> None:
    server = Server(refused("Temperature is not supported by this model."), content({"text": "Hello."}))

    send_chat(provider_of(server))

    assert server.bodies[1] == {"contents": [HELLO]}


@pytest.mark.parametrize(
    "answer",
    [
        refused("Function calling is not enabled for this model."),
        refused("temperature must be in the range [0.0, 2.0]."),
        refused("temperature is not supported here", status="FAILED_PRECONDITION"),
        refused("temperature is not supported here", status="PERMISSION_DENIED", code=403),
    ],
)
def test_other_rejections_are_errors(answer: httpx.Response) -> None:
    server = Server(answer)

    with pytest.raises(ModelError):
        send_chat(provider_of(server))

    assert len(server.requests) == 1


def test_every_signature_is_sent_back_with_its_part() -> None:
    parts: list[Json] = [
        {"text": "Hm.", "thought": True, "thoughtSignature": "c2lnMA=="},
        {"text": "Let me see.", "thoughtSignature": "c2lnMQ=="},
        {"functionCall": {"id": "a", "name": "t", "args": {"q": "1"}}, "thoughtSignature": "c2lnMg=="},
        {"functionCall": {"id": "b", "name": "t", "args": {"q": "2"}}},
        {"text": "", "thoughtSignature": "c2lnMw=="},
    ]
    server = Server(content(*parts, finishReason="STOP"), content({"text": "Done."}))
    provider = provider_of(server)

    turn = send_chat(provider, tools=[TOOL]).message
    results = Message("tool", (ToolOutput("a", "t", "1"), ToolOutput("b", "t", "2")))
    send_chat(provider, [user("Hello"), turn, results], tools=[TOOL])

    assert server.bodies[1]["contents"][1] == {"role": "model", "parts": parts}
    check_gemini_body(server.bodies[1])
    assert turn.parts == (
        Reasoning(_signed("c2lnMA=="), "Hm."),
        Text("Let me see.", _signed("c2lnMQ==")),
        ToolCall("a", "t", {"q": "1"}, '{"q": "1"}', state=_signed("c2lnMg==")),
        ToolCall("b", "t", {"q": "2"}, '{"q": "2"}'),
        Text("", _signed("c2lnMw==")),
    )


def _signed(signature: str) -> ProviderState:
    return ProviderState("gemini", {"thoughtSignature": signature})


def test_a_thought_without_a_signature_stays_a_thought() -> None:
    server = Server(content({"text": "Hm.", "thought": True}, {"text": "Hi"}))
    turn = send_chat(provider_of(server)).message

    assert turn.parts == (Reasoning(ProviderState("gemini", {}), "Hm."), Text("Hi"))
    assert contents_of(user("Hello"), turn)[1]["parts"] == [{"text": "Hm.", "thought": True}, {"text": "Hi"}]


def test_the_first_call_without_a_gemini_signature_has_a_skip_marker() -> None:
    elsewhere = ProviderState("anthropic", {"signature": "theirs"})
    turn = Message(
        "assistant",
        (
            Reasoning(elsewhere, "Hm."),
            Text("Let me see.", elsewhere),
            ToolCall("a", "t", {}, "", state=elsewhere),
            ToolCall("b", "t", {}, ""),
        ),
    )

    _, model, _ = contents_of(
        user("Hello"), turn, Message("tool", (ToolOutput("a", "t", "{}"), ToolOutput("b", "t", "{}")))
    )

    assert model["parts"] == [
        {"text": "Let me see."},
        {"functionCall": {"id": "a", "name": "t", "args": {}}, "thoughtSignature": UNSIGNED},
        {"functionCall": {"id": "b", "name": "t", "args": {}}},
    ]


@pytest.mark.parametrize(
    ("output", "response"),
    [
        (ToolOutput("a", "t", '{"success":true,"result":[1]}'), {"success": True, "result": [1]}),
        (ToolOutput("a", "t", "22 degrees"), {"output": "22 degrees"}),
        (ToolOutput("a", "t", ""), {"output": ""}),
        (ToolOutput("a", "t", "[1,2]"), {"output": "[1,2]"}),
        (ToolOutput("a", "t", "no such place", is_error=True), {"error": "no such place"}),
        (ToolOutput("a", "t", '{"a":[{"$ref":"#/x"}]}'), {"output": '{"a":[{"$ref":"#/x"}]}'}),
        (ToolOutput("a", "t", '{"$defs":{}}'), {"output": '{"$defs":{}}'}),
        (ToolOutput("a", "t", '{"id":9007199254740993}'), {"output": '{"id":9007199254740993}'}),
        (ToolOutput("a", "t", '{"id":-9007199254740992,"ok":true}'), {"id": -9007199254740992, "ok": True}),
    ],
)
def test_a_result_is_an_object_without_losses(output: ToolOutput, response: Json) -> None:
    call = Message("assistant", (ToolCall("a", "t", {}, ""),))

    contents = contents_of(user("Hello"), call, Message("tool", (output,)))

    assert contents[2] == {
        "role": "user",
        "parts": [{"functionResponse": {"id": "a", "name": "t", "response": response}}],
    }


def test_results_are_separate_from_the_next_user_message() -> None:
    calls = Message("assistant", (ToolCall("a", "t", {}, ""), ToolCall("b", "u", {}, "")))
    results = [Message("tool", (ToolOutput(call_id, name, "{}"),)) for call_id, name in (("a", "t"), ("b", "u"))]

    contents = contents_of(user("Hello"), calls, *results, user("And?"))

    assert [(item["role"], len(item["parts"])) for item in contents] == [
        ("user", 1),
        ("model", 2),
        ("user", 2),
        ("user", 1),
    ]


def test_invalid_names_and_arguments_are_converted() -> None:
    calls = (
        ToolCall("a", "functions/get weather", {"q": 1}, ""),
        ToolCall("e", "functions.get:weather", {}, ""),
        ToolCall("b", "1st", None, "{oops", problem="not JSON"),
        ToolCall("c", "n" * 70, None, " ", problem="nothing"),
        ToolCall("d", "", {"half": "\ud83d"}, ""),
    )
    outputs = tuple(ToolOutput(call.id, call.name, "{}") for call in calls)

    contents = contents_of(user("Hello"), Message("assistant", calls), Message("tool", outputs))

    written = [part["functionCall"] for part in contents[1]["parts"]]
    assert [(call["name"], call["args"]) for call in written] == [
        ("functions_get_weather", {"q": 1}),
        ("functions.get:weather", {}),
        ("_1st", {"unreadable_arguments": "{oops"}),
        ("n" * 64, {}),
        ("unnamed_tool", {"half": "?"}),
    ]


@pytest.mark.parametrize(
    ("messages", "roles"),
    [
        ((assistant("Welcome!"), user("Hello")), ["user", "model", "user"]),
        ((), ["user"]),
        ((user(" "), assistant(""), user("Hello")), ["user"]),
    ],
)
def test_a_conversation_starts_with_its_user_and_has_no_empty_content(
    messages: Sequence[Message], roles: list[str]
) -> None:
    assert [item["role"] for item in contents_of(*messages)] == roles


def test_system_messages_at_any_position_are_the_system_instruction() -> None:
    server = Server()

    send_chat(provider_of(server), [system("Be short."), user("Hello"), system("Be kind."), system(" ")])

    assert server.bodies[0]["systemInstruction"] == {"parts": [{"text": "Be short."}, {"text": "Be kind."}]}
    assert server.bodies[0]["contents"] == [HELLO]


@pytest.mark.parametrize(
    ("word", "finish_reason"),
    [
        (None, "stop"),
        ("STOP", "stop"),
        ("MAX_TOKENS", "length"),
        *((word, "content_filter") for word in ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII")),
        *((word, "unknown") for word in ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER", "LANGUAGE")),
    ],
)
def test_the_finish_reason_without_calls_is_that_of_the_server(word: str | None, finish_reason: str) -> None:
    answer = send_chat(provider_of(Server(content({"text": "Half"}, finishReason=word))))

    assert (answer.message, answer.finish_reason, answer.raw_finish_reason) == (assistant("Half"), finish_reason, word)


@pytest.mark.parametrize("word", ["STOP", "MAX_TOKENS", "MALFORMED_FUNCTION_CALL"])
def test_calls_override_any_finish_reason_of_the_server(word: str) -> None:
    answer = send_chat(provider_of(Server(content({"functionCall": {"name": "t"}}, finishReason=word))))

    assert answer.finish_reason == "tool_calls"
    assert answer.message.tool_calls == (ToolCall("call_1_0", "t", {}, ""),)


def test_repeated_and_missing_call_ids_become_unique_in_the_conversation() -> None:
    calls: list[dict[str, Json]] = [{"id": "a", "name": "t"}, {"id": "b", "name": "t"}, {"name": "t"}]
    history = [user("Hi"), Message("assistant", (ToolCall("a", "t", {}, "{}"),)), Message("tool", ())]

    answer = send_chat(provider_of(Server(content(*({"functionCall": call} for call in calls)))), history)

    assert [call.id for call in answer.message.tool_calls] == ["call_2_0", "b", "call_2_2"]


@pytest.mark.parametrize(
    ("body", "finish_reason"),
    [
        ({"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]}, "stop"),
        ({"candidates": [{"content": {"parts": None}, "finishReason": "STOP"}]}, "stop"),
        ({"candidates": [{"finishReason": "STOP"}]}, "stop"),
        ({"candidates": [{"content": {"parts": [{"executableCode": {"code": "1"}}]}}]}, "stop"),
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "content_filter"),
        ({"candidates": None, "promptFeedback": {"blockReason": "SAFETY"}}, "content_filter"),
    ],
)
def test_a_turn_without_text_is_an_empty_message(body: dict[str, Json], finish_reason: str) -> None:
    answer = send_chat(provider_of(Server(httpx.Response(200, json=body))))

    assert (answer.message, answer.finish_reason, answer.usage) == (Message("assistant", ()), finish_reason, Usage())
    assert answer.model == "gemini-3.8-flash"


def test_thought_tokens_count_as_output_and_tool_prompt_tokens_as_input() -> None:
    body: dict[str, Json] = {
        "candidates": [{"content": {"parts": [{"text": "Hi"}]}}],
        "modelVersion": "gemini-3.8-flash-002",
        "usageMetadata": {
            "promptTokenCount": 10,
            "toolUsePromptTokenCount": 3,
            "candidatesTokenCount": 5,
            "thoughtsTokenCount": 7,
            "cachedContentTokenCount": 4,
            "totalTokenCount": 25,
        },
    }

    answer = send_chat(provider_of(Server(httpx.Response(200, json=body))))

    assert answer.usage == Usage(input_tokens=13, output_tokens=12, cached_tokens=4, reasoning_tokens=7)
    assert answer.model == "gemini-3.8-flash-002"


QUOTA = "type.googleapis.com/google.rpc.QuotaFailure"
RETRY = "type.googleapis.com/google.rpc.RetryInfo"


@pytest.mark.parametrize(
    ("answer", "attempts"),
    [
        (refused("slow down", status="RESOURCE_EXHAUSTED", code=429), 3),
        (
            refused(
                "spent",
                status="RESOURCE_EXHAUSTED",
                code=429,
                details=[
                    {"@type": QUOTA, "violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]},
                    {"@type": RETRY, "retryDelay": "2s"},
                ],
            ),
            1,
        ),
        (refused("busy", status="UNAVAILABLE", code=503), 3),
        (refused("oops", status="INTERNAL", code=500), 3),
        (refused("too long", status="DEADLINE_EXCEEDED", code=504), 1),
        (refused("API key not valid."), 1),
        (httpx.Response(200, json={"error": {"code": 400, "message": "bad", "status": "INVALID_ARGUMENT"}}), 1),
        (httpx.Response(200, json={"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}), 3),
    ],
)
def test_only_transient_errors_are_retried(answer: httpx.Response, attempts: int) -> None:
    server = Server(answer)

    with pytest.raises(ModelError):
        send_chat(provider_of(server, max_retries=2))

    assert len(server.requests) == attempts


@pytest.mark.parametrize(
    ("delay", "wait"), [("2s", 2.0), ("0.250s", 0.25), ("soon", 0.5), (None, 0.5), ("-1s", 0.5), ("9" * 400 + "s", 0.5)]
)
def test_the_retry_delay_is_from_the_server_or_the_default(delay: str | None, wait: float) -> None:
    sleeps: list[float] = []
    details: Json = [{"@type": "other", "reason": "RATE"}, {"@type": RETRY, "retryDelay": delay}]
    busy = refused("slow down", status="RESOURCE_EXHAUSTED", code=429, details=details)

    send_chat(provider_of(Server(busy, content({"text": "Hi"})), max_retries=1, sleeps=sleeps))

    assert sleeps == [wait]


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("gemini-3.8-flash", "/v1beta/models/gemini-3.8-flash:generateContent"),
        ("models/gemma-4", "/v1beta/models/gemma-4:generateContent"),
        ("tunedModels/mine", "/v1beta/tunedModels/mine:generateContent"),
        ("a?key=b#c", "/v1beta/models/a%3Fkey%3Db%23c:generateContent"),
    ],
)
def test_the_model_name_is_sent_only_in_the_path(model: str, path: str) -> None:
    server = Server()

    send_chat(provider_of(server), model=model)

    (request,) = server.requests
    assert str(request.url) == f"https://generativelanguage.googleapis.com{path}"


def test_the_key_is_sent_only_in_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "key-of-someone-else")
    monkeypatch.setenv("GOOGLE_API_KEY", "key-of-someone-else")
    with_key, without = Server(), Server()

    send_chat(provider_of(with_key, headers={"x-team": "blue"}))
    send_chat(provider_of(without, api_key=None))

    assert with_key.requests[0].headers["x-goog-api-key"] == "k-1234567"
    assert with_key.requests[0].headers["x-team"] == "blue"
    assert "k-1234567" not in str(with_key.requests[0].url)
    assert "x-goog-api-key" not in without.requests[0].headers
