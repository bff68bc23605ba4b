"""Outcomes of chats in words."""

from collections.abc import Mapping
from typing import cast

from flexchat.api.traces import TraceSummary
from flexchat.messages import AnswerOutcome
from flexchat.traces import FAILED_OUTCOMES

OUTCOMES: Mapping[AnswerOutcome, str] = {
    "answered": "answered",
    "cut_off": "cut off: the limit on tokens was reached",
    "filtered": "stopped by the provider's content filter",
    "blocked": "blocked by a guardrail",
    "refused": "refused by the model",
    "empty": "an empty answer",
    "iteration_limit": "stopped: the limit on iterations was reached",
    "repeated_calls": "stopped: the model repeated a call",
    "tool_call_limit": "stopped: the limit on tool calls was reached",
    "client_calls": "waits for the tools of the client",
    "waiting": "waits for the approval of tool calls",
    "out_of_time": "out of time",
    "budget_reached": "stopped: a limit of tokens or money was reached",
    "model_failed": "the model failed",
    "stopped": "stopped by its client",
    "unknown": "ended for an unknown reason",
}


def outcome_text(trace: TraceSummary) -> str:
    """Return the outcome of a stored trace in words."""
    if trace.outcome == "error":
        return "ended with an error"
    words = OUTCOMES.get(cast("AnswerOutcome", trace.outcome), trace.outcome)
    tool_failed = trace.failed and trace.outcome not in FAILED_OUTCOMES
    return f"{words}, a tool failed" if tool_failed else words
