"""Answers of compatible model servers beyond OpenAI's documentation, as in public reports of them."""

from typing import Any

import httpx2
import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Json, user
from functions.chat.providers.base import ChatOptions, NamedTool
from functions.chat.providers.errors import SPENT
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.parameter_fallback import REMEMBERED_SECONDS, AdaptiveProfiles
from functions.chat.providers.profiles import ModelProfile, UnsupportedParameterError
from tests.unit.providers.openai_server import Server, completion, failure, provider_of

TOOLS: list[dict[str, Json]] = [
    {"type": "function", "function": {"name": name, "description": name, "parameters": {"type": "object"}}}
    for name in ("look_up", "add")
]


def ask(provider: OpenAIProvider, **options: Any) -> str:
    settings: dict[str, Any] = {"temperature": 0.2, "tools": TOOLS, **options}
    return provider.generate_chat([user("Hello")], "m", ChatOptions(Deadline.after(30), **settings)).message.text


def answered_with(status: int, body: Json) -> httpx2.Response:
    return httpx2.Response(status, json=body)


def message(text: str, **fields: Json) -> Json:
    return {"error": {"message": text, **fields}}


def forbidden(parameter: str) -> Json:
    return [
        {"type": "extra_forbidden", "loc": ["body", parameter], "msg": "Extra inputs are not permitted", "input": 1}
    ]


REFUSALS: dict[str, tuple[Json, str]] = {
    "Kimi": (message("invalid temperature: only 1 is allowed for this model"), "temperature"),
    "a gateway to Claude": (message("`temperature` is deprecated for this model."), "temperature"),
    "xAI": (
        {
            "code": "Client specified an invalid argument",
            "error": "Model grok-4 does not support parameter temperature.",
        },
        "temperature",
    ),
    "a list": ([message("temperature: unsupported value")], "temperature"),
    "OpenRouter": (
        message("Provider returned error", code=400, metadata={"raw": '{"error":{"message":"temperature must be 1"}}'}),
        "temperature",
    ),
    "vLLM": ({"object": "error", "message": "temperature must be positive", "code": 400}, "temperature"),
    "a status code": ({"message": "tool_choice must be auto", "status_code": 400}, "tool_choice"),
    # https://github.com/editor-code-assistant/eca/issues/231, https://github.com/partITech/php-mistral/issues/76
    "Mistral": ({"object": "error", "message": {"detail": forbidden("temperature")}, "param": None}, "temperature"),
    "Mistral in 2025": (
        {"object": "Error", "detail": forbidden("top_p"), "message": forbidden("top_p"), "code": 3001},
        "top_p",
    ),
    "LM Studio": ({"error": "Invalid tool_choice type: 'object'."}, "tool_choice"),
}


@pytest.mark.parametrize("server", REFUSALS)
@pytest.mark.parametrize("status", [400, 422])
def test_a_refusal_that_names_a_parameter_is_answered_without_it(server: str, status: int) -> None:
    body, parameter = REFUSALS[server]
    scripted = Server(answered_with(status, body), completion({"content": "Hello."}))

    assert ask(provider_of(scripted), top_p=0.5) == "Hello."

    assert [parameter in sent for sent in scripted.bodies] == [True, False]


def test_a_router_without_a_server_that_takes_a_parameter_is_asked_without_it() -> None:
    # https://github.com/zed-industries/zed/issues/36094
    text = "No endpoints found that support the provided 'tool_choice' value. To learn more, visit the documentation"
    scripted = Server(answered_with(404, message(text, code=404)), completion({"content": "Hello."}))

    assert ask(provider_of(scripted), tool_choice="required") == "Hello."

    assert [body["tool_choice"] for body in scripted.bodies] == ["required", "auto"]


def test_a_model_that_does_not_exist_is_asked_for_once() -> None:
    scripted = Server(answered_with(404, message("No endpoints found that support tool use.", code=404)))

    assert failure(provider_of(scripted), temperature=0.2)[0] == "not_found"

    assert len(scripted.requests) == 1


def test_a_named_tool_is_asked_for_in_each_form_before_it_is_left_to_the_model() -> None:
    no = answered_with(400, message("tool_choice 'specified' is incompatible with thinking enabled"))
    scripted = Server(no, no, no, completion({"content": "Hello."}))

    ask(provider_of(scripted), tool_choice=NamedTool("add"))

    choices = [(body.get("tool_choice"), len(body["tools"])) for body in scripted.bodies]
    assert choices == [
        ({"type": "function", "function": {"name": "add"}}, 2),
        ("required", 1),
        ("auto", 1),
        (None, 1),
    ]


def test_a_model_that_answers_in_streams_alone_is_streamed() -> None:
    stream = b'data: {"choices":[{"delta":{"content":"Hello."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    scripted = Server(
        answered_with(400, message("parameter.enable_thinking must be set to false for non-streaming calls")),
        httpx2.Response(200, content=stream, headers={"content-type": "text/event-stream"}),
    )

    assert ask(provider_of(scripted)) == "Hello."

    assert [body.get("stream") for body in scripted.bodies] == [None, True]


def test_a_model_that_reasons_without_tools_alone_gets_no_effort() -> None:
    text = "Function tools with reasoning are not supported. Use /v1/responses, or set reasoning_effort to 'none'."
    scripted = Server(answered_with(400, message(text)), completion({"content": "Hello."}))

    ask(provider_of(scripted))

    assert [body.get("reasoning_effort") for body in scripted.bodies] == [None, "none"]


def test_a_parameter_that_was_not_sent_is_not_refused() -> None:
    scripted = Server(answered_with(400, message("temperature must be 1")))

    assert failure(provider_of(scripted)) == ("invalid_request", "temperature must be 1")

    assert len(scripted.requests) == 1


def test_a_refused_parameter_is_sent_again_after_an_hour() -> None:
    now = 0.0
    profiles = AdaptiveProfiles("main", lambda _model: ModelProfile(), clock=lambda: now)
    sent: list[bool] = []

    def request(profile: ModelProfile) -> None:
        sent.append(profile.supports("temperature"))
        if sent[-1]:
            raise failure_of("temperature")

    profiles.call("m", request)
    now = REMEMBERED_SECONDS - 1
    profiles.call("m", request)
    now = REMEMBERED_SECONDS
    profiles.call("m", request)

    assert sent == [True, False, False, True, False]


def test_a_parameter_without_which_the_request_fails_too_is_not_remembered() -> None:
    profiles = AdaptiveProfiles("main", lambda _model: ModelProfile())
    sent: list[bool] = []

    def request(profile: ModelProfile) -> None:
        sent.append(profile.supports("temperature"))
        raise failure_of("temperature")

    for _ in range(2):
        with pytest.raises(UnsupportedParameterError):
            profiles.call("m", request)

    assert sent == [True, False] * 2


def failure_of(parameter: str) -> UnsupportedParameterError:
    error = UnsupportedParameterError("no", type="invalid_request", provider="main", status=400)
    error.parameter = parameter
    return error


@pytest.mark.parametrize(
    ("status", "body", "text"),
    [
        (402, message("Insufficient Balance"), "Insufficient Balance"),
        (402, {"error": "add a payment method"}, "add a payment method"),
        (403, message("Your newly created team doesn't have any credits or licenses yet."), "credits"),
        (403, message("You have used all available credits."), "credits"),
        (429, message("You exceeded your current quota", code="insufficient_quota"), "quota"),
        (400, message("This request requires more credits, or fewer max_tokens."), "credits"),
    ],
)
def test_a_spent_budget_is_one_at_any_status_and_is_not_tried_again(status: int, body: Json, text: str) -> None:
    scripted = Server(answered_with(status, body))

    kind, said = failure(provider_of(scripted, max_retries=2))

    assert (kind, said.startswith(SPENT) or "quota" in said, text in said) == ("rate_limit", True, True)
    assert len(scripted.requests) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, message("Context size has been exceeded.", code=500)),
        (400, message("the request exceeds the available context size", type="exceed_context_size_error")),
        (400, message("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.")),
        (400, message("Provider returned error", metadata={"raw": "prompt is too long: 210000 tokens > 200000"})),
        (413, {"error": "Please reduce the length of the messages"}),
        (400, {"object": "error", "message": "input is too long for the requested model", "code": 400}),
    ],
)
def test_an_overlong_conversation_is_recognized_at_any_status(status: int, body: Json) -> None:
    scripted = Server(answered_with(status, body))

    assert failure(provider_of(scripted, max_retries=2))[0] == "context_length"

    assert len(scripted.requests) == 1


GENERATION = '<function=add>{"a": 1</function>'


@pytest.mark.parametrize(
    ("status", "body", "rejected"),
    [
        (400, message("Failed to call a function.", code="tool_use_failed", failed_generation=GENERATION), GENERATION),
        (400, message("tool call validation failed: attempted to call tool 'x' which was not in request.tools"), ""),
        (500, message("Failed to parse tool call arguments as JSON"), ""),
        (500, message("Failed to parse input at pos 12: <tool_call>"), ""),
    ],
)
def test_a_malformed_call_is_recognized_at_any_status(status: int, body: Json, rejected: str) -> None:
    scripted = Server(answered_with(status, body))

    with pytest.raises(ModelError) as caught:
        ask(provider_of(scripted, max_retries=2))

    assert (caught.value.type, caught.value.rejected_call) == ("malformed_tool_call", rejected)
    assert len(scripted.requests) == 1


ANSWER: dict[str, Json] = {"message": {"content": "Hel"}, "finish_reason": "stop"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"choices": [ANSWER], "error": {"message": "gone", "code": 503}}, ("overloaded", "gone")),
        ({"choices": [{**ANSWER, "error": {"message": "gone", "code": 429}}]}, ("rate_limit", "gone")),
        (
            {"choices": [{**ANSWER, "finish_reason": "error"}]},
            ("server_error", "the server behind the provider failed"),
        ),
    ],
)
def test_an_answer_with_an_error_is_not_complete(body: Json, expected: tuple[str, str]) -> None:
    kind, text = failure(provider_of(Server(answered_with(200, body))))

    assert (kind, text[: len(expected[1])]) == expected


def test_no_temperature_is_sent_unless_one_is_configured() -> None:
    scripted = Server()

    ask(provider_of(scripted), temperature=None)
    ask(provider_of(scripted, temperature=0.0), temperature=None)

    assert [body.get("temperature") for body in scripted.bodies] == [None, 0.0]
