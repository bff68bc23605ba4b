"""Clients of all protocols of the demo model."""

from typing import Any

import pytest

from tests.unit.dev.demo_model.clients import Anthropic, Bedrock, Gemini, Ollama, OpenAI, ProtocolClient

CLIENTS: tuple[ProtocolClient, ...] = (OpenAI(), Ollama(), Gemini(), Anthropic(), Bedrock())


def one(**each: Any) -> list[Any]:
    """Return one pytest parameter for each protocol."""
    return [pytest.param(client, each[type(client).__name__], id=type(client).__name__) for client in CLIENTS]
