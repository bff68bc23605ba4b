"""The providers' wires the demo model speaks, one module a wire."""

from dev.demo_model.protocols.anthropic import AnthropicWire
from dev.demo_model.protocols.base import Wire
from dev.demo_model.protocols.bedrock import BedrockWire
from dev.demo_model.protocols.gemini import GeminiWire
from dev.demo_model.protocols.ollama import OllamaWire
from dev.demo_model.protocols.openai import OpenAIWire


def every_wire() -> tuple[Wire, ...]:
    """All of them; Anthropic's before OpenAI's, as they share a path that only a header tells apart."""
    return (AnthropicWire(), OpenAIWire(), OllamaWire(), GeminiWire(), BedrockWire())
