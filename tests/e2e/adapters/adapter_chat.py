"""Chats with one adapter and the demo model."""

from collections.abc import Mapping
from functools import cache

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, user
from functions.chat.providers.anthropic.adapter import AnthropicProvider
from functions.chat.providers.base import ChatOptions, OnDelta, Provider
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.gemini.adapter import GeminiProvider
from functions.chat.providers.ollama.adapter import OllamaProvider
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.retry import RetryPolicy
from functions.chat.tools.registry import ToolRegistry
from tests.contract.streamed_wire import StreamingProvider

MODELS: Mapping[ProviderType, str] = {
    "openai": "gpt-4o-mini",
    "ollama": "qwen3:8b",
    "gemini": "gemini-3.8-flash",
    "anthropic": "claude-haiku-4-5",
    "bedrock": "us.anthropic.claude-haiku-4-5-20251001-v1:0",
}
SECONDS = 20.0
LOCAL = EgressPolicy(local=True)


def tool(name: str, parameter: str) -> ToolDefinition:
    return ToolDefinition(
        name=name,
        description=name,
        parameters={"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]},
        implementation={"type": "mock"},
    )


@cache
def adapter(type: ProviderType, address: str, retries: int) -> tuple[Provider, list[float]]:
    """Return an adapter, cached as in a function, and the list of its recorded waits."""
    waits: list[float] = []
    retry = RetryPolicy(max_retries=retries, sleep=waits.append, random=lambda: 1.0)
    config = LlmConfig(
        type=type,
        base_url=f"{address}/v1" if type == "openai" else address,
        api_key=None if type == "bedrock" else "demo",
    )
    match type:
        case "openai":
            return OpenAIProvider("main", config, retry=retry, egress=LOCAL), waits
        case "ollama":
            return OllamaProvider("main", config, retry=retry, egress=LOCAL), waits
        case "gemini":
            return GeminiProvider("main", config, retry=retry, egress=LOCAL), waits
        case "anthropic":
            return AnthropicProvider("main", config, retry=retry, egress=LOCAL), waits
        case "bedrock":
            return BedrockProvider("main", config, retry=retry, egress=LOCAL), waits


class Chat:
    """Chat of one adapter with the demo model at `address`."""

    def __init__(self, type: ProviderType, address: str, *, retries: int = 0) -> None:
        self.type: ProviderType = type
        self.provider, self.waits = adapter(type, address, retries)
        self.waits.clear()
        self.registry = ToolRegistry()
        self.registry.register(tool("get_weather", "location"))
        self.registry.register(tool("calculate", "expression"))

    def send_chat(self, *messages: Message, tools: bool = True, seconds: float = SECONDS) -> Completion:
        offered = self.registry.to_provider_format(self.type) if tools else ()
        options = ChatOptions(deadline=Deadline.after(seconds), max_tokens=500, temperature=0.5, tools=offered)
        return self.provider.generate_chat(messages, MODELS[self.type], options)

    def stream_chat(
        self, *messages: Message, tools: bool = True, on_delta: OnDelta | None = None, seconds: float = SECONDS
    ) -> Completion:
        """Return a streamed completion, whose deltas are those of its text and its calls."""
        offered = self.registry.to_provider_format(self.type) if tools else ()
        options = ChatOptions(deadline=Deadline.after(seconds), max_tokens=500, temperature=0.5, tools=offered)
        return StreamingProvider(self.provider).generate_chat(messages, MODELS[self.type], options, on_delta)

    def fails(self, message: str, *, seconds: float = SECONDS) -> ModelError:
        with pytest.raises(ModelError) as caught:
            self.send_chat(user(message), seconds=seconds)
        return caught.value
