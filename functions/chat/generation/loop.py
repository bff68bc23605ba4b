"""Phase 6: the answer. Without tools one model call; with tools the loop of phase 6b."""

from collections.abc import Mapping, Sequence
from functools import partial

from flexchat.config.models.rules import ResponseRule
from flexchat.config.models.tools import ResponseToolsConfig
from flexchat.errors import ModelError
from flexchat.messages import Json, Message, system, user
from flexchat.observability import logger
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT, Checkpoint
from functions.chat.generation.model_calls import GenerationContext, ModelCalls, ToolFormat
from functions.chat.generation.prompt import substitute_variables
from functions.chat.generation.result import GenerationResult
from functions.chat.generation.tool_calls import ToolCallRunner
from functions.chat.providers.fallback import Candidates
from functions.chat.tools.call_check import ExecutionContext
from functions.chat.tools.manager import ToolManager


class ResponseGenerator:
    """Generates one answer from a rule, a profile and the conversation."""

    def __init__(self, *, tool_manager: ToolManager | None = None) -> None:
        self._tool_manager = tool_manager

    def generate_response(
        self,
        *,
        profile: Mapping[str, Json],
        rule: ResponseRule,
        models: Candidates,
        user_message: str,
        previous_messages: Sequence[Message],
        context: GenerationContext,
        checkpoint: Checkpoint = EMPTY_CHECKPOINT,
    ) -> GenerationResult:
        """The answer to `user_message`, or what was left of it after `checkpoint`.

        The messages are the system prompt, then the earlier conversation, then the user's message.
        Raises ModelError when no model can answer before any tool has run; afterwards the answer is `partial` and
        carries what was done.
        """
        opening = system(substitute_variables(rule.prompt, profile))
        messages = [opening, *previous_messages, user(user_message), *checkpoint.messages]
        model = ModelCalls(rule=rule, models=models, context=context)
        tools = rule.tools
        manager = self._tool_manager
        if manager is None or not manager.is_enabled() or tools is None or not tools.enabled:
            return self._generate(model, messages, checkpoint)
        offered = manager.offered(tools.allowed_tools)
        if not offered:
            logger.warning("no tool available for the rule", allowed_tools=tools.allowed_tools)
            return self._generate(model, messages, checkpoint)
        if not model.takes_tools:
            logger.warning("model takes no tools", model=models.current.name)
            return self._generate(model, messages, checkpoint)
        if tools.allowed_tools is None:
            logger.info("rule offers every tool", tools=len(offered))
        return self._generate_with_tools(model, messages, manager, tools, offered, checkpoint)

    def _generate(self, model: ModelCalls, messages: Sequence[Message], checkpoint: Checkpoint) -> GenerationResult:
        """The standard path: one model call."""
        iteration = checkpoint.iterations + 1
        try:
            completion = model.call(messages, iteration=iteration)
        except ModelError as error:
            if not checkpoint.executions:
                raise
            result = model.gave_out(error, checkpoint)
        else:
            result = model.out_of_time(iteration, checkpoint) if completion is None else model.answer(completion)
        return result.with_tool_calls(checkpoint.executions) if checkpoint.executions else result

    def _generate_with_tools(
        self,
        model: ModelCalls,
        messages: list[Message],
        manager: ToolManager,
        tools: ResponseToolsConfig,
        offered: frozenset[str],
        checkpoint: Checkpoint,
    ) -> GenerationResult:
        """The tool path: the loop of phase 6b, with the record of what it executed."""
        formatted = partial(manager.get_registry().to_provider_format, allowed_tools=offered)
        turns = ToolCallRunner(
            executor=manager.get_executor(),
            names=manager.get_registry().names,
            context=ExecutionContext(
                deadline=model.context.deadline,
                request_id=model.context.request_id,
                allowed=offered,
                take_calls=model.context.take_calls,
            ),
            rendering=manager.get_rendering(),
            emit=model.context.emit,
            time_budget=model.time_budget,
            checkpoint=checkpoint,
            limits=manager.get_limits(tools),
            repeatable=manager.get_repeatable(),
        )
        result = self._loop(model, messages, turns, formatted)
        return result.with_tool_calls(turns.executions)

    def _loop(
        self, model: ModelCalls, messages: list[Message], turns: ToolCallRunner, tools: ToolFormat
    ) -> GenerationResult:
        """Call the model and the tools it asks for until it answers or a limit ends the loop."""
        last = turns.limits.iterations
        for iteration in range(turns.checkpoint.iterations + 1, last + 1):
            logger.info("iteration started", iteration=iteration, max_iterations=last)
            if turns.calls_left == 0:
                model.forbid_tools("tool_calls", iteration)
            try:
                completion = model.call(messages, iteration=iteration, tools=tools)
            except ModelError as error:
                if not turns.executions:
                    raise
                return model.gave_out(error, turns.checkpoint)
            if completion is None:
                return model.out_of_time(iteration, turns.checkpoint)
            if not completion.message.tool_calls:
                return model.answer(completion)
            if model.is_time_up:
                checkpoint = turns.checkpoint
                turns.refuse(completion.message, iteration)
                return model.out_of_time(iteration, checkpoint)
            messages.extend(turns.run(completion.message, iteration))
            if turns.limit_reached is not None:
                return model.ended(turns.limit_reached, iteration)
        return model.ended("iterations", last)
