"""Snapshot of the streaming function: the real runtime loop and chat function, with a simulated restore."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from dev.bench.cold_start import environment, serving
from tests.template.transform import ROOT

PROGRAM = "tests.functional.streaming_runtime.restored_chat"


@pytest.fixture(scope="module")
def restored() -> list[dict[str, Any]]:
    """Return the findings about two environments of one snapshot, each after its first streamed chat."""
    event = json.loads((ROOT / "events/chat-http.json").read_text("utf-8"))
    event["headers"] |= {"Accept": "text/event-stream"}
    event["multiValueHeaders"] = {name: [value] for name, value in event["headers"].items()}
    event["body"] = json.dumps({"message": "Look for the key."})
    with serving("openai") as endpoint:
        variables = environment(endpoint) | {
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "layers/common/src")))
        }
        command = [sys.executable, "-m", PROGRAM, json.dumps(event)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=variables)  # noqa: S603
    assert done.stderr == ""
    return [found for line in done.stdout.splitlines() if "connections" in (found := json.loads(line))]


@pytest.mark.slow
def test_the_first_streamed_chat_after_a_restore_is_answered_and_imports_nothing(
    restored: list[dict[str, Any]],
) -> None:
    assert [(found["events"][0], found["events"][-1]) for found in restored] == [("accepted", "answer")] * 2
    assert [found["imported"] for found in restored] == [[], []]


@pytest.mark.slow
def test_the_snapshot_of_the_streaming_function_has_no_open_connection(restored: list[dict[str, Any]]) -> None:
    assert [found["connections"] for found in restored] == [[], []]


@pytest.mark.slow
def test_environments_of_one_snapshot_of_the_streaming_function_have_different_random_numbers(
    restored: list[dict[str, Any]],
) -> None:
    first, second = (found["random"] for found in restored)

    assert first != second
