"""Trials: internal chats with a given model, prompt and tools, through the generator of every chat."""

import time
from collections.abc import Collection, Sequence
from copy import replace
from typing import Final

from msgspec import Struct

from flexchat.api import ChatResponse, history_messages
from flexchat.api.trials import TrialRequest
from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ResponseToolsConfig, ToolDefinition, ToolsConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import Problem, RequestError
from flexchat.http_api.caller import DIRECT, Caller
from flexchat.limits.rate_limits import RateLimits
from flexchat.messages import Json, user
from flexchat.observability import emit_metrics, logger
from flexchat.sessions import text_tokens
from flexchat.tools import CallTool, ToolReply
from functions.chat.deadlines import ChatDeadlines
from functions.chat.generation.events import Trace, fan_out
from functions.chat.generation.loop import ResponseGenerator
from functions.chat.generation.model_calls import GenerationContext
from functions.chat.metrics import count_models
from functions.chat.phases.runner import PhaseResults
from functions.chat.providers.fallback import Candidates
from functions.chat.response import chat_response
from functions.chat.runtime import Runtime, RuntimeCache
from functions.chat.tools.executor import ToolInvoker
from functions.chat.tools.manager import ToolManager
from functions.chat.tracing.recorder import TraceOrigin
from functions.chat.tracing.sender import TraceSender

TOPIC: Final = "tool_testing"
"""Topic of the profile of a trial."""

OWN_TOOL_TYPE: Final = "mock"
"""The only permitted type of a trial's own tools, which must not reach any other function."""


class _TrialInvoker(Struct, frozen=True):
    """Tool invoker that marks each call as part of a trial."""

    invoker: ToolInvoker

    @property
    def types(self) -> Collection[str]:
        return self.invoker.types

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        return self.invoker.invoke(tool_type, replace(call, trial=True))


class TrialRunner:
    """Runs trials on the current configuration, against the limits of their callers; no metric of chats counts them."""

    def __init__(
        self,
        *,
        runtimes: RuntimeCache,
        invoker: ToolInvoker,
        limits: RateLimits,
        traces: TraceSender,
        clock: Clock = time.monotonic,
    ) -> None:
        self._traces = traces
        self._runtimes = runtimes
        self._invoker = _TrialInvoker(invoker)
        self._limits = limits
        self._clock = clock

    def run(
        self,
        trial: TrialRequest,
        *,
        deadline: Deadline,
        request_id: str,
        allowed_tools: Collection[str] | None = None,
        caller: Caller = DIRECT,
    ) -> ChatResponse:
        """Return the answer of the trial's model with its tool calls.

        `allowed_tools` are the tools that may be offered, None for every one. No phase runs, no session is stored and
        no fallback replaces the model under test. Raises RequestError for an invalid model or tools, or a reached limit
        (429), ConfigError for a model that the configuration cannot reach, ModelError when it fails before any tool has
        run.
        """
        trace, due = Trace(clock=self._clock), ChatDeadlines.split(deadline).work
        runtime = self._runtimes.usable(caller, due)
        llms = runtime.catalog.configuration.llms
        admission = self._limits.admit(
            caller,
            runtime.catalog.configuration.limits,
            tokens=lambda: text_tokens(trial.message),
            session_id=None,
            seconds=deadline.remaining(),
            deadline=due,
        )
        origin = TraceOrigin.of_request(request_id, front_end="trial", caller=caller.principal)
        traced = self._traces.chat(
            origin,
            runtime,
            message=trial.message,
            clock=self._clock,
            tool_type=None if trial.tools is None else lambda _name: OWN_TOOL_TYPE,
        )
        context = GenerationContext(
            deadline=due,
            request_id=request_id,
            emit=fan_out(trace.emit, traced.observe),
            audit=self._traces.calls(origin),
            take_calls=admission.take_calls,
            check_budget=lambda due: admission.extend(lambda: trace.use(llms), due),
            principal=caller.principal,
            trace=origin.context,
        )
        try:
            with traced:
                response = self._answer(trial, runtime, trace, context, allowed_tools)
                traced.answered(response)
                return response
        finally:
            count_models(trace, llms, stage=self._traces.stage)
            admission.settle(trace.use(llms), deadline=deadline)

    def _answer(
        self,
        trial: TrialRequest,
        runtime: Runtime,
        trace: Trace,
        context: GenerationContext,
        allowed_tools: Collection[str] | None,
    ) -> ChatResponse:
        name = trial_model(trial.model, runtime.catalog)
        profile: dict[str, Json] = {"topic": TOPIC, "user_message": trial.message}
        result = ResponseGenerator(tool_manager=_tools(trial.tools, runtime, self._invoker)).generate_response(
            profile=profile,
            rule=_rule(trial, name, allowed_tools),
            models=Candidates([name], lambda named: runtime.candidate(named.llm, named.model)),
            user_message=user(trial.message),
            previous_messages=history_messages(trial.history),
            context=context,
        )
        response = chat_response(
            result,
            request_id=context.request_id,
            rule=None,
            phases=PhaseResults(),
            session=None,
            resume_token=None,
            explanation=None,
            trace=trace,
            llms=runtime.catalog.configuration.llms,
        )
        _report(response, name)
        return response


def _report(response: ChatResponse, name: ModelName) -> None:
    logger.info(
        "trial answered",
        model=str(name),
        status=response.status,
        finish_reason=response.finish_reason,
        tool_calls=len(response.tool_calls),
        total_ms=response.timings.total_ms,
        total_tokens=response.usage.total_tokens,
    )
    emit_metrics(
        dimension=("model", str(name)),
        counts={"Trials": 1, "TrialTokens": response.usage.total_tokens},
        milliseconds={"TrialDuration": response.timings.total_ms},
    )


def trial_model(text: str, catalog: Catalog) -> ModelName:
    """Return the model named by `text`, also of a disabled llm, whose own error is raised later.

    Raises RequestError for a text without a configured llm.
    """
    llms = {**catalog.configuration.llms, **catalog.unusable_llms}
    try:
        return model_name(text, llms)
    except ValueError as exc:
        raise RequestError(f"model: {exc}", details=(Problem("model", str(exc)),)) from exc


def _rule(trial: TrialRequest, name: ModelName, allowed_tools: Collection[str] | None) -> ResponseRule:
    return ResponseRule(
        llm=name.llm,
        model=name.model,
        prompt=trial.prompt,
        max_tokens=trial.max_tokens,
        temperature=trial.temperature,
        tools=ResponseToolsConfig(
            enabled=True,
            allowed_tools=None if allowed_tools is None else tuple(sorted(allowed_tools)),
            max_iterations=trial.max_iterations,
        ),
    )


def _tools(own: Sequence[ToolDefinition] | None, runtime: Runtime, invoker: ToolInvoker) -> ToolManager:
    """Return the tools of chats, also those of MCP servers, or a trial's own.

    The latter are independent of `tools.enabled` and `disabled_types`.
    """
    if own is None:
        available = runtime.tools.available
        return ToolManager(
            config=available.config,
            invoker=invoker,
            withheld=available.withheld,
            collections=available.collections,
        )
    if problems := _type_problems(own):
        raise RequestError(f"a trial's own tools are of type {OWN_TOOL_TYPE!r}", details=problems)
    limits = runtime.catalog.configuration.tools.model_dump(exclude={"enabled", "registry", "disabled_types"})
    manager = ToolManager(config=ToolsConfig(enabled=True, registry=tuple(own), **limits), invoker=invoker)
    if withheld := manager.withheld():
        problems = tuple(Problem(f"tools.{name}", "; ".join(reasons)) for name, reasons in withheld.items())
        raise RequestError("the trial's tools cannot be offered", details=problems)
    return manager


def _type_problems(own: Sequence[ToolDefinition]) -> tuple[Problem, ...]:
    return tuple(
        Problem(f"tools[{position}].implementation.type", f"{tool.implementation_type!r} is not {OWN_TOOL_TYPE!r}")
        for position, tool in enumerate(own)
        if tool.implementation_type != OWN_TOOL_TYPE
    )
