"""A record with every kind of step, and the secret texts of its content."""

from typing import Any

from flexchat.traces import Span, TraceError, TraceRecord, TraceUsage

TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
CHAT, CLIENT = "00f067aa0ba902b7", "53995c3f42cd8ad8"

QUESTION, ANSWER = "canary-question", "canary-answer"
INSTRUCTIONS, ARGUMENT, RESULT = "canary-instructions", "canary-argument", "canary-result"
REASONING, DESCRIPTION, TOPIC, PROBLEM = "canary-reasoning", "canary-description", "canary-topic", "canary-problem"
CONTENT = (QUESTION, ANSWER, INSTRUCTIONS, ARGUMENT, RESULT, REASONING, DESCRIPTION, TOPIC, PROBLEM)

MESSAGES: list[Any] = [
    {"role": "system", "parts": [{"type": "text", "text": INSTRUCTIONS}]},
    {"role": "user", "parts": [{"type": "text", "text": QUESTION}]},
    {
        "role": "assistant",
        "parts": [
            {"type": "reasoning", "text": REASONING},
            {"type": "tool_call", "id": "call_1", "name": "weather", "arguments": {"city": ARGUMENT}},
        ],
    },
    {"role": "tool", "parts": [{"type": "tool_output", "call_id": "call_1", "name": "weather", "content": RESULT}]},
]

STEPS = (
    Span(id="0000000000000001", kind="topic", name="fast:gpt-mini", start_ms=0, duration_ms=40),
    Span(id="0000000000000002", kind="search", name="kb/manual", start_ms=5, duration_ms=30),
    Span(
        id="0000000000000003",
        kind="model",
        name="main:claude-x:1",
        start_ms=50,
        duration_ms=400,
        iteration=1,
        usage=TraceUsage(
            input_tokens=100, output_tokens=20, cached_tokens=60, cache_write_tokens=10, reasoning_tokens=5
        ),
        cost_usd=0.25,
        attributes={
            "finish_reason": "tool_calls",
            "streamed": True,
            "max_tokens": 500,
            "temperature": 0.5,
            "tool_choice": "auto",
            "tools": 2,
            "provider": "bedrock",
            "top_p": 0.9,
            "response_id": "resp-9",
            "http_status": 200,
            "provider_request_id": "req-9",
            "retries": 1,
            "failed_attempts": [
                {"error": "overloaded", "status": 503, "wait_ms": 500, "request_id": "req-8", "message": PROBLEM}
            ],
            "fallback_of": "fast:gpt-mini",
            "fallback_reason": "timeout",
        },
        content={"messages": [0, 1], "answer": MESSAGES[2]},
    ),
    Span(
        id="0000000000000004",
        kind="tool",
        name="weather",
        start_ms=460,
        duration_ms=120,
        iteration=1,
        error="timeout",
        message=PROBLEM,
        attributes={"call_id": "call_1", "type": "mcp", "function_ms": 110, "server": "meteo"},
        content={"arguments": {"city": ARGUMENT}, "result": RESULT},
    ),
    Span(
        id="0000000000000005",
        kind="model",
        name="main:claude-x:1",
        start_ms=600,
        duration_ms=100,
        iteration=2,
        attributes={"finish_reason": "stop", "provider": "bedrock"},
        content={"messages": [0, 1, 2, 3], "answer": {"role": "assistant", "parts": [{"text": ANSWER}]}},
    ),
)


def record_of(**fields: Any) -> TraceRecord:
    """Return the record of an answered chat with content."""
    defaults: dict[str, Any] = {
        "id": "request-1",
        "trace_id": TRACE_ID,
        "span_id": CHAT,
        "parent_id": CLIENT,
        "started_at": 1_760_000_000.25,
        "duration_ms": 750,
        "first_token_ms": 90,
        "stage": "dev",
        "caller": "token-7",
        "session_id": "session-1",
        "turn": 2,
        "streamed": True,
        "rule": "support",
        "model": "main:claude-x:1",
        "topic": TOPIC,
        "intent": "question",
        "outcome": "answered",
        "configuration": "abc123",
        "usage": TraceUsage(input_tokens=150, output_tokens=40, cached_tokens=60),
        "cost_usd": 0.5,
        "expires_at": 1_770_000_000,
        "has_content": True,
        "message": QUESTION,
        "answer": ANSWER,
        "messages": MESSAGES,
        "tools": [{"name": "weather", "description": DESCRIPTION, "parameters": {"type": "object"}}],
        "spans": STEPS,
    }
    return TraceRecord(**{**defaults, **fields})


FAILED = TraceError(type="model_error", message=PROBLEM, status=502)
