"""Result of the response generator, with a constructor for each ending of a chat."""

from collections.abc import Collection, Mapping, Sequence
from copy import replace
from typing import Any, Final, Literal, Self

from msgspec import Struct

from flexchat.errors import ModelError
from flexchat.messages import AnswerOutcome, Completion, FinishReason
from flexchat.tools import ToolExecution
from functions.chat.generation.checkpoint import Checkpoint, PendingIteration
from functions.chat.providers.fallback import Candidates, Fallback

LIMIT_TEXT = "I reached the maximum number of tool calls. Please try rephrasing your request."
"""Answer when a limit ended the tool loop."""

ISSUE_TEXT = "I encountered an issue processing your request."
"""Answer when the model returned neither text nor calls."""

BUDGET_TEXT = (
    "I used all output tokens that I may use before I could answer. A higher `max_tokens` of the response rule or of "
    "the llm lets me finish."
)
"""Answer when the reasoning of the model used its whole token limit."""

TIME_TEXT = "I ran out of time before I could finish. What was done until then is listed with this answer."

type LoopLimit = Literal["iterations", "repeated_calls", "tool_calls"]
"""Limits that end the tool loop."""

_LIMIT_OUTCOMES: Mapping[LoopLimit, AnswerOutcome] = {
    "iterations": "iteration_limit",
    "repeated_calls": "repeated_calls",
    "tool_calls": "tool_call_limit",
}

_ANSWER_FIELDS: Final = (
    "content",
    "service",
    "model",
    "status",
    "outcome",
    "finish_reason",
    "max_iterations_reached",
    "circular_calls_detected",
    "max_tool_calls_reached",
    "deadline_reached",
)

WAITING_TEXT = "(The model waits for the results of the client's tools.)"
"""Answer of a session's turn without a text of the model, until the client sends the results."""


APPROVAL_TEXT = "(The answer waits for the approval of tool calls.)"
"""Answer of a chat whose calls wait for an approval, without a text of the model."""


class GenerationResult(Struct, frozen=True):
    """An answer by `service` and `model`, the last ones called.

    `tool_calls` is None on the standard path, a (possibly empty) record on the tool path (decision C13). `checkpoint`
    and `error`, the provider's if it was the reason, belong to a `partial` answer; with `pending`, it is partial
    because the client runs calls of this iteration, or because they wait for an approval. `deadline_reached` and
    `max_tool_calls_reached` are set when the model had to answer without more tools, also when it did not answer.
    """

    content: str
    service: str
    model: str
    finish_reason: FinishReason
    outcome: AnswerOutcome
    tool_calls: tuple[ToolExecution, ...] | None = None
    status: Literal["complete", "partial"] = "complete"
    max_iterations_reached: bool = False
    circular_calls_detected: bool = False
    max_tool_calls_reached: bool = False
    error: ModelError | None = None
    fallback: Fallback | None = None
    deadline_reached: bool = False
    checkpoint: Checkpoint | None = None
    pending: PendingIteration | None = None

    @classmethod
    def answered(cls, completion: Completion, models: Candidates, *, forbidden_by: Collection[str]) -> Self:
        """Return the model's own answer.

        A text that a server has put into the reasoning is the answer where there is no other, and a text of our own is
        that of an empty one. `forbidden_by` are the limits after which the model had to answer.
        """
        content = completion.message.text
        if not content.strip() and completion.finish_reason == "stop":
            content = completion.message.reasoning
        is_empty = not content.strip()
        calls_forbidden = "tool_calls" in forbidden_by
        return cls(
            content=_empty_text(completion) if is_empty else content,
            service=models.current.provider.name,
            model=models.current.model,
            finish_reason=completion.finish_reason,
            outcome=_outcome_of(completion.finish_reason, is_empty=is_empty, calls_forbidden=calls_forbidden),
            fallback=models.fallback,
            deadline_reached="deadline" in forbidden_by,
            max_tool_calls_reached=calls_forbidden,
        )

    @classmethod
    def limit_reached(cls, limit: LoopLimit, models: Candidates) -> Self:
        """Return the answer of a loop that a limit ended before the model answered."""
        return cls(
            content=LIMIT_TEXT,
            service=models.current.provider.name,
            model=models.current.model,
            finish_reason="tool_calls",
            outcome=_LIMIT_OUTCOMES[limit],
            fallback=models.fallback,
            max_iterations_reached=limit == "iterations",
            circular_calls_detected=limit == "repeated_calls",
            max_tool_calls_reached=limit == "tool_calls",
        )

    @classmethod
    def client_calls(cls, pending: PendingIteration, checkpoint: Checkpoint, models: Candidates) -> Self:
        """Return the end of a loop whose last iteration waits for the client; `checkpoint` has those before it."""
        return cls(
            content=pending.message.text,
            service=models.current.provider.name,
            model=models.current.model,
            finish_reason="tool_calls",
            outcome="client_calls",
            fallback=models.fallback,
            status="partial",
            checkpoint=checkpoint,
            pending=pending,
        )

    @classmethod
    def waiting(cls, pending: PendingIteration, checkpoint: Checkpoint, models: Candidates) -> Self:
        """Return the end of a loop whose last iteration waits for an approval; `checkpoint` has those before it."""
        result = cls.client_calls(pending, checkpoint, models)
        return replace(result, content=pending.message.text or APPROVAL_TEXT, outcome="waiting")

    @classmethod
    def blocked(cls, answer: str, models: Candidates) -> Self:
        """Return the end of a chat whose message or answer a guardrail blocked; `answer` is the text in its place."""
        return cls(
            content=answer,
            service=models.current.provider.name,
            model=models.current.model,
            finish_reason="content_filter",
            outcome="blocked",
            fallback=models.fallback,
        )

    @classmethod
    def out_of_time(cls, checkpoint: Checkpoint, models: Candidates) -> Self:
        return cls._partial(TIME_TEXT, checkpoint, models, outcome="out_of_time")

    @classmethod
    def budget_reached(cls, limit: str, checkpoint: Checkpoint, models: Candidates) -> Self:
        """Return the unfinished answer of a chat that a limit of its caller ended; `limit` is the reason in words."""
        content = f"The answer is not finished: {limit}. What was done until then is listed with it."
        return cls._partial(content, checkpoint, models, outcome="budget_reached")

    @classmethod
    def model_failed(cls, error: ModelError, checkpoint: Checkpoint, models: Candidates) -> Self:
        content = f"The model could not finish its answer ({error.type}). What was done is listed with it."
        return cls._partial(content, checkpoint, models, error, outcome="model_failed")

    @classmethod
    def _partial(
        cls,
        content: str,
        checkpoint: Checkpoint,
        models: Candidates,
        error: ModelError | None = None,
        *,
        outcome: AnswerOutcome,
    ) -> Self:
        return cls(
            content=content,
            service=models.current.provider.name,
            model=models.current.model,
            finish_reason="error",
            outcome=outcome,
            fallback=models.fallback,
            status="partial",
            error=error,
            checkpoint=checkpoint,
        )

    def answer(self) -> dict[str, Any]:
        """Return the fields that a response has under the same names, without the limits that were not reached."""
        fields = {name: getattr(self, name) for name in _ANSWER_FIELDS}
        return {name: value for name, value in fields.items() if value is not False}

    def with_tool_calls(self, executions: Sequence[ToolExecution]) -> "GenerationResult":
        return replace(self, tool_calls=tuple(executions))


def _empty_text(completion: Completion) -> str:
    return BUDGET_TEXT if completion.finish_reason == "length" else ISSUE_TEXT


def _outcome_of(finish_reason: FinishReason, *, is_empty: bool, calls_forbidden: bool) -> AnswerOutcome:
    """Return the outcome of the model's own answer."""
    match finish_reason:
        case "stop":
            return "empty" if is_empty else "answered"
        case "length":
            return "cut_off"
        case "content_filter":
            return "filtered"
        case "refusal":
            return "refused"
        case "tool_calls":
            return "tool_call_limit" if calls_forbidden else "unknown"
        case "error":
            return "model_failed"
        case "unknown":
            return "empty" if is_empty else "unknown"
