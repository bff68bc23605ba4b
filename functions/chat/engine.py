"""Chat engine: the six phases of one request, from its message to one well-formed answer before its deadline."""

import time
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import replace
from functools import partial
from http import HTTPStatus
from typing import Final

from msgspec import Struct

from flexchat.api import MAX_MESSAGE_CHARACTERS, ChatRequest, ChatResponse, history_messages
from flexchat.api.answer import SessionReference
from flexchat.api.approvals import ApprovalView
from flexchat.api.explain import ExplainView
from flexchat.attachments import LoadedFiles
from flexchat.config.matching import match_rule, matched_fields
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.rules import ResponseRule
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ConfigError, FlexchatError, ModelError, RequestError
from flexchat.http_api.caller import Caller
from flexchat.limits.counting import Reservation
from flexchat.messages import Image, Json, Message, Part, ToolOutput, system, user
from flexchat.observability import logger
from flexchat.sessions import Exposure
from flexchat.text import truncate_middle
from flexchat.tool_types import EVERY_TRAIT, ToolTraits
from flexchat.traces import FrontEnd
from functions.chat.chat_limits import ChatLimits
from functions.chat.choices import NO_CHOICE, Choice, chosen_model
from functions.chat.deadlines import ChatDeadlines
from functions.chat.files.message_files import MessageFiles, has_files, with_files
from functions.chat.generation.answer_form import answer_form, usable_format
from functions.chat.generation.checkpoint import Checkpoint
from functions.chat.generation.checks import WITHHELD_MESSAGE
from functions.chat.generation.events import (
    ApprovalsRequested,
    ChatStarted,
    Emit,
    Event,
    FilesLoaded,
    IterationFinished,
    MessageReplaced,
    RuleMatched,
    Trace,
    WarningRaised,
    fan_out,
    ignore_event,
)
from functions.chat.generation.loop import ResponseGenerator
from functions.chat.generation.model_calls import NO_OVERRIDES, ChatOverrides, GenerationContext
from functions.chat.generation.result import WAITING_TEXT, GenerationResult
from functions.chat.inspection.explain import explain
from functions.chat.metrics import ChatMetrics
from functions.chat.phases.message_check import MessageCheck, guards_messages, possible_rules
from functions.chat.phases.profile import build_profile, named_rule
from functions.chat.phases.runner import PhaseResults, PhaseRunner
from functions.chat.providers.attachments import LIMITS, is_native, refused_attachment
from functions.chat.providers.base import ResponseFormat
from functions.chat.providers.fallback import Candidates
from functions.chat.response import answer_totals, chat_response, is_demo
from functions.chat.resumption.approvals import ApprovalRequests, ApprovedChat
from functions.chat.resumption.tokens import ChatState, ResumeTokens
from functions.chat.resumption.waiting_chats import WaitingChat, WaitingChats
from functions.chat.runtime import Runtime, RuntimeCache
from functions.chat.sessions.conversations import Conversations
from functions.chat.sessions.history import fit_request, fit_window, latest_turns
from functions.chat.sessions.titles import TitleQueue, TitleRequest
from functions.chat.sessions.turn import Turn
from functions.chat.stored_files import Scope
from functions.chat.tools.executor import FunctionInvoker
from functions.chat.tools.policy import FULL_EXPOSURE, exposure_of, exposure_to
from functions.chat.tracing.recorder import TraceOrigin
from functions.chat.tracing.sender import TraceSender

MIN_TEXT_CHARACTERS: Final = 4_000
"""Characters of the text of a file that a model with a small window gets."""

ANSWER_TOKENS: Final = 1_024
"""Room in a model's window for an answer whose length the request does not limit."""


class ChatEngine:
    """Answers chat requests on the current configuration, for every front end."""

    def __init__(
        self,
        *,
        runtimes: RuntimeCache,
        invoker: FunctionInvoker,
        conversations: Conversations,
        resume_tokens: ResumeTokens,
        waiting_chats: WaitingChats,
        approvals: ApprovalRequests,
        files: MessageFiles,
        limits: ChatLimits,
        traces: TraceSender,
        titles: TitleQueue,
        clock: Clock = time.monotonic,
    ) -> None:
        self._runtimes = runtimes
        self._titles = titles
        self._invoker = invoker
        self._conversations = conversations
        self._resume_tokens = resume_tokens
        self._waiting_chats = waiting_chats
        self._approvals = approvals
        self._files = files
        self._limits = limits
        self._traces = traces
        self._clock = clock

    def answer(
        self,
        request: ChatRequest,
        *,
        caller: Caller,
        deadline: Deadline,
        request_id: str,
        observe: Emit = ignore_event,
        reservations: Sequence[Reservation] | None = None,
        stream: bool = False,
        overrides: ChatOverrides = NO_OVERRIDES,
        restarts: bool = False,
        front_end: FrontEnd = "chat",
        run_id: str | None = None,
        continued: ChatState | None = None,
    ) -> ChatResponse:
        """Return the answer to one message; `observe` receives the events of the chat, with `stream` the deltas of its
        answer too, and with `restarts` those of repeated model calls. `front_end` is for the trace of the chat.
        `run_id` is the run with its events, if it has one. `continued` is the state of a chat whose tool calls waited
        for an approval, and are decided.

        `reservations` are those of a request that `ChatLimits.admit` counted before. Raises RequestError for a reached
        limit, an unusable session, resume token, schema of the answer, choice or tool of the client, and an explanation
        without the role of an operator; ConfigError for a configuration without an answer; ModelError when the provider
        fails before any tool has run; UnavailableError when the configuration, the session or the state of the token
        cannot be read.
        """
        if request.explain:
            caller.require_operator()
        deadlines, trace = ChatDeadlines.split(deadline), Trace(clock=self._clock)
        metrics = ChatMetrics(trace, self._traces.stage)
        with (
            metrics,
            self._limits.admitted(
                request,
                caller=caller,
                deadlines=deadlines,
                trace=trace,
                reservations=reservations,
                overrides=overrides,
            ) as admission,
        ):
            runtime = self._runtimes.usable(caller, deadlines.work)
            configuration = runtime.catalog.configuration
            overrides = _with_choice(overrides, request, configuration, caller)
            request, overrides = self._placed(request, overrides, caller, deadlines.work)
            given = self._files.given(
                _sent_messages(request, overrides), owner=caller.principal, deadline=deadlines.work
            )
            content, overrides = _with_given(request, overrides, given, configuration.sessions.max_history_tokens)
            if request.session_id is not None and content:
                scope = Scope.session(request.session_id)
                content = self._kept(Message("user", content), scope, caller, deadlines.work).parts
            rules = possible_rules(configuration.responses, overrides.rule)
            is_guarded = guards_messages(rules)
            caller_fields = configuration.profile.caller_fields
            metrics.tools, metrics.llms = runtime.tool_names, configuration.llms
            origin = TraceOrigin.of_request(request_id, front_end=front_end, caller=caller.principal, streamed=stream)
            with (
                self._traces.chat(
                    origin, runtime, message=WITHHELD_MESSAGE if is_guarded else request.message, clock=self._clock
                ) as traced,
                self._unfinished(
                    request, overrides, continued, caller=caller, run=request_id, deadlines=deadlines
                ) as state,
                self._conversations.turn(
                    request,
                    state,
                    owner=caller.principal,
                    run=request_id,
                    settings=configuration.sessions,
                    deadline=deadlines.persist,
                    history=overrides.history,
                    content=content,
                    answering=run_id,
                    demo_llms={name for name in configuration.llms if is_demo(name, configuration.llms)},
                    withheld=WITHHELD_MESSAGE if is_guarded else None,
                ) as turn,
            ):
                traced.opened(turn)
                overrides = _with_schema(overrides, request if state is None else state)
                if state is not None:
                    overrides = _with_choice(overrides, state, configuration, caller)
                if state is not None and state.nonce is not None:
                    turn.exposure.nonce = state.nonce
                turn.exposure.add(_earlier_exposure(turn, state, overrides, runtime))
                context = GenerationContext(
                    deadline=deadlines.work,
                    request_id=request_id,
                    audit=self._traces.calls(origin),
                    emit=fan_out(self._observing(turn, caller, deadlines.persist), trace.emit, traced.observe, observe),
                    take_calls=admission.take_calls,
                    check_budget=lambda due: admission.extend(lambda: trace.use(configuration.llms), due),
                    principal=caller.principal,
                    streams=stream,
                    overrides=overrides,
                    restarts=restarts,
                    session_id=turn.session_id,
                    trace=origin.context,
                    waits_for_approvals=True,
                    exposure=turn.exposure,
                )
                context.emit(ChatStarted())
                metrics.is_accepted = stream
                if given:
                    context.emit(FilesLoaded(given))
                for warning in overrides.warnings:
                    context.emit(WarningRaised(warning))
                results, check = PhaseResults(), None
                if state is None:  # a continued chat has the state of phases 1 to 4
                    phased = _for_phases(request)
                    check = MessageCheck(
                        message=Message("user", content) if content else user(request.message),
                        rules=rules,
                        guardrails=configuration.guardrails,
                        checks_of=partial(runtime.checks, source="input", deadline=context.deadline, emit=context.emit),
                    )
                    with self._phases(phased, runtime, turn, context) as phases, check:
                        topic = phases.detect_topic()  # 1
                        retrieved = phases.search_collections(topic)  # 2
                        intent = phases.detect_intent(topic, retrieved)  # 3
                        results = PhaseResults(topic.result(), retrieved, intent, phases.current_topic)
                    if retrieved is not None and retrieved.documents:
                        turn.exposure.add(FULL_EXPOSURE)
                    profile = build_profile(  # 4
                        phased, results, caller_fields=caller_fields, roles=caller.roles
                    )
                    state = ChatState(
                        request.message,
                        turn.history,
                        profile,
                        Checkpoint(overrides.iterations),
                        session_id=turn.session_id,
                        turn=turn.number,
                        response_schema=request.response_schema,
                        content=content,
                        rule=request.rule,
                        model=request.model,
                    )
                elif state.completed is not None:
                    context.emit(state.completed)
                rule, matched = _rule(overrides, runtime, state, caller)  # 5
                checked = None if check is None else check.result(rule)
                if checked is not None and checked.is_replaced:
                    context.emit(MessageReplaced(checked.message))
                    # What the phases have found out about the message may have a part of it.
                    state, results = _replaced(state, checked.message), PhaseResults(retrieved=results.retrieved)
                    matched = matched and {name: state.profile.get(name) for name in matched}
                blocked = None if checked is None else checked.blocked
                if is_guarded:
                    traced.message = state.message
                    if check is not None and blocked is None:
                        turn.asked(state.user_message)
                context.emit(RuleMatched(rule.name, matched, chosen_rule=state.rule, chosen_model=state.model))
                models = runtime.candidates(rule, deadlines.work, overrides.model)
                explanation = (
                    _explanation(runtime, state, results, rule, models, overrides, turn.exposure.nonce)
                    if request.explain
                    else None
                )
                if blocked is None:
                    result = self._generated(state, rule, models, runtime, context, caller)  # 6
                else:
                    result = GenerationResult.blocked(blocked, models)
                if result.error is not None and not caller.is_operator:
                    result = replace(result, error=result.error.for_users())
                kept = self._keep(state, result, context, run_id, caller, runtime, deadlines.persist)
                response = chat_response(
                    result,
                    request_id=request_id,
                    rule=rule.name,
                    phases=results,
                    session=_close(turn, result, rule, runtime, trace, topic=_topic(request, results)),
                    resume_token=kept.resume_token,
                    approvals=kept.approvals,
                    explanation=explanation,
                    trace=trace,
                    llms=configuration.llms,
                )
                traced.answered(response)
                if response.session is not None and response.session.title_pending and blocked is None:
                    self._titles.add(TitleRequest.of(response.session.id, caller))
        metrics.answered(response)
        return response

    def _generated(
        self,
        state: ChatState,
        rule: ResponseRule,
        models: Candidates,
        runtime: Runtime,
        context: GenerationContext,
        caller: Caller,
    ) -> GenerationResult:
        """Return the answer of phase 6. Raises the errors of `ResponseGenerator`."""
        previous = _previous(state, context.overrides, models, context)
        previous, (asked,), iterations = self._with_files(
            (previous, (state.user_message,), state.checkpoint.messages), models, context, caller
        )
        guards = rule.guardrails
        if guards is not None and guards.output:
            checks = runtime.checks(
                guards.output,
                source="output",
                deadline=context.deadline,
                emit=context.emit,
                chunk_characters=guards.chunk_characters,
            )
            context = replace(context, checks=checks)
        with _errors_for(caller):
            return ResponseGenerator(tool_manager=runtime.tools).generate_response(
                profile=state.profile,
                rule=rule,
                models=models,
                user_message=asked,
                previous_messages=previous,
                context=context,
                checkpoint=replace(state.checkpoint, messages=iterations),
                pending=state.pending,
            )

    def _placed(
        self, request: ChatRequest, overrides: ChatOverrides, caller: Caller, deadline: Deadline
    ) -> tuple[ChatRequest, ChatOverrides]:
        """Return a request with the message of the turn that it edits or regenerates, and the files of that turn."""
        placed = self._conversations.placed(request, owner=caller.principal, deadline=deadline)
        return placed.request, replace(overrides, content=placed.content) if placed.content else overrides

    def _phases(self, request: ChatRequest, runtime: Runtime, turn: Turn, context: GenerationContext) -> PhaseRunner:
        return PhaseRunner(
            request=request,
            history=turn.history,
            session_topic=turn.topic,
            catalog=runtime.catalog,
            rights=runtime.rights,
            invoker=self._invoker,
            candidate=runtime.candidate,
            deadline=context.deadline,
            request_id=context.request_id,
            emit=context.emit,
            trace=context.trace,
        )

    def _unfinished(
        self,
        request: ChatRequest,
        overrides: ChatOverrides,
        continued: ChatState | None,
        *,
        caller: Caller,
        run: str,
        deadlines: ChatDeadlines,
    ) -> AbstractContextManager[ChatState | None]:
        """Return the state of the chat that a request continues, with a resume token or the results of a client."""
        if continued is not None:
            return nullcontext(continued)
        if not overrides.iterations:
            return self._resume_tokens.redeemed(request, caller=caller, run=run, deadlines=deadlines)
        return nullcontext(
            self._waiting_chats.find(request, overrides.iterations, caller=caller, deadline=deadlines.work)
        )

    def _keep(
        self,
        state: ChatState,
        result: GenerationResult,
        context: GenerationContext,
        run_id: str | None,
        caller: Caller,
        runtime: Runtime,
        deadline: Deadline,
    ) -> "_Kept":
        """Store an unfinished chat, so that its caller, its client or a decision continues it."""
        if result.checkpoint is None:
            return _Kept()

        def kept(messages: Sequence[Message]) -> tuple[Message, ...]:
            scope = Scope.unfinished(context.request_id)
            return self._files.kept(messages, scope, owner=caller.principal, deadline=deadline)

        unfinished = replace(
            state,
            checkpoint=replace(result.checkpoint, messages=kept(result.checkpoint.messages)),
            history=kept(state.history),
            content=kept((state.user_message,))[0].parts if state.content else (),
            completed=None,
            pending=None,
            exposure=context.exposure.current,
            nonce=context.exposure.nonce,
        )
        if result.pending is None:
            return _Kept(resume_token=self._resume_tokens.issue(unfinished, caller=caller, deadline=deadline))
        outputs = kept((Message("tool", result.pending.outputs),))[0].parts
        pending = replace(result.pending, outputs=tuple(part for part in outputs if isinstance(part, ToolOutput)))
        if not pending.approvals:
            self._waiting_chats.store(WaitingChat(unfinished, pending), caller=caller, deadline=deadline)
            return _Kept()
        try:
            approvals = self._approvals.open(
                run_id or context.request_id,
                ApprovedChat(unfinished, pending, context.overrides),
                caller=caller,
                seconds=runtime.catalog.configuration.tools.approval_seconds,
                deadline=deadline,
            )
        except FlexchatError as error:
            logger.error("approval not stored", reason=str(error))
            context.emit(WarningRaised("the request for an approval could not be stored; send the message again"))
            return _Kept()
        context.emit(ApprovalsRequested(approvals))
        return _Kept(approvals=approvals)

    def _kept(self, message: Message, scope: Scope, caller: Caller, deadline: Deadline) -> Message:
        """Return a message whose files are stored."""
        return self._files.kept((message,), scope, owner=caller.principal, deadline=deadline)[0]

    def _observing(self, turn: Turn, caller: Caller, deadline: Deadline) -> Emit:
        """Return the receiver of a turn's events, which stores the pictures of results in its session."""
        session_id = turn.session_id
        if session_id is None:
            return turn.observe

        def observe(event: Event) -> None:
            if isinstance(event, IterationFinished) and has_files(event.outputs):
                scope = Scope.session(session_id)
                outputs = self._files.kept(event.outputs, scope, owner=caller.principal, deadline=deadline)
                event = replace(event, outputs=outputs)
            turn.observe(event)

        return observe

    def _with_files(
        self,
        groups: tuple[Sequence[Message], ...],
        models: Candidates,
        context: GenerationContext,
        caller: Caller,
    ) -> list[tuple[Message, ...]]:
        """Return each group of messages with the contents of stored files, and the texts of files for the models.

        Raises RequestError (400) for pictures and files of the request that the model does not read.
        """
        overrides, model = context.overrides, models.current
        _check_seen(overrides, models)
        read: list[tuple[Message, ...]] = []
        for group in groups:
            if not has_files(group):
                read.append(tuple(group))
                continue
            messages = self._files.stored(group, owner=caller.principal, deadline=context.deadline)
            window = model.profile.context_window
            messages, warnings = self._files.with_texts(
                messages,
                is_read=lambda file: models.is_last and is_native(file, model.profile, LIMITS[model.provider.type]),
                max_characters=None if window is None else max(window, MIN_TEXT_CHARACTERS),
                owner=caller.principal,
                request_id=context.request_id,
                deadline=context.deadline,
            )
            for warning in warnings:
                context.emit(WarningRaised(warning))
            read.append(messages)
        return read


class _Kept(Struct, frozen=True):
    """What continues an unfinished chat: a token of its caller, or the approval of its calls."""

    resume_token: str | None = None
    approvals: ApprovalView | None = None


def _replaced(state: ChatState, message: Message) -> ChatState:
    """Return the state of a new chat with another message, and the profile without texts from the old one."""
    text = message.text
    profile = {**state.profile, "user_message": text, "topic": text}
    return replace(state, message=text, profile=profile, content=message.parts if state.content else ())


@contextmanager
def _errors_for(caller: Caller) -> Generator[None]:
    """Raise errors of models with the text of the provider for operators alone."""
    try:
        yield
    except ModelError as error:
        if caller.is_operator:
            raise
        raise error.for_users() from error


def _with_schema(overrides: ChatOverrides, chat: ChatRequest | ChatState) -> ChatOverrides:
    """Return the settings of a chat with the schema of its answer. Raises RequestError for one that cannot be used."""
    if chat.response_schema is None:
        return overrides
    return replace(overrides, response_format=usable_format(ResponseFormat(schema=chat.response_schema)))


def _with_choice(
    overrides: ChatOverrides, chat: ChatRequest | ChatState, configuration: Configuration, caller: Caller
) -> ChatOverrides:
    """Return the settings of a chat with the rule and the model that the caller chose. Raises RequestError."""
    choice = Choice(chat.rule, chat.model)
    if choice == NO_CHOICE:
        return overrides
    model = chosen_model(choice, configuration, caller)
    return replace(overrides, rule=choice.rule or overrides.rule, model=model or overrides.model)


def _sent_messages(request: ChatRequest, overrides: ChatOverrides) -> tuple[Message, ...]:
    """Return the messages with the files of a request."""
    history = history_messages(request.history) if overrides.history is None else overrides.history
    return (*history, Message("user", overrides.content or request.content), *overrides.iterations)


def _with_given(
    request: ChatRequest, overrides: ChatOverrides, given: LoadedFiles, max_history_tokens: int
) -> tuple[tuple[Part, ...], ChatOverrides]:
    """Return the parts of the message, if it has files, and the overrides with the contents of all files.

    The history of a request with files becomes that of the overrides, which has their contents: its latest turns of at
    most `max_history_tokens`.
    """
    content = overrides.content or request.content
    history = overrides.history
    if history is None and request.session_id is None and request.resume_token is None:
        earlier = history_messages(request.history)
        history = latest_turns(earlier, max_tokens=max_history_tokens) if has_files(earlier) else None
    if not (content or given or history):
        return (), overrides
    parts = with_files((Message("user", content),), given)[0].parts
    overrides = replace(
        overrides,
        content=parts,
        history=None if history is None else with_files(history, given),
        iterations=with_files(overrides.iterations, given),
    )
    return parts, overrides


def _check_seen(overrides: ChatOverrides, models: Candidates) -> None:
    """Raise RequestError (400) for pictures of a request that its model does not read."""
    model = models.current
    sent = (*(overrides.history or ()), Message("user", overrides.content))
    pictures = [message for message in sent if any(isinstance(part, Image) for part in message.parts)]
    if not pictures:
        return
    if model.profile.vision is False:
        message = (
            f"{model.name} does not read pictures: leave them out, or choose a model that does "
            "(if it does, set `vision: true` in the profiles of its llm)"
        )
        raise RequestError(message, code="model_unsupported_content")
    if (problem := refused_attachment(pictures, model.name, LIMITS[model.provider.type])) is not None:
        raise RequestError(problem)


def _for_phases(request: ChatRequest) -> ChatRequest:
    """Return a request with a message of at most the usual size: a front end may send a longer one to the model."""
    if len(request.message) <= MAX_MESSAGE_CHARACTERS:
        return request
    return request.model_copy(update={"message": truncate_middle(request.message, MAX_MESSAGE_CHARACTERS)})


def _previous(
    state: ChatState, overrides: ChatOverrides, models: Candidates, context: GenerationContext
) -> tuple[Message, ...]:
    """Return the earlier messages for the model; with a warning where those of a client do not fit.

    Raises RequestError (400) for a request that does not fit the model's window without any of them.
    """
    window = models.current.profile.context_window
    if overrides.history is None or window is None:
        return fit_window(state.history, window)
    rest = (system(overrides.instructions), state.user_message, *state.checkpoint.messages)
    answer = overrides.max_tokens or ANSWER_TOKENS
    fitting = fit_request(state.history, rest, context_window=window, answer_tokens=answer)
    name = models.current.name
    if fitting is None:
        message = (
            f"This model's maximum context length is {window} tokens, and the last message alone does not fit: "
            f"shorten it, or choose another model than {name}"
        )
        raise RequestError(message, status=HTTPStatus.BAD_REQUEST, code="model_context_length")
    if omitted := len(state.history) - len(fitting):
        logger.warning("history cut", model=name, messages=omitted, context_window=window)
        context.emit(
            WarningRaised(
                f"the oldest {omitted} of {len(state.history)} earlier messages were left out: {name} has a "
                f"window of {window} tokens"
            )
        )
    return fitting


def _rule(
    overrides: ChatOverrides, runtime: Runtime, state: ChatState, caller: Caller
) -> tuple[ResponseRule, dict[str, Json] | None]:
    """Return the rule that answers, and the fields that it was matched on; None for one that the request names.

    Raises RequestError (403) where no rule of a caller with a role answers the message.
    """
    configuration = runtime.catalog.configuration
    try:
        if overrides.rule is not None:
            return named_rule(configuration.responses, overrides.rule), None
        fields = matched_fields(state.profile, configuration.profile.caller_fields)
        return match_rule(configuration.responses, fields), fields
    except ConfigError as error:
        if runtime.rights.has_every_name:
            raise
        roles = ", ".join(map(repr, sorted(caller.roles)))
        message = (
            f"no response rule that your role {roles} may use answers this message; an operator can allow one in the"
            " section `roles` of the configuration"
        )
        raise RequestError(message, status=HTTPStatus.FORBIDDEN, code="role_not_allowed") from error


def _earlier_exposure(turn: Turn, state: ChatState | None, overrides: ChatOverrides, runtime: Runtime) -> Exposure:
    """Return the exposure to the messages before a turn, as far as that of its session does not cover them.

    A result of a client's tool counts as that of an unknown one. An answer in the messages of a client counts as
    written from everything that the service can read: the client does not send the calls behind it.
    """
    registry, clients = runtime.tools.get_registry(), {tool.name for tool in overrides.tools}

    def traits(name: str) -> ToolTraits:
        return EVERY_TRAIT if name in clients else registry.traits(name)

    sent, recorded = [*overrides.iterations], list[Message]()
    if turn.session_id is None:
        sent += turn.history
    elif overrides.history:
        sent += overrides.history
    elif not turn.exposure.is_complete:
        recorded += turn.history
    if state is not None and state.exposure is None:
        recorded += state.checkpoint.messages
    readable = FULL_EXPOSURE if runtime.catalog.configuration.rag_services else exposure_to(registry.all_traits())
    stored = Exposure() if state is None or state.exposure is None else state.exposure
    return stored.joined(exposure_of(sent, traits, answers=readable)).joined(exposure_of(recorded, traits))


def _topic(request: ChatRequest, results: PhaseResults) -> str | None:
    return results.topic.topic if results.topic else request.topic


def _close(
    turn: Turn, result: GenerationResult, rule: ResponseRule, runtime: Runtime, trace: Trace, *, topic: str | None
) -> SessionReference | None:
    """Store the answer in the session."""
    llms = runtime.catalog.configuration.llms
    return turn.close(
        result.content or WAITING_TEXT,
        topic=topic,
        service=result.service,
        model=result.model,
        status=result.status,
        rule=rule.name,
        outcome=result.outcome,
        demo=is_demo(result.service, llms),
        totals=answer_totals(trace, llms),
    )


def _explanation(
    runtime: Runtime,
    state: ChatState,
    results: PhaseResults,
    rule: ResponseRule,
    models: Candidates,
    overrides: ChatOverrides,
    nonce: str,
) -> ExplainView:
    return explain(
        phases=results,
        profile=state.profile,
        rule=rule,
        catalog=runtime.catalog,
        manager=runtime.tools,
        model=models.current.profile,
        form=answer_form(rule, overrides.response_format),
        instructions=overrides.instructions,
        nonce=nonce,
        history_messages=len(state.history),
    )
