"""Execution environments of a function: processes that each run one invocation at a time."""

import asyncio
import contextlib
import os
import signal
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dev.runtime_api.api import RuntimeApi
from dev.runtime_api.invocation import Invocation

LINE_BYTES = 1 << 20

STARTS: Final = max(2, os.cpu_count() or 2)
"""Environments that start at the same time: more of them than processors would only delay the first."""


@dataclass(frozen=True, slots=True)
class RuntimeProcess:
    """Command, environment and folder of a function's runtime. `timeout` of the function is in seconds."""

    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    function_arn: str
    timeout: float


class ExecutionEnvironment:
    """A runtime's process with its Runtime API; `log` receives its output by lines."""

    def __init__(self, runtime: RuntimeProcess, log: Callable[[bytes], None]) -> None:
        self._runtime = runtime
        self._log = log
        self._api = RuntimeApi(runtime.function_arn)
        self._process: asyncio.subprocess.Process | None = None
        self._exited = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    @property
    def is_alive(self) -> bool:
        return not self._exited.is_set() and not self._api.failed.is_set()

    async def start(self) -> None:
        address = await self._api.start()
        self._process = await asyncio.create_subprocess_exec(
            *self._runtime.command,
            env={**self._runtime.environment, "AWS_LAMBDA_RUNTIME_API": address},
            cwd=self._runtime.folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            limit=LINE_BYTES,
        )
        self._watching = asyncio.create_task(self._watch(self._process))

    async def ready(self) -> None:
        """Return when the runtime asks for its first invocation, or has failed."""
        try:
            async with asyncio.timeout(self._runtime.timeout):
                await _first(self._api.asked, self._api.failed, self._exited)
        except TimeoutError:
            await self.stop()

    async def run(self, invocation: Invocation) -> None:
        """Run an invocation to its end: the runtime asks for the next one, its process ends, or the time is over."""
        try:
            async with asyncio.timeout(invocation.timeout):
                await _first(self._api.asked, self._api.failed, self._exited)
            if self.is_alive:
                self._api.asked.clear()
                self._api.invoke(invocation)
                async with asyncio.timeout(invocation.timeout):
                    await _first(self._api.asked, self._api.failed, self._exited)
        except TimeoutError:
            invocation.end(f"Task timed out after {invocation.timeout:.2f} seconds")
            await self.stop()
        invocation.end(self._api.failure or "the runtime's process exited before the end of the response")

    async def stop(self) -> None:
        """End the process and its group."""
        if self._process is not None and not self._exited.is_set():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        if self._watching is not None:
            await asyncio.wait([self._watching])
        await self._api.close()

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Pass the output on until the process ends."""
        output = process.stdout
        assert output is not None  # noqa: S101 - it is a pipe
        while line := await _line(output):
            self._log(line)
        await process.wait()
        self._exited.set()


class RuntimePool:
    """Up to `limit` execution environments, started on demand and used again; a broken one is replaced.

    At most `STARTS` start at the same time. An invocation gets the first one that has started or become free.
    """

    def __init__(self, runtime: RuntimeProcess, *, limit: int, log: Callable[[bytes], None]) -> None:
        self._runtime = runtime
        self._log = log
        self._free = asyncio.Semaphore(limit)
        self._idle: list[ExecutionEnvironment] = []
        self._all: set[ExecutionEnvironment] = set()
        self._waiting: deque[asyncio.Future[ExecutionEnvironment]] = deque()
        self._starting = 0
        self._running: set[asyncio.Task[None]] = set()

    @property
    def size(self) -> int:
        return len(self._all)

    def invoke(self, event: bytes) -> Invocation:
        """Start an invocation; its pieces arrive while the function runs."""
        invocation = Invocation(event, self._runtime.timeout)
        self._create_task(self._run(invocation))
        return invocation

    async def close(self) -> None:
        """End all processes."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for environment in list(self._all):
            await environment.stop()

    def _create_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _run(self, invocation: Invocation) -> None:
        async with self._free:
            try:
                environment = await self._environment()
            except OSError as error:
                invocation.end(f"the runtime's process was not started: {error}")
                return
            try:
                await environment.run(invocation)
            finally:
                await self._release(environment)

    async def _environment(self) -> ExecutionEnvironment:
        """Return an idle environment, the one that was used last, or the first to start or to become free."""
        while self._idle:
            environment = self._idle.pop()
            if environment.is_alive:
                return environment
            await self._remove(environment)
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        self._start_next()
        return await waiting

    def _start_next(self) -> None:
        """Start an environment if invocations wait that no starting one is for."""
        if self._starting < min(STARTS, len(self._waiting)):
            self._starting += 1
            self._create_task(self._start())

    async def _start(self) -> None:
        environment = ExecutionEnvironment(self._runtime, self._log)
        self._all.add(environment)
        try:
            await environment.start()
            await environment.ready()
        except OSError as error:
            self._all.discard(environment)
            if (waiting := self._next_waiting()) is not None:
                waiting.set_exception(error)
        else:
            self._hand_over(environment)
        finally:
            self._starting -= 1
            self._start_next()

    async def _release(self, environment: ExecutionEnvironment) -> None:
        if environment.is_alive:
            self._hand_over(environment)
        else:
            await self._remove(environment)

    def _hand_over(self, environment: ExecutionEnvironment) -> None:
        """Give an environment to the invocation that has waited longest; without one it is idle."""
        if (waiting := self._next_waiting()) is None:
            self._idle.append(environment)
        else:
            waiting.set_result(environment)

    def _next_waiting(self) -> "asyncio.Future[ExecutionEnvironment] | None":
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                return waiting
        return None

    async def _remove(self, environment: ExecutionEnvironment) -> None:
        await environment.stop()
        self._all.discard(environment)


async def _first(*events: asyncio.Event) -> None:
    """Return when one of the events is set."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()


async def _line(output: asyncio.StreamReader) -> bytes:
    """Return the next line; of one that is too long, a part."""
    try:
        return await output.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        return error.partial
    except asyncio.LimitOverrunError as error:
        return await output.read(error.consumed)
