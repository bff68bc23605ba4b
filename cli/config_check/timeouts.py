"""Check of timeouts above the time limit of a tool type's function, which would end the call early."""

from collections.abc import Iterator, Sequence

from flexchat.config.models.configuration import Configuration
from flexchat.config.problems import path_of
from flexchat.errors import Problem
from flexchat.tools import TIMEOUT_LIMITS_MS

SEARCHED_BY = "internal"
"""Tool type whose function searches every RAG service."""


def timeout_problems(configuration: Configuration, tool_positions: Sequence[int]) -> Iterator[Problem]:
    """Return an error for each timeout above its limit; `tool_positions` are the positions of the tools in the
    registry."""
    tools = configuration.tools
    for position, tool in zip(tool_positions, tools.registry, strict=True):
        if tool.timeout_ms is not None:
            path = f"tools.registry[{position}].implementation.timeout_ms"
            yield from _above(path, tool.timeout_ms, tool.implementation_type)
    by_default = {tool.implementation_type for tool in tools.registry if tool.timeout_ms is None}
    lowest = min(by_default & TIMEOUT_LIMITS_MS.keys(), key=lambda kind: TIMEOUT_LIMITS_MS[kind], default="")
    yield from _above("tools.default_timeout_ms", tools.default_timeout_ms, lowest)
    for name, service in configuration.rag_services.items():
        yield from _above(f"{path_of(('rag_services', name))}.timeout_ms", service.timeout_ms, SEARCHED_BY)


def _above(path: str, timeout_ms: int, kind: str) -> Iterator[Problem]:
    limit = TIMEOUT_LIMITS_MS.get(kind)
    if limit is not None and timeout_ms > limit:
        yield Problem(path, f"must be at most {limit}, the limit of the function of type {kind!r}; it is {timeout_ms}")
