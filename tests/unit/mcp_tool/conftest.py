"""Servers in memory, a manual clock and the log of a test."""

import json
from collections.abc import Callable
from typing import Any

import pytest

type Logged = Callable[[str], list[dict[str, Any]]]


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Logged:
    """Return the fields of all lines with an event, each call from the beginning of the test."""
    read: list[dict[str, Any]] = []
    standard = ("level", "location", "timestamp", "service", "message", "request_id", "xray_trace_id", "taskName")

    def lines(event: str) -> list[dict[str, Any]]:
        read.extend(json.loads(line) for line in capsys.readouterr().out.splitlines())
        found = [line for line in read if line.get("message") == event]
        return [{name: value for name, value in line.items() if name not in standard} for line in found]

    return lines
