"""Check of timeouts above the time limit of a tool type's function, which would end the call early."""

from collections.abc import Iterator, Sequence

from flexchat.config.models.configuration import Configuration
from flexchat.config.problems import path_of
from flexchat.errors import Problem
from flexchat.tool_types import TOOL_TYPES


def timeout_problems(configuration: Configuration, tool_positions: Sequence[int]) -> Iterator[Problem]:
    """Return an error for each timeout above its limit; `tool_positions` are the positions of the tools in the
    registry."""
    tools = configuration.tools
    for position, tool in zip(tool_positions, tools.registry, strict=True):
        if tool.timeout_ms is not None:
            path = f"tools.registry[{position}].implementation.timeout_ms"
            yield from _above(path, tool.timeout_ms, tool.implementation_type)
    kinds = {tool.implementation_type for tool in tools.registry if tool.timeout_ms is None}
    by_default = {kind for kind in kinds & TOOL_TYPES.keys() if TOOL_TYPES[kind].timeout_ms is None}
    lowest = min(by_default, key=lambda kind: TOOL_TYPES[kind].timeout_limit_ms, default="")
    yield from _above("tools.default_timeout_ms", tools.default_timeout_ms, lowest)
    searching = next(kind for kind, row in TOOL_TYPES.items() if row.searches_services)
    for name, service in configuration.rag_services.items():
        yield from _above(f"{path_of(('rag_services', name))}.timeout_ms", service.timeout_ms, searching)


def _above(path: str, timeout_ms: int, kind: str) -> Iterator[Problem]:
    limit = TOOL_TYPES[kind].timeout_limit_ms if kind in TOOL_TYPES else None
    if limit is not None and timeout_ms > limit:
        yield Problem(path, f"must be at most {limit}, the limit of the function of type {kind!r}; it is {timeout_ms}")
