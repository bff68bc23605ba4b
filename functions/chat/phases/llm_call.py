"""Model call of a phase: one short prompt, with its own timeout, that never raises."""

import re
from collections.abc import Callable

from msgspec import Struct

from flexchat.config.models.configuration import Configuration
from flexchat.config.phase_models import Phase, phase_model
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, ModelError, ModelErrorType
from flexchat.messages import Completion, Usage, user
from flexchat.observability import logger
from flexchat.trace_context import TraceContext
from functions.chat.generation.events import Emit, ModelRequest, PhaseFinished, tokens_of_failure, unreported_tokens
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.fallback import Candidate
from functions.chat.providers.request_log import RequestLog

MAX_SECONDS = 10.0
TIME_SHARE = 0.25
"""The timeout of a phase is the smaller of these: seconds, and its share of the time left."""

MIN_SECONDS = 0.2
"""Minimum time for a call."""

MAX_TOKENS = 200
MAX_ANSWER_CHARACTERS = 20_000
MAX_REASONING_TOKENS = 2_000
"""Token limit for a reasoning model, which spends most of it on its reasoning."""

CandidateOf = Callable[[str, str], Candidate]
"""Returns the candidate of an llm and a model. Raises ConfigError when there is none."""

_FENCE = re.compile(r"```\w*[^\S\n]*\n")


class PhaseModel(Struct, frozen=True):
    """Model of a phase, `llm:model`; without a candidate, `problem` is the reason."""

    name: str | None
    candidate: Candidate | None = None
    problem: str | None = None


class PhaseReply(Struct, frozen=True):
    """Outcome of a phase's model call: either `answer`, the model's text without its reasoning, or `error`."""

    model: str | None
    answer: str | None
    error: str | None
    duration_ms: int


def model_of(phase: Phase, configuration: Configuration, candidate: CandidateOf) -> PhaseModel:
    """Return the configured model of `phase`."""
    try:
        name = phase_model(configuration, phase)
    except ValueError as exc:
        return PhaseModel(None, problem=str(exc))
    try:
        return PhaseModel(str(name), candidate(name.llm, name.model))
    except ConfigError as exc:
        return PhaseModel(str(name), problem=str(exc))


def call_phase_model(
    phase: Phase,
    model: PhaseModel,
    prompt: str,
    *,
    deadline: Deadline,
    emit: Emit,
    trace: TraceContext | None = None,
) -> PhaseReply:
    """Return the model's answer to `prompt`, at temperature 0 where the model supports it."""
    candidate = model.candidate
    if candidate is None:
        logger.warning("phase model not found", phase=phase, reason=model.problem)
        return PhaseReply(model.name, None, model.problem, 0)
    due = deadline.within(min(MAX_SECONDS, deadline.remaining() * TIME_SHARE))
    if due.remaining() < MIN_SECONDS:
        logger.warning("phase skipped", phase=phase)
        return PhaseReply(model.name, None, "no time was left to call the model", 0)
    limit = MAX_REASONING_TOKENS if candidate.profile.reasoning else MAX_TOKENS
    headers = {} if trace is None else trace.headers(trace.child(phase))
    options = ChatOptions(deadline=due, max_tokens=limit, temperature=0.0, headers=headers, log=RequestLog())
    started = due.clock()
    answer: str | None = None
    error: str | None = None
    error_type: ModelErrorType | None = None
    usage, sent = Usage(), [user(prompt)]
    completion: Completion | None = None
    message, status = "", None
    try:
        completion = candidate.generate_chat(sent, options)
    except ModelError as exc:
        error, error_type = f"{exc.message} ({exc.type})", exc.type
        message, status = exc.message, exc.status
        unreported = tokens_of_failure(sent, exc.type)
    else:
        usage, unreported = completion.usage, unreported_tokens(sent, completion)
        answer = _without_frame(completion.message.text) or None
        if answer is None:
            error, error_type = "the model returned no text", "invalid_response"
            message = error
    duration_ms = round((due.clock() - started) * 1000)
    emit(
        PhaseFinished(
            phase,
            candidate.name,
            started,
            duration_ms,
            usage,
            error_type,
            unreported,
            request=ModelRequest(sent, options, candidate.provider.type),
            completion=completion,
            message=message,
            status=status,
        )
    )
    if error_type is not None:
        logger.warning("phase failed", phase=phase, model=candidate.name, error_type=error_type)
    return PhaseReply(model.name, answer, error, duration_ms)


def _without_frame(text: str) -> str:
    """Return the beginning of a model's answer without the code fence around it."""
    answer = text.strip()
    fence = _FENCE.match(answer)
    return answer[fence.end() if fence else 0 :].removesuffix("```").strip()[:MAX_ANSWER_CHARACTERS]
