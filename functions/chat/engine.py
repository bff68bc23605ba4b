"""The one engine behind every door: a chat request goes in, a well-formed answer comes out before its deadline."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from flexchat.api import ChatRequest, ChatResponse, ModelList, ToolList
from flexchat.api.answer import SessionReference
from flexchat.api.explain import ExplainView
from flexchat.api.trials import TrialRequest
from flexchat.config.matching import matched_fields
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.limits import Limits, LimitsConfig, SessionsConfig
from flexchat.config.models.rules import ResponseRule
from flexchat.deadline import Clock, Deadline
from flexchat.http_api.caller import DIRECT, Caller
from flexchat.messages import Json, Message
from flexchat.observability import logger
from flexchat.sessions import message_tokens, text_tokens
from functions.chat.api.response import chat_response, is_demo
from functions.chat.deadlines import ChatDeadlines
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT, Checkpoint
from functions.chat.generation.events import Emit, Event, ignore_event
from functions.chat.generation.loop import ResponseGenerator
from functions.chat.generation.model_calls import GenerationContext
from functions.chat.generation.result import GenerationResult
from functions.chat.generation.trace import Trace
from functions.chat.inspection.explain import explain
from functions.chat.inspection.phase_tests import PhaseTests
from functions.chat.inspection.tools import list_models, list_tools
from functions.chat.limits.admission import Admission, RateLimits, Reservation, Unlimited
from functions.chat.metrics import ChatMetrics
from functions.chat.phases.profile import build_profile
from functions.chat.phases.rules import match_rule
from functions.chat.phases.runner import PhaseResults, run_phases
from functions.chat.providers.fallback import Candidates
from functions.chat.resumption.state import ResumptionState
from functions.chat.resumption.tokens import ResumeTokens, Resumption
from functions.chat.runtime import CreateProvider, ReadCatalog, Runtime, RuntimeCache
from functions.chat.sessions.conversation import Conversation
from functions.chat.sessions.conversations import Conversations
from functions.chat.sessions.history import fitting
from functions.chat.tools.invoker import FunctionInvoker
from functions.chat.trials.status_cache import ReadTallies, no_tallies
from functions.chat.trials.trial import run_trial

LISTING_SECONDS = 25.0

CONFIGURATION_SECONDS = 5.0
"""How long the configuration is awaited before other work begins, which together must fit into what the API allows."""


NO_PHASES = PhaseResults()
"""Of a resumed chat, whose phases were done by the request before."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What phase 6 answers: a message with all that the phases before found out, and what was done towards it."""

    message: str
    history: tuple[Message, ...]
    profile: Mapping[str, Json]
    phases: PhaseResults = NO_PHASES
    checkpoint: Checkpoint = EMPTY_CHECKPOINT


@dataclass(frozen=True, slots=True)
class _Answered:
    """The answer of phase 6, and by which rule of which runtime."""

    question: _Question
    runtime: Runtime
    rule: ResponseRule
    result: GenerationResult
    explanation: ExplainView | None


class ChatEngine:
    """Runs chats on the configuration of the moment.

    `catalog` gives the current configuration, `create_provider` an adapter for one llm. `conversations` are the
    sessions by their settings, `resume_tokens` what partial answers go on from; both are made when first used.
    `limits` admits requests. `tallies` reads what validation knows of the models. `now` is the wall's clock, in seconds
    since the epoch.
    """

    def __init__(
        self,
        *,
        catalog: ReadCatalog,
        invoker: FunctionInvoker,
        create_provider: CreateProvider,
        conversations: Callable[[SessionsConfig], Conversations],
        resume_tokens: Callable[[], ResumeTokens],
        limits: RateLimits,
        tallies: ReadTallies = no_tallies,
        clock: Clock = time.monotonic,
        now: Clock = time.time,
    ) -> None:
        self._runtimes = RuntimeCache(
            catalog=catalog, invoker=invoker, create_provider=create_provider, tallies=tallies, clock=clock
        )
        self._invoker = invoker
        self._conversations = conversations
        self._resume_tokens = resume_tokens
        self._limits = limits
        self._clock = clock
        self._now = now

    def run_chat(
        self,
        request: ChatRequest,
        *,
        caller: Caller,
        deadline: Deadline,
        request_id: str,
        observe: Emit = ignore_event,
        reservations: Sequence[Reservation] | None = None,
    ) -> ChatResponse:
        """The answer to one message; `observe` is told what happens meanwhile.

        `reservations` are those of `admit`, for a request that was admitted before; any other is admitted here.
        Raises RequestError for a limit that is reached, for a session or a token that cannot be used now, and for an
        explanation that the caller may not see, ConfigError when the configuration cannot answer it, ModelError when
        the provider fails before any tool has run, UnavailableError when the configuration or what the request goes on
        from cannot be read.
        """
        if request.explain:
            caller.require_operator()
        chat = _Chat(
            request=request,
            caller=caller,
            request_id=request_id,
            times=ChatDeadlines.split(deadline),
            trace=Trace(clock=self._clock),
            observe=observe,
        )
        tools: frozenset[str] = frozenset()
        if reservations:  # to be settled also where the configuration cannot be read
            chat.admission = self._reserved(caller, reservations)
        try:
            runtime = self._runtimes.current(chat.times.work)
            chat.admission = self._admission(chat, runtime, reservations)
            tools = frozenset(tool.name for tool in runtime.tools.get_registry().list())
            answer = self._resumed if request.resume_token is not None else self._fresh
            response = answer(chat, runtime)
        except Exception as error:
            duration_ms = round((self._clock() - chat.trace.started) * 1000)
            chat.measures.failed(error, duration_ms=duration_ms, tools=tools)
            raise
        finally:
            chat.admission.settle(chat.trace.counted_tokens, deadline=chat.times.total)
        logger.info(
            "chat answered",
            model=f"{response.service}:{response.model}",
            instead_of=response.fallback.instead_of if response.fallback else None,
            rule=response.rule,
            status=response.status,
            finish_reason=response.finish_reason,
            tool_calls=len(response.tool_calls),
            total_ms=response.timings.total_ms,
            total_tokens=response.usage.total_tokens,
        )
        chat.measures.answered(response, tools=tools)
        return response

    def admit(self, request: ChatRequest, *, caller: Caller, seconds: float, deadline: Deadline) -> Admission:
        """Count a request that is answered within `seconds`.

        Raises RequestError (429), and UnavailableError when the session of its token cannot be read.
        """
        configuration = self._runtimes.current(deadline).catalog.configuration
        most = configuration.sessions.max_history_tokens
        return self._limits.admit(
            caller,
            configuration.limits,
            tokens=lambda: text_tokens(request.message) + min(most, sum(map(message_tokens, _sent(request)))),
            session_id=self._session_of(request, caller, configuration.limits, deadline),
            seconds=seconds,
            deadline=deadline,
        )

    def release(self, caller: Caller, reservations: Sequence[Reservation], *, deadline: Deadline) -> None:
        """Return what was reserved for a request that is not carried out; without effect once it was settled."""
        self._reserved(caller, reservations).settle(0, deadline=deadline)

    def run_trial(
        self,
        trial: TrialRequest,
        *,
        deadline: Deadline,
        request_id: str,
        allowed_tools: Collection[str] | None = None,
        caller: Caller = DIRECT,
    ) -> ChatResponse:
        """What one model answers with the given tools; see `trials.trial.run_trial` for what it raises.

        It counts for no metric of chats, but against the limits of `caller`. Raises RequestError (429) when one of
        these is reached.
        """
        trace, due = Trace(clock=self._clock), ChatDeadlines.split(deadline).work
        runtime = self._runtimes.current(due)
        admission = self._limits.admit(
            caller,
            runtime.catalog.configuration.limits,
            tokens=lambda: text_tokens(trial.message),
            session_id=None,
            seconds=deadline.remaining(),
            deadline=due,
        )
        try:
            return run_trial(
                trial,
                runtime=runtime,
                invoker=self._invoker,
                trace=trace,
                deadline=due,
                request_id=request_id,
                allowed_tools=allowed_tools,
                take_calls=admission.take_calls,
            )
        finally:
            admission.settle(trace.counted_tokens, deadline=deadline)

    def list_tools(self, deadline: Deadline) -> ToolList:
        """Every tool that is offered, and every configured entry that is not served with the reason."""
        return list_tools(self._runtimes.current(deadline.within(LISTING_SECONDS)))

    def list_models(self, deadline: Deadline) -> ModelList:
        """Every configured llm's models, with what each can do. Takes seconds when a provider is slow to say."""
        soon = deadline.within(LISTING_SECONDS)
        return list_models(self._runtimes.current(soon), self._runtimes.discovery, deadline=soon)

    def runtime(self) -> Runtime:
        """The runtime of now. The secrets in its configuration are resolved: that must not be returned to a caller."""
        return self._runtimes.current(self._at_once())

    def configuration(self) -> Configuration:
        """The configuration of now. Its secrets are resolved: it must not be returned to a caller."""
        return self.runtime().catalog.configuration

    def trials(self) -> PhaseTests:
        """The phases that ask a model, to be tried alone."""
        runtime = self.runtime()
        return PhaseTests(catalog=lambda: runtime.catalog, candidate=runtime.candidate, invoker=self._invoker)

    def _at_once(self) -> Deadline:
        """When the configuration must be there for work that has a deadline of its own after it."""
        return Deadline.after(CONFIGURATION_SECONDS, clock=self._clock)

    def _admission(self, chat: "_Chat", runtime: Runtime, reservations: Sequence[Reservation] | None) -> Admission:
        request, seconds = chat.request, chat.times.total.remaining()
        if reservations is None:
            return self.admit(request, caller=chat.caller, seconds=seconds, deadline=chat.times.work)
        limits = runtime.catalog.configuration.limits
        session_id = self._session_of(request, chat.caller, limits, chat.times.work)
        return self._limits.readmit(chat.caller, limits, session_id=session_id, reservations=reservations)

    def _reserved(self, caller: Caller, reservations: Sequence[Reservation]) -> Admission:
        """An admission that settles `reservations` alone: whatever the limits are by now."""
        return self._limits.readmit(caller, LimitsConfig(), session_id=None, reservations=reservations)

    def _session_of(self, request: ChatRequest, caller: Caller, limits: LimitsConfig, deadline: Deadline) -> str | None:
        """The session whose limits apply to a request: one that resumes an answer may leave it to its token."""
        if request.session_id is not None or request.resume_token is None or limits.session == Limits():
            return request.session_id
        return self._resume_tokens().session_of(request.resume_token, caller=caller, deadline=deadline)

    def _fresh(self, chat: "_Chat", runtime: Runtime) -> ChatResponse:
        """The answer to a new message, in its session if it has one."""
        settings = runtime.catalog.configuration.sessions
        conversation = self._opened(chat, settings)
        try:
            question = self._question(chat, runtime, settings, conversation)
            answered = self._answered(chat, runtime, question, conversation)
        except BaseException:
            if conversation is not None:
                conversation.abandon()
            raise
        return self._closed(chat, answered, conversation)

    def _resumed(self, chat: "_Chat", runtime: Runtime) -> ChatResponse:
        """What was left to do for a partial answer."""
        resume_tokens = self._resume_tokens()
        resumption = resume_tokens.redeem(
            str(chat.request.resume_token),
            caller=chat.caller,
            session_id=chat.request.session_id,
            run=chat.request_id,
            lease_until=self._now() + chat.times.total.remaining() + 1.0,
            deadline=chat.times.work,
        )
        conversation: Conversation | None = None
        try:
            conversation = self._reopened(chat, runtime.catalog.configuration.sessions, resumption)
            state = resumption.state
            question = _Question(state.message, state.history, state.profile, checkpoint=state.checkpoint)
            answered = self._answered(chat, runtime, question, conversation)
        except BaseException:
            if conversation is not None:
                conversation.abandon()
            resume_tokens.give_back(resumption, deadline=chat.times.persist)
            raise
        response = self._closed(chat, answered, conversation)
        resume_tokens.done(resumption, deadline=chat.times.persist)
        return response

    def _opened(self, chat: "_Chat", settings: SessionsConfig) -> Conversation | None:
        if chat.request.session_id is None:
            return None
        return self._conversations(settings).open(
            owner=chat.caller.principal,
            session_id=chat.request.session_id,
            message=chat.request.message,
            run=chat.request_id,
            deadline=chat.times.persist,
        )

    def _reopened(self, chat: "_Chat", settings: SessionsConfig, resumption: Resumption) -> Conversation | None:
        session_id, turn = resumption.state.session_id, resumption.state.turn
        if session_id is None or turn is None:
            return None
        return self._conversations(settings).resume(
            owner=chat.caller.principal,
            session_id=session_id,
            turn=turn,
            run=chat.request_id,
            deadline=chat.times.persist,
        )

    def _question(
        self, chat: "_Chat", runtime: Runtime, settings: SessionsConfig, conversation: Conversation | None
    ) -> _Question:
        """Phases 1 to 4."""
        request = chat.request
        if conversation is not None:
            history = conversation.history
        else:
            history = fitting(_sent(request), max_tokens=settings.max_history_tokens)
        phases = run_phases(
            request,
            history=history,
            current_topic=conversation.topic if conversation is not None else None,
            catalog=runtime.catalog,
            invoker=self._invoker,
            candidate=runtime.candidate,
            deadline=chat.times.work,
            request_id=chat.request_id,
            emit=chat.emit,
        )
        caller_fields = runtime.catalog.configuration.profile.caller_fields
        profile = build_profile(request, phases, caller_fields=caller_fields)
        return _Question(request.message, history, profile, phases)

    def _answered(
        self, chat: "_Chat", runtime: Runtime, question: _Question, conversation: Conversation | None
    ) -> _Answered:
        """Phases 5 and 6."""
        configuration = runtime.catalog.configuration
        fields = matched_fields(question.profile, configuration.profile.caller_fields)
        rule = match_rule(configuration.responses, fields)
        models = runtime.candidates(rule, chat.times.work)
        explanation = _explanation(runtime, question, rule, models) if chat.request.explain else None
        history = question.history
        if window := models.current.profile.context_window:
            history = fitting(history, max_tokens=window // 2)

        def emit(event: Event) -> None:
            if conversation is not None:
                conversation.observe(event)
            chat.emit(event)

        result = ResponseGenerator(tool_manager=runtime.tools).generate_response(
            profile=question.profile,
            rule=rule,
            models=models,
            user_message=question.message,
            previous_messages=history,
            context=GenerationContext(
                deadline=chat.times.work,
                request_id=chat.request_id,
                emit=emit,
                take_calls=chat.admission.take_calls,
            ),
            checkpoint=question.checkpoint,
        )
        return _Answered(question, runtime, rule, result, explanation)

    def _closed(self, chat: "_Chat", answered: _Answered, conversation: Conversation | None) -> ChatResponse:
        """The answer, with everything stored that must outlast the request."""
        result, phases = answered.result, answered.question.phases
        session: SessionReference | None = None
        if conversation is not None:
            session = conversation.close(
                result.content,
                topic=phases.topic.topic if phases.topic else chat.request.topic,
                service=result.service,
                model=result.model,
                status=result.status,
                rule=answered.rule.name,
                outcome=result.outcome,
                demo=is_demo(result.service, answered.runtime.catalog.configuration.llms),
            )
        return chat_response(
            result,
            request_id=chat.request_id,
            rule=answered.rule.name,
            phases=phases,
            session=session,
            resume_token=self._resume_token(chat, answered, conversation),
            explanation=answered.explanation,
            trace=chat.trace,
            llms=answered.runtime.catalog.configuration.llms,
        )

    def _resume_token(self, chat: "_Chat", answered: _Answered, conversation: Conversation | None) -> str | None:
        checkpoint = answered.result.checkpoint
        if checkpoint is None:
            return None
        state = ResumptionState(
            message=answered.question.message,
            history=answered.question.history,
            profile=answered.question.profile,
            checkpoint=checkpoint,
            session_id=conversation.session_id if conversation is not None else None,
            turn=conversation.turn if conversation is not None else None,
        )
        return self._resume_tokens().issue(state, caller=chat.caller, deadline=chat.times.persist)


@dataclass(slots=True, kw_only=True)
class _Chat:
    """One request on its way to its answer."""

    request: ChatRequest
    caller: Caller
    request_id: str
    times: ChatDeadlines
    trace: Trace
    observe: Emit
    measures: ChatMetrics = field(default_factory=ChatMetrics)
    admission: Admission = field(default_factory=Unlimited)

    def emit(self, event: Event) -> None:
        self.trace.emit(event)
        self.measures.emit(event)
        self.observe(event)


def _sent(request: ChatRequest) -> Iterator[Message]:
    """The messages of the history that the caller sent."""
    return (message for entry in request.history if (message := entry.as_message()) is not None)


def _explanation(runtime: Runtime, question: _Question, rule: ResponseRule, models: Candidates) -> ExplainView:
    return explain(
        phases=question.phases,
        profile=question.profile,
        rule=rule,
        catalog=runtime.catalog,
        manager=runtime.tools,
        takes_tools=models.current.profile.tools,
        history_messages=len(question.history),
    )
