"""Limits of chats, their callers and sessions, by the current configuration."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final
from uuid import uuid4

from flexchat.api import ChatRequest, history_messages
from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.http_api.caller import DIRECT, Caller
from flexchat.runs import WallClock
from flexchat.sessions import message_tokens, text_tokens
from flexchat.tokens import Role
from functions.chat.deadlines import ChatDeadlines
from functions.chat.generation.overrides import NO_OVERRIDES, ChatOverrides
from functions.chat.generation.trace import Trace
from functions.chat.limits.admission import (
    Admission,
    LimitedAdmission,
    Reservation,
    Scope,
    Unlimited,
    counting_deadline,
)
from functions.chat.limits.counters import Account, CounterStore, Hold, Moment
from functions.chat.resumption.tokens import ResumeTokens
from functions.chat.runtime import RuntimeCache

HOLD_MARGIN_SECONDS: Final = 30.0
"""Seconds after its deadline that a chat's reservation expires."""

_ROLES: Final[tuple[Role, ...]] = ("user", "operator")
"""In ascending precedence."""


class RateLimits:
    """Admits requests by configured limits.

    `counters` is called when the first limit applies. Callers that invoke the function directly have no limits: IAM
    admitted them. `stage` is the dimension of the metric that an alarm watches.
    """

    def __init__(
        self,
        *,
        counters: Callable[[], CounterStore],
        now: WallClock,
        stage: str,
        new_id: Callable[[], str] = lambda: uuid4().hex,
    ) -> None:
        self._counters = counters
        self._now = now
        self._stage = stage
        self._new_id = new_id

    def admit(
        self,
        caller: Caller,
        config: LimitsConfig,
        *,
        tokens: Callable[[], int],
        session_id: str | None,
        seconds: float,
        deadline: Deadline,
    ) -> Admission:
        """Count a request and reserve its `tokens` and a reserve.

        The reservation expires when the request is not settled within `seconds`. Raises RequestError (429) for a
        reached limit of the caller or of the session; nothing is counted then.
        """
        scopes = _scopes(caller, config, session_id)
        admission = LimitedAdmission(self._counters, self._now, self._stage, scopes) if scopes else Unlimited()
        reserving = [scope for scope in scopes if scope.reserves]
        if not isinstance(admission, LimitedAdmission) or not reserving:
            return admission
        moment = Moment(self._now())
        hold = Hold(config.reserved_tokens + tokens(), moment.at + seconds + HOLD_MARGIN_SECONDS)
        due = counting_deadline(deadline)
        try:
            for scope in reserving:
                admission.reserve(scope, moment, self._new_id(), hold, due)
        except RequestError:
            admission.cancel(deadline=deadline)
            raise
        return admission

    def readmit(
        self, caller: Caller, config: LimitsConfig, *, session_id: str | None, reservations: Sequence[Reservation]
    ) -> Admission:
        """Return the admission of a request that another invocation admitted with `reservations`."""
        scopes = _scopes(caller, config, session_id)
        limited = LimitedAdmission(self._counters, self._now, self._stage, scopes)
        for reservation in reservations:
            limited.adopt(caller.principal, reservation)
        return limited if scopes or reservations else Unlimited()


def prompt_tokens(request: ChatRequest, overrides: ChatOverrides, *, max_history: int) -> int:
    """Return an upper estimate of the tokens that a request sends to the model, without the prompt of its rule."""
    history = min(max_history, sum(map(message_tokens, history_messages(request.history))))
    if overrides.history is not None:
        history = sum(map(message_tokens, overrides.history))
    tools = sum(text_tokens(f"{tool.name} {tool.description} {dict(tool.parameters)}") for tool in overrides.tools)
    added = text_tokens(overrides.instructions) + tools + sum(map(message_tokens, overrides.turns))
    return text_tokens(request.message) + history + added


def _scopes(caller: Caller, config: LimitsConfig, session_id: str | None) -> tuple[Scope, ...]:
    if caller.principal == DIRECT.principal:
        return ()
    scopes = [Scope(Account(caller.principal), limits_of(caller, config))]
    if session_id is not None:
        scopes.append(Scope(Account(caller.principal, session_id), config.session))
    return tuple(scope for scope in scopes if scope.limits != Limits())


def limits_of(caller: Caller, config: LimitsConfig) -> Limits:
    """Return the limits of `caller`: of every caller, each overridden by those of its roles and its own."""
    values: dict[str, int | None] = {}
    for limits in _layers(caller, config):
        values |= limits.model_dump(include=limits.model_fields_set)
    return Limits(**values)


def _layers(caller: Caller, config: LimitsConfig) -> Iterator[Limits]:
    yield config.caller
    yield from (config.roles[role] for role in _ROLES if role in caller.roles and role in config.roles)
    if own := config.principals.get(caller.principal):
        yield own


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
        """Admit a request for a `with` block, and settle the tokens of `trace` at its end.

        `reservations` are those of an earlier `admit`; they are settled also when the configuration cannot be read.
        Raises RequestError (429) for a reached limit.
        """
        admission: Admission = Unlimited()
        if reservations is not None:
            admission = self._limits.readmit(caller, LimitsConfig(), session_id=None, reservations=reservations)
        try:
            if reservations is None:
                admission = self.admit(
                    request,
                    caller=caller,
                    seconds=deadlines.total.remaining(),
                    deadline=deadlines.work,
                    overrides=overrides,
                )
            else:
                limits = self._runtimes.current(deadlines.work).catalog.configuration.limits
                session_id = self._session_id(request, caller, limits, deadlines.work)
                admission = self._limits.readmit(caller, limits, session_id=session_id, reservations=reservations)
            yield admission
        finally:
            admission.settle(trace.counted_tokens, deadline=deadlines.total)

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

    def release(self, caller: Caller, reservations: Sequence[Reservation], *, deadline: Deadline) -> None:
        """Release the reservations of a request that is not executed; no-op when they are settled."""
        admission = self._limits.readmit(caller, LimitsConfig(), session_id=None, reservations=reservations)
        admission.settle(0, deadline=deadline)

    def _session_id(self, request: ChatRequest, caller: Caller, limits: LimitsConfig, deadline: Deadline) -> str | None:
        """Return the session whose limits apply; a resumed request may leave it to its token."""
        if request.session_id is not None or request.resume_token is None or limits.session == Limits():
            return request.session_id
        return self._resume_tokens.session_of(request.resume_token, caller=caller, deadline=deadline)
