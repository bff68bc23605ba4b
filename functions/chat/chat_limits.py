"""Limits of chats, by the current configuration."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from flexchat.api import ChatRequest, history_messages
from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.http_api.caller import Caller
from flexchat.limits.admission import Admission, Unlimited
from flexchat.limits.counting import NO_USE, Reservation
from flexchat.limits.rate_limits import LimitUse, RateLimits
from flexchat.messages import Message
from flexchat.sessions import message_tokens, text_tokens
from functions.chat.deadlines import ChatDeadlines
from functions.chat.generation.events import Trace
from functions.chat.generation.model_calls import NO_OVERRIDES, ChatOverrides
from functions.chat.resumption.tokens import ResumeTokens
from functions.chat.runtime import RuntimeCache


def prompt_tokens(request: ChatRequest, overrides: ChatOverrides, *, max_history: int) -> int:
    """Return an upper estimate of the tokens that a request sends to the model, without the prompt of its rule."""
    history = min(max_history, sum(map(message_tokens, history_messages(request.history))))
    if overrides.history is not None:
        history = sum(map(message_tokens, overrides.history))
    tools = sum(text_tokens(f"{tool.name} {tool.description} {dict(tool.parameters)}") for tool in overrides.tools)
    added = text_tokens(overrides.instructions) + tools + sum(map(message_tokens, overrides.iterations))
    content = overrides.content or request.content
    return (message_tokens(Message("user", content)) if content else text_tokens(request.message)) + history + added


class ChatLimits:
    """Admits chat requests by the limits of the current configuration."""

    def __init__(self, *, limits: RateLimits, runtimes: RuntimeCache, resume_tokens: ResumeTokens) -> None:
        self._limits = limits
        self._runtimes = runtimes
        self._resume_tokens = resume_tokens

    @contextmanager
    def admitted(
        self,
        request: ChatRequest,
        *,
        caller: Caller,
        deadlines: ChatDeadlines,
        trace: Trace,
        reservations: Sequence[Reservation] | None = None,
        overrides: ChatOverrides = NO_OVERRIDES,
    ) -> Generator[Admission]:
        """Admit a request for a `with` block, and settle the tokens and the cost of `trace` at its end.

        `reservations` are those of an earlier `admit`; they are settled also when the configuration cannot be read.
        Raises RequestError (429) for a reached limit.
        """
        admission: Admission = Unlimited()
        if reservations is not None:
            admission = self._limits.readmit(caller, LimitsConfig(), session_id=None, reservations=reservations)
        llms: Mapping[str, LlmConfig] = {}
        try:
            configuration = self._runtimes.current(deadlines.work).catalog.configuration
            llms = configuration.llms
            if reservations is None:
                admission = self.admit(
                    request,
                    caller=caller,
                    seconds=deadlines.total.remaining(),
                    deadline=deadlines.work,
                    overrides=overrides,
                )
            else:
                limits = configuration.limits
                session_id = self._session_id(request, caller, limits, deadlines.work)
                admission = self._limits.readmit(caller, limits, session_id=session_id, reservations=reservations)
            yield admission
        finally:
            admission.settle(trace.use(llms), deadline=deadlines.total)

    def admit(
        self,
        request: ChatRequest,
        *,
        caller: Caller,
        seconds: float,
        deadline: Deadline,
        overrides: ChatOverrides = NO_OVERRIDES,
    ) -> Admission:
        """Count a request that is answered within `seconds`.

        Raises RequestError (429) for a reached limit, and UnavailableError when the session of its resume token cannot
        be read.
        """
        configuration = self._runtimes.current(deadline).catalog.configuration
        max_history = configuration.sessions.max_history_tokens
        return self._limits.admit(
            caller,
            configuration.limits,
            tokens=lambda: prompt_tokens(request, overrides, max_history=max_history),
            session_id=self._session_id(request, caller, configuration.limits, deadline),
            seconds=seconds,
            deadline=deadline,
        )

    def usage(self, caller: Caller, *, deadline: Deadline) -> tuple[LimitUse, ...]:
        """Return the use of the caller's limits. Raises FlexchatError without a configuration or counters."""
        configuration = self._runtimes.current(deadline).catalog.configuration
        return self._limits.usage(caller, configuration.limits, deadline=deadline)

    def release(self, caller: Caller, reservations: Sequence[Reservation], *, deadline: Deadline) -> None:
        """Release the reservations of a request that is not executed; no-op when they are settled."""
        admission = self._limits.readmit(caller, LimitsConfig(), session_id=None, reservations=reservations)
        admission.settle(NO_USE, deadline=deadline)

    def _session_id(self, request: ChatRequest, caller: Caller, limits: LimitsConfig, deadline: Deadline) -> str | None:
        """Return the session whose limits apply; a resumed request may leave it to its token."""
        if request.session_id is not None or request.resume_token is None or limits.session == Limits():
            return request.session_id
        return self._resume_tokens.session_of(request.resume_token, caller=caller, deadline=deadline)
