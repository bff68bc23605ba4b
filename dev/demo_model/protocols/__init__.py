"""The providers' wires the demo model speaks, one module a wire."""

from dev.demo_model.protocols.anthropic import AnthropicProtocol
from dev.demo_model.protocols.base import ProviderProtocol
from dev.demo_model.protocols.bedrock import BedrockProtocol
from dev.demo_model.protocols.gemini import GeminiProtocol
from dev.demo_model.protocols.ollama import OllamaProtocol
from dev.demo_model.protocols.openai import OpenAIProtocol


def all_protocols() -> tuple[ProviderProtocol, ...]:
    """All of them; Anthropic's before OpenAI's, as they share a path that only a header tells apart."""
    return (AnthropicProtocol(), OpenAIProtocol(), OllamaProtocol(), GeminiProtocol(), BedrockProtocol())
