"""Provider formats of tools (decision C02). Each format is data of its provider's package."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from flexchat.config.providers import ProviderType
from flexchat.messages import Json
from functions.chat.tools.schema_compiler import CompiledTool, Dialect, SchemaLoss

type ProviderTools = Sequence[Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class ToolFormat:
    """Format of one provider: its schema dialect, `entry` for one tool, and `payload` for the list of entries."""

    dialect: Dialect
    entry: Callable[[CompiledTool], dict[str, Json]]
    payload: Callable[[Sequence[dict[str, Json]]], ProviderTools] = list


@dataclass(frozen=True, slots=True)
class CompiledTools:
    """Tools in a provider's format, with the parts of their definitions that were lost."""

    payload: ProviderTools
    losses: tuple[SchemaLoss, ...]


def tool_format(provider: ProviderType) -> ToolFormat:
    """Return the `TOOL_FORMAT` of a provider's package."""
    return import_module(f"functions.chat.providers.{provider}.tools").TOOL_FORMAT


def function_entry(tool: CompiledTool) -> dict[str, Json]:
    """Return a tool as OpenAI and the APIs that follow it define it."""
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }
