"""Steps of a call that depend on other calls: response cache, circuit breaker and rate limit, in this order."""

import hashlib
import time
import zlib
from collections.abc import Callable
from math import ceil
from typing import Protocol

from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, ToolError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from flexchat.redaction import redact_known_secrets
from flexchat.tool_progress import current_images
from flexchat.tools import CallTool
from functions.tools.http.circuit_breaker import Circuit, CircuitBreakers, CircuitPass, CircuitStore
from functions.tools.http.implementation import Implementation, RateLimit

COUNT_SECONDS = 0.5
"""Maximum time to count one call; it continues without the limit after that."""


class CallCounter(Protocol):
    """Counters that all environments share. Methods raise UnavailableError and ConfigError."""

    def count_call(self, counter: str, *, most: int, end: float, deadline: Deadline) -> bool:
        """Count one call, or return False when the counter has reached `most`; it is deleted after `end`."""
        ...


class ToolRateLimits:
    """Admits the calls of tools with a rate limit.

    A period begins at a multiple of its length since the epoch. While the counters do not answer, every call is
    admitted and the metric `LimitsNotEnforced` of `stage` counts it: an outage of the counters must not stop the tools.
    """

    def __init__(self, counters: CallCounter, *, stage: str, clock: Clock = time.time) -> None:
        self._counters = counters
        self._stage = stage
        self._clock = clock
        self._reached: dict[tuple[str, RateLimit], float] = {}

    def admit(self, tool: str, limit: RateLimit, *, deadline: Deadline, trial: bool = False) -> None:
        """Count one call. Raises ToolError, `rate_limited`, for a call beyond the limit."""
        now, period = self._clock(), limit.period_ms / 1000
        end = (now // period + 1) * period
        if now >= self._reached.get((tool, limit), 0.0):
            if self._counted(tool, limit, end, deadline):
                return
            self._reached[tool, limit] = end
        logger.warning("tool rate limit reached", tool=tool, calls=limit.calls, period_ms=limit.period_ms)
        emit_metrics(dimension=("tool", tool), counts={f"{'Trial' if trial else ''}RateLimited": 1})
        raise ToolError(
            f"Not run: the limit of {limit.calls} calls of this tool in {period:g} seconds is reached, "
            f"try again in {max(1, ceil(end - now))} seconds. Answer without it, and say what is missing.",
            type="rate_limited",
            user_message="The tool was called too often.",
        )

    def _counted(self, tool: str, limit: RateLimit, end: float, deadline: Deadline) -> bool:
        counter = f"{tool}#{limit.period_ms}#{round(end * 1000)}"
        try:
            return self._counters.count_call(
                counter, most=limit.calls, end=end, deadline=deadline.within(COUNT_SECONDS)
            )
        except FlexchatError as exc:
            logger.error("limits not enforced", step="tool_rate", tool=tool, reason=str(exc))
            emit_metrics(
                dimension=("step", "tool_rate"), also=({"stage": self._stage},), counts={"LimitsNotEnforced": 1}
            )
            return True


MAX_CACHED_BYTES = 300_000
"""Maximum compressed size of a cached result; an item of DynamoDB has at most 400 KB."""

MAX_RESULT_BYTES = 5_500_000
"""Maximum size of a cached result as JSON, that of the result of a tool."""

CACHE_SECONDS = 0.5
"""Maximum time of one read or write of the cache; a call continues without it."""


class CachedResults(Protocol):
    """Results that all environments share. Methods raise UnavailableError and ConfigError."""

    def cached(self, key: str, *, now: float, deadline: Deadline) -> bytes | None:
        """Return the content stored under `key`, if it has not expired at `now`."""
        ...

    def store_result(self, key: str, content: bytes, *, expires_at: float, deadline: Deadline) -> None:
        """Store a content in place of an existing one."""
        ...


class ResponseCache:
    """Returns results of equal calls from the cache, without a call while it does not answer.

    Calls are equal with the same tool, implementation (with its secrets: another credential may return other data),
    arguments, and principal of a per-principal tool. `clock` is in seconds since the epoch.
    """

    def __init__(self, results: CachedResults, *, clock: Clock = time.time) -> None:
        self._results = results
        self._clock = clock

    def result(self, call: CallTool, seconds: int, run: Callable[[], Json], *, deadline: Deadline) -> Json:
        """Return the cached result of a call, or that of `run()`, which is then cached for `seconds`; errors are not.

        Secrets that the process has read are redacted in a cached result.
        """
        key = cache_key(call)
        content = self._read(key, deadline)
        prefix = "Trial" if call.trial else ""
        emit_metrics(dimension=("tool", call.tool), counts={f"{prefix}CacheHits": int(content is not None)})
        if content is not None:
            return content[0]
        result = run()
        images = current_images()
        if images is None or not images.of_call():  # the cache has no pictures
            self._store(key, result, call.tool, seconds, deadline)
        return result

    def _read(self, key: str, deadline: Deadline) -> tuple[Json] | None:
        """Return the result in a tuple, since null is a result too."""
        try:
            content = self._results.cached(key, now=self._clock(), deadline=deadline.within(CACHE_SECONDS))
            if content is None:
                return None
            text = zlib.decompressobj().decompress(content, MAX_RESULT_BYTES)
            return (safe_loads(text, max_bytes=MAX_RESULT_BYTES),)
        except (FlexchatError, JsonError, zlib.error) as exc:
            logger.error("tool result not read from the cache", reason=str(exc))
            return None

    def _store(self, key: str, result: Json, tool: str, seconds: int, deadline: Deadline) -> None:
        text = dumps(redact_known_secrets(result)).encode()
        content = zlib.compress(text) if len(text) <= MAX_RESULT_BYTES else text
        if len(content) > MAX_CACHED_BYTES:
            logger.info("tool result not cached", tool=tool, result_bytes=len(text), compressed_bytes=len(content))
            return
        try:
            self._results.store_result(
                key, content, expires_at=self._clock() + seconds, deadline=deadline.within(CACHE_SECONDS)
            )
        except FlexchatError as exc:
            logger.error("tool result not written to the cache", tool=tool, reason=str(exc))


def cache_key(call: CallTool) -> str:
    """Return the hash of everything that a result depends on."""
    subject = [call.tool, call.implementation, call.arguments, call.principal]
    return hashlib.sha256(dumps(subject, sort_keys=True).encode()).hexdigest()


class ToolStateStore(CircuitStore, CallCounter, CachedResults, Protocol):
    """State that all environments share."""


class SharedState:
    """State of the tools of one stage; `clock` is in seconds since the epoch."""

    def __init__(self, store: ToolStateStore, *, stage: str, clock: Clock) -> None:
        self._cache = ResponseCache(store, clock=clock)
        self._breakers = CircuitBreakers(store, clock=clock)
        self._limits = ToolRateLimits(store, stage=stage, clock=clock)

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
