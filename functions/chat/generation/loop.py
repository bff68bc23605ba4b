"""Phase 6: the answer. Without tools one model call; with tools the loop of phase 6b."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from flexchat.config.models.rules import ResponseRule
from flexchat.errors import ModelError, Problem, RequestError
from flexchat.messages import Completion, Json, Message, system
from flexchat.observability import logger
from functions.chat.generation.answer_form import answer_form
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT, Checkpoint, PendingIteration
from functions.chat.generation.checks import BlockedError
from functions.chat.generation.events import LimitReached, WarningRaised
from functions.chat.generation.model_calls import (
    FormatTools,
    GenerationContext,
    ModelCalls,
    is_empty,
    system_prompt,
)
from functions.chat.generation.result import GenerationResult, LoopLimit
from functions.chat.generation.tool_calls import ToolCallRunner
from functions.chat.providers.base import NamedTool, ToolChoice
from functions.chat.providers.fallback import Candidates
from functions.chat.tools.manager import OfferedTools, ToolManager


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
        user_message: Message,
        previous_messages: Sequence[Message],
        context: GenerationContext,
        checkpoint: Checkpoint = EMPTY_CHECKPOINT,
        pending: PendingIteration | None = None,
    ) -> GenerationResult:
        """Return the answer to `user_message`, continuing from `checkpoint` and with the decided iteration `pending`.

        The messages are the system prompt, the earlier conversation, and the user's message. Raises ModelError when no
        model can answer, and RequestError for a reached limit of the caller, before any tool has run; afterwards the
        answer is `partial` and contains the executed calls. An answer that a guardrail blocks is replaced. Raises
        RequestError for a client's tools, or a choice of a tool, that cannot be offered, and for a schema of the answer
        that cannot be used.
        """
        overrides = context.overrides
        model = ModelCalls(rule=rule, models=models, context=context, form=answer_form(rule, overrides.response_format))
        calls = self._tool_calls(rule, model, checkpoint)
        form = model.form and model.form.instructions(models.current.profile, has_tools=calls is not None)
        manager = self._tool_manager
        prompt = system_prompt(
            rule.prompt,
            profile,
            overrides.instructions,
            form or "",
            nonce=context.exposure.nonce if manager is not None and manager.marks_untrusted else None,
            has_marked_tools=calls is not None and calls.returns_marked,
        )
        messages = [system(prompt), *previous_messages, user_message, *checkpoint.messages]
        if calls is not None:
            try:
                if pending is not None:
                    messages.extend(calls.resume(pending))
                    model.tool_called(keep_choice=False)
                result = _run_loop(model, messages, calls, calls.format_tools)
            except BlockedError as blocked:
                result = GenerationResult.blocked(blocked.answer, models)
            return result.with_tool_calls(calls.executions)
        if pending is not None:
            logger.warning("approved calls not run", calls=len(pending.approvals))
            context.emit(WarningRaised("the approved calls were not run: no tools are offered any more"))
        try:
            result = _answer_without_tools(model, messages, checkpoint)
        except BlockedError as blocked:
            result = GenerationResult.blocked(blocked.answer, models)
        return result.with_tool_calls(checkpoint.executions) if checkpoint.executions else result

    def _tool_calls(self, rule: ResponseRule, model: ModelCalls, checkpoint: Checkpoint) -> ToolCallRunner | None:
        """Return the runner of the tools of the rule and of the client; None when no tool can be offered."""
        overrides = model.context.overrides
        if self._tool_manager is None or overrides.tool_choice == "none":
            return None
        tools = self._tool_manager.offer(rule.tools, overrides.tools)
        if tools is None:
            return None
        if not model.models.current.profile.tools:
            logger.warning("tools not supported", model=model.models.current.name)
            return None
        if rule.tools is not None and rule.tools.allowed_tools is None:
            logger.info("all tools offered", tools=len(tools.names))
        model.tool_choice = _choice(overrides.tool_choice, tools)
        calls = ToolCallRunner(tools=tools, context=model.context, time_budget=model.time_budget, checkpoint=checkpoint)
        model.client_calls = calls.client_calls
        return calls


def _choice(choice: ToolChoice, tools: OfferedTools) -> ToolChoice:
    """Return a choice with the name of its tool in requests. Raises RequestError (400) for a tool not offered."""
    if not isinstance(choice, NamedTool):
        return choice
    name = tools.wire_name(choice.name)
    if name is None:
        message = f"tool_choice names the tool '{choice.name}', which is not offered"
        problem = Problem("tool_choice", message)
        raise RequestError(message, status=HTTPStatus.BAD_REQUEST, code="invalid_tools", details=(problem,))
    return NamedTool(name)


def _run_loop(
    model: ModelCalls, messages: list[Message], calls: ToolCallRunner, tools: FormatTools
) -> GenerationResult:
    """Call the model and its tools until it answers or a limit ends the loop."""
    last = calls.limits.iterations
    for iteration in range(calls.checkpoint.iterations + 1, last + 1):
        logger.info("iteration started", iteration=iteration, max_iterations=last)
        if calls.calls_left == 0:
            model.forbid_tools("tool_calls", iteration)
        try:
            completion = _next_message(model, messages, iteration, tools)
        except ModelError as error:
            if not calls.executions:
                raise
            return _model_failed(model, error, calls.checkpoint)
        except RequestError as error:
            if not calls.executions or error.limit is None:
                raise
            return _budget_reached(model, error, calls.checkpoint)
        if completion is None:
            return _out_of_time(model, iteration, calls.checkpoint)
        if not completion.message.tool_calls:
            return _answered(model, completion)
        if "deadline" in model.forbidden_by:
            checkpoint = calls.checkpoint
            calls.refuse(completion.message, iteration)
            return _out_of_time(model, iteration, checkpoint)
        before = calls.checkpoint
        messages.extend(calls.run(completion.message, iteration))
        if calls.pending is not None and calls.pending.approvals:
            return GenerationResult.waiting(calls.pending, before, model.models)
        if calls.pending is not None:
            return GenerationResult.client_calls(calls.pending, calls.checkpoint, model.models)
        model.tool_called(keep_choice=calls.has_client_tools)
        if calls.limit_reached is not None:
            return _limit_reached(model, calls.limit_reached, iteration)
    return _limit_reached(model, "iterations", last)


def _next_message(
    model: ModelCalls, messages: Sequence[Message], iteration: int, tools: FormatTools
) -> Completion | None:
    """Return the model's next message; None when its time was over.

    The iteration is the last when the remaining time is too short for another iteration of tools and the answer after
    it: then the model must answer without more tools.
    """
    while model.has_time:
        if iteration > 1 and model.time_budget.must_answer:
            if not model.forbidden_by:
                model.forbid_tools("deadline", iteration)
            if not model.time_budget.can_answer:
                return None
        completion = model.attempt(messages, iteration, tools)
        if completion is not None:
            return None if "deadline" in model.forbidden_by and is_empty(completion) else completion
    return None


def _answer_without_tools(model: ModelCalls, messages: Sequence[Message], checkpoint: Checkpoint) -> GenerationResult:
    """Return the answer of one model call."""
    iteration = checkpoint.iterations + 1
    try:
        completion = model.call(messages, iteration=iteration)
    except ModelError as error:
        if not checkpoint.executions:
            raise
        return _model_failed(model, error, checkpoint)
    except RequestError as error:
        if not checkpoint.executions or error.limit is None:
            raise
        return _budget_reached(model, error, checkpoint)
    return _out_of_time(model, iteration, checkpoint) if completion is None else _answered(model, completion)


def _answered(model: ModelCalls, completion: Completion) -> GenerationResult:
    if completion.finish_reason != "stop":
        logger.warning(
            "unexpected finish reason received",
            finish_reason=completion.finish_reason,
            raw_finish_reason=completion.raw_finish_reason,
        )
    return GenerationResult.answered(completion, model.models, forbidden_by=model.forbidden_by)


def _limit_reached(model: ModelCalls, limit: LoopLimit, iteration: int) -> GenerationResult:
    logger.warning("tool loop ended", limit=limit, iteration=iteration)
    if limit not in model.forbidden_by:
        model.context.emit(LimitReached(limit, iteration))
    return GenerationResult.limit_reached(limit, model.models)


def _out_of_time(model: ModelCalls, iteration: int, checkpoint: Checkpoint) -> GenerationResult:
    model.forbid_tools("deadline", iteration)
    logger.warning("deadline reached", iteration=iteration)
    return GenerationResult.out_of_time(checkpoint, model.models)


def _budget_reached(model: ModelCalls, error: RequestError, checkpoint: Checkpoint) -> GenerationResult:
    logger.warning("budget reached", limit=error.limit and error.limit.name, iteration=checkpoint.iterations)
    return GenerationResult.budget_reached(error.message, checkpoint, model.models)


def _model_failed(model: ModelCalls, error: ModelError, checkpoint: Checkpoint) -> GenerationResult:
    logger.warning("chat ended after model failure", provider=error.provider, error_type=error.type)
    return GenerationResult.model_failed(error, checkpoint, model.models)
