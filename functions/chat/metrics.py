"""CloudWatch metrics of chats: by model, by tool and by kind of error; docs/operations.md lists them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Final, Self

from msgspec import Struct, field

from flexchat.api import ChatResponse, StepView
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.errors import ConfigError, ModelError, RequestError, ToolErrorType, UnavailableError
from flexchat.http_api.streams import StreamClosedError
from flexchat.messages import AnswerOutcome
from flexchat.observability import emit_metrics, logger
from flexchat.prices import cost_usd
from flexchat.tools import ToolExecution
from functions.chat.errors import RunLostError, is_of_service
from functions.chat.generation.events import GuardrailFinished, Trace

NO_MODEL: Final = "none"
"""Dimension value of a chat that failed before it called a model."""

UNKNOWN_TOOL: Final = "unknown"
"""Dimension value of every tool that is not configured: the model invented the name, and each new value is a new
metric."""

NOT_RUN: Final[frozenset[ToolErrorType]] = frozenset(
    (
        "tool_not_found",
        "tool_not_allowed",
        "tool_disabled",
        "blocked_by_policy",
        "invalid_arguments",
        "malformed_arguments",
        "approval_required",
        "approval_denied",
        "repeated_call",
        "too_many_calls",
        "rate_limited",
        "circuit_open",
        "previous_call_unfinished",
        "deadline",
    )
)
"""Failures of calls that were refused before their tool was invoked; their duration is not the tool's."""


WAITING: Final[frozenset[AnswerOutcome]] = frozenset(("client_calls", "waiting"))
"""Outcomes of chats that another request continues, by design."""


class ChatMetrics(Struct):
    """Context manager that counts and logs one chat; a block that raises counts as failed.

    `tools` are the names of the configured tools, `llms` those with the prices of its models. `is_accepted` is true
    from when the status of the response was sent, which no longer shows an error: of a stream and of a background run.
    """

    trace: Trace
    stage: str
    tools: Collection[str] = ()
    llms: Mapping[str, LlmConfig] = field(default_factory=dict[str, LlmConfig])
    is_accepted: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, Exception):
            self.failed(error)

    def answered(self, response: ChatResponse) -> None:
        """Count and log an answered chat. A resumed one counts the calls and iterations of its own request only."""
        logger.info(
            "chat answered",
            model=f"{response.service}:{response.model}",
            instead_of=response.fallback.instead_of if response.fallback else None,
            rule=response.rule,
            status=response.status,
            finish_reason=response.finish_reason,
            tool_calls=len(response.tool_calls),
            total_ms=response.timings.total_ms,
            total_tokens=response.usage.total_tokens,
        )
        model = f"{response.service}:{response.model}"
        total_ms = response.timings.total_ms
        tool_ms = min(total_ms, busy_ms([step for step in response.timings.steps if step.step == "tool"]))
        emit_metrics(
            dimension=("model", model),
            counts={
                "Chats": 1,
                "Fallbacks": int(response.fallback is not None),
                "PartialAnswers": int(response.status == "partial" and response.outcome not in WAITING),
                "IterationLimitReached": int(bool(response.max_iterations_reached)),
                "ToolCallLimitReached": int(bool(response.max_tool_calls_reached)),
                "RepeatedCalls": int(bool(response.circular_calls_detected)),
                "Iterations": max((step.iteration for step in response.timings.steps), default=0),
                "ToolCallsOfChat": len(self.trace.executions),
                "ToolFailuresOfChat": sum(not each.result.success for each in self.trace.executions),
                "Tokens": response.usage.total_tokens,
                "CachedTokens": response.usage.cached_tokens,
                "CacheWriteTokens": response.usage.cache_write_tokens,
            },
            milliseconds={"ChatDuration": total_ms, **({"ToolTime": tool_ms} if self.trace.executions else {})},
            percents={"ToolTimeShare": 100 * tool_ms / max(1, total_ms)} if self.trace.executions else {},
        )
        with_tools = "true" if self.trace.executions else "false"
        emit_metrics(
            dimension=("with_tools", with_tools),
            also=({"model": model, "with_tools": with_tools},),
            counts={"Chats": 1},
            milliseconds={"ChatDuration": total_ms},
        )
        self._count_tools()

    def failed(self, error: Exception) -> None:
        """Count and log a chat that ended with `error` instead of an answer."""
        duration_ms = self.trace.elapsed_ms
        kind = error_kind(error)
        logger.warning("chat failed", model=self.trace.model or NO_MODEL, error=kind, total_ms=duration_ms)
        emit_metrics(
            dimension=("error", kind),
            also=({"model": self.trace.model or NO_MODEL, "error": kind},),
            counts={"ChatsFailed": 1},
            milliseconds={"FailedChatDuration": duration_ms},
        )
        if is_of_service(error):
            emit_metrics(dimension=("stream", "after" if self.is_accepted else "before"), counts={"ChatsFailed": 1})
        self._count_tools()

    def _count_tools(self) -> None:
        count_checks(self.trace.checks)
        count_models(self.trace, self.llms, stage=self.stage)
        count_tool_calls(self.trace.executions, tools=self.tools, model=self.trace.model or NO_MODEL)


def count_checks(checks: Iterable[GuardrailFinished]) -> None:
    """Count the checks of guardrails, by their names."""
    by_name: dict[str, list[GuardrailFinished]] = {}
    for check in checks:
        by_name.setdefault(check.name, []).append(check)
    for name, done in by_name.items():
        verdicts = Counter(check.verdict for check in done)
        emit_metrics(
            dimension=("guardrail", name),
            counts={
                "GuardrailChecks": len(done),
                "GuardrailBlocks": verdicts["blocked"],
                "GuardrailMasks": verdicts["masked"],
                "GuardrailFailures": verdicts["failed"],
                "GuardrailTextUnits": sum(check.units for check in done),
            },
            milliseconds={"GuardrailDuration": [check.duration_ms for check in done]},
        )


def count_models(trace: Trace, llms: Mapping[str, LlmConfig], *, stage: str) -> None:
    """Count the cost of the model calls of a chat or a trial, and the models whose provider refused the key.

    Calls without a known price cost nothing here.
    """
    costs: dict[str, float] = {}
    for name, usage in trace.answered:
        llm, _, model = name.partition(":")
        costs[name] = costs.get(name, 0.0) + (cost_usd([(ModelName(llm, model), usage)], llms) or 0.0)
    for name, cost in costs.items():
        if cost:
            emit_metrics(dimension=("model", name), also=({"stage": stage},), amounts={"Cost": cost})
    for name in sorted(trace.refused):
        emit_metrics(dimension=("model", name), also=({"stage": stage},), counts={"KeysRefused": 1})


def count_tool_calls(executions: Iterable[ToolExecution], *, tools: Collection[str], model: str | None = None) -> None:
    """Count tool calls of a chat with `model`, or of a client without one; `tools` are the configured names."""
    calls: dict[str, list[ToolExecution]] = {}
    for execution in executions:
        name = execution.tool if execution.tool in tools else UNKNOWN_TOOL
        calls.setdefault(name, []).append(execution)
    for name, called in calls.items():
        durations = [each.result.execution_time_ms for each in called if each.result.error_type not in NOT_RUN]
        kinds = Counter(each.result.error_type for each in called if not each.result.success)
        emit_metrics(
            dimension=("tool", name),
            counts={"ToolCallsRequested": len(called), "ToolCallFailures": kinds.total()},
            milliseconds={"ToolCallDuration": durations} if durations else {},
        )
        for kind, count in kinds.items():
            error_type = kind or "execution_failed"
            by_model = () if model is None else ({"model": model, "error_type": error_type},)
            emit_metrics(
                dimension=("error_type", error_type),
                also=({"tool": name, "error_type": error_type}, *by_model),
                counts={"ToolCallFailures": count},
            )


def busy_ms(steps: Sequence[StepView]) -> int:
    """Return the milliseconds in which at least one of `steps` ran: parallel calls count once."""
    busy, end = 0, 0
    for step in sorted(steps, key=lambda step: step.start_ms):
        start, end_of_step = max(step.start_ms, end), step.start_ms + step.duration_ms
        busy += max(0, end_of_step - start)
        end = max(end, end_of_step)
    return busy


def error_kind(error: Exception) -> str:
    """Return the stable name of an error, the `error` of the API's error body.

    It is `run_lost` for a cancelled run, and `disconnected` for a chat that ended with its client.
    """
    match error:
        case ModelError():
            return f"model_{error.type}"
        case RequestError():
            return error.code
        case ConfigError():
            return "configuration"
        case UnavailableError():
            return "unavailable"
        case RunLostError():
            return "run_lost"
        case StreamClosedError():
            return "disconnected"
        case _:
            return "internal_error"
