"""Timeouts above the time limit of a tool type's function."""

from collections.abc import Mapping

import pytest

from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import problem_lines, source, tool


def errors(document: Mapping[str, Json]) -> list[str]:
    return problem_lines(check_source(document, {})[1])


def with_tools(*implementations: Json, **settings: Json) -> dict[str, Json]:
    tools: list[Json] = [tool(f"t{place}", implementation=part) for place, part in enumerate(implementations)]
    return source(tools={"enabled": True, **settings, "registry": tools})


@pytest.mark.parametrize("kind", TOOL_TYPES)
def test_a_timeout_above_the_limit_of_the_tool_function_is_rejected_with_the_limit(kind: str) -> None:
    limit = TOOL_TYPES[kind].timeout_limit_ms

    document = with_tools({"type": kind, "timeout_ms": limit}, {"type": kind, "timeout_ms": limit + 1})

    message_text = f"must be at most {limit}, the limit of the function of type {kind!r}; it is {limit + 1}"
    assert errors(document) == [f"tools.registry[1].implementation.timeout_ms: {message_text}"]


def test_a_default_timeout_above_the_limit_is_rejected_if_a_tool_uses_it() -> None:
    takes_it = with_tools({"type": "mock"}, default_timeout_ms=60_001)
    has_its_own = with_tools({"type": "mock", "timeout_ms": 5_000}, default_timeout_ms=60_001)

    assert errors(takes_it) == [
        "tools.default_timeout_ms: must be at most 60000, the limit of the function of type 'mock'; it is 60001"
    ]
    assert errors(has_its_own) == []


def test_a_timeout_of_a_rag_service_above_the_limit_of_its_function_is_rejected() -> None:
    document = source(rag_services={"kb": {"timeout_ms": 90_000}})

    assert errors(document) == [
        "rag_services.kb.timeout_ms: must be at most 60000, the limit of the function of type 'internal'; it is 90000"
    ]


def test_a_type_with_an_unknown_function_has_no_limit() -> None:
    assert errors(with_tools({"type": "other", "timeout_ms": 900_000}, default_timeout_ms=900_000)) == [
        "tools.registry[0].implementation.type: no tool type 'other'"
    ]
