"""Scripted invoker and clock for tests of the executor."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from flexchat.config.models.tools import ToolDefinition
from flexchat.deadline import Deadline
from flexchat.errors import ToolError, ToolNotStartedError
from flexchat.messages import ToolCall
from flexchat.retry import Retry
from flexchat.threads import WORKERS, WorkerThreads
from flexchat.tools import CallTool, ToolReply, ToolResult
from functions.chat.tools.executor import ExecutionContext, ToolExecutor
from functions.chat.tools.registry import ToolRegistry


@dataclass
class Invoker:
    """Returns the next of `answers` for each invocation, and the last one from then on."""

    answers: list[ToolReply | ToolError]
    types: tuple[str, ...] = ("mock",)
    calls: list[CallTool] = field(default_factory=list[CallTool])

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        assert tool_type in self.types
        self.calls.append(call)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, ToolError):
            raise answer
        return answer


def unaudited(*_call: object) -> None:
    """No-op receiver of audited calls."""


OK = ToolReply(ok=True, result="done")
THROTTLED = ToolNotStartedError("throttled", type="unavailable")


@dataclass
class Clock:
    """A clock that advances only with `sleep`."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def retry(self) -> Retry:
        return Retry(max_retries=None, base=0.125, cap=2.0, sleep=self.sleep, random=lambda: 1.0)

    def context(self, seconds: float) -> ExecutionContext:
        return ExecutionContext(Deadline.after(seconds, clock=self), request_id="r", audit=unaudited)


def executor(
    invoker: Any,
    *,
    clock: Callable[[], float] | None = None,
    start_seconds: float = 10.0,
    retry: Retry | None = None,
    threads: WorkerThreads | None = None,
    **tool: Any,
) -> ToolExecutor:
    registry = ToolRegistry()
    definition = {
        "name": "t",
        "description": "A tool",
        "parameters": {"type": "object"},
        "implementation": {"type": "mock"},
    }
    registry.register(ToolDefinition.model_validate(definition | tool))
    settings: dict[str, Any] = {"clock": clock} if clock else {}
    return ToolExecutor(
        registry=registry,
        invoker=invoker,
        default_timeout_ms=5_000,
        start_seconds=start_seconds,
        retry=retry,
        threads=threads or WORKERS,
        **settings,
    )


def context(seconds: float = 60) -> ExecutionContext:
    return ExecutionContext(deadline=Deadline.after(seconds), request_id="r", audit=unaudited)


def outcome(result: ToolResult) -> tuple[bool, Any, str | None]:
    return result.success, result.error or result.result, result.error_type


def lines(capsys: pytest.CaptureFixture[str], message: str) -> list[dict[str, Any]]:
    """Return the log lines with this message."""
    logged = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    return [line for line in logged if line.get("message") == message]


def call(index: int, name: str = "t", **arguments: Any) -> ToolCall:
    return ToolCall(id=f"c{index}", name=name, arguments=arguments, raw="")
