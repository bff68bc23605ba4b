"""How a tool definition looks on each provider's wire (document 001, lines 83-108; decision C02)."""

from collections.abc import Callable, Mapping, Sequence

from flexchat.config.models import ProviderType, ToolDefinition
from flexchat.messages import Json

type ProviderTools = Sequence[Mapping[str, Json]]


def _function(tool: ToolDefinition) -> dict[str, Json]:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }


def _functions(tools: Sequence[ToolDefinition]) -> ProviderTools:
    return [_function(tool) for tool in tools]


def _gemini(tools: Sequence[ToolDefinition]) -> ProviderTools:
    """One wrapper with all declarations; `parametersJsonSchema` takes JSON Schema where `parameters` takes a subset."""
    if not tools:
        return []
    return [
        {
            "functionDeclarations": [
                {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}
                for tool in tools
            ]
        }
    ]


def _anthropic(tools: Sequence[ToolDefinition]) -> ProviderTools:
    return [{"name": tool.name, "description": tool.description, "input_schema": tool.parameters} for tool in tools]


def _bedrock(tools: Sequence[ToolDefinition]) -> ProviderTools:
    return [
        {"toolSpec": {"name": tool.name, "description": tool.description, "inputSchema": {"json": tool.parameters}}}
        for tool in tools
    ]


FORMATS: Mapping[ProviderType, Callable[[Sequence[ToolDefinition]], ProviderTools]] = {
    "openai": _functions,
    "ollama": _functions,
    "gemini": _gemini,
    "anthropic": _anthropic,
    "bedrock": _bedrock,
}
