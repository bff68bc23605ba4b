"""Tools of three public MCP servers, and the expected losses of their schemas by provider.

`python -m tests.contract.mcp_tools` writes the expected losses; review the difference before committing it.
"""

import json
from pathlib import Path
from typing import Any

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDER_TYPES
from functions.chat.tools.registry import ToolRegistry

FOLDER = Path(__file__).parent.parent / "data" / "mcp-tools"
EXPECTED_LOSSES = FOLDER / "losses.json"
SERVERS = ("everything", "filesystem", "memory")

type Losses = dict[str, dict[str, list[str]]]
"""By provider and tool, each loss as one line."""


def mcp_tools() -> list[ToolDefinition]:
    """Every tool as its server lists it."""
    return [
        ToolDefinition(
            name=tool["name"],
            description=tool["description"],
            parameters=tool["inputSchema"],
            implementation={"type": "mcp"},
        )
        for server in SERVERS
        for tool in _listed(server)
    ]


def mcp_registry() -> ToolRegistry:
    registry = ToolRegistry()
    for tool in mcp_tools():
        registry.register(tool)
    return registry


def losses(registry: ToolRegistry) -> Losses:
    """Return the losses of the tools in `registry`, for every provider."""
    found: Losses = {}
    for provider in PROVIDER_TYPES:
        for loss in registry.compiled(provider).losses:
            lines = found.setdefault(provider, {}).setdefault(loss.tool, [])
            lines.append(f"{loss.action} {loss.path} {loss.keyword}: {loss.why}")
    return found


def expected_losses() -> Losses:
    return json.loads(EXPECTED_LOSSES.read_text(encoding="utf-8"))


def _listed(server: str) -> list[dict[str, Any]]:
    return json.loads((FOLDER / f"{server}.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    EXPECTED_LOSSES.write_text(json.dumps(losses(mcp_registry()), indent=2) + "\n", encoding="utf-8")
