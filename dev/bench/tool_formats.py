"""Cost of many tools: their compilation for a provider, and model calls that offer them."""

import time
from collections.abc import Callable
from typing import Any

from dev.bench.tool_loop import MANY_TURNS, cpu_ms, engine, quiet
from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDER_TYPES, ProviderType
from functions.chat.tools.registry import ToolRegistry

TOOLS = 200
CACHED_CALLS = 10_000

_SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "What to look for", "minLength": 1, "maxLength": 500},
        "sort": {"type": "string", "enum": ["relevance", "date", "author"], "default": "relevance"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
        "range": {"$ref": "#/$defs/range"},
        "filters": {
            "type": "array",
            "items": {
                "oneOf": [
                    {"type": "object", "properties": {"kind": {"const": "tag"}, "tag": {"type": "string"}}},
                    {"type": "object", "properties": {"kind": {"const": "range"}, "range": {"$ref": "#/$defs/range"}}},
                ]
            },
        },
    },
    "required": ["query"],
    "additionalProperties": False,
    "$defs": {"range": {"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string"}}}},
}


def report() -> None:
    """Print the cost of compiling, and of model calls with few and with many tools."""
    quiet()
    print(f"\n{TOOLS} tools for a provider: compiled once, then looked up (CPU)")
    print(f"{'provider':<10} {'first, ms':>10} {'ms/tool':>8} {'again, us':>10}")
    for provider in PROVIDER_TYPES:
        first, again = _costs(provider)
        print(f"{provider:<10} {first * 1e3:>10.1f} {first * 1e3 / TOOLS:>8.3f} {again * 1e6:>10.2f}")
    print("\nA model call with many tools (20 turns, one tool call each; CPU ms per turn)")
    print(f"{'tools':>6} {'engine/turn':>12}")
    for tools in (1, 12, 50, TOOLS):
        print(f"{tools:>6} {cpu_ms(engine(MANY_TURNS, tools=tools)) / MANY_TURNS:>12.2f}")


def _costs(provider: ProviderType) -> tuple[float, float]:
    """Return the seconds of the first list of tools for `provider` in an environment, and of each later one."""
    registry = ToolRegistry()
    for number in range(TOOLS):
        registry.register(
            ToolDefinition(
                name=f"server/tool.{number}",
                description=f"Tool number {number}",
                parameters=_SCHEMA,
                implementation={"type": "mock"},
            )
        )
    offered = frozenset(tool.name for tool in registry.list())

    def once() -> object:
        return registry.to_provider_format(provider, offered)

    return _seconds(once, 1), _seconds(once, CACHED_CALLS)


def _seconds(work: Callable[[], object], times: int) -> float:
    started = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - started) / times
