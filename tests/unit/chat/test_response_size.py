"""Truncation of tool call records to Lambda's response limit."""

import json
from typing import Any

import pytest

from flexchat.messages import Json
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.response import MIN_CALL_BYTES, call_record, fitted_calls, payload_bytes

ROOM = 250_000


def record(result: Json, *, params: Any = None, error: str | None = None, reasons: int = 0) -> dict[str, Json]:
    outcome = ToolResult(
        success=error is None,
        tool_name="t",
        execution_time_ms=4,
        result=result,
        error=error,
        error_type="execution_failed" if error else None,
        validation_errors=("no",) * reasons,
    )
    execution = ToolExecution(tool="t", params=params or {}, result=outcome, iteration=1, call_id="c")
    return call_record(execution)


def proxied(value: object) -> int:
    """The bytes of a proxy response with `value` as its body, as Lambda writes it."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(json.dumps({"body": body}, ensure_ascii=False, separators=(",", ":")).encode())


SCRIPTS = ["a", "ü", "天", "👋", '"', "\\", "\n", "\u0001", "天\u0001a"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_payload_size_is_the_bytes_returned_by_lambda(script: str) -> None:
    assert payload_bytes(script * 1_000) == proxied(script * 1_000) - len('{"body":}')


@pytest.mark.parametrize("script", SCRIPTS)
def test_large_results_of_every_script_are_within_the_limit_together(script: str) -> None:
    calls = [record(script * 200_000), record({"text": script * 200_000}), record("small")]

    fitted = fitted_calls(calls, ROOM)

    assert ROOM // 2 < payload_bytes([*fitted]) <= ROOM + 10
    assert fitted[2] == calls[2]
    for call in fitted[:2]:
        result: Any = call["result"]
        assert result["truncated"] is True
        assert "characters left out" in result["result"]


def test_calls_within_the_limit_are_unchanged() -> None:
    calls = [record({"n": number, "text": "天" * 1_000}) for number in range(50)]

    assert fitted_calls(calls, ROOM) == calls


def test_the_largest_results_are_truncated_first() -> None:
    small, large = [record("s" * 1_000) for _ in range(20)], record("l" * 250_000)

    fitted = fitted_calls([*small, large], 100_000)

    assert fitted[:20] == small
    assert payload_bytes([*fitted]) <= 100_010


def test_large_arguments_and_errors_are_truncated_to_texts() -> None:
    calls = [
        record("r" * 250_000, params={"a": "p" * 900_000}),
        record(None, params="{" * 900_000, error="e" * 900_000, reasons=1_000),
    ]

    first, second = fitted_calls(calls, 200_000)

    assert payload_bytes([first, second]) <= 200_010
    failure: Any = second["result"]
    assert all("characters left out" in str(text) for text in (first["params"], second["params"], failure["error"]))
    assert (failure["success"], failure["error_type"], "truncated" in failure) == (False, "execution_failed", False)


def test_each_call_has_a_minimum_size() -> None:
    calls = [record("x" * 50_000) for _ in range(10)]

    fitted = fitted_calls(calls, -5)

    assert all(MIN_CALL_BYTES // 2 < payload_bytes(call) <= MIN_CALL_BYTES for call in fitted)


def test_text_without_space_is_only_a_marker() -> None:
    call = {**record("x" * 50_000), "call_id": "c" * 2_000}

    [fitted] = fitted_calls([call], 0)

    result: Any = fitted["result"]
    assert (result["result"], result["truncated"]) == ("… [50000 characters left out] …", True)
