"""Cache of the results of tools with `cache_seconds`, shared by all environments."""

import hashlib
import time
import zlib
from collections.abc import Callable
from typing import Protocol

from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from flexchat.redaction import redact_known_secrets
from flexchat.tools import CallTool

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
