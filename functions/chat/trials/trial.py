"""One trial: a chat with a given model, prompt and tools, through the generator that answers every chat."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from flexchat.api import ChatResponse
from flexchat.api.trials import TrialRequest
from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ResponseToolsConfig, ToolDefinition, ToolsConfig
from flexchat.deadline import Deadline
from flexchat.errors import Problem, RequestError
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from flexchat.tools import CallTool, ToolReply
from functions.chat.api.response import chat_response
from functions.chat.generation.loop import ResponseGenerator
from functions.chat.generation.model_calls import GenerationContext
from functions.chat.generation.trace import Trace
from functions.chat.phases.runner import PhaseResults
from functions.chat.providers.fallback import Candidates
from functions.chat.runtime import Runtime
from functions.chat.tools.invoker import ToolInvoker
from functions.chat.tools.manager import ToolManager
from functions.chat.tools.quota import TakeCalls, unlimited

TOPIC: Final = "tool_testing"
"""Topic of the profile of a trial."""

OWN_TOOL_TYPE: Final = "mock"
"""The only type that a trial's own tools may have: whoever may start a trial must not reach further than that."""


@dataclass(frozen=True, slots=True)
class _TrialCalls:
    """Tool invoker that marks each call as one of a trial."""

    invoker: ToolInvoker

    @property
    def types(self) -> Collection[str]:
        return self.invoker.types

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        return self.invoker.invoke(tool_type, call.model_copy(update={"trial": True}))


def run_trial(
    trial: TrialRequest,
    *,
    runtime: Runtime,
    invoker: ToolInvoker,
    trace: Trace,
    deadline: Deadline,
    request_id: str,
    allowed_tools: Collection[str] | None = None,
    take_calls: TakeCalls = unlimited,
) -> ChatResponse:
    """What the model of `trial` answers, and which tools it called on the way.

    `allowed_tools` are the tools that may be offered, None for every one. `take_calls` counts the tool calls.

    No phase runs, no session is kept and nobody stands in for the model, as it is the one to be measured. Raises
    RequestError for a model or tools that cannot be, ConfigError for a model that the configuration cannot reach,
    ModelError when it fails before any tool has run.
    """
    name = trial_model(trial.model, runtime.catalog)
    profile: dict[str, Json] = {"topic": TOPIC, "user_message": trial.message}
    result = ResponseGenerator(tool_manager=_tools(trial.tools, runtime, invoker)).generate_response(
        profile=profile,
        rule=_rule(trial, name, allowed_tools),
        models=Candidates([name], lambda named: runtime.candidate(named.llm, named.model)),
        user_message=trial.message,
        previous_messages=[message for entry in trial.history if (message := entry.as_message()) is not None],
        context=GenerationContext(deadline=deadline, request_id=request_id, emit=trace.emit, take_calls=take_calls),
    )
    response = chat_response(
        result,
        request_id=request_id,
        rule=None,
        phases=PhaseResults(),
        session=None,
        resume_token=None,
        explanation=None,
        trace=trace,
        llms=runtime.catalog.configuration.llms,
    )
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
    return response


def trial_model(text: str, catalog: Catalog) -> ModelName:
    """The model that `text` names, also one of an llm that cannot be used now: that has its own reason.

    Raises RequestError for a text that names no llm.
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
    """The tools of the configuration, or a trial's own, which are offered whatever the configuration switches off."""
    calls = _TrialCalls(invoker)
    if own is None:
        return ToolManager(config=runtime.catalog.configuration.tools, invoker=calls)
    if problems := _foreign(own):
        raise RequestError(f"a trial's own tools are of type {OWN_TOOL_TYPE!r}", details=problems)
    limits = runtime.catalog.configuration.tools.model_dump(exclude={"enabled", "registry", "disabled_types"})
    manager = ToolManager(config=ToolsConfig(enabled=True, registry=tuple(own), **limits), invoker=calls)
    if withheld := manager.withheld():
        problems = tuple(Problem(f"tools.{name}", "; ".join(reasons)) for name, reasons in withheld.items())
        raise RequestError("the trial's tools cannot be offered", details=problems)
    return manager


def _foreign(own: Sequence[ToolDefinition]) -> tuple[Problem, ...]:
    return tuple(
        Problem(f"tools[{position}].implementation.type", f"{tool.implementation_type!r} is not {OWN_TOOL_TYPE!r}")
        for position, tool in enumerate(own)
        if tool.implementation_type != OWN_TOOL_TYPE
    )
