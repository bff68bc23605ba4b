"""Steps of a call that depend on other calls: response cache, circuit breaker and rate limit, in this order."""

from collections.abc import Callable
from typing import Protocol

from flexchat.deadline import Clock, Deadline
from flexchat.messages import Json
from flexchat.tools import CallTool
from functions.tools.http.circuit_breaker import Circuit, CircuitBreakers, CircuitPass, CircuitStore
from functions.tools.http.implementation import Implementation
from functions.tools.http.rate_limit import CallCounter, RateLimits
from functions.tools.http.response_cache import CachedResults, ResponseCache


class StateStore(CircuitStore, CallCounter, CachedResults, Protocol):
    """State that all environments share."""


class SharedState:
    """State of the tools of one stage; `clock` is in seconds since the epoch."""

    def __init__(self, store: StateStore, *, stage: str, clock: Clock) -> None:
        self._cache = ResponseCache(store, clock=clock)
        self._breakers = CircuitBreakers(store, clock=clock)
        self._limits = RateLimits(store, stage=stage, clock=clock)

    def result(
        self,
        call: CallTool,
        implementation: Implementation,
        run: Callable[[CircuitPass], Json],
        *,
        deadline: Deadline,
    ) -> Json:
        """Return the cached result of a call, or that of `run`. Raises ToolError for a call that is refused.

        An operator's test of a tool, which shows its requests, does not read the cache.
        """

        def permitted() -> Json:
            circuit = Circuit(call.tool, implementation.address.host)
            with self._breakers.enter(
                circuit,
                implementation.circuit_breaker,
                call_id=call.idempotency_key,
                deadline=deadline,
                caller=call.caller or "",
                trial=call.trial,
            ) as permission:
                if implementation.rate_limit is not None:
                    self._limits.admit(call.tool, implementation.rate_limit, deadline=deadline, trial=call.trial)
                return run(permission)

        if not implementation.cache_seconds or call.inspect:
            return permitted()
        return self._cache.result(call, implementation.cache_seconds, permitted, deadline=deadline)
