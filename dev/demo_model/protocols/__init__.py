"""Provider protocols of the demo model, one module each."""

from dev.demo_model.protocols.anthropic import AnthropicProtocol
from dev.demo_model.protocols.base import ProviderProtocol
from dev.demo_model.protocols.bedrock import BedrockProtocol
from dev.demo_model.protocols.gemini import GeminiProtocol
from dev.demo_model.protocols.ollama import OllamaProtocol
from dev.demo_model.protocols.openai import OpenAIProtocol


def all_protocols() -> tuple[ProviderProtocol, ...]:
    """All protocols; Anthropic's before OpenAI's, since they share a path and differ in a header."""
    return (AnthropicProtocol(), OpenAIProtocol(), OllamaProtocol(), GeminiProtocol(), BedrockProtocol())
