"""Limits of callers and sessions, by the configuration."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol
from uuid import uuid4

from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.limits.admission import (
    Account,
    Admission,
    Counters,
    CounterStore,
    Hold,
    LimitedAdmission,
    LimitUse,
    Moment,
    Reservation,
    Scope,
    Unlimited,
    counting_deadline,
    hold_id,
)
from flexchat.runs import WallClock
from flexchat.sessions import text_tokens
from flexchat.tokens import ROLES, Role

HOLD_MARGIN_SECONDS: Final = 30.0
"""Seconds after its deadline that a reservation expires."""

_BEFORE_OWN: Final[tuple[Role, ...]] = ("user", "service")
"""Built-in roles in ascending precedence; those of the configuration, then `operator`, precede them."""

_SERVICE_ROLES: Final[frozenset[Role]] = frozenset(("user", "service"))
"""Roles whose limits apply to a service with all its end users, beside those that it gives them."""


class LimitedCaller(Protocol):
    """Caller of a request; one that `is_direct` invokes the function itself, and has no limits."""

    @property
    def principal(self) -> str: ...

    @property
    def roles(self) -> frozenset[str]: ...

    @property
    def is_direct(self) -> bool: ...

    @property
    def service(self) -> str | None: ...


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
        caller: LimitedCaller,
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
        reserved, until = config.reserved_tokens + tokens(), moment.at + seconds + HOLD_MARGIN_SECONDS
        due = counting_deadline(deadline)
        try:
            for scope in reserving:
                admission.reserve(scope, moment, Hold(hold_id(until, self._new_id()), reserved), due)
        except RequestError:
            admission.cancel(deadline=deadline)
            raise
        return admission

    @contextmanager
    def admitted_texts(
        self, caller: LimitedCaller, config: LimitsConfig, texts: Iterable[str], *, deadline: Deadline
    ) -> Generator[None]:
        """Count a request for a `with` block, and the tokens of its `texts` if it succeeds.

        Raises RequestError (429) for a reached limit.
        """
        tokens = sum(map(text_tokens, texts))
        admission = self.admit(
            caller,
            config,
            tokens=lambda: tokens,
            session_id=None,
            seconds=deadline.remaining(),
            deadline=deadline,
        )
        used = 0
        try:
            yield
            used = tokens
        finally:
            admission.settle(used, deadline=deadline)

    def usage(self, caller: LimitedCaller, config: LimitsConfig, *, deadline: Deadline) -> tuple[LimitUse, ...]:
        """Return the use of each limit of `caller`, without counting a request. Raises UnavailableError."""
        own = next((scope for scope in _scopes(caller, config, None) if scope.name == "caller"), None)
        if own is None:
            return ()
        moment = Moment(self._now())
        counters, due = self._counters(), counting_deadline(deadline)
        shards = [counters.read(account, moment, deadline=due) for account, _ in own.shares(0)]
        return tuple(_uses(own.limits, shards, moment))

    def readmit(
        self,
        caller: LimitedCaller,
        config: LimitsConfig,
        *,
        session_id: str | None,
        reservations: Sequence[Reservation],
    ) -> Admission:
        """Return the admission of a request that another invocation admitted with `reservations`."""
        scopes = _scopes(caller, config, session_id)
        limited = LimitedAdmission(self._counters, self._now, self._stage, scopes)
        for reservation in reservations:
            limited.adopt(caller.principal, reservation)
        return limited if scopes or reservations else Unlimited()


def _scopes(caller: LimitedCaller, config: LimitsConfig, session_id: str | None) -> tuple[Scope, ...]:
    if caller.is_direct:
        return ()
    scopes = [Scope(Account(caller.principal), limits_of(caller, config))]
    if caller.service is not None:
        # Otherwise a service could avoid its limits by new end users.
        limits = _limits(caller.service, _SERVICE_ROLES | caller.roles, config)
        scopes.append(Scope(Account(caller.service), limits, name="service"))
    if session_id is not None:
        scopes.append(Scope(Account(caller.principal, session_id), config.session, name="session"))
    return tuple(scope for scope in scopes if scope.limits != Limits())


def _uses(limits: Limits, shards: Sequence[Counters], moment: Moment) -> Iterator[LimitUse]:
    """Yield the use of each limit by the counters of its shards; refused tool calls were counted too."""
    if (requests := limits.requests_per_minute) is not None:
        used = sum(counters.requests for counters in shards)
        yield LimitUse("requests_per_minute", requests, used, moment.end_of_minute)
    if (calls := limits.tool_calls_per_minute) is not None:
        used = min(calls, sum(counters.tool_calls for counters in shards))
        yield LimitUse("tool_calls_per_minute", calls, used, moment.end_of_minute)
    if (tokens := limits.tokens_per_day) is not None:
        used, reserved = (
            sum(counts) for counts in zip(*((each.tokens, each.reserved) for each in shards), strict=True)
        )
        yield LimitUse("tokens_per_day", tokens, used, moment.end_of_day, reserved)


def limits_of(caller: LimitedCaller, config: LimitsConfig) -> Limits:
    """Return the limits of `caller`: of every caller, each overridden by those of its roles and its own."""
    return _limits(caller.principal, caller.roles, config)


def _limits(principal: str, roles: frozenset[str], config: LimitsConfig) -> Limits:
    values: dict[str, int | None] = {}
    for limits in _layers(principal, roles, config):
        values |= limits.model_dump(include=limits.model_fields_set)
    return Limits(**values)


def _layers(principal: str, roles: frozenset[str], config: LimitsConfig) -> Iterator[Limits]:
    yield config.caller
    configured = [role for role in config.roles if role not in ROLES]
    held = {*roles, "user"} if roles.difference(ROLES) else roles  # a role of the configuration includes `user`
    yield from (
        config.roles[role] for role in (*_BEFORE_OWN, *configured, "operator") if role in held and role in config.roles
    )
    if own := config.principals.get(principal):
        yield own
