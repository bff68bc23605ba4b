"""Tool definitions of a configuration as each provider receives them, compiled without a request."""

from collections.abc import Sequence
from dataclasses import dataclass

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDER_TYPES, ProviderType
from flexchat.config.suggestions import known_names
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.schema import check_schema
from functions.chat.tools.formats import ProviderTools, WireNames, tool_format
from functions.chat.tools.schema_compiler import SchemaLoss, compile_tool


@dataclass(frozen=True, slots=True)
class SentTool:
    """One tool in the format of one provider, with its losses."""

    tool: str
    provider: ProviderType
    sent: ProviderTools
    losses: tuple[SchemaLoss, ...]

    def count(self, action: str) -> int:
        return sum(loss.action == action for loss in self.losses)

    def as_json(self) -> dict[str, Json]:
        losses: list[Json] = [
            {"path": loss.path, "keyword": loss.keyword, "action": loss.action, "why": loss.why} for loss in self.losses
        ]
        return {
            "tool": self.tool,
            "provider": self.provider,
            "sent": [dict(entry) for entry in self.sent],
            "losses": losses,
        }


def sent_tools(
    tools: Sequence[ToolDefinition], *, name: str | None = None, provider: ProviderType | None = None
) -> tuple[SentTool, ...]:
    """Return the tools, or the one called `name`, for every provider, or for one; without those that no provider
    receives.

    Raises ConfigError when there is no tool called `name`, or it is never sent.
    """
    if name is not None:
        _check(tools, name)
    names = WireNames(tool.name for tool in tools)
    return tuple(
        _sent(tool, wire_name=names.wire_name(tool.name), provider=kind)
        for tool in tools
        if name in (None, tool.name) and not check_schema(tool.parameters)
        for kind in PROVIDER_TYPES
        if provider in (None, kind)
    )


def schema_problems(tools: Sequence[ToolDefinition]) -> tuple[Problem, ...]:
    """Return the problems of tools that no provider receives."""
    return tuple(
        Problem(f"{tool.name}.parameters", problem) for tool in tools for problem in check_schema(tool.parameters)
    )


def _check(tools: Sequence[ToolDefinition], name: str) -> None:
    chosen = [tool for tool in tools if tool.name == name]
    if not chosen:
        known = known_names(name, [tool.name for tool in tools])
        raise ConfigError((Problem("tools.registry", f"no tool named {name!r}; the tools are {known}"),))
    if problems := schema_problems(chosen):
        raise ConfigError(problems)


def _sent(tool: ToolDefinition, *, wire_name: str, provider: ProviderType) -> SentTool:
    wanted = tool_format(provider)
    compiled = compile_tool(tool, wanted.dialect, wire_name=wire_name)
    return SentTool(tool.name, provider, wanted.payload([wanted.entry(compiled)]), compiled.losses)
