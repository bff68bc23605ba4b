"""The model of one chat: how it is called, and how each ending of a chat is worded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from flexchat.config.models.rules import ResponseRule
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, FinishReason, Message, user
from flexchat.observability import logger
from functions.chat.generation.checkpoint import Checkpoint
from functions.chat.generation.events import Emit, LimitReached, ModelFinished, ModelStarted
from functions.chat.generation.result import ISSUE_TEXT, LIMIT_TEXT, TIME_TEXT, GenerationResult
from functions.chat.generation.time_budget import TimeBudget
from functions.chat.generation.unreported import tokens_of_failure, unreported_tokens
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.fallback import Candidates
from functions.chat.tools.formats import ProviderTools
from functions.chat.tools.quota import TakeCalls, unlimited

MIN_MODEL_SECONDS = 0.2
"""With less time than this left, a model is not called."""

TIME_IS_UP = user(
    "(Time is up and no more tools can be called. Answer now from the results so far, and say what is missing.)"
)
CALLS_ARE_USED_UP = user(
    "(No more tools can be called in this chat. Answer now from the results so far, and say what is missing.)"
)

type LastCallLimit = Literal["deadline", "tool_calls"]
"""Limits for which the model is asked for its answer without more tools."""

LAST_WORDS: Mapping[LastCallLimit, Message] = {
    "deadline": TIME_IS_UP,
    "tool_calls": CALLS_ARE_USED_UP,
}
"""Message of the last calls, by the limit that forbids more tools; it is no part of the conversation."""

type ToolFormat = Callable[[ProviderType], ProviderTools]
"""The tools of one chat, as a type of provider takes them."""


@dataclass(frozen=True, slots=True)
class GenerationContext:
    """The deadline of one chat, its id, the receiver of its events, and the permission for its tool calls."""

    deadline: Deadline
    request_id: str
    emit: Emit
    take_calls: TakeCalls = unlimited


@dataclass(slots=True)
class ModelCalls:
    """Calls the model of one rule, or the one that took over from it, and words the endings.

    `forbidden_by` are the limits for which no more tools may be called. The answer that follows is whole: such a limit
    cost it nothing.
    """

    rule: ResponseRule
    models: Candidates
    context: GenerationContext
    time_budget: TimeBudget = field(init=False)
    forbidden_by: set[LastCallLimit] = field(default_factory=set[LastCallLimit], init=False)
    _last_words: tuple[Message, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        self.time_budget = TimeBudget(self.context.deadline)

    @property
    def is_time_up(self) -> bool:
        """True once the model was asked for its answer because time is short."""
        return "deadline" in self.forbidden_by

    @property
    def takes_tools(self) -> bool:
        return self.models.current.profile.tools

    def call(
        self, messages: Sequence[Message], *, iteration: int, tools: ToolFormat | None = None
    ) -> Completion | None:
        """The next message, of whichever model can give it, or `None` when the time for it ran out before or during it.

        After the first turn of tools, a call that has no room for another one behind it is the last: the model is asked
        for its answer, and `None` is returned for one that is neither a text nor tool calls. Raises ModelError when no
        model is left to call.
        """
        deadline = self.context.deadline
        while deadline.remaining() >= MIN_MODEL_SECONDS:
            if tools is not None and iteration > 1 and self.time_budget.must_answer:
                if not self.forbidden_by:
                    self.forbid_tools("deadline", iteration)
                if not self.time_budget.can_answer:
                    return None
            try:
                completion = self._attempt(messages, iteration, tools)
            except ModelError as error:
                if self._last_words and error.type == "invalid_request":
                    # Mistral's servers take no user's message after results; that no tool may be called is said anyway.
                    self._last_words = ()
                    continue
                if deadline.remaining() < MIN_MODEL_SECONDS:
                    if error.type == "timeout":
                        return None
                    raise
                in_tool_loop = any(message.role == "tool" for message in messages)
                if not self.models.replace(error, in_tool_loop=in_tool_loop):
                    raise
            else:
                return None if self.is_time_up and _is_nothing(completion) else completion
        return None

    def _attempt(self, messages: Sequence[Message], iteration: int, tools: ToolFormat | None) -> Completion:
        candidate = self.models.current
        offered = tools if candidate.profile.tools else None
        options = ChatOptions(
            deadline=self.models.due(self.context.deadline),
            max_tokens=self.rule.max_tokens,
            temperature=self.rule.temperature,
            tools=offered(candidate.provider.type) if offered else (),
            tool_choice="none" if self.forbidden_by else "auto",
        )
        sent = [*messages, *self._last_words]
        started = self.context.deadline.clock()
        self.context.emit(ModelStarted(iteration, candidate.name))
        try:
            completion = candidate.generate_chat(sent, options)
        except ModelError as error:
            lost = tokens_of_failure(sent, error.type)
            self.context.emit(ModelFinished(iteration, candidate.name, error=error.type, unreported_tokens=lost))
            raise
        self.time_budget.model_took(started)
        self.context.emit(
            ModelFinished(
                iteration,
                candidate.name,
                completion.finish_reason,
                completion.usage,
                unreported_tokens=unreported_tokens(sent, completion),
            )
        )
        logger.info(
            "model answered",
            model=candidate.name,
            iteration=iteration,
            finish_reason=completion.finish_reason,
            tool_calls=len(completion.message.tool_calls),
        )
        return completion

    def forbid_tools(self, limit: LastCallLimit, iteration: int) -> None:
        """Ask for the answer from the next model call on, without more tools."""
        if limit not in self.forbidden_by:
            self.forbidden_by.add(limit)
            self._last_words = (LAST_WORDS[limit],)
            logger.warning("tools forbidden", limit=limit, iteration=iteration)
            self.context.emit(LimitReached(limit, iteration))

    def answer(self, completion: Completion) -> GenerationResult:
        """The model's own answer, or the documents' text where it gave none."""
        if completion.finish_reason != "stop":
            logger.warning(
                "unexpected finish reason",
                finish_reason=completion.finish_reason,
                raw_finish_reason=completion.raw_finish_reason,
            )
        content = completion.message.text
        is_empty = not content.strip()
        result = self._result(ISSUE_TEXT if is_empty else content, completion.finish_reason)
        return replace(
            result,
            is_empty=is_empty,
            deadline_reached=self.is_time_up,
            max_tool_calls_reached="tool_calls" in self.forbidden_by,
        )

    def ended(self, limit: Literal["iterations", "repeated_calls", "tool_calls"], iteration: int) -> GenerationResult:
        """Word the ending of a loop that a limit ended before the model answered."""
        logger.warning("tool loop ended", limit=limit, iteration=iteration)
        if limit not in self.forbidden_by:
            self.context.emit(LimitReached(limit, iteration))
        return replace(
            self._result(LIMIT_TEXT, "tool_calls"),
            max_iterations_reached=limit == "iterations",
            circular_calls_detected=limit == "repeated_calls",
            max_tool_calls_reached=limit == "tool_calls",
        )

    def out_of_time(self, iteration: int, checkpoint: Checkpoint) -> GenerationResult:
        self.forbid_tools("deadline", iteration)
        logger.warning("chat ran out of time", iteration=iteration)
        return replace(self._result(TIME_TEXT, "error"), status="partial", checkpoint=checkpoint)

    def gave_out(self, error: ModelError, checkpoint: Checkpoint) -> GenerationResult:
        logger.warning("model failed after tools had run", provider=error.provider, error_type=error.type)
        content = f"The model could not finish its answer ({error.type}). What was done is listed with it."
        return replace(self._result(content, "error"), status="partial", error=error, checkpoint=checkpoint)

    def _result(self, content: str, finish_reason: FinishReason) -> GenerationResult:
        candidate = self.models.current
        return GenerationResult(
            content=content,
            service=candidate.provider.name,
            model=candidate.model,
            finish_reason=finish_reason,
            fallback=self.models.fallback,
        )


def _is_nothing(completion: Completion) -> bool:
    """True for neither a text nor calls, unless the provider says why."""
    message = completion.message
    return not message.tool_calls and not message.text.strip() and completion.finish_reason == "stop"
