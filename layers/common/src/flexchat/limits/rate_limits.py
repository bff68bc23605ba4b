"""Limits of callers and sessions, by the configuration."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol
from uuid import uuid4

from msgspec import Struct

from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.deadline import Deadline
from flexchat.errors import LimitName, LimitScope, RequestError
from flexchat.limits.admission import HOLD_MARGIN_SECONDS, Admission, LimitedAdmission, Unlimited, counting_deadline
from flexchat.limits.counting import NO_USE, Account, Amount, Counters, CounterStore, Reservation, Scope, Use
from flexchat.limits.windows import MICROS, Moment
from flexchat.runs import WallClock
from flexchat.sessions import text_tokens
from flexchat.tokens import ROLES, Role

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


class LimitUse(Struct, frozen=True):
    """Use of one limit until it resets, in seconds since the epoch; `used` includes what is `reserved`.

    The numbers of a limit of money are in US dollars. `role` is that of a limit that all callers with a role share.
    """

    name: LimitName
    allowed: float
    used: float
    resets_at: float
    reserved: float = 0
    scope: LimitScope = "caller"
    role: str | None = None


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
        is_request: bool = True,
    ) -> Admission:
        """Count a request and reserve its `tokens` and a reserve.

        The reservation expires when the request is not settled within `seconds`. Work of the service that is no request
        of the caller is counted by its tokens and money alone. Raises RequestError (429) for a reached limit of the
        caller, of one of its roles or of the session; nothing is counted then.
        """
        scopes = _scopes(caller, config, session_id)
        admission = self._admission(scopes, config)
        reserving = [scope for scope in scopes if (scope.is_counting if is_request else scope.is_holding)]
        if not reserving:
            return admission if scopes else Unlimited()
        moment, growth = Moment(self._now()), _growth(config)
        amount = Amount(growth.tokens + tokens(), growth.micros)
        until, due = moment.at + seconds + HOLD_MARGIN_SECONDS, counting_deadline(deadline)
        over = None if is_request else Amount()
        try:
            for scope in reserving:
                admission.reserve(scope, moment, amount, until=until, due=due, over=over)
        except RequestError:
            admission.cancel(deadline=deadline)
            raise
        return admission

    @contextmanager
    def admitted_texts(
        self,
        caller: LimitedCaller,
        config: LimitsConfig,
        texts: Iterable[str],
        *,
        deadline: Deadline,
        price: float = 0.0,
    ) -> Generator[None]:
        """Count a request for a `with` block, and the tokens of its `texts` if it succeeds.

        `price` is in US dollars per million tokens. Raises RequestError (429) for a reached limit.
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
        used = NO_USE
        try:
            yield
            used = Use(tokens, round(tokens * price))
        finally:
            admission.settle(used, deadline=deadline)

    def usage(self, caller: LimitedCaller, config: LimitsConfig, *, deadline: Deadline) -> tuple[LimitUse, ...]:
        """Return the use of each limit of `caller` and of its roles, without counting a request.

        Raises UnavailableError.
        """
        moment, due = Moment(self._now()), counting_deadline(deadline)
        found: list[LimitUse] = []
        for scope in _scopes(caller, config, None):
            if scope.name in ("caller", "role"):
                counters = self._counters()
                shards = [counters.read(account, moment, deadline=due) for account, _ in scope.shares(0)]
                found += _uses(scope, shards, moment)
        return tuple(found)

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
        limited = self._admission(scopes, config)
        for reservation in reservations:
            limited.adopt(caller.principal, reservation)
        return limited if scopes or reservations else Unlimited()

    def _admission(self, scopes: tuple[Scope, ...], config: LimitsConfig) -> LimitedAdmission:
        return LimitedAdmission(
            self._counters,
            now=self._now,
            stage=self._stage,
            scopes=scopes,
            growth=_growth(config),
            new_id=self._new_id,
        )


def _growth(config: LimitsConfig) -> Amount:
    return Amount(config.reserved_tokens, round(config.reserved_usd * MICROS))


def _scopes(caller: LimitedCaller, config: LimitsConfig, session_id: str | None) -> tuple[Scope, ...]:
    if caller.is_direct:
        return ()
    scopes = [Scope.of(Account(caller.principal), limits_of(caller, config))]
    if caller.service is not None:
        # Otherwise a service could avoid its limits by new end users.
        limits = _limits(caller.service, _SERVICE_ROLES | caller.roles, config)
        scopes.append(Scope.of(Account(caller.service), limits, "service"))
    held = _held_roles(caller.roles)
    for role, limits in config.role_totals.items():
        if role in held:
            scopes.append(Scope.of(Account("", role=role), limits, "role"))
    if session_id is not None:
        scopes.append(Scope.of(Account(caller.principal, session_id), config.session, "session"))
    return tuple(scope for scope in scopes if scope.limits)


def _uses(scope: Scope, shards: Sequence[Counters], moment: Moment) -> Iterator[LimitUse]:
    """Yield the use of each limit by the counters of its shards; refused tool calls of a minute were counted too."""
    for limit in scope.limits:
        used = sum(counters.of(limit.name) for counters in shards)
        yield LimitUse(
            limit.name,
            limit.shown(limit.allowed),
            limit.shown(min(limit.allowed, used) if limit.quantity == "tool_calls" else used),
            moment.end_of(limit.window),
            limit.shown(sum(counters.reserved.get(limit.name, 0) for counters in shards)),
            scope.name,
            scope.account.role,
        )


def limits_of(caller: LimitedCaller, config: LimitsConfig) -> Limits:
    """Return the limits of `caller`: of every caller, each overridden by those of its roles and its own."""
    return _limits(caller.principal, caller.roles, config)


def _limits(principal: str, roles: frozenset[str], config: LimitsConfig) -> Limits:
    values: dict[str, Any] = {}
    for limits in _layers(principal, roles, config):
        values |= limits.model_dump(include=limits.model_fields_set)
    return Limits(**values)


def _layers(principal: str, roles: frozenset[str], config: LimitsConfig) -> Iterator[Limits]:
    yield config.caller
    configured = [role for role in config.roles if role not in ROLES]
    held = _held_roles(roles)
    yield from (
        config.roles[role] for role in (*_BEFORE_OWN, *configured, "operator") if role in held and role in config.roles
    )
    if own := config.principals.get(principal):
        yield own


def _held_roles(roles: frozenset[str]) -> frozenset[str]:
    """Return the roles of a caller; one of the configuration includes `user`."""
    return roles | {"user"} if roles.difference(ROLES) else roles
