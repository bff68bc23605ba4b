"""How compiled tools look on each provider's wire (decision C02)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flexchat.config.providers import ProviderType
from flexchat.messages import Json
from functions.chat.tools.schema_compiler import CompiledTool, Loss

type ProviderTools = Sequence[Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class CompiledTools:
    """Some tools as one provider takes them, and what was lost.

    `payload` is the same object every time, and so is each tool in it: adapters keep what they serialised by identity.
    """

    payload: ProviderTools
    losses: tuple[Loss, ...]


def _function(tool: CompiledTool) -> dict[str, Json]:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }


def _declaration(tool: CompiledTool) -> dict[str, Json]:
    """`parametersJsonSchema` takes JSON Schema where `parameters` takes a small subset of it."""
    return {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}


def _anthropic(tool: CompiledTool) -> dict[str, Json]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def _bedrock(tool: CompiledTool) -> dict[str, Json]:
    schema: dict[str, Json] = {"json": tool.parameters}
    return {"toolSpec": {"name": tool.name, "description": tool.description, "inputSchema": schema}}


ENTRIES: Mapping[ProviderType, Callable[[CompiledTool], dict[str, Json]]] = {
    "openai": _function,
    "ollama": _function,
    "gemini": _declaration,
    "anthropic": _anthropic,
    "bedrock": _bedrock,
}
"""One tool in a provider's list."""


def payload_of(provider: ProviderType, entries: Sequence[dict[str, Json]]) -> ProviderTools:
    """The list a provider takes: Gemini's is one wrapper with all declarations."""
    if provider == "gemini" and entries:
        return [{"functionDeclarations": [*entries]}]
    return entries
