"""Fields of log calls in the whole tree, compared with the keys that the logger writes itself."""

import ast
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents import ROOT

SOURCES = ("layers", "functions", "cli", "dev", "scripts")
LOG_METHODS = {
    "append_context_keys",
    "append_keys",
    "critical",
    "debug",
    "error",
    "exception",
    "info",
    "log",
    "warning",
}
RESERVED = {
    "cold_start",
    "function_arn",
    "function_memory_size",
    "function_name",
    "function_request_id",
    "level",
    "location",
    "message",
    "sampling_rate",
    "service",
    "timestamp",
    "xray_trace_id",
    *vars(logging.makeLogRecord({})),
} - {"exc_info", "stack_info"}
"""Keys of Powertools, which a field of the same name replaces, and of log records, which `logging` rejects."""


def reserved_fields(source: str) -> Iterator[tuple[int, str]]:
    """Return the line and the name of each reserved key that a log call of `source` passes as a field."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="logger" | "log"), attr=method), keywords=fields):
                if method in LOG_METHODS:
                    yield from ((field.value.lineno, field.arg) for field in fields if field.arg in RESERVED)
            case _:
                pass


def modules() -> list[Path]:
    return sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py"))


def test_no_log_call_passes_a_key_reserved_by_the_logger() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}: {field}"
        for path in modules()
        for line, field in reserved_fields(path.read_text(encoding="utf-8"))
    }

    assert found == set()


@pytest.mark.parametrize(
    ("call", "fields"),
    [
        ('logger.info("loaded", service="search")', ["service"]),
        ('logger.append_context_keys(function_name="chat", request_id="1")', ["function_name"]),
        ('logger.exception("failed", name="calculate", exc_info=error)', ["name"]),
        ('logger.info("loaded", rag_service="search")', []),
        ('retry.run(call, service="search")', []),
    ],
)
def test_reserved_keys_of_a_log_call_are_found(call: str, fields: list[str]) -> None:
    assert [field for _, field in reserved_fields(call)] == fields
