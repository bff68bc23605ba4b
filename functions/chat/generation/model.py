"""The model of one chat: how it is called, and how each ending of a chat is worded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from flexchat.config.models import ProviderType, ResponseRule
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, FinishReason, Message, user
from flexchat.observability import logger
from functions.chat.generation.events import Emit, LimitReached, ModelFinished, ModelStarted
from functions.chat.generation.pace import Pace
from functions.chat.generation.progress import Progress
from functions.chat.generation.result import ISSUE_TEXT, LIMIT_TEXT, TIME_TEXT, GenerationResult
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.fallback import Candidates
from functions.chat.tools.formats import ProviderTools

MIN_MODEL_SECONDS = 0.2
"""With less time than this left, a model is not called."""

TIME_IS_UP = user(
    "(Time is up and no more tools can be called. Answer now from the results so far, and say what is missing.)"
)
"""What a model is told with its last call; it is no part of the conversation."""

type ToolFormat = Callable[[ProviderType], ProviderTools]
"""The tools of one chat, as a type of provider takes them."""


@dataclass(frozen=True, slots=True)
class GenerationContext:
    """What holds for one chat: when it is due, its id, and who is told what happens."""

    deadline: Deadline
    request_id: str
    emit: Emit


@dataclass(slots=True)
class ModelCalls:
    """Calls the model of one rule, or the one that took over from it, and words the endings.

    `deadline_reached` is true once the time left was too short for more tools. The answer that follows is whole: the
    limit cost it nothing.
    """

    rule: ResponseRule
    models: Candidates
    context: GenerationContext
    pace: Pace = field(init=False)
    deadline_reached: bool = field(default=False, init=False)
    _last_words: tuple[Message, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        self.pace = Pace(self.context.deadline)

    @property
    def takes_tools(self) -> bool:
        return self.models.current.profile.tools

    def call(
        self, messages: Sequence[Message], *, iteration: int, tools: ToolFormat | None = None
    ) -> Completion | None:
        """The next message, of whichever model can give it, or `None` when the time for it ran out before or during it.

        After the first turn of tools, a call that has no room for another one behind it is the last: the model is asked
        for its answer, and `None` is returned for one that calls tools all the same or has no text. Raises ModelError
        when no model is left to call.
        """
        deadline = self.context.deadline
        while deadline.remaining() >= MIN_MODEL_SECONDS:
            if tools is not None and iteration > 1 and self.pace.must_answer:
                self._reach_deadline(iteration)
                if not self.pace.can_answer:
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
                return None if self.deadline_reached and not _is_answer(completion) else completion
        return None

    def _attempt(self, messages: Sequence[Message], iteration: int, tools: ToolFormat | None) -> Completion:
        candidate = self.models.current
        offered = tools if candidate.profile.tools else None
        options = ChatOptions(
            deadline=self.models.due(self.context.deadline),
            max_tokens=self.rule.max_tokens,
            temperature=self.rule.temperature,
            tools=offered(candidate.provider.type) if offered else (),
            tool_choice="none" if self.deadline_reached else "auto",
        )
        started = self.context.deadline.clock()
        self.context.emit(ModelStarted(iteration, candidate.name))
        try:
            completion = candidate.generate_chat([*messages, *self._last_words], options)
        except ModelError as error:
            self.context.emit(ModelFinished(iteration, candidate.name, error=error.type))
            raise
        self.pace.model_took(started)
        self.context.emit(ModelFinished(iteration, candidate.name, completion.finish_reason, completion.usage))
        logger.info(
            "model answered",
            model=candidate.name,
            iteration=iteration,
            finish_reason=completion.finish_reason,
            tool_calls=len(completion.message.tool_calls),
        )
        return completion

    def _reach_deadline(self, iteration: int) -> None:
        if not self.deadline_reached:
            self.deadline_reached = True
            self._last_words = (TIME_IS_UP,)
            logger.warning("time runs short, no more tools", iteration=iteration)
            self.context.emit(LimitReached("deadline", iteration))

    def answer(self, completion: Completion) -> GenerationResult:
        """The model's own answer, or the documents' text where it gave none."""
        if completion.finish_reason != "stop":
            logger.warning(
                "unexpected finish reason",
                finish_reason=completion.finish_reason,
                raw_finish_reason=completion.raw_finish_reason,
            )
        content = completion.message.text
        result = self._result(content if content.strip() else ISSUE_TEXT, completion.finish_reason)
        return replace(result, deadline_reached=self.deadline_reached)

    def limit_reached(self, limit: int) -> GenerationResult:
        logger.warning("maximum number of tool iterations reached", max_iterations=limit)
        self.context.emit(LimitReached("iterations", limit))
        return replace(self._result(LIMIT_TEXT, "tool_calls"), max_iterations_reached=True)

    def stuck(self, iteration: int) -> GenerationResult:
        logger.warning("tool loop ended because calls repeated", iteration=iteration)
        self.context.emit(LimitReached("repeated_calls", iteration))
        return replace(self._result(LIMIT_TEXT, "tool_calls"), circular_calls_detected=True)

    def out_of_time(self, iteration: int, progress: Progress) -> GenerationResult:
        self._reach_deadline(iteration)
        logger.warning("chat ran out of time", iteration=iteration)
        return replace(self._result(TIME_TEXT, "error"), status="partial", progress=progress)

    def gave_out(self, error: ModelError, progress: Progress) -> GenerationResult:
        logger.warning("model failed after tools had run", provider=error.provider, error_type=error.type)
        content = f"The model could not finish its answer ({error.type}). What was done is listed with it."
        return replace(self._result(content, "error"), status="partial", error=error, progress=progress)

    def _result(self, content: str, finish_reason: FinishReason) -> GenerationResult:
        candidate = self.models.current
        return GenerationResult(
            content=content,
            service=candidate.provider.name,
            model=candidate.model,
            finish_reason=finish_reason,
            fallback=self.models.fallback,
        )


def _is_answer(completion: Completion) -> bool:
    """True for a text, and for no text where the provider says why; false for tool calls and for nothing at all."""
    message = completion.message
    return not message.tool_calls and (bool(message.text.strip()) or completion.finish_reason != "stop")
