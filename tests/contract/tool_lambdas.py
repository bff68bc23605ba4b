"""Tool Lambdas under the contract suite: one module of `tests.contract.tools` for each row of the table of types."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flexchat.messages import Json
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_runtime import InvocationContext, ToolHandler, tool_handler
from flexchat.tool_types import TOOL_TYPES
from flexchat.tools import CallTool

LARGE = "x" * 6_000_000
CANARY = "canary-4f1c9a"


@dataclass(frozen=True)
class Sample:
    """Sample of one tool type: a call with its result, and the change of it that makes the result too large.

    Without a `handler` it is the one of the type's `app`. A type that `computes` runs in a child process. `statements`
    are those of the function's role in the transformed template, `environment` its variables; both without those of
    every function. `hooks` are its hooks before a snapshot and after a restore.
    """

    implementation: Mapping[str, Json]
    arguments: Mapping[str, Json]
    result: Json
    oversize: Mapping[str, Json]
    handler: ToolHandler | None = None
    computes: bool = False
    statements: Sequence[Mapping[str, Any]] = ()
    environment: Mapping[str, Any] = field(default_factory=dict[str, Any])
    hooks: tuple[int, int] = (0, 0)


def sample_of(name: str) -> Sample:
    """Return the sample of a tool type."""
    return importlib.import_module(f"tests.contract.tools.{name}").SAMPLE


@dataclass(frozen=True)
class ToolLambda:
    """One tool type with its sample."""

    name: str
    handler: ToolHandler
    model: type[ToolImplementation]
    sample: Sample

    @classmethod
    def of(cls, name: str) -> "ToolLambda":
        row = TOOL_TYPES[name]
        sample = sample_of(name)
        handler = sample.handler or importlib.import_module(f"{row.package}.app").lambda_handler
        return cls(name, handler, row.implementation(), sample)

    @property
    def implementation(self) -> Mapping[str, Json]:
        return self.sample.implementation

    def event(self, **changes: Any) -> dict[str, Any]:
        event: dict[str, Any] = {
            "version": 1,
            "tool": "the_tool",
            "arguments": dict(self.sample.arguments),
            "implementation": dict(self.sample.implementation),
            "call_id": "call_1",
            "idempotency_key": "request-1:call_1",
            "request_id": "request-1",
            "timeout_ms": 30_000,
        }
        return event | changes

    def running(self, run: Callable[[CallTool, Any], object]) -> ToolHandler:
        """Return this type's handler with `run` as its implementation."""
        return tool_handler(self.model, run, preload=_nothing if self.sample.computes else None)


def _nothing(_implementation: ToolImplementation) -> None:
    """No-op preload."""


@dataclass(frozen=True)
class Invocation:
    """Lambda context with a constant remaining time."""

    remaining_ms: int

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


def context(remaining_ms: int = 60_000) -> InvocationContext:
    return Invocation(remaining_ms)


def failure(message: str, *, type: str = "execution_failed", **more: Json) -> dict[str, Json]:
    error: dict[str, Json] = {"type": type, "message": message, "user_message": None, "validation_errors": []}
    return {"version": 1, "ok": False, "result": None, "error": error | more}
