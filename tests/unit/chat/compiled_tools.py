"""Tools compiled for one provider."""

from typing import Any

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import ProviderType
from functions.chat.tools.formats import tool_format
from functions.chat.tools.schema_compiler import CompiledTool, SchemaLoss, compile_tool

MOVED = "moved to the description"
TEXT: dict[str, Any] = {"type": "string"}


def compiled(parameters: dict[str, Any], provider: ProviderType, *, description: str = "T") -> CompiledTool:
    tool = ToolDefinition(
        name="t", description=description, parameters=parameters, implementation={"type": "mock", "note": "unread"}
    )
    return compile_tool(tool, tool_format(provider).dialect, wire_name="t")


def schema_with(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def at(path: str, keyword: str, action: Any, why: str) -> SchemaLoss:
    return SchemaLoss("t", f"parameters.{path}" if path else "parameters", keyword, action, why)


def only(provider: ProviderType, parameter: Any) -> tuple[Any, list[tuple[str, str, str]]]:
    """Return one compiled parameter `x`, with its losses as (keyword, action, why)."""
    tool = compiled(schema_with(x=parameter), provider)
    losses = [(loss.keyword, loss.action, loss.why) for loss in tool.losses]
    return tool.parameters["properties"]["x"], losses  # type: ignore[index,call-overload] # an object in this test
