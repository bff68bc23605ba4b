"""Tool results for the model and the caller."""

import json
from typing import Any

import pytest

from flexchat.errors import ToolErrorType
from flexchat.messages import Usage
from flexchat.text import truncate_middle
from flexchat.tools import ToolResult
from functions.chat.tools.results import ResultFormat, ResultRendering, bounded_envelope


def success(result: Any) -> ToolResult:
    return ToolResult(success=True, tool_name="t", execution_time_ms=4, result=result)


def refusal(kind: ToolErrorType) -> ToolResult:
    return ToolResult(success=False, tool_name="x", execution_time_ms=0, error="no", error_type=kind)


FAILURE = ToolResult(success=False, tool_name="t", execution_time_ms=4, error="no", error_type="execution_failed")


def rendering(form: ResultFormat = "json", limit: int = 100, **limits: int) -> ResultRendering:
    return ResultRendering(form=form, default_limit=limit, limits=limits)


def test_json_form_is_the_envelope() -> None:
    assert json.loads(rendering().content(success({"a": [1]}), nonce="n")) == {
        "success": True,
        "result": {"a": [1]},
        "tool_name": "t",
        "execution_time_ms": 4,
    }
    assert json.loads(rendering().content(FAILURE, nonce="n")) == {
        "success": False,
        "error": "no",
        "error_type": "execution_failed",
        "tool_name": "t",
        "execution_time_ms": 4,
    }


@pytest.mark.parametrize(
    ("result", "content"),
    [
        (success("plain"), "plain"),
        (success({"a": 1}), '{"a":1}'),
        (success(None), "null"),
        (FAILURE, "Error: no"),
        (
            ToolResult(success=False, tool_name="x", execution_time_ms=0, error_type="tool_not_found"),
            'Error: Unknown tool "x"',
        ),
        (
            ToolResult(success=False, tool_name="x", execution_time_ms=0, error_type="tool_not_allowed"),
            'Error: Unknown tool "x"',
        ),
    ],
)
def test_text_form_is_the_plain_result_or_the_error(result: ToolResult, content: str) -> None:
    assert rendering("text").content(result, nonce="n") == content


def test_a_tool_with_its_own_limit_is_truncated_at_that_limit() -> None:
    shown = json.loads(rendering(limit=1_000, t=64).content(success("x" * 100), nonce="n"))
    assert shown["truncated"] is True
    assert shown["result"] == f"{'x' * 44}… [36 characters left out] …{'x' * 20}"


def test_truncated_text_has_head_and_tail_around_a_marker() -> None:
    assert truncate_middle("0123456789", 10) == "0123456789"
    assert truncate_middle("0123456789x", 10) == "0123456… [1 characters left out] …89x"


def test_a_large_object_becomes_truncated_text() -> None:
    envelope = bounded_envelope(success({"text": "y" * 200}), 100)
    assert envelope["truncated"] is True
    assert isinstance(envelope["result"], str)
    assert envelope["result"].startswith('{"text":"yyy')


def test_usage_is_summed() -> None:
    assert Usage(1, 2, 3, 4) + Usage(10, 20, 30, 40) == Usage(11, 22, 33, 44)
    assert Usage(1, 2).total_tokens == 3


def test_the_text_of_an_error_is_limited_like_a_result() -> None:
    failure = ToolResult(
        success=False, tool_name="t", execution_time_ms=4, error="e" * 5_000, error_type="execution_failed"
    )

    assert bounded_envelope(failure, 100) == {
        "success": False,
        "error": truncate_middle("e" * 5_000, 100),
        "error_type": "execution_failed",
        "tool_name": "t",
        "execution_time_ms": 4,
    }
