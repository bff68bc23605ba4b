"""Connections of an environment to servers: each stays open, and is opened again after its end."""

import asyncio
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar

import msgspec

from flexchat.config.models.mcp_connections import McpConnection, is_installer
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ToolError
from flexchat.json import dumps
from flexchat.observability import logger
from flexchat.redacted_struct import RedactedStruct
from flexchat.redaction import redact_error_message
from flexchat.text import last_line, truncate_middle
from functions.tools.mcp.errors import (
    ConnectionFailedError,
    ConnectionRetry,
    McpSessionLostError,
    first_of,
    handshake_reason,
    reason_of,
)
from functions.tools.mcp.session import McpSession
from functions.tools.mcp.transports.base import McpTransport, StatusError

MAX_CONNECTIONS = 8

THAW_SECONDS = 30.0
"""Pause after which a connection is checked: its environment may have been frozen."""

CHECK_SECONDS = 2.0

CANCEL_SECONDS = 0.02
"""Time to end an attempt whose calls have no time left; a process ends later."""

MAX_STDERR = 2_000
"""Characters of a server's stderr in a report."""

OTHER_TRANSPORT = (
    "no streamable HTTP at this address. A server of the older HTTP+SSE transport has to be updated; "
    "else check the path"
)

WAIT_SECONDS = 1.0
"""Pause between two looks at the stderr of a server that is being installed."""

type OnStart = Callable[[str], None]
"""Receives what a server that is being installed has written last."""

type Transports = Callable[["Target"], McpTransport]
"""Makes the transport of one attempt. Raises ToolError for a connection that the deployment does not allow."""


class Target(RedactedStruct, frozen=True):
    """A server with its connection, whose secrets are resolved."""

    redacted: ClassVar = ("connection",)

    server: str
    connection: McpConnection

    @property
    def key(self) -> str:
        """Digest of the connection: with a changed secret it is another one."""
        content = dumps([self.server, self.connection.model_dump(mode="json")])
        return hashlib.sha256(content.encode()).hexdigest()


class _Slot(msgspec.Struct):
    """State of one connection. `attempt` and `reason` are those of the current or last connecting."""

    session: McpSession | None = None
    connecting: "asyncio.Task[McpSession] | None" = None
    waiting: int = 0
    in_use: int = 0
    attempt: int = 0
    transport: McpTransport | None = None
    reason: str = ""
    stderr: str = ""
    failed_until: float = 0.0
    checking: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)

    def is_unused(self, now: float) -> bool:
        """Return true for a slot without a connection or a failure that still counts."""
        is_connecting = self.connecting is not None and not self.connecting.done()
        return self.session is None and not is_connecting and not self.in_use and self.failed_until <= now


class Connections:
    """Connections by target; used only within the event loop.

    `wall_clock` is in seconds since the epoch: a monotonic clock stops while an environment is frozen. `sleep` waits
    between attempts.
    """

    def __init__(
        self,
        transports: Transports,
        *,
        retry: ConnectionRetry,
        wall_clock: Clock = time.time,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._transports = transports
        self._retry = retry
        self._wall_clock = wall_clock
        self._sleep = sleep
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._closing: set[asyncio.Task[None]] = set()

    async def use[T](
        self,
        target: Target,
        operation: Callable[[McpSession], Awaitable[T]],
        *,
        due: Deadline,
        repeatable: bool,
        on_start: OnStart | None = None,
    ) -> T:
        """Return the result of `operation` on the session with a server.

        A connection that has ended is opened again once; `operation` runs again when it had not been sent,
        or is `repeatable`. Raises ConnectionFailedError and SessionLostError.
        """
        slot = self._slot(target)
        slot.in_use += 1
        try:
            for restarts in (0, 1):
                session = await self._session(slot, target, due, on_start)
                try:
                    return await operation(session)
                except McpSessionLostError as exc:
                    if exc.is_usable and session.is_open:
                        session.is_suspect = True
                    else:
                        self._drop(slot, session, target, exc.reason)
                    if restarts or (exc.sent and not repeatable):
                        raise
                finally:
                    session.last_used = self._wall_clock()
            raise AssertionError("unreachable")
        finally:
            slot.in_use -= 1

    async def close(self) -> None:
        """Close all connections."""
        sessions = [slot.session for slot in self._slots.values() if slot.session is not None]
        self._slots.clear()
        await asyncio.gather(*(session.close() for session in sessions), *self._closing)

    def _slot(self, target: Target) -> _Slot:
        slot = self._slots.setdefault(target.key, _Slot())
        self._slots.move_to_end(target.key)
        unused = [key for key, each in self._slots.items() if each is not slot and each.is_unused(self._wall_clock())]
        for key in unused:
            del self._slots[key]
        return slot

    def _close_oldest(self) -> None:
        """Close the connections that were not used for longest, beyond the maximum."""
        idle = [key for key, slot in self._slots.items() if not slot.in_use and slot.connecting is None]
        for key in idle[: max(0, len(self._slots) - MAX_CONNECTIONS)]:
            slot = self._slots.pop(key)
            if slot.session is not None:
                self._close_later(slot.session)

    async def _session(self, slot: _Slot, target: Target, due: Deadline, on_start: OnStart | None) -> McpSession:
        """Return the session with a server, connected when there is none. Raises ConnectionFailedError.

        The installation of a server goes on after the call that began it, for the next one.
        """
        if slot.connecting is not None and slot.connecting.done() and not slot.waiting:
            slot.connecting = None  # nobody waited for it; the slot has its session or its failure
        async with slot.checking:
            if slot.session is not None and await self._is_alive(slot.session, slot, target, due):
                return slot.session
        pause = slot.failed_until - self._wall_clock()
        if slot.connecting is None and pause > 0:
            raise self._failed(slot, target, pause)
        if slot.connecting is None:
            slot.attempt, slot.reason, slot.stderr = 0, "", ""
            slot.connecting = asyncio.create_task(self._connect(slot, target))
            slot.connecting.add_done_callback(_retrieve_error)
        connecting, goes_on = slot.connecting, is_installer(getattr(target.connection, "command", None))
        slot.waiting += 1
        try:
            if not await self._ended(connecting, slot, due, on_start if goes_on else None):
                if goes_on:
                    raise self._starting(slot, target)
                raise self._given_up(slot, target) if slot.reason else self._too_slow(slot, target)
            return connecting.result()
        finally:
            slot.waiting -= 1
            if not slot.waiting and slot.connecting is connecting and (connecting.done() or not goes_on):
                slot.connecting = None
                if not connecting.done():  # frozen with the environment it would never end
                    connecting.cancel()
                    await asyncio.wait({connecting}, timeout=CANCEL_SECONDS)

    async def _ended(
        self, connecting: "asyncio.Task[McpSession]", slot: _Slot, due: Deadline, on_start: OnStart | None
    ) -> bool:
        """Wait for the end of connecting within the time of a call; meanwhile pass on what the server writes."""
        shown = ""
        while True:
            seconds = due.remaining()
            step = seconds if on_start is None else min(WAIT_SECONDS, seconds)
            done, _ = await asyncio.wait({connecting}, timeout=step)
            if done or step == seconds:
                return bool(done)
            written = "" if slot.transport is None else last_line(slot.transport.diagnostics())
            if on_start is not None and written != shown:
                shown = written
                on_start(written)

    async def _connect(self, slot: _Slot, target: Target) -> McpSession:
        """Return a new session after at most the attempts of the retry. Raises ConnectionFailedError."""
        for attempt in range(1, self._retry.attempts + 1):
            delay = self._retry.delay(attempt)
            if delay:
                logger.warning(
                    "mcp connection delayed", server=target.server, attempt=attempt, delay_ms=round(delay * 1000)
                )
                await self._sleep(delay)
            slot.attempt = attempt
            logger.info("mcp connection attempted", server=target.server, attempt=attempt, delay_ms=round(delay * 1000))
            transport = slot.transport = self._transports(target)
            try:
                session = McpSession(transport, now=self._wall_clock())
                slot.session = await session.connected(target.connection.connect_timeout_ms / 1000)
            except Exception as exc:  # the transport and the SDK raise what they like
                error = first_of(exc)
                if isinstance(error, ToolError) and error.type == "configuration":
                    raise error from exc  # a refused command or address is refused again
                slot.reason = (
                    f"no answer within {target.connection.connect_timeout_ms} ms, its connect_timeout_ms"
                    if isinstance(error, TimeoutError)
                    else redact_error_message(handshake_reason(error) or transport.failure() or reason_of(error))
                )
                slot.stderr = truncate_middle(transport.diagnostics(), MAX_STDERR)
                logger.warning(
                    "mcp connection attempt failed",
                    server=target.server,
                    attempt=attempt,
                    reason=slot.reason,
                    stderr=slot.stderr,
                )
                if transport.failure() is not None and is_installer(getattr(target.connection, "command", None)):
                    break  # installers repeat their own requests, and refuse an unknown package each time
                if isinstance(error, StatusError) and error.is_other_transport:
                    slot.reason = f"{slot.reason}: {OTHER_TRANSPORT}"
                    break  # it answers the same again
            else:
                slot.failed_until = 0.0
                logger.info(
                    "mcp server connected",
                    server=target.server,
                    transport=transport.kind,
                    summary=f"MCP connection succeeded on attempt {attempt}",
                )
                self._close_oldest()
                return session
        raise self._given_up(slot, target)

    def _given_up(self, slot: _Slot, target: Target) -> ConnectionFailedError:
        """Return the error of a server that is not tried again for a while."""
        pause = self._retry.pause_ms / 1000
        slot.failed_until = self._wall_clock() + pause
        error = self._failed(slot, target, pause)
        logger.error(
            "mcp connection failed",
            server=target.server,
            summary=error.headline,
            reason=slot.reason,
            stderr=slot.stderr,
            hints=list(error.hints),
            report=error.report(),
        )
        return error

    def _too_slow(self, slot: _Slot, target: Target) -> ConnectionFailedError:
        """Return the error of a call that had too little time for the first attempt; a longer one may succeed."""
        slot.reason = "no answer in the time of the call"
        error = self._failed(slot, target, 0)
        slot.reason = ""
        logger.warning("mcp connection abandoned", server=target.server, reason=error.reason)
        return error

    def _starting(self, slot: _Slot, target: Target) -> ConnectionFailedError:
        """Return the error of a call that ended while its server was being installed."""
        stderr = "" if slot.transport is None else truncate_middle(slot.transport.diagnostics(), MAX_STDERR)
        slot.reason = "the command is still installing or starting the server; try again in a while"
        slot.stderr = stderr
        error = self._failed(slot, target, 0, is_starting=True)
        slot.reason, slot.stderr = "", ""
        logger.warning("mcp server still starting", server=target.server, stderr=stderr)
        return error

    def _failed(self, slot: _Slot, target: Target, pause: float, *, is_starting: bool = False) -> ConnectionFailedError:
        return ConnectionFailedError(
            target.server,
            kind=target.connection.kind,
            attempts=slot.attempt,
            reason=slot.reason,
            stderr=slot.stderr,
            hints=target.connection.hints,
            pause=pause,
            is_starting=is_starting,
        )

    async def _is_alive(self, session: McpSession, slot: _Slot, target: Target, due: Deadline) -> bool:
        """Return whether a session is usable; one that is not is closed."""
        reason = None
        if not session.is_open:
            reason = session.transport.failure() or "the connection was closed"
        elif session.is_suspect or self._wall_clock() - session.last_used > THAW_SECONDS:
            try:
                await session.check(min(CHECK_SECONDS, due.remaining()))
            except Exception as exc:  # noqa: BLE001 # any error is its end
                reason = session.transport.failure() or reason_of(first_of(exc))
        if reason is None:
            session.is_suspect = False
            session.last_used = self._wall_clock()
            return True
        self._drop(slot, session, target, reason)
        return False

    def _drop(self, slot: _Slot, session: McpSession, target: Target, reason: str) -> None:
        stderr = truncate_middle(session.transport.diagnostics(), MAX_STDERR)
        logger.warning("mcp connection ended", server=target.server, reason=reason, stderr=stderr)
        if slot.session is session:
            slot.session = None
        slot.stderr = stderr
        self._close_later(session)

    def _close_later(self, session: McpSession) -> None:
        """Close a session without the time of a call: a process that hangs takes seconds."""
        task = asyncio.create_task(session.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


def _retrieve_error(task: "asyncio.Task[McpSession]") -> None:
    """Keep asyncio from reporting the error of a connection that nobody waits for."""
    if not task.cancelled():
        task.exception()


class EventLoopThread:
    """Runs coroutines for threads; started at first use, so that no snapshot contains it."""

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run[T](self, work: Coroutine[Any, Any, T], *, seconds: float) -> T:
        """Return the result of `work`, which is cancelled after `seconds`. Raises TimeoutError then."""
        future = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            return future.result(seconds)
        except TimeoutError:
            future.cancel()
            raise

    def stop(self) -> None:
        """Cancel all work and end the thread; for tests."""
        if self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._loop = self._thread = None

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="mcp", daemon=True)
                self._thread.start()
            return self._loop


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
