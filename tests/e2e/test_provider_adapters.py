"""Every adapter against the demo model over real HTTP: the wires meet here, and each is as strict as its provider's."""

import gc
import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDER_TYPES, ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError, ModelErrorType
from flexchat.messages import Completion, FinishReason, Json, Message, ToolOutput, assistant, system, user
from functions.chat.providers.anthropic.adapter import AnthropicProvider
from functions.chat.providers.base import ChatOptions, Provider
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.gemini.adapter import GeminiProvider
from functions.chat.providers.ollama.adapter import OllamaProvider
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.retry import RetryPolicy
from functions.chat.tools.registry import ToolRegistry
from tests.e2e.demo_server import demo_server

MODELS: Mapping[ProviderType, str] = {
    "openai": "gpt-4o-mini",
    "ollama": "qwen3:8b",
    "gemini": "gemini-3.8-flash",
    "anthropic": "claude-haiku-4-5",
    "bedrock": "us.anthropic.claude-haiku-4-5-20251001-v1:0",
}
BOTH = "What is 15% of 45, and the weather in Paris?"
SYSTEM = system("You are helpful.")
SECONDS = 20.0


def tool(name: str, parameter: str) -> ToolDefinition:
    return ToolDefinition(
        name=name,
        description=name,
        parameters={"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]},
        implementation={"type": "mock"},
    )


def success(result: Json) -> str:
    return json.dumps({"success": True, "result": result})


def failure(error: str) -> str:
    return json.dumps({"success": False, "error": error})


@cache
def adapter(type: ProviderType, address: str, retries: int) -> tuple[Provider, list[float]]:
    """An adapter, made once as in a function, and the waits that it writes down instead of waiting."""
    waits: list[float] = []
    retry = RetryPolicy(max_retries=retries, sleep=waits.append, random=lambda: 1.0)
    config = LlmConfig(
        type=type,
        base_url=f"{address}/v1" if type == "openai" else address,
        api_key=None if type == "bedrock" else "demo",
    )
    match type:
        case "openai":
            return OpenAIProvider("main", config, retry=retry), waits
        case "ollama":
            return OllamaProvider("main", config, retry=retry), waits
        case "gemini":
            return GeminiProvider("main", config, retry=retry), waits
        case "anthropic":
            return AnthropicProvider("main", config, retry=retry), waits
        case "bedrock":
            return BedrockProvider("main", config, retry=retry), waits


class Chat:
    """One adapter that talks to the demo model at `address`."""

    def __init__(self, type: ProviderType, address: str, *, retries: int = 0) -> None:
        self.type: ProviderType = type
        self.provider, self.waits = adapter(type, address, retries)
        self.waits.clear()
        self.registry = ToolRegistry()
        self.registry.register(tool("get_weather", "location"))
        self.registry.register(tool("calculate", "expression"))

    def ask(self, *messages: Message, tools: bool = True, seconds: float = SECONDS) -> Completion:
        offered = self.registry.to_provider_format(self.type) if tools else ()
        options = ChatOptions(deadline=Deadline.after(seconds), max_tokens=500, temperature=0.5, tools=offered)
        return self.provider.generate_chat(messages, MODELS[self.type], options)

    def fails(self, message: str, *, seconds: float = SECONDS) -> ModelError:
        with pytest.raises(ModelError) as caught:
            self.ask(user(message), seconds=seconds)
        return caught.value


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with demo_server(tmp_path_factory.mktemp("demo") / "demo.log") as url:
        yield url
    with warnings.catch_warnings():
        # An adapter lives as long as its function and is never closed, nor is what it keeps open.
        warnings.simplefilter("ignore", ResourceWarning)
        adapter.cache_clear()
        gc.collect()


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set credentials so that requests to Bedrock are signed; they reach the demo model only."""
    for name in ("AWS_PROFILE", "AWS_DEFAULT_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")


@pytest.fixture(params=PROVIDER_TYPES)
def chat(request: pytest.FixtureRequest, address: str) -> Chat:
    return Chat(request.param, address)


@pytest.fixture(params=PROVIDER_TYPES)
def patient(request: pytest.FixtureRequest, address: str) -> Chat:
    """An adapter that tries once more."""
    return Chat(request.param, address, retries=1)


def results(asked: Completion, say: Callable[[str], str]) -> Message:
    """The tools' answers, each what `say` makes of its call's arguments."""
    outputs = [
        ToolOutput(call.id, call.name, content, is_error='"success": false' in content)
        for call in asked.message.tool_calls
        for content in [say(str(call.arguments))]
    ]
    return Message("tool", tuple(outputs))


def asked_for(completion: Completion) -> list[tuple[str, Mapping[str, Json] | None]]:
    return [(call.name, call.arguments) for call in completion.message.tool_calls]


def test_adapter_returns_a_text_answer(chat: Chat) -> None:
    answer = chat.ask(SYSTEM, user("Hello!"), tools=False)

    assert answer.message.text.startswith("(demo model) Hello.")
    assert (answer.finish_reason, answer.model) == ("stop", MODELS[chat.type])
    assert answer.usage.input_tokens > 0
    assert answer.usage.output_tokens > 0


def test_parallel_calls_each_get_their_own_result(chat: Chat) -> None:
    question = user("What is 15% of 45, and the weather in Oslo, Rome and Bonn?")

    asked = chat.ask(SYSTEM, question)
    told = chat.ask(SYSTEM, question, asked.message, results(asked, success))

    assert asked.finish_reason == "tool_calls"
    assert asked_for(asked) == [
        ("calculate", {"expression": "15% of 45"}),
        *(("get_weather", {"location": place}) for place in ("Oslo", "Rome", "Bonn")),
    ]
    assert len({call.id for call in asked.message.tool_calls}) == 4
    assert told.finish_reason == "stop"
    for place in ("Oslo", "Rome", "Bonn"):
        assert f"The weather in {place}: {{'location': '{place}'}}." in told.message.text


def test_calls_in_three_successive_turns_have_unique_ids(chat: Chat) -> None:
    messages = [SYSTEM, user('[demo:call=calculate {"expression": "1+1"} times=3] go')]
    ids: list[str] = []

    for _ in range(3):
        asked = chat.ask(*messages)
        assert asked_for(asked) == [("calculate", {"expression": "1+1"})]
        ids += [call.id for call in asked.message.tool_calls]
        messages += [asked.message, results(asked, lambda _: success(2))]

    assert chat.ask(*messages).message.text.startswith("(demo model) calculate says: 2.")
    assert len(set(ids)) == 3


def test_tool_error_reaches_the_model_and_the_chat_continues(chat: Chat) -> None:
    asked = chat.ask(user("Weather in Oslo?"))

    told = chat.ask(user("Weather in Oslo?"), asked.message, results(asked, lambda _: failure("no such place")))

    assert told.message.text == "(demo model) I could not get the weather in Oslo: no such place."


def test_history_with_tool_calls_is_accepted(chat: Chat) -> None:
    messages = [SYSTEM, user(BOTH)]
    asked = chat.ask(*messages)
    messages += [asked.message, results(asked, success)]
    messages += [chat.ask(*messages).message, user("What is 2 + 2?")]

    assert asked_for(chat.ask(*messages)) == [("calculate", {"expression": "2 + 2"})]
    assert chat.ask(*messages, tools=False).message.text == "(demo model) 2 + 2 is 4."


def test_history_with_calls_of_tools_not_offered_is_accepted(chat: Chat) -> None:
    messages = [user('[demo:call=functions.get_weather {"location": "Rome"}] go')]
    asked = chat.ask(*messages)
    messages += [asked.message, results(asked, lambda _: failure("there is no such tool"))]

    assert asked_for(asked) == [("functions.get_weather", {"location": "Rome"})]
    assert "there is no such tool" in chat.ask(*messages).message.text


@pytest.mark.parametrize("second", PROVIDER_TYPES)
def test_provider_can_change_between_a_call_and_its_result(chat: Chat, second: ProviderType, address: str) -> None:
    asked = chat.ask(user("[demo:think] Weather in Oslo and Rome?"))

    told = Chat(second, address).ask(
        user("[demo:think] Weather in Oslo and Rome?"), asked.message, results(asked, success)
    )

    assert "The weather in Oslo: {'location': 'Oslo'}." in told.message.text


def test_signed_reasoning_is_returned_unchanged_in_every_step(chat: Chat) -> None:
    messages = [user('[demo:think] [demo:call=calculate {"expression": "1+1"} times=2] go')]

    for _ in range(2):
        asked = chat.ask(*messages)
        messages += [asked.message, results(asked, lambda _: success(2))]

    assert chat.ask(*messages).finish_reason == "stop"


@pytest.mark.parametrize(
    ("directive", "ends"),
    [
        ("length", {"length"}),
        ("refuse", {"refusal", "content_filter"}),
        ("empty", {"stop"}),
    ],
)
def test_incomplete_answer_has_the_matching_finish_reason(chat: Chat, directive: str, ends: set[FinishReason]) -> None:
    answer = chat.ask(user(f"[demo:{directive}] hi"))

    # To Ollama a refusal is a text like any other.
    assert answer.finish_reason in (ends if (chat.type, directive) != ("ollama", "refuse") else {"stop"})
    assert answer.message.tool_calls == ()


def test_invalid_json_arguments_create_no_executable_call(chat: Chat) -> None:
    answer = chat.ask(user("[demo:bad_json] hi"))

    assert all(not call.arguments for call in answer.message.tool_calls)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, "invalid_request"),
        (401, "authentication"),
        (403, "permission"),
        (404, "not_found"),
        (429, "rate_limit"),
        (500, "server_error"),
        (503, "overloaded"),
        (529, "overloaded"),
    ],
)
def test_provider_error_has_its_type_and_the_message_of_the_provider(
    chat: Chat, status: int, error: ModelErrorType
) -> None:
    failed = chat.fails(f"[demo:status={status}] hi")

    assert (failed.type, failed.message) == (error, f"(demo model) status {status} was asked for")


def test_rate_limited_request_is_retried_after_the_delay(patient: Chat) -> None:
    answer = patient.ask(user(f"[demo:status=429 retry_after=3 times=1] hi {patient.type}"))

    assert answer.finish_reason == "stop"
    # AWS names no delay: ours is the back-off's.
    assert patient.waits == [0.5 if patient.type == "bedrock" else 3.0]


def test_connection_closed_in_the_body_is_retried(patient: Chat) -> None:
    answer = patient.ask(user(f"[demo:cut times=1] hi {patient.type}"))

    assert answer.finish_reason == "stop"
    assert patient.waits == [0.5]


def test_repeatedly_closed_connection_is_a_network_error(chat: Chat) -> None:
    assert chat.fails("[demo:cut] hi").type == "network"


def test_body_without_json_is_an_invalid_response(chat: Chat) -> None:
    assert chat.fails("[demo:malformed] hi").type == "invalid_response"


def test_answer_after_the_deadline_is_a_timeout(chat: Chat) -> None:
    assert chat.fails("[demo:slow=5000] hi", seconds=0.5).type == "timeout"


def test_history_may_begin_with_an_assistant_message(chat: Chat) -> None:
    """Callers send whatever history they have."""
    answer = chat.ask(assistant("How can I help?"), user("Hello!"))

    assert answer.message.text.startswith("(demo model) Hello.")


def test_consecutive_user_messages_are_accepted(chat: Chat) -> None:
    answer = chat.ask(user("Good evening."), user("What is 2 + 2? Answer without tools."))

    assert "2 + 2 is 4." in answer.message.text
