"""Responses of a service about validation."""

from typing import Any

GOOD, BAD = "openai:skill-95", "openai:skill-60"


def verdict(case: str, result: str = "passed", **changes: Any) -> dict[str, Any]:
    record: dict[str, Any] = {
        "run": "r1",
        "model": GOOD,
        "case": case,
        "repeat": 1,
        "suite": "default",
        "category": "single",
        "result": result,
        "reasons": [],
        "at": "2026-11-22T10:04:59.123Z",
        "latency_ms": 1250,
        "tokens": 400,
        "request_id": "q1",
        "key_of_a_newer_service": 1,
    }
    return record | changes


def rate(successes: int, tests: int, low: float = 0.5, high: float = 0.9) -> dict[str, Any]:
    return {"tests": tests, "successes": successes, "rate": successes / tests, "low": low, "high": high}


def of_model(name: str = GOOD, **changes: Any) -> dict[str, Any]:
    return {"model": name, "done": 0, "errors": 0, "skipped": 0} | changes


def run(status: str = "finished", *, verdicts: Any = (), **changes: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": "r1",
        "status": status,
        "suite": "default",
        "models": [of_model()],
        "repeats": 1,
        "total": 3,
        "done": 3,
        "passed": 3,
        "failed": 0,
        "errors": 0,
        "skipped": 0,
        "calls": 3,
        "tokens": 1200,
        "cost_usd": 0.0,
        "budget": {},
        "created_at": "2026-11-22T10:00:00.000Z",
        "verdicts": [*verdicts],
    }
    return shown | changes


def status(name: str = GOOD, **changes: Any) -> dict[str, Any]:
    return {
        "model_id": name,
        "tested": True,
        "validated": True,
        "test_count": 60,
        "success_count": 57,
        "rate": rate(57, 60, 0.863, 0.983),
        "state": "proven",
        "last_tested": "2026-11-22T10:04:59Z",
    } | changes


UNTESTED = {"model_id": "openai:new", "tested": False, "validated": False}
