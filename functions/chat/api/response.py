"""API representation of the answer of a chat."""

from collections.abc import Mapping

from flexchat.api import (
    ChatResponse,
    FallbackView,
    ModelErrorView,
    RagDocumentView,
    RagView,
    SkippedCollectionView,
    TimingsView,
    ToolCallView,
    UsageView,
)
from flexchat.api.answer import SessionReference
from flexchat.api.explain import ExplainView
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.messages import Json
from flexchat.prices import cost_usd
from flexchat.tools import ToolExecution
from functions.chat.api.response_size import MAX_PAYLOAD_BYTES, fitted_calls, payload_bytes
from functions.chat.generation.result import GenerationResult
from functions.chat.generation.trace import Trace
from functions.chat.phases.collections import Retrieved
from functions.chat.phases.runner import PhaseResults
from functions.chat.tools.rendering import TRACKED_CHARACTERS, bounded_envelope


def chat_response(
    result: GenerationResult,
    *,
    request_id: str,
    rule: str | None,
    phases: PhaseResults,
    session: SessionReference | None,
    resume_token: str | None,
    explanation: ExplainView | None,
    trace: Trace,
    llms: Mapping[str, LlmConfig],
) -> ChatResponse:
    """Return the answer with its trace, and its cost by the prices of `llms`.

    Records of tool calls are truncated where the answer would be too large for a response.
    """
    topic, intent, retrieved = phases.topic, phases.intent, phases.retrieved
    response = ChatResponse(
        content=result.content,
        service=result.service,
        model=result.model,
        demo=is_demo(result.service, llms) or None,
        status=result.status,
        outcome=result.outcome,
        finish_reason=result.finish_reason,
        max_iterations_reached=result.max_iterations_reached or None,
        circular_calls_detected=result.circular_calls_detected or None,
        max_tool_calls_reached=result.max_tool_calls_reached or None,
        deadline_reached=result.deadline_reached or None,
        resume_token=resume_token,
        error=_model_error(result),
        fallback=_fallback(result),
        rule=rule,
        topic=topic.topic if topic else None,
        intent=intent.intent if intent else None,
        rag=_rag(retrieved) if retrieved else None,
        session=session,
        explain=explanation,
        request_id=request_id,
        usage=_usage(trace, llms),
        timings=_timings(trace, llms),
    )
    if not result.tool_calls:
        return response
    rest = response.model_dump(mode="json")
    # A background run has its steps beside its answer, too.
    room = MAX_PAYLOAD_BYTES - payload_bytes(rest) - payload_bytes(rest["timings"]["steps"])
    calls = fitted_calls([call_record(execution) for execution in result.tool_calls], room)
    return response.model_copy(update={"tool_calls": tuple(map(ToolCallView.model_validate, calls))})


def is_demo(llm: str, llms: Mapping[str, LlmConfig]) -> bool:
    """Return true if the demo model serves `llm`."""
    return llm in llms and llms[llm].demo


def call_record(execution: ToolExecution, limit: int = TRACKED_CHARACTERS) -> dict[str, Json]:
    """Return an execution in the form of `ToolCallView`, its result in at most `limit` characters (decision C50)."""
    params = execution.params
    return {
        "tool": execution.tool,
        "params": params if isinstance(params, str) else dict(params),
        "result": bounded_envelope(execution.result, limit),
        "iteration": execution.iteration,
        "call_id": execution.call_id,
    }


def _timings(trace: Trace, llms: Mapping[str, LlmConfig]) -> TimingsView:
    """The steps, with the calls of the demo model marked."""
    timings = trace.timings()
    steps = tuple(
        step.model_copy(update={"demo": True})
        if step.step in ("topic", "intent", "model") and is_demo(_model(step.name).llm, llms)
        else step
        for step in timings.steps
    )
    return timings.model_copy(update={"steps": steps})


def _model_error(result: GenerationResult) -> ModelErrorView | None:
    error = result.error
    return ModelErrorView(type=error.type, message=error.message, provider=error.provider) if error else None


def _fallback(result: GenerationResult) -> FallbackView | None:
    fallback = result.fallback
    return FallbackView(instead_of=fallback.instead_of, reason=fallback.reason) if fallback else None


def _rag(retrieved: Retrieved) -> RagView:
    return RagView(
        result=retrieved.result,
        service=retrieved.service,
        collection=retrieved.collection,
        documents=tuple(
            RagDocumentView(
                title=document.title,
                source=document.source,
                distance=document.distance,
                service=document.service,
                collection=document.collection,
            )
            for document in retrieved.documents
        ),
        skipped=tuple(
            SkippedCollectionView(collection=entry.collection, reason=entry.reason) for entry in retrieved.skipped
        ),
    )


def _usage(trace: Trace, llms: Mapping[str, LlmConfig]) -> UsageView:
    usage = trace.usage
    return UsageView(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        total_tokens=usage.total_tokens,
        cached_tokens=usage.cached_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        cost_usd=cost_usd(((_model(name), call) for name, call in trace.answered), llms),
    )


def _model(name: str) -> ModelName:
    llm, _, model = name.partition(":")
    return ModelName(llm, model)
