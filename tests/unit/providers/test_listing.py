"""Lists of models of each provider."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from functions.chat.providers.anthropic.adapter import AnthropicProvider
from functions.chat.providers.base import ListedModel, Provider, is_chat_model
from functions.chat.providers.gemini.adapter import GeminiProvider
from functions.chat.providers.ollama.adapter import OllamaProvider
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.retry import RetryPolicy

KEY = "k-1234567890"
ONCE = RetryPolicy(max_retries=0)

type Answer = Callable[[str, str, Mapping[str, str], bytes], tuple[int, Any]]
"""From method, path with query, headers and body of a request to the status and the JSON of its answer."""


def provider_of(type: ProviderType, answer: Answer) -> Provider:
    """Adapter with a server that returns `answer`."""
    config = LlmConfig(type=type, api_key=KEY)

    def respond(request: httpx2.Request) -> httpx2.Response:
        status, body = answer(request.method, request.url.raw_path.decode(), request.headers, request.content)
        return httpx2.Response(status, json=body)

    transport = httpx2.MockTransport(respond)
    match type:
        case "openai":
            return OpenAIProvider("main", config, retry=ONCE, transport=transport)
        case "ollama":
            return OllamaProvider("main", config, retry=ONCE, transport=transport)
        case "gemini":
            return GeminiProvider("main", config, retry=ONCE, transport=transport)
        case _:
            return AnthropicProvider("main", config, retry=ONCE, transport=transport)


def always(status: int, body: Any) -> Answer:
    def answer(method: str, path: str, headers: Mapping[str, str], content: bytes) -> tuple[int, Any]:
        return status, body

    return answer


def listed(type: ProviderType, body: Any, path: str) -> list[ListedModel]:
    """The models in `body`, returned by the server for a GET of `path` with the key in a header."""

    def answer(method: str, requested_path: str, headers: Mapping[str, str], _body: bytes) -> tuple[int, Any]:
        assert (method, requested_path) == ("GET", path)
        assert any(KEY in value for value in headers.values())
        assert KEY not in requested_path
        return 200, body

    return list(provider_of(type, answer).list_models(Deadline.after(5)))


def test_openai_models_are_filtered_by_name() -> None:
    body = {"object": "list", "data": [{"id": "gpt-4o", "owned_by": "system"}, {"id": "text-embedding-3-small"}]}

    assert listed("openai", body, "/v1/models") == [ListedModel("gpt-4o")]


def test_compatible_servers_list_capabilities() -> None:
    models: list[Mapping[str, Any]] = [
        {"id": "a/tools", "supported_parameters": ["tools", "reasoning"], "context_length": 1000},
        {"id": "b/none", "supported_parameters": ()},
        {"id": "vllm", "max_model_len": 2000},
        {"id": "mistral", "max_context_length": 3000, "capabilities": {"function_calling": True}},
        {"id": "llama.cpp", "meta": {"n_ctx": 4000, "n_ctx_train": 5000}},
        {"id": "llama.cpp unloaded", "meta": None, "capabilities": ["completion"]},
    ]

    assert listed("openai", {"data": models}, "/v1/models") == [
        ListedModel("a/tools", tools=True, reasoning=True, context_window=1000),
        ListedModel("b/none", tools=False, reasoning=False),
        ListedModel("vllm", context_window=2000),
        ListedModel("mistral", tools=True, context_window=3000),
        ListedModel("llama.cpp", context_window=4000),
        ListedModel("llama.cpp unloaded"),
    ]


def test_a_list_without_an_object_around_it_is_read() -> None:
    # https://docs.together.ai/reference/models
    models = [
        {"id": "openai/gpt-oss-20b", "object": "model", "type": "chat", "context_length": 131_072},
        {"id": "vendor/pictures", "object": "model", "type": "image"},
    ]

    assert listed("openai", models, "/v1/models") == [ListedModel("openai/gpt-oss-20b", context_window=131_072)]


def test_models_that_a_server_marks_for_another_purpose_are_left_out() -> None:
    models = [
        {"id": "reads-pages", "capabilities": {"completion_chat": False, "function_calling": False}},
        {"id": "mistral", "capabilities": {"completion_chat": True, "function_calling": False}},
        {"id": "sorter", "type": "rerank"},
        {"id": "other", "type": ["unknown"]},
    ]

    assert listed("openai", {"data": models}, "/v1/models") == [
        ListedModel("mistral", tools=False),
        ListedModel("other"),
    ]


def test_anthropic_models_are_listed_by_name() -> None:
    body = {
        "data": [
            {"type": "model", "id": "claude-sonnet-4-5", "display_name": "Claude"},
            {"type": "model", "id": "claude-opus-5", "max_input_tokens": 1_000_000},
        ],
        "has_more": False,
    }

    assert listed("anthropic", body, "/v1/models?limit=1000") == [
        ListedModel("claude-sonnet-4-5"),
        ListedModel("claude-opus-5", context_window=1_000_000),
    ]


def test_only_text_generating_gemini_models_are_listed() -> None:
    def model(name: str, *methods: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "supportedGenerationMethods": methods, **more}

    body = {
        "models": [
            model("models/gemini-2.5-pro", "generateContent", inputTokenLimit=1_048_576, thinking=True),
            model("models/gemma-3-4b-it", "generateContent"),
            model("models/gemini-2.5-flash-image", "generateContent"),
            model("models/gemini-embedding-001", "embedContent"),
            {"supportedGenerationMethods": ["generateContent"]},
        ]
    }

    assert listed("gemini", body, "/v1beta/models?pageSize=1000") == [
        ListedModel("gemini-2.5-pro", reasoning=True, context_window=1_048_576),
        ListedModel("gemma-3-4b-it"),
    ]


SHOWN: Mapping[str, Any] = {
    "qwen3:8b": {
        "capabilities": ["completion", "tools", "thinking"],
        "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40_960},
    },
    "gemma3:4b": {"capabilities": ["completion", "vision"], "model_info": {"gemma3.context_length": None}},
    "nomic-embed-text:latest": {"capabilities": ["embedding"]},
    "older:1b": {"details": {}},
}


def ollama(method: str, path: str, headers: Mapping[str, str], body: bytes) -> tuple[int, Any]:
    if (method, path) == ("GET", "/api/tags"):
        return 200, {"models": [{"name": name, "size": 1} for name in (*SHOWN, "gone:1b")]}
    assert (method, path) == ("POST", "/api/show")
    name = json.loads(body)["model"]
    return (200, SHOWN[name]) if name in SHOWN else (404, {"error": f"model '{name}' not found"})


def test_ollama_is_queried_for_the_capabilities_of_each_model() -> None:
    models = provider_of("ollama", ollama).list_models(Deadline.after(5))

    assert list(models) == [
        ListedModel("qwen3:8b", tools=True, reasoning=True, vision=False, context_window=40_960),
        ListedModel("gemma3:4b", tools=False, reasoning=False, vision=True),
        ListedModel("older:1b"),
        ListedModel("gone:1b"),
    ]


def test_an_ollama_without_models_lists_none() -> None:
    assert listed("ollama", {"models": None}, "/api/tags") == []


@pytest.mark.parametrize("type", ["openai", "ollama", "gemini", "anthropic"])
def test_a_refused_key_is_an_authentication_error_that_does_not_show_it(type: ProviderType) -> None:
    provider = provider_of(type, always(401, {"error": {"message": f"bad key {KEY}"}}))

    with pytest.raises(ModelError) as caught:
        provider.list_models(Deadline.after(5))

    assert (caught.value.type, caught.value.provider) == ("authentication", "main")
    assert KEY not in caught.value.message


@pytest.mark.parametrize("type", ["openai", "ollama", "gemini", "anthropic"])
def test_a_malformed_list_is_an_invalid_response(type: ProviderType) -> None:
    provider = provider_of(type, always(200, ["models"]))

    with pytest.raises(ModelError) as caught:
        provider.list_models(Deadline.after(5))

    assert caught.value.type == "invalid_response"


@pytest.mark.parametrize(
    "name",
    [
        "gpt-4o",
        "o3-mini",
        "chatgpt-4o-latest",
        "gpt-3.5-turbo",
        "gemini-2.5-flash",
        "models/gemma-3-27b-it",
        "meta-llama/Llama-3.3-70B-Instruct",
        "qwen2.5-coder",
        "gemini-olive",
    ],
)
def test_names_of_chat_models_are_accepted(name: str) -> None:
    assert is_chat_model(name)


@pytest.mark.parametrize(
    "name",
    [
        "text-embedding-3-large",
        "whisper-1",
        "tts-1-hd",
        "gpt-4o-mini-tts",
        "gpt-4o-transcribe",
        "gpt-4o-audio-preview",
        "gpt-realtime",
        "dall-e-3",
        "gpt-image-1",
        "omni-moderation-latest",
        "sora-2",
        "davinci-002",
        "gpt-3.5-turbo-instruct",
        "o3-deep-research",
        "computer-use-preview",
        "models/imagen-4.0-generate-001",
        "models/veo-3.0-generate-001",
        "models/gemini-2.5-flash-preview-tts",
        "models/gemini-2.5-flash-live",
        "models/aqa",
    ],
)
def test_names_of_other_models_are_rejected(name: str) -> None:
    assert not is_chat_model(name)
