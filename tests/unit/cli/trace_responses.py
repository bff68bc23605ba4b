"""Responses of the service about traces."""

from typing import Any

SUMMARY: dict[str, Any] = {
    "id": "r-1",
    "started_at": "2026-11-27T08:00:00.250Z",
    "duration_ms": 1000,
    "first_token_ms": 310,
    "front_end": "chat",
    "caller": "tok1",
    "session_id": "s1",
    "turn": 3,
    "rule": "fallback",
    "model": "openai:gpt-4o",
    "outcome": "answered",
    "failed": False,
    "tools": ["calculate"],
    "tool_calls": 1,
    "model_calls": 2,
    "usage": {"input_tokens": 1200, "output_tokens": 30, "cached_tokens": 1000},
    "cost_usd": 0.0021,
    "message": "15% of\n45?",
    "key_of_a_newer_service": 1,
}
FAILED: dict[str, Any] = {
    **SUMMARY,
    "id": "r-2",
    "started_at": "2026-11-27T06:59:00Z",
    "duration_ms": 65_000,
    "outcome": "error",
    "failed": True,
    "error": {"type": "model_timeout", "message": "the provider did not answer in time", "status": 504},
    "tools": [],
    "tool_calls": 0,
    "cost_usd": None,
    "rating": "down",
    "message": None,
}
ANSWER_PARTS = [
    {"type": "reasoning", "text": "A percentage."},
    {"type": "text", "text": "I compute."},
    {"type": "tool_call", "id": "c1", "name": "fetch", "arguments": {"expression": "15% of 45"}},
]
MODEL: dict[str, Any] = {
    "id": "a" * 16,
    "kind": "model",
    "name": "openai:gpt-4o",
    "start_ms": 0,
    "duration_ms": 500,
    "iteration": 1,
    "usage": {"input_tokens": 600, "output_tokens": 20, "reasoning_tokens": 5},
    "cost_usd": 0.001,
    "attributes": {
        "finish_reason": "tool_calls",
        "http_status": 200,
        "provider_request_id": "req-2",
        "retries": 1,
        "failed_attempts": [
            {
                "error": "overloaded",
                "status": 503,
                "duration_ms": 120,
                "wait_ms": 500,
                "request_id": "req-1",
                "message": "the server is busy",
            }
        ],
    },
    "content": {"messages": [0, 1], "answer": {"role": "assistant", "parts": ANSWER_PARTS}},
}
TOOL: dict[str, Any] = {
    "id": "b" * 16,
    "kind": "tool",
    "name": "fetch",
    "start_ms": 500,
    "duration_ms": 250,
    "iteration": 1,
    "error": "execution_failed",
    "message": "The API answered with HTTP 503",
    "attributes": {"http_status": 503, "call_id": "c1", "retries": 2, "function_ms": 240},
    "content": {"arguments": {"expression": "15% of 45"}, "result": "unavailable"},
}
SECOND: dict[str, Any] = {
    **MODEL,
    "id": "c" * 16,
    "start_ms": 750,
    "duration_ms": 250,
    "iteration": 2,
    "cost_usd": None,
    "attributes": {"finish_reason": "stop", "fallback_of": "ollama:qwen3"},
    "content": {"messages": [0, 1, 2], "answer": {"role": "assistant", "parts": [{"type": "text", "text": "6.75"}]}},
}
TRACE: dict[str, Any] = {
    **SUMMARY,
    "trace_id": "d" * 32,
    "span_id": "e" * 16,
    "streamed": True,
    "fallback_of": "ollama:qwen3",
    "configuration": "9f2c",
    "warnings": ["the schema of fetch was changed"],
    "expires_at": "2026-12-04T08:00:00Z",
    "has_content": True,
    "answer": "It is 6.75.",
    "messages": [
        {"role": "system", "parts": [{"type": "text", "text": "Be brief."}]},
        {"role": "user", "parts": [{"type": "text", "text": "15% of 45?"}]},
        {
            "role": "tool",
            "parts": [
                {"type": "tool_output", "call_id": "c1", "content": "unavailable"},
                {"type": "image", "size": 3},
            ],
        },
    ],
    "spans": [MODEL, TOOL, SECOND],
    "feedback": [{"rating": "down", "comment": "too late", "by": "tok1", "created_at": "2026-11-27T08:05:00Z"}],
}
LINE: dict[str, Any] = {
    "at": "2026-11-27T08:00:00.300Z",
    "function": "chat-stream",
    "level": "INFO",
    "message": "tool executed",
    "fields": {"request_id": "r-1", "tool": "fetch", "success": 0},
}
NO_ROUTE = (404, {"error": "not_found", "message": "route not found; GET /api/openapi.json lists the routes"})
NO_TRACE = (404, {"error": "trace_not_found", "message": "trace 'r-9' not found", "request_id": "q"})
