"""What the response generator gives back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from flexchat.errors import ModelError
from flexchat.messages import AnswerOutcome, FinishReason
from flexchat.tools import ToolExecution
from functions.chat.generation.checkpoint import Checkpoint
from functions.chat.providers.fallback import Fallback

LIMIT_TEXT = "I reached the maximum number of tool calls. Please try rephrasing your request."
"""Answer when the model still calls tools in the last iteration."""

ISSUE_TEXT = "I encountered an issue processing your request."
"""Answer when the model returned neither text nor calls."""

TIME_TEXT = "I ran out of time before I could finish. What was done until then is listed with this answer."


@dataclass(frozen=True, slots=True)
class GenerationResult:
    """An answer. `tool_calls` is `None` on the standard path, a (possibly empty) record on the tool path
    (decision C13). `error` is why a `partial` answer ended early, when the provider was the reason. `service` and
    `model` are those that answered last, `fallback` says for whom they stood in. `deadline_reached` is set on a
    complete answer that was asked for early, for want of time; `max_tool_calls_reached` on one that was asked for
    without more tools, or not given, because the chat's tool calls were used up. `is_empty` is set where the model gave
    no text and `content` stands in for it. `checkpoint` is what a later request can go on from, on a `partial` answer
    only.
    """

    content: str
    service: str
    model: str
    finish_reason: FinishReason
    tool_calls: tuple[ToolExecution, ...] | None = None
    status: Literal["complete", "partial"] = "complete"
    max_iterations_reached: bool = False
    circular_calls_detected: bool = False
    max_tool_calls_reached: bool = False
    error: ModelError | None = None
    fallback: Fallback | None = None
    deadline_reached: bool = False
    checkpoint: Checkpoint | None = None
    is_empty: bool = False

    @property
    def outcome(self) -> AnswerOutcome:
        """Outcome of the chat: an early end takes precedence over a limit, a limit over the provider's reason."""
        if self.status == "partial":
            return "model_failed" if self.error is not None else "out_of_time"
        if self.max_iterations_reached:
            return "iteration_limit"
        if self.circular_calls_detected:
            return "repeated_calls"
        match self.finish_reason:
            case "stop":
                return "empty" if self.is_empty else "answered"
            case "length":
                return "cut_off"
            case "content_filter":
                return "filtered"
            case "refusal":
                return "refused"
            case "tool_calls":
                return "tool_call_limit" if self.max_tool_calls_reached else "unknown"
            case "error":
                return "model_failed"
            case "unknown":
                return "empty" if self.is_empty else "unknown"

    def with_tool_calls(self, executions: Sequence[ToolExecution]) -> "GenerationResult":
        return replace(self, tool_calls=tuple(executions))
