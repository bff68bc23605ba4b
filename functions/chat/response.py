"""API representation of the answer of a chat, with its tool calls truncated to the size of a response."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from pydantic_core import PydanticSerializationError, to_json

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
from flexchat.api.approvals import ApprovalView
from flexchat.api.explain import ExplainView
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.prices import cost_usd
from flexchat.sessions import AnswerTotals
from flexchat.text import omission_marker, truncate_middle
from flexchat.tools import ToolExecution
from functions.chat.generation.events import Trace
from functions.chat.generation.result import GenerationResult
from functions.chat.phases.collections import RetrievalResult
from functions.chat.phases.runner import PhaseResults
from functions.chat.tools.results import TRACKED_CHARACTERS, bounded_envelope


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
    approvals: ApprovalView | None = None,
    llms: Mapping[str, LlmConfig],
) -> ChatResponse:
    """Return the answer with its trace, and its cost by the prices of `llms`.

    Records of tool calls are truncated where the answer would be too large for a response.
    """
    topic, intent, retrieved = phases.topic, phases.intent, phases.retrieved
    response = ChatResponse(
        **result.answer(),
        demo=is_demo(result.service, llms) or None,
        resume_token=resume_token,
        error=_model_error(result),
        approvals=approvals,
        fallback=_fallback(result),
        warnings=tuple(dict.fromkeys(trace.warnings)),
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
    calls = [call_record(execution) for execution in result.tool_calls]
    answer = _with_calls(response, calls)
    if _is_small(response, calls):
        return answer
    rest = response.model_dump(mode="json")
    steps = rest["timings"]["steps"]  # a background run has its steps beside its answer, too
    if payload_bytes([rest, steps, *calls]) <= MAX_PAYLOAD_BYTES:
        return answer
    room = MAX_PAYLOAD_BYTES - payload_bytes(rest) - payload_bytes(steps)
    return _with_calls(response, fitted_calls(calls, room))


def _with_calls(response: ChatResponse, calls: Sequence[dict[str, Json]]) -> ChatResponse:
    return response.model_copy(update={"tool_calls": tuple(map(ToolCallView.model_validate, calls))})


def _is_small(response: ChatResponse, calls: Sequence[dict[str, Json]]) -> bool:
    """Return True if a response and its calls are certainly within a payload.

    A payload has each step twice, and two bytes at most for each byte of JSON.
    """
    try:
        return 5 * (len(response.model_dump_json()) + len(to_json(calls))) <= MAX_PAYLOAD_BYTES
    except PydanticSerializationError:  # a lone surrogate, or more levels than pydantic writes
        return False


def answer_text(response: ChatResponse) -> str:
    """Return an answer as JSON; an unpaired surrogate, which a model may return, becomes a question mark."""
    return dumps(response.model_dump(mode="json")).encode(errors="replace").decode()


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


def _rag(retrieved: RetrievalResult) -> RagView:
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
        cache_write_tokens=usage.cache_write_tokens,
        cost_usd=cost_usd([(_model(name), call) for name, call in trace.answered], llms),
    )


def answer_totals(trace: Trace, llms: Mapping[str, LlmConfig]) -> AnswerTotals:
    """Return what a session keeps of an answer's trace."""
    usage = _usage(trace, llms)
    return AnswerTotals(
        duration_ms=trace.elapsed_ms,
        model_calls=len(trace.answered),
        **usage.model_dump(exclude={"total_tokens", "cost_usd"}),
        cost_usd=usage.cost_usd,
    )


def _model(name: str) -> ModelName:
    llm, _, model = name.partition(":")
    return ModelName(llm, model)


MAX_PAYLOAD_BYTES: Final = 6_000_000
"""Limit of a response within the 6,291,556 bytes that Lambda returns: the rest is for headers and, for the answer of a
run, for the run. A response is JSON inside the JSON of the proxy response: quotes and backslashes are escaped twice."""

MIN_CALL_BYTES: Final = 1_000
"""Minimum size of each call, however many calls there are."""


def payload_bytes(value: object) -> int:
    """Return the bytes of a JSON value within the payload that a Lambda returns to API Gateway.

    The payload has its text as a JSON string, where each quote and backslash has another backslash. A JSON text has no
    control characters, which would need more.
    """
    text = dumps(value).encode(errors="replace")
    return len(text) + text.count(b'"') + text.count(b"\\") + len('""')


def fitted_calls(calls: Sequence[dict[str, Json]], room: int) -> Sequence[dict[str, Json]]:
    """Return `calls`, in the form of `ToolCallView`, within `room` bytes of a payload; the largest are truncated first.

    A truncated result is its head and tail as text, with `truncated: true`; truncated arguments are text too.
    """
    sizes = [payload_bytes(call) for call in calls]
    allowed = max(MIN_CALL_BYTES, _largest_allowed(sizes, room))
    return [call if size <= allowed else _cut_call(call, allowed) for call, size in zip(calls, sizes, strict=True)]


def _largest_allowed(sizes: Sequence[int], room: int) -> int:
    """The largest limit for each of `sizes` with a total of at most `room`."""
    for position, size in enumerate(sorted(sizes)):
        share = room // (len(sizes) - position)
        if size > share:
            return share
        room -= size
    return max(sizes, default=0)


def _cut_call(call: Mapping[str, Json], allowed: int) -> dict[str, Json]:
    envelope = cast("dict[str, Json]", call["result"])
    name = "result" if envelope["success"] else "error"
    frame = {key: value for key, value in envelope.items() if key not in (name, "validation_errors")}
    room = max(0, allowed - payload_bytes({**call, "params": "", "result": {**frame, name: "", "truncated": True}}))
    params = _cut_value(call["params"], room // 2)
    result = _cut_value(envelope[name], room - payload_bytes(params))
    if result is not envelope[name] and envelope["success"]:
        frame["truncated"] = True
    return {**call, "params": params, "result": {**frame, name: result}}


def _cut_value(value: Json, room: int) -> Json:
    """`value`, or the head and tail of its text, within `room` bytes if possible."""
    if payload_bytes(value) <= room:
        return value
    text = value if isinstance(value, str) else dumps(value)
    limit = min(len(text), room)  # a character has at least one byte
    while limit > 0:
        shorter = truncate_middle(text, limit)
        size = payload_bytes(shorter)
        if size <= room:
            return shorter
        limit = min(limit - 1, int(limit * max(0, room) / size * 0.95))
    return omission_marker(len(text))
