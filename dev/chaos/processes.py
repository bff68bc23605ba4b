"""Environments in separate processes, each for one event: they run at the same time and can be killed.

Powertools stores the current event in class attributes, so requests in threads of one process would interfere, which
never happens in Lambda. The AWS services remain in the worker process and are called through a socket. The processes
are forked from one with a single thread.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from copy import replace
from dataclasses import dataclass, field
from multiprocessing.connection import Client, Connection, Listener, Pipe
from typing import Any

from botocore.exceptions import ClientError

from dev.chaos.clock import CpuWait
from dev.chaos.environment import Environment, read_catalog
from dev.chaos.faults import Pages
from dev.chaos.functions import Context
from dev.chaos.mutants import Event

REMOTE = ("dynamodb", "lambda")
"""Services that are called in the worker process; SSM and Secrets Manager are read from the copy in the fork."""

EXTRA_SECONDS = 60.0
"""Seconds to wait for a process beyond its invocation."""

BACKLOG = 128
_MORE = {"query": ("LastEvaluatedKey", "ExclusiveStartKey")}


@dataclass(frozen=True, slots=True)
class Job:
    """One event for one new environment, whose wall clock is ahead by `later_seconds`."""

    number: int
    event: Event
    context: Context
    later_seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    """Response of an environment, or its exception as text, with its duration."""

    response: dict[str, Any] | None
    raised: str | None
    seconds: float
    waited: float
    violations: tuple[str, ...]


@dataclass
class Invocation:
    """Event in progress in a process.

    The process stops at request number `stop_at` to a remote service, before it or, with `after`, after it, until
    `proceed` or `kill` is called.
    """

    job: Job
    stop_at: int | None
    after: bool
    requests: int = 0
    pid: int | None = None
    answer: Future[Answer | None] = field(default_factory=Future[Answer | None])
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _stopped: bool = False
    _go: threading.Event = field(default_factory=threading.Event)

    def wait_until_stopped(self) -> bool:
        """Wait for the stop or the response; return true when the process has stopped."""
        self.answer.add_done_callback(lambda _: self._notify())
        with self._changed:
            limit = self.job.context.remaining_ms / 1000 + EXTRA_SECONDS
            self._changed.wait_for(lambda: self._stopped or self.answer.done(), timeout=limit)
            return self._stopped

    def proceed(self) -> Answer | None:
        """Resume the process and return its response; None when it died."""
        self._go.set()
        return self.answer.result(timeout=self.job.context.remaining_ms / 1000 + EXTRA_SECONDS)

    def kill(self) -> None:
        """Kill the process during its request."""
        assert self.pid is not None  # noqa: S101 (it has made a request)
        os.kill(self.pid, signal.SIGKILL)
        self._go.set()

    def request(self, call: Callable[[], Any]) -> Any:
        """Send a request of the process, or stop it there."""
        with self._changed:
            self.requests += 1
            stops = self.requests == self.stop_at
        if stops and not self.after:
            self._stop()
        result = call()
        if stops and self.after:
            self._stop()
        return result

    def _stop(self) -> None:
        with self._changed:
            self._stopped = True
        self._notify()
        self._go.wait(self.job.context.remaining_ms / 1000 + EXTRA_SECONDS)

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()


class Processes:
    """Starts environments in new processes. Create it while the current process has a single thread."""

    def __init__(self, environment: Environment) -> None:
        self._services = environment.services()
        self._listener = Listener(family="AF_UNIX", backlog=BACKLOG)
        self._jobs: dict[int, Invocation] = {}
        orders, self._orders = Pipe(duplex=False)
        if os.fork() == 0:
            self._orders.close()
            _fork_environments(environment, orders, str(self._listener.address))
        orders.close()
        threading.Thread(target=self._accept, name="environments", daemon=True).start()

    def start(
        self,
        event: Event,
        context: Context,
        *,
        stop_at: int | None = None,
        after: bool = False,
        later_seconds: float = 0.0,
    ) -> Invocation:
        """Handle `event` in a new process."""
        job = Job(len(self._jobs) + 1, event, context, later_seconds)
        invocation = self._jobs[job.number] = Invocation(job, stop_at, after)
        self._orders.send(job)
        return invocation

    def _accept(self) -> None:
        while True:
            connection = self._listener.accept()
            threading.Thread(target=self._serve, args=(connection,), name="environment", daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        """Serve one connection of a process: the first is for its response, the others for its requests."""
        try:
            number, pid = connection.recv()
            invocation = self._jobs[number]
            if pid is not None:
                invocation.pid = pid
                self._await_answer(invocation, connection)
                return
            while True:
                service, operation, parameters = connection.recv()
                connection.send(self._requested(invocation, service, operation, parameters))
        except (EOFError, OSError):
            return

    def _await_answer(self, invocation: Invocation, connection: Connection) -> None:
        try:
            answer: Answer | None = connection.recv()
        except (EOFError, OSError):
            answer = None
        invocation.answer.set_result(answer)

    def _requested(self, invocation: Invocation, service: str, operation: str, parameters: Mapping[str, Any]) -> Any:
        try:
            return invocation.request(lambda: getattr(self._services[service], operation)(**parameters)), None
        except ClientError as error:  # moto raises classes that cannot be pickled
            return None, ClientError(error.response, error.operation_name)
        except Exception as error:  # noqa: BLE001 (raised again in the process that made the request)
            return None, error


def _fork_environments(environment: Environment, orders: Connection, address: str) -> None:
    """Fork a process for every job. Never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps ended processes
    catalog = read_catalog()
    while True:
        try:
            job: Job = orders.recv()
        except EOFError:
            os._exit(0)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                _handle(environment, job, address, catalog)
            finally:
                os._exit(0)


def _handle(environment: Environment, job: Job, address: str, catalog: Any) -> None:
    control = Client(address)
    control.send((job.number, os.getpid()))
    violations: list[str] = []
    remote = {name: RemoteClient(name, job.number, address) for name in REMOTE}
    clone = replace(environment, report=violations.append)
    services = {**clone.services(), **remote}
    handle = clone.environment(services=services, catalog=catalog, later_seconds=job.later_seconds)
    response, raised = None, None
    wait = CpuWait()
    started, waited = time.monotonic(), wait.total()
    try:
        response = handle(job.event, job.context)
    except Exception as error:  # noqa: BLE001 (the harness checks exceptions)
        raised = f"{type(error).__name__}: {error}"
    seconds, waited = time.monotonic() - started, wait.total() - waited
    control.send(Answer(response, raised, seconds, waited, tuple(violations)))


@dataclass
class RemoteClient:
    """Client whose requests run in the worker process. Each thread has its own connection."""

    service: str
    job: int
    address: str
    _local: threading.local = field(default_factory=threading.local)

    def __getattr__(self, operation: str) -> Any:
        if operation.startswith("_"):
            raise AttributeError(operation)

        def request(**parameters: Any) -> Any:
            return self._request(operation, parameters)

        return request

    def get_paginator(self, operation: str) -> Pages:
        return Pages(getattr(self, operation), *_MORE[operation])

    def _request(self, operation: str, parameters: Mapping[str, Any]) -> Any:
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = Client(self.address)
            connection.send((self.job, None))
        self._local.connection = None  # an interrupted request leaves an unusable connection
        connection.send((self.service, operation, parameters))
        result, error = connection.recv()
        self._local.connection = connection
        if error is not None:
            raise error
        return result
