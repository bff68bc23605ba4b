"""The model of one chat: how it is called, and how each ending of a chat is worded."""

from collections.abc import Sequence
from dataclasses import dataclass

from flexchat.config.models import ResponseRule
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, Usage
from flexchat.observability import logger
from functions.chat.generation.events import Emit, LimitReached, ModelFinished, ModelStarted
from functions.chat.generation.result import LIMIT_TEXT, TIME_TEXT, GenerationResult, answered
from functions.chat.providers.base import ChatOptions, Provider
from functions.chat.tools.formats import ProviderTools

MIN_MODEL_SECONDS = 0.2
"""With less time than this left, a model is not called."""


@dataclass(frozen=True, slots=True)
class GenerationContext:
    """What holds for one chat: when it is due, its id, and who is told what happens."""

    deadline: Deadline
    request_id: str
    emit: Emit


@dataclass(frozen=True, slots=True)
class ModelCalls:
    """Calls the model of one rule and words the endings."""

    rule: ResponseRule
    provider: Provider
    context: GenerationContext

    def call(self, messages: Sequence[Message], *, iteration: int, tools: ProviderTools = ()) -> Completion | None:
        """One model call, or `None` when the time for it ran out before or during it."""
        context = self.context
        if context.deadline.remaining() < MIN_MODEL_SECONDS:
            return None
        options = ChatOptions(
            deadline=context.deadline,
            max_tokens=self.rule.max_tokens,
            temperature=self.rule.temperature,
            tools=tools,
        )
        name = f"{self.provider.name}:{self.rule.model}"
        context.emit(ModelStarted(iteration, name))
        try:
            completion = self.provider.generate_chat(messages, self.rule.model, options)
        except ModelError as error:
            context.emit(ModelFinished(iteration, name, None, Usage()))
            if error.type == "timeout" and context.deadline.remaining() < MIN_MODEL_SECONDS:
                return None
            raise
        context.emit(ModelFinished(iteration, name, completion.finish_reason, completion.usage))
        logger.info(
            "model answered",
            model=name,
            iteration=iteration,
            finish_reason=completion.finish_reason,
            tool_calls=len(completion.message.tool_calls),
        )
        return completion

    def answer(self, completion: Completion) -> GenerationResult:
        if completion.finish_reason != "stop":
            logger.warning(
                "unexpected finish reason",
                finish_reason=completion.finish_reason,
                raw_finish_reason=completion.raw_finish_reason,
            )
        return answered(completion, service=self.provider.name, model=self.rule.model)

    def limit_reached(self, limit: int) -> GenerationResult:
        logger.warning("maximum number of tool iterations reached", max_iterations=limit)
        self.context.emit(LimitReached("iterations", limit))
        return GenerationResult(
            content=LIMIT_TEXT,
            service=self.provider.name,
            model=self.rule.model,
            finish_reason="tool_calls",
            max_iterations_reached=True,
        )

    def stuck(self, iteration: int) -> GenerationResult:
        logger.warning("tool loop ended because calls repeated", iteration=iteration)
        self.context.emit(LimitReached("repeated_calls", iteration))
        return GenerationResult(
            content=LIMIT_TEXT,
            service=self.provider.name,
            model=self.rule.model,
            finish_reason="tool_calls",
            circular_calls_detected=True,
        )

    def out_of_time(self, iteration: int) -> GenerationResult:
        logger.warning("chat ran out of time", iteration=iteration)
        self.context.emit(LimitReached("deadline", iteration))
        return GenerationResult(
            content=TIME_TEXT,
            service=self.provider.name,
            model=self.rule.model,
            finish_reason="error",
            status="partial",
        )

    def gave_out(self, error: ModelError) -> GenerationResult:
        logger.warning("model failed after tools had run", provider=error.provider, error_type=error.type)
        return GenerationResult(
            content=f"The model could not finish its answer ({error.type}). What was done is listed with it.",
            service=self.provider.name,
            model=self.rule.model,
            finish_reason="error",
            status="partial",
            error=error,
        )
