"""Warnings of rules whose tools let injected instructions send private data out."""

from collections.abc import Iterator, Mapping
from typing import Final

from flexchat.config.models.configuration import Configuration
from flexchat.config.models.rules import ResponseRule
from flexchat.errors import Problem
from flexchat.tool_traits import is_lethal, server_traits, traits_of
from flexchat.tool_types import TOOL_TYPES, ToolTraits

MAX_NAMES: Final = 3
"""Tools that a warning names for each trait."""


def injection_problems(path: str, rule: ResponseRule, configuration: Configuration) -> Iterator[Problem]:
    """Warn of a rule at `path` whose tools read private data and untrusted content, and let data out, unhindered."""
    tools = configuration.tools
    if tools.injection_policy != "off" or not tools.enabled or rule.tools is None or not rule.tools.enabled:
        return
    offered = _offered(rule.tools.allowed_tools, configuration)
    if is_lethal(offered.values()):
        private = _names(name for name, traits in offered.items() if traits.reads_private)
        untrusted = _names(name for name, traits in offered.items() if traits.untrusted)
        outward = _names(name for name, traits in offered.items() if traits.egress or traits.writes)
        message = (
            f"instructions in untrusted content ({untrusted}) could make a model send private data ({private}) out "
            f"({outward}): set tools.injection_policy to 'approve' or 'block', or the traits of these tools, such as "
            "'reads_private': false"
        )
        yield Problem(f"{path}.tools", message, "warning")


def _offered(allowed: tuple[str, ...] | None, configuration: Configuration) -> Mapping[str, ToolTraits]:
    """Return the traits of the tools that a rule may offer; `server/*` for those of an MCP server that are not listed
    yet, which are all."""
    tools = configuration.tools
    found = {
        tool.name: traits_of(tool)
        for tool in tools.registry
        if tool.enabled and tool.implementation_type in TOOL_TYPES
        if tool.implementation_type not in tools.disabled_types
        if allowed is None or tool.name in allowed
    }
    if not configuration.mcp_servers or "mcp" in tools.disabled_types:
        return found
    from flexchat.config.models.mcp_servers import McpToolSettings

    for server, config in configuration.mcp_servers.items():
        if not config.enabled:
            continue
        names = (
            (f"{server}/*",) if allowed is None else tuple(name for name in allowed if name.startswith(f"{server}/"))
        )
        for name in names:
            settings = config.tool_settings.get(name.removeprefix(f"{server}/"), McpToolSettings())
            found.setdefault(name, server_traits(config, settings, reads_only=False))
    return found


def _names(names: Iterator[str]) -> str:
    several = list(names)
    more = len(several) - MAX_NAMES
    return ", ".join(several[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")
