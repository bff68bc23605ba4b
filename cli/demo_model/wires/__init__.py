"""The providers' wires the demo model speaks, one module a wire."""

from cli.demo_model.wires.anthropic import AnthropicWire
from cli.demo_model.wires.base import Wire
from cli.demo_model.wires.bedrock import BedrockWire
from cli.demo_model.wires.gemini import GeminiWire
from cli.demo_model.wires.ollama import OllamaWire
from cli.demo_model.wires.openai import OpenAIWire


def every_wire() -> tuple[Wire, ...]:
    """All of them; Anthropic's before OpenAI's, as they share a path that only a header tells apart."""
    return (AnthropicWire(), OpenAIWire(), OllamaWire(), GeminiWire(), BedrockWire())
