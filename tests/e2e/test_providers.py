"""Chats, tools and errors with every provider."""

from collections.abc import Iterator

import httpx2
import pytest

from cli.layout import Layout
from cli.local_stack import StackState
from flexchat.api import ChatResponse, ErrorResponse, ToolSuccessView
from flexchat.api.listings import ModelList
from flexchat.config.providers import PROVIDER_TYPES
from flexchat.messages import Json
from tests.e2e.commands import flexchat

QUESTION = "What is 15% of 45, and the weather in Paris?"


@pytest.fixture(scope="module", autouse=True)
def five_providers(stack: StackState, layout: Layout) -> Iterator[None]:
    """Push a configuration with a rule per provider, selected by the profile's `provider`."""
    flexchat("local", "up", "--config", str(layout.root / "config" / "examples" / "five-providers.json"))
    yield
    flexchat("local", "up", "--config", stack.config)


@pytest.fixture(params=PROVIDER_TYPES)
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


def send_chat(api: httpx2.Client, provider: str, message: str) -> httpx2.Response:
    return api.post("/api/chat", json={"message": message, "profile": {"provider": provider}})


def answered(api: httpx2.Client, provider: str, message: str) -> ChatResponse:
    response = send_chat(api, provider, message)
    assert response.status_code == 200, response.text
    return ChatResponse.model_validate(response.json())


def refused(response: httpx2.Response) -> tuple[int, str]:
    return response.status_code, ErrorResponse.model_validate(response.json()).error


def test_every_provider_answers_with_the_results_of_two_tools(api: httpx2.Client, provider: str) -> None:
    answer = answered(api, provider, QUESTION)

    assert [(call.tool, call.params, call.result.success) for call in answer.tool_calls] == [
        ("calculate", {"expression": "15% of 45"}, True),
        ("get_weather", {"location": "Paris"}, True),
    ]
    assert answer.content == ("(demo model) 15% of 45 is 6.75. The weather in Paris: 22 degrees, sunny, humidity 65.")
    assert (answer.service, answer.status, answer.finish_reason) == (provider, "complete", "stop")
    assert [step.step for step in answer.timings.steps] == ["model", "tool", "tool", "model"]
    assert answer.usage.total_tokens == answer.usage.input_tokens + answer.usage.output_tokens > 0


def test_reasoning_is_preserved_through_three_turns_of_calls(api: httpx2.Client, provider: str) -> None:
    answer = answered(api, provider, '[demo:think] [demo:call=get_weather {"location": "Oslo"} times=2] What is 6*7?')

    assert [(call.iteration, call.tool) for call in answer.tool_calls] == [
        (1, "get_weather"),
        (2, "get_weather"),
        (3, "calculate"),
    ]
    assert answer.finish_reason == "stop"
    assert "6*7 is 42." in answer.content


def test_rate_limited_request_is_retried_after_the_delay(api: httpx2.Client, provider: str) -> None:
    answer = answered(api, provider, f"[demo:status=429 retry_after=1 times=1] {provider}: what is 2+2?")

    assert answer.status == "complete"
    assert "2+2 is 4." in answer.content


def test_broken_connection_is_retried(api: httpx2.Client, provider: str) -> None:
    answer = answered(api, provider, f"[demo:cut times=1] {provider}: what is 2+2?")

    assert "2+2 is 4." in answer.content


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, (502, "model_invalid_request")),
        (401, (502, "model_authentication")),
        (403, (502, "model_permission")),
        (404, (502, "model_not_found")),
    ],
)
def test_provider_failure_is_reported_by_its_error_type(
    api: httpx2.Client, provider: str, status: int, expected: tuple[int, str]
) -> None:
    response = send_chat(api, provider, f"[demo:status={status}] hi")

    assert refused(response) == expected


def test_invalid_tool_arguments_return_an_error_result_and_the_chat_continues(
    api: httpx2.Client, provider: str
) -> None:
    answer = answered(api, provider, '[demo:call=calculate {"expr": 1}] [demo:call=nothing {}] hi')

    assert [(call.tool, call.result.success) for call in answer.tool_calls] == [
        ("calculate", False),
        ("nothing", False),
    ]
    assert (answer.status, answer.finish_reason) == ("complete", "stop")


def test_request_without_a_provider_is_served_by_the_default_rule(api: httpx2.Client) -> None:
    answer = ChatResponse.model_validate(api.post("/api/chat", json={"message": QUESTION}).json())

    assert answer.service == "openai"
    assert results(answer)["calculate"]


def test_fallback_provider_answers_for_an_overloaded_one(api: httpx2.Client) -> None:
    """The directive fails the three attempts of openai; anthropic is then called with the same messages."""
    response = api.post("/api/chat", json={"message": "[demo:status=503 retry_after=0 times=3] hi"})

    answer = ChatResponse.model_validate(response.json())
    assert answer.fallback is not None
    assert (answer.service, answer.fallback.instead_of, answer.fallback.reason) == (
        "anthropic",
        "openai:gpt-4o-mini",
        "overloaded",
    )
    assert answer.content.startswith("(demo model) ")


def test_models_of_every_provider_are_listed_with_their_capabilities(api: httpx2.Client) -> None:
    listed = ModelList.model_validate(api.get("/api/models/list").json())

    found = {model.id: "function-calling" in model.capabilities for model in listed.models if not model.configured}
    assert found == {
        "openai:demo": True,
        "openai:skill-60": True,
        "openai:skill-95": True,
        "ollama:demo:latest": True,
        "ollama:demo-text:latest": False,
        "gemini:demo": True,
        "anthropic:demo": True,
        "bedrock:demo": True,
    }
    assert {model.llm for model in listed.models if model.configured} == set(PROVIDER_TYPES)
    assert listed.errors == ()


def test_local_stack_lists_the_substitute_of_each_provider(layout: Layout) -> None:
    shown = flexchat("local", "up", "--config", str(layout.root / "config" / "examples" / "five-providers.json"))

    for provider in PROVIDER_TYPES:
        assert f"llm '{provider}': " in shown


def results(answer: ChatResponse) -> dict[str, Json]:
    return {call.tool: call.result.result for call in answer.tool_calls if isinstance(call.result, ToolSuccessView)}
