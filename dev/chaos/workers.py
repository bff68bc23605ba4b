"""Workers of a run: processes with their own services and environment, which run the chats of some groups."""

import gc
import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from copy import replace
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from queue import Empty

from dev.chaos.chat import Chat
from dev.chaos.client import ChaosClient
from dev.chaos.clock import CpuWait
from dev.chaos.concurrency import same_key, same_session
from dev.chaos.environment import Environment, create_environment
from dev.chaos.interruptions import DelayedCheck, cancel, death, delete
from dev.chaos.mutants import Handle, Mutant
from dev.chaos.outcome import Outcome
from dev.chaos.processes import Processes
from dev.chaos.scenario_plan import LLMS, Scenario, ScenarioPlan, plans
from dev.chaos.scenarios import background, idempotent, plain, session
from dev.chaos.streams import streamed

MEMORY_MIB = 160
"""Maximum memory growth of a worker during one chat: an answer of 16 MiB is read, one that expands to 128 MiB is not.
"""

SECONDS_PER_CHAT = 2.0
START_SECONDS = 120.0
"""Seconds beyond the expected duration after which a run ends with the available results."""

_SCENARIOS: Mapping[Scenario, Callable[[Chat], DelayedCheck | None]] = {
    "plain": plain,
    "session": session,
    "idempotent": idempotent,
    "stream": streamed,
    "async": background,
    "resume": plain,
    "same_session": same_session,
    "same_key": same_key,
    "cancel": cancel,
    "delete": delete,
    "death": death,
}


def outcomes(plans: Sequence[ScenarioPlan], *, workers: int, model_url: str, mutant: Mutant) -> Iterator[Outcome]:
    """Yield the outcome of every plan when it ends.

    Raises RuntimeError when a worker dies or the run takes too long.
    """
    fork = multiprocessing.get_context("fork")
    queue: Queue[Outcome] = fork.Queue()
    ready = fork.Barrier(workers)
    shares = [[plan for plan in plans if plan.group % workers == number] for number in range(workers)]
    until = time.monotonic() + START_SECONDS + SECONDS_PER_CHAT * len(plans)
    with prepared(model_url, mutant) as services:
        gc.freeze()  # shared pages; a garbage collection in every worker would copy them
        mutated = replace(services, mutant=mutant)
        processes = [fork.Process(target=_work, args=(share, mutated, ready, queue)) for share in shares]
        for process in processes:
            process.start()
        try:
            for _ in plans:
                yield _next(queue, processes, until)
            for process in processes:
                process.join()
        finally:
            for process in processes:
                process.terminate()


@contextmanager
def prepared(model_url: str, mutant: Mutant) -> Generator[Environment]:
    """Create services for each worker to copy, after chats that import everything that is imported once."""
    with create_environment(model_url, mutant) as services:
        with _without_metrics():
            _load(services)
        yield services


def _load(services: Environment) -> None:
    outcome = _outcome_of_first_chats(services)
    client = ChaosClient(services.environment(), outcome)
    body = {"message": "What is 1 + 1?", "session_id": "first", "deadline_ms": 25_000}
    client.post(body, headers={"Idempotency-Key": "first"})
    client.post(body, headers={"Prefer": "respond-async"})
    client.deliver(services.functions.orders.pop())
    _check_first_chats(outcome)


@contextmanager
def _without_metrics() -> Generator[None]:
    """Discard the metrics that the service writes to standard output."""
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing):
        yield


def _outcome_of_first_chats(services: Environment) -> Outcome:
    outcome = Outcome(replace(plans(seed="first", chats=1, deadlines=(20.0, 20.0))[0], number=0))
    services.watch(outcome)
    return outcome


def _connected(services: Environment, *, catalog_seconds: float = 600.0) -> Handle:
    """Return an environment with open connections, whose setup no chat should include."""
    handle = services.environment(catalog_seconds=catalog_seconds)
    outcome = _outcome_of_first_chats(services)
    client = ChaosClient(handle, outcome)
    for llm in LLMS:
        client.post({"message": "What is 1 + 1?", "profile": {"llm": llm}, "deadline_ms": 25_000})
    if services.mutant.fault == "no fault":
        _check_first_chats(outcome)
    return handle


def _check_first_chats(outcome: Outcome) -> None:
    if outcome.violations:
        raise RuntimeError(f"the first chats, which nothing disturbed, went wrong: {outcome.violations}")


def _next(queue: "Queue[Outcome]", processes: Sequence[BaseProcess], until: float) -> Outcome:
    while True:
        try:
            return queue.get(timeout=5)
        except Empty as exc:
            if any(process.exitcode for process in processes):
                raise RuntimeError("a worker died; its error is above") from exc
            if time.monotonic() > until:
                raise RuntimeError("the run takes too long; a chat hangs") from exc


def _work(plans: Sequence[ScenarioPlan], services: Environment, ready: Barrier, queue: "Queue[Outcome]") -> None:
    with _without_metrics():
        _run(plans, services, ready, queue)
    queue.close()
    queue.join_thread()
    os._exit(0)  # abandoned tools must not delay the exit


def _run(plans: Sequence[ScenarioPlan], services: Environment, ready: Barrier, queue: "Queue[Outcome]") -> None:
    processes = Processes(services)
    delayed_checks: list[tuple[DelayedCheck, Chat]] = []
    wait = CpuWait()
    handle, refreshing = _connected(services), _connected(services, catalog_seconds=0.0)
    ready.wait()
    for plan in plans:
        outcome = Outcome(plan)
        services.watch(outcome)
        client = ChaosClient(_handle_of(plan, services, handle, refreshing), outcome, processes, wait)
        chat = Chat(services, plan, outcome, client, processes)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        recheck = _SCENARIOS[plan.scenario](chat)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
        if grown > MEMORY_MIB:
            outcome.violation(f"the worker grew by {grown:.0f} MiB during a chat")
        if recheck is None:
            queue.put(outcome)
        else:
            delayed_checks.append((recheck, chat))
    for recheck, chat in delayed_checks:
        time.sleep(max(0.0, recheck.at - time.monotonic()))
        services.watch(chat.outcome)
        recheck.check()
        queue.put(chat.outcome)


def _handle_of(plan: ScenarioPlan, services: Environment, handle: Handle, refreshing: Handle) -> Handle:
    """Return the environment for a chat: where SSM may fail, one that reloads its configuration or a cold one."""
    if not plan.settings_fail:
        return handle
    return services.environment(catalog_seconds=0.0) if plan.cold else refreshing
