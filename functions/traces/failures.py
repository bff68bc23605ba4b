"""Explanations of failed chats for the page and the command: what failed, in which step, and what to do."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from msgspec import Struct

from flexchat.api.traces import TraceFailureView
from flexchat.errors import ModelErrorType, ToolErrorType
from flexchat.text import counted
from flexchat.traces import FAILED_OUTCOMES, Span, TraceError, TraceRecord

MAX_FAILURES: Final = 5
"""Most explanations of a chat; the waterfall has every failed step."""

_COMMAND_WORD: Final = re.compile(r"[A-Za-z0-9_./:-]{1,128}")
"""Values that a command can have as they are: a model may call a tool by any text."""


class Explanation(Struct, frozen=True):
    """Title of a failure, and what to do; `advice` has `{name}` of the step, `{id}` and `{stage}` of the chat."""

    title: str
    advice: str


_LOGS: Final = "`flexchat trace {id} --logs`, or the log lines below the trace on the page,"

MODEL_ERRORS: Final[Mapping[ModelErrorType, Explanation]] = {
    "authentication": Explanation(
        "The provider rejected the API key",
        "Store a valid key of the provider with `flexchat secrets set NAME --stage {stage}`; `NAME` is the secret in "
        "`api_key` of the llm.",
    ),
    "permission": Explanation(
        "The API key has no access to this model",
        "Allow the model in the provider's account or project, or name another model in the rule.",
    ),
    "not_found": Explanation(
        "Model not found",
        "Correct the name of the model in the rule, or `base_url` of the llm; `flexchat models` lists the models of "
        "the provider.",
    ),
    "rate_limit": Explanation(
        "The provider's rate limit was reached",
        "Send the message again later. Raise the limit or the quota at the provider, or name `fallbacks` in the rule.",
    ),
    "timeout": Explanation(
        "The provider did not answer in time",
        "Send a later deadline (`deadline_ms`) or run the chat in the background (`flexchat chat --async`). If the "
        "deadline was not the limit, raise `timeout_ms` of the llm, select a faster model, or name `fallbacks` in the "
        "rule.",
    ),
    "overloaded": Explanation(
        "The provider is overloaded",
        "Send the message again later, or name `fallbacks` in the rule.",
    ),
    "context_length": Explanation(
        "The conversation is too long",
        "Send less history, offer fewer tools with `allowed_tools` of the rule, lower `max_result_size` of the tools, "
        "or select a model with a larger context window.",
    ),
    "content_filter": Explanation(
        "The content filter blocked the message",
        "Rephrase the message, or change the content filter in the provider's account.",
    ),
    "unsupported_content": Explanation(
        "The model does not read this",
        "Leave out the pictures or files, or select a model that reads them; `flexchat models show {name}` has the "
        "features of a model.",
    ),
    "invalid_request": Explanation(
        "The provider rejected the request",
        "Correct what the provider's message names. A schema: compare `flexchat tools show` with the `parameters` of "
        "the tool. A parameter: change it in the rule or the llm, or correct the model's features in `profiles`.",
    ),
    "invalid_response": Explanation(
        "The provider's response is not valid",
        "Check that `type` and `base_url` of the llm are those of the server, and that its API is compatible.",
    ),
    "malformed_tool_call": Explanation(
        "The model's tool call cannot be read",
        "Select another model, or name `fallbacks` in the rule; `flexchat models` has the measured status of each. For "
        "an own server, check its parser of tool calls.",
    ),
    "invalid_format": Explanation(
        "The model's answer has another form",
        "Select a model with structured answers, or simplify the schema of the answer.",
    ),
    "network": Explanation(
        "The provider cannot be reached",
        "Check `base_url` of the llm: https and a public address. If the log has `provider address refused`, the "
        "address is not allowed.",
    ),
    "server_error": Explanation(
        "The provider failed",
        "Send the message again. If it repeats, read the provider's status page, or name `fallbacks` in the rule.",
    ),
}

CHAT_ERRORS: Final[Mapping[str, Explanation]] = {
    "unavailable": Explanation(
        "The service is unavailable",
        "Send the message again in a moment. If it repeats, check the AWS resource that the message names: for a "
        f"table, its throttled requests and capacity in CloudWatch; {_LOGS} have the requests that failed.",
    ),
    "internal_error": Explanation("The service failed", f"{_LOGS} have the exception with its stack."),
    "configuration": Explanation(
        "Configuration error",
        "Correct the entry that the message names, check it with `flexchat config check` and push it with "
        "`flexchat config push --stage {stage}`.",
    ),
    "rate_limited": Explanation(
        "Too many requests",
        "Wait until the limit of the caller resets, or raise it in `limits` of the configuration.",
    ),
    "timeout": Explanation(
        "The service did not answer in time",
        "Send a later deadline (`deadline_ms`), or run the chat in the background (`flexchat chat --async`).",
    ),
    "cancelled": Explanation(
        "The chat was cancelled", "Nothing: its client cancelled it by the id of its request. Send the message again."
    ),
    "session_busy": Explanation(
        "The session is in use",
        "Wait until the other chat of the session has ended, then send the message again.",
    ),
    "session_not_found": Explanation("Session not found", "Start a new session, or send the id of an existing one."),
    "session_moved_on": Explanation(
        "The session has changed", "Read the session again, then send the message as its next turn."
    ),
}
"""By the `error` of the API's error body; errors of models have the prefix `model_`."""

REJECTED: Final = Explanation("The request was rejected", "Correct the request as the message states.")
FAILED: Final = CHAT_ERRORS["internal_error"]

OUTCOMES: Final[Mapping[str, Explanation]] = {
    "error": FAILED,
    "model_failed": Explanation("The model failed", "Send the message again, or name `fallbacks` in the rule."),
    "out_of_time": Explanation(
        "The deadline was reached",
        "Send a later deadline (`deadline_ms`), run the chat in the background (`flexchat chat --async`), or continue "
        "the partial answer with its resume token. The longest bars show where the time went.",
    ),
    "budget_reached": Explanation(
        "A limit of tokens or money was reached",
        "Wait until the limit resets and continue the partial answer with its resume token, or raise the limit in the "
        "section `limits` of the configuration.",
    ),
    "iteration_limit": Explanation(
        "The limit on iterations was reached",
        "If the calls are useful, raise `tools.max_iterations` of the rule. If the model calls without progress, "
        "correct the prompt, the descriptions of the tools or their results.",
    ),
    "repeated_calls": Explanation(
        "The model repeated the same call",
        "Read the result of the call: it has to answer the model's question. Improve the tool's description or result, "
        "or set `repeatable` for a tool whose result changes.",
    ),
    "tool_call_limit": Explanation(
        "The limit on tool calls was reached",
        "If the calls are useful, raise `tools.max_tool_calls` of the rule. If not, correct the prompt or the "
        "descriptions of the tools.",
    ),
    "empty": Explanation(
        "The model returned no text",
        "Raise `max_tokens` if the tokens were used for reasoning, or select another model.",
    ),
}
"""By the outcome of a chat that did not answer."""

_TRY: Final = "`flexchat tools try {name}` calls it without a model and shows its requests and responses."

TOOL_ERRORS: Final[Mapping[ToolErrorType, Explanation]] = {
    "tool_not_found": Explanation(
        "The model called an unknown tool",
        "`flexchat tools list` has the tools of the service. Remove the name from the prompt, or add the tool.",
    ),
    "tool_not_allowed": Explanation(
        "The rule does not offer this tool",
        "Add the tool to `allowed_tools` of the rule, or remove its name from the prompt.",
    ),
    "tool_disabled": Explanation(
        "The tool is disabled", "`flexchat tools list` has the reason why it is disabled; correct it, then push."
    ),
    "blocked_by_policy": Explanation(
        "The injection policy refused the call",
        "The conversation had read private data and untrusted content. Start a new one; if the tool is safe then, "
        "correct the traits of the tools (`reads_private`, `egress`, `writes`, `untrusted`).",
    ),
    "invalid_arguments": Explanation(
        "The arguments do not match the tool's parameters",
        "The model receives the message and may correct its call. If it repeats, describe each parameter in "
        "`parameters` of the tool, with an example; `flexchat tools show {name}` prints what the model receives.",
    ),
    "malformed_arguments": Explanation(
        "The model's arguments are not valid JSON",
        "The model receives the message and may correct its call. If it repeats, select another model, or raise "
        "`max_tokens` if the call was cut off.",
    ),
    "repeated_call": Explanation(
        "The model repeated the same call",
        "Improve the tool's description or result, or set `repeatable` for a tool whose result changes.",
    ),
    "too_many_calls": Explanation(
        "Too many calls in one iteration",
        "The model may repeat the call in its next iteration. Raise `tools.max_calls_per_turn` if it needs more.",
    ),
    "approval_required": Explanation(
        "The call needed an approval",
        "The tool has `approval: always`, and nobody approved this call: it stood beside calls of the client's tools, "
        "it was made where no chat waits, or the tool or its arguments changed after the approval.",
    ),
    "approval_denied": Explanation(
        "A person denied the call",
        "The model received the reason and continued without the result. No change is needed.",
    ),
    "previous_call_unfinished": Explanation(
        "An earlier sequential call failed",
        "Correct the failure of the earlier call; the later ones of its iteration are then run.",
    ),
    "rate_limited": Explanation(
        "The tool's rate limit was reached",
        "Wait, or raise the limit: `rate_limit` of the tool, `tool_calls_per_minute` in `limits`, or that of the API.",
    ),
    "execution_failed": Explanation(
        "The tool failed",
        f"{_LOGS} have the reason. {_TRY}",
    ),
    "configuration": Explanation(
        "The tool is misconfigured",
        f"Correct the field that the message names, and check it with `flexchat config check`. {_TRY}",
    ),
    "unavailable": Explanation(
        "The tool cannot be reached",
        f"Check that its server runs and its address is right; `flexchat mcp list` shows the state of MCP servers. "
        f"{_TRY}",
    ),
    "circuit_open": Explanation(
        "The tool is suspended after repeated failures",
        "Correct the earlier failures of its host: `flexchat traces --failed --tool {name}` lists them. One call tests "
        "the host after `circuit_breaker.open_ms`.",
    ),
    "timeout": Explanation(
        "The tool did not answer in time",
        f"Raise `timeout_ms` of the tool, or make it faster. {_TRY}",
    ),
    "result_too_large": Explanation(
        "The tool's result is too large",
        "Return less: a `response_path`, fewer results in a page, or a narrower query.",
    ),
    "deadline": Explanation(
        "No time was left for the tool",
        "Send a later deadline (`deadline_ms`), or run the chat in the background (`flexchat chat --async`).",
    ),
}
"""By the error of a tool call."""

_BY_CODE: Final[Mapping[str, Explanation]] = {
    **CHAT_ERRORS,
    **{f"model_{kind}": explanation for kind, explanation in MODEL_ERRORS.items()},
}
_BY_TOOL_ERROR: Final[Mapping[str, Explanation]] = {**TOOL_ERRORS}


def failures_of(record: TraceRecord, *, operator: bool) -> tuple[TraceFailureView, ...]:
    """Explain a failed chat: first what ended it, then its failed tool calls, those of one tool and kind once.

    Without `operator`, messages have no text of a provider or a tool.
    """
    found: dict[object, TraceFailureView] = {}
    for key, failure in _all(record, operator=operator):
        found.setdefault(key, failure)
    return tuple(islice(found.values(), MAX_FAILURES))


def _all(record: TraceRecord, *, operator: bool) -> Iterator[tuple[object, TraceFailureView]]:
    if record.error is not None:
        yield None, _ended_by_error(record, record.error, operator=operator)
    elif record.outcome in FAILED_OUTCOMES:
        yield None, _ended_by_outcome(record, operator=operator)
    for span in record.spans:
        if span.kind == "tool" and span.error is not None:
            explanation = _BY_TOOL_ERROR.get(span.error, _BY_TOOL_ERROR["execution_failed"])
            message = span.message if operator else None
            yield (span.name, span.error), _view(record, span.error, explanation, span=span, message=message)


def _ended_by_error(record: TraceRecord, error: TraceError, *, operator: bool) -> TraceFailureView:
    span = _failed_model_call(record)
    if span is not None and error.type == f"model_{span.error}":
        message = (span.message if operator else None) or error.message
    else:
        span, message = None, error.message
    explanation = _BY_CODE.get(error.type)
    if explanation is None:
        explanation = REJECTED if 400 <= (error.status or 0) < 500 else FAILED
    return _view(record, error.type, explanation, span=span, message=message, status=error.status)


def _ended_by_outcome(record: TraceRecord, *, operator: bool) -> TraceFailureView:
    span = _failed_model_call(record)
    if record.outcome == "model_failed" and span is not None:
        code = f"model_{span.error}"
        explanation = _BY_CODE.get(code, OUTCOMES["model_failed"])
        return _view(record, code, explanation, span=span, message=span.message if operator else None)
    explanation = OUTCOMES.get(record.outcome, FAILED)
    last = record.spans[-1] if record.spans else None
    return _view(record, record.outcome, explanation, span=last, message=_limit_message(record))


def _limit_message(record: TraceRecord) -> str | None:
    """Return what a chat had used of the limit that ended it."""
    iterations = max((span.iteration for span in record.spans), default=0)
    calls = sum(span.kind == "tool" for span in record.spans)
    match record.outcome:
        case "iteration_limit":
            return f"The chat ended after {counted(iterations, 'iteration')}, before the model answered"
        case "tool_call_limit":
            return f"The chat ended after {counted(calls, 'tool call')}, before the model answered"
        case "out_of_time":
            return f"The chat ended after {record.duration_ms:,} ms, before the model answered"
        case _:
            return None


def _failed_model_call(record: TraceRecord) -> Span | None:
    """Return the last failed call of a model; earlier ones may have had a fallback."""
    failed = (span for span in reversed(record.spans) if span.kind not in ("tool", "guardrail") and span.error)
    return next(failed, None)


def _view(
    record: TraceRecord,
    code: str,
    explanation: Explanation,
    *,
    span: Span | None,
    message: str | None,
    status: int | None = None,
) -> TraceFailureView:
    advice = explanation.advice
    values = {"name": "" if span is None else span.name, "id": record.id, "stage": record.stage}
    for key, value in values.items():
        advice = advice.replace(f"{{{key}}}", value if _COMMAND_WORD.fullmatch(value) else key.upper())
    return TraceFailureView(
        code=code,
        title=explanation.title,
        message=message or None,
        status=status,
        span_id=None if span is None else span.id,
        advice=advice,
    )
