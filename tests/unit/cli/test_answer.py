"""Printed answers."""

from typing import Any, get_args

import pytest

from cli.console import Console
from cli.invocation import trace_hint
from cli.render.answer import show_answer
from cli.render.outcomes import OUTCOMES
from flexchat.messages import AnswerOutcome

BODY: dict[str, Any] = {
    "content": "15% of 45 is 6.75. [bold]Paris[/bold] is sunny.",
    "service": "openai",
    "model": "gpt-4o",
    "tool_calls": [
        {
            "tool": "calculate",
            "params": {"expression": "0.15*45"},
            "result": {"success": True, "tool_name": "calculate", "execution_time_ms": 12, "result": "6.75"},
            "iteration": 1,
            "call_id": "call_1",
        },
        {
            "tool": "get_weather",
            "params": {"location": "Paris"},
            "result": {
                "success": False,
                "tool_name": "get_weather",
                "execution_time_ms": 30,
                "error": "Tool execution timeout",
                "error_type": "timeout",
            },
            "iteration": 1,
            "call_id": "call_2",
        },
    ],
    "status": "partial",
    "finish_reason": "stop",
    "request_id": "r-1",
    "usage": {"input_tokens": 20, "output_tokens": 9, "total_tokens": 29},
    "timings": {
        "total_ms": 140,
        "steps": [
            {"step": "model", "name": "gpt-4o", "iteration": 1, "start_ms": 0, "duration_ms": 50, "ok": True},
            {"step": "tool", "name": "calculate", "iteration": 1, "start_ms": 50, "duration_ms": 12, "ok": True},
            {"step": "model", "name": "gpt-4o", "iteration": 2, "start_ms": 80, "duration_ms": 60, "ok": True},
        ],
    },
    "key_of_a_newer_service": 1,
}


def shown(body: dict[str, Any]) -> str:
    console = Console(width=100)
    with console.capture() as capture:
        show_answer(console, body)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def test_the_answer_is_printed_before_its_tool_calls_and_cost() -> None:
    assert shown(BODY) == (
        "15% of 45 is 6.75. [bold]Paris[/bold] is sunny.\n"
        "\n"
        '✓ calculate {"expression": "0.15*45"}  iteration 1, 12 ms\n'
        "    → 6.75\n"
        '✗ get_weather {"location": "Paris"}  iteration 1, 30 ms\n'
        "    → Tool execution timeout\n"
        "\n"
        "gpt-4o · partial (stop) · 20 + 9 tokens · 140 ms, of which 110 ms the model\n"
        f"request id {trace_hint('r-1')}"
    )


def test_an_answer_without_tools_has_no_list_of_tools() -> None:
    assert shown({**BODY, "tool_calls": [], "status": "complete", "content": ""}) == (
        "(no text)\n\ngpt-4o · 20 + 9 tokens · 140 ms, of which 110 ms the model"
    )


@pytest.mark.parametrize("result", ["x" * 400, {"text": "x" * 400}])
def test_a_long_result_is_truncated(result: object) -> None:
    call = {**BODY["tool_calls"][0]}
    call["result"] = {**call["result"], "result": result}

    assert "…" in shown({**BODY, "tool_calls": [call]})


def test_an_answer_of_a_fallback_names_the_replaced_model() -> None:
    body: dict[str, Any] = {**BODY, "tool_calls": [], "status": "complete", "model": "qwen3:8b"}
    body["fallback"] = {"instead_of": "openai:gpt-4o", "reason": "rate_limit"}

    assert shown(body).splitlines()[-1] == (
        "qwen3:8b · instead of openai:gpt-4o (rate_limit) · 20 + 9 tokens · 140 ms, of which 110 ms the model"
    )


def test_the_rule_is_printed_and_a_failed_save_needs_no_reason() -> None:
    session = {"id": "s1", "title": "Sums", "saved": False}

    lines = shown({**BODY, "tool_calls": [], "status": "complete", "rule": "sums", "session": session}).splitlines()

    assert lines[-3:] == [
        "gpt-4o · rule sums · 20 + 9 tokens · 140 ms, of which 110 ms the model",
        "not all of it was saved: no reason was recorded",
        "session s1: Sums",
    ]


def rag(**fields: Any) -> dict[str, Any]:
    document = {"title": "Refunds", "source": "faq.md", "distance": 0.12345, "service": "kb", "collection": "faq"}
    untitled = {**document, "title": "", "distance": 0.4, "collection": "news"}
    return {**BODY, "tool_calls": [], "status": "complete", "rag": {"documents": [document, untitled], **fields}}


def test_the_passages_of_a_matching_collection_are_printed_with_their_distances() -> None:
    assert shown(rag(result="match", service="kb", collection="faq")).splitlines()[1:5] == [
        "",
        "⌕ match kb/faq",
        "    Refunds (faq.md)  0.123",
        "    faq.md  0.400",
    ]


def test_partial_results_name_their_collections() -> None:
    assert shown(rag(result="partial")).splitlines()[2:5] == [
        "⌕ partial",
        "    Refunds (faq.md)  0.123  kb/faq",
        "    faq.md  0.400  kb/news",
    ]


@pytest.mark.parametrize(
    ("cost", "printed_cost"), [(0.0031, "$0.0031"), (0.0, "$0"), (2.0, "$2"), (0.000_002, "$0.000002")]
)
def test_an_answer_has_its_cost_if_it_can_be_computed(cost: float, printed_cost: str) -> None:
    body: dict[str, Any] = {**BODY, "tool_calls": [], "status": "complete"}
    body["usage"] = {**BODY["usage"], "cost_usd": cost}

    assert shown(body).splitlines()[-1] == (
        f"gpt-4o · 20 + 9 tokens · {printed_cost} · 140 ms, of which 110 ms the model"
    )


@pytest.mark.parametrize("outcome", [outcome for outcome in get_args(AnswerOutcome) if outcome != "answered"])
def test_an_incomplete_answer_has_its_finish_reason(outcome: AnswerOutcome) -> None:
    body: dict[str, Any] = {**BODY, "tool_calls": [], "status": "complete", "outcome": outcome}

    assert f"gpt-4o · {OUTCOMES[outcome]} · 20 + 9 tokens" in " ".join(shown(body).split())


def test_an_answer_of_the_demo_model_is_labelled() -> None:
    body: dict[str, Any] = {**BODY, "tool_calls": [], "status": "complete", "demo": True}

    assert shown(body).splitlines()[-1].startswith("gpt-4o (demo model) · 20 + 9 tokens")
