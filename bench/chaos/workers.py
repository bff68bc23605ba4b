"""The workers of a run: each a process with an environment of its own, which does the chats of some groups in order."""

import gc
import multiprocessing
import os
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from queue import Empty

from bench.chaos.door import Door
from bench.chaos.drive import Drive
from bench.chaos.outcome import Outcome
from bench.chaos.plan import LLMS, Plan
from bench.chaos.world import World, world

WARM_UP = {"message": "What is 1 + 1?", "session_id": "warm-up", "deadline_ms": 25_000}

LEASE_SECONDS = 45.0
"""After this, a run whose worker could not say how it ended is told to have failed."""


def outcomes(plans: Sequence[Plan], *, workers: int, model_url: str) -> Iterator[Outcome]:
    """What came of every plan, as they end. Raises RuntimeError when a worker dies."""
    fork = multiprocessing.get_context("fork")
    queue: Queue[Outcome] = fork.Queue()
    ready = fork.Barrier(workers)
    shares = [[plan for plan in plans if plan.group % workers == number] for number in range(workers)]
    with prepared(model_url) as environment:
        gc.freeze()  # what was made so far is shared; a collection in every worker would copy all of it
        processes = [
            fork.Process(target=_work, args=(share, environment, ready, queue), daemon=True) for share in shares
        ]
        for process in processes:
            process.start()
        for _ in plans:
            yield _next(queue, processes)
        for process in processes:
            process.join()


@contextmanager
def prepared(model_url: str) -> Generator[World]:
    """An environment for each worker to copy, in which everything is loaded that is loaded once."""
    with world(model_url) as environment:
        door = Door(environment, environment.outcome)
        door.post(WARM_UP, headers={"Idempotency-Key": "warm-up"})
        door.post(WARM_UP, headers={"Prefer": "respond-async"})
        door.deliver(environment.functions.orders.pop())
        yield _well(environment.renewed())  # connections are not to be shared


def _warm(environment: World) -> World:
    """An environment that has its connections: making them is nobody's time, least of all that of twenty at once."""
    door = Door(environment, environment.outcome)
    for llm in LLMS:
        door.post({"message": "What is 1 + 1?", "profile": {"llm": llm}, "deadline_ms": 25_000})
    return _well(environment)


def _well(environment: World) -> World:
    """Raises RuntimeError when the first chats of an environment went wrong, under which nothing failed."""
    if environment.outcome.violations:
        raise RuntimeError(f"not even the first chats went well: {environment.outcome.violations}")
    return environment


def _next(queue: "Queue[Outcome]", processes: Sequence[BaseProcess]) -> Outcome:
    while True:
        try:
            return queue.get(timeout=5)
        except Empty as exc:
            if any(process.exitcode for process in processes):
                raise RuntimeError("a worker died; its own words are above") from exc


def _work(plans: Sequence[Plan], environment: World, ready: Barrier, queue: "Queue[Outcome]") -> None:
    unsettled: list[tuple[Drive, Outcome]] = []
    _warm(environment)
    ready.wait()
    for plan in plans:
        outcome = Outcome(plan.number, plan.weather, plan.way)
        drive = Drive(environment, plan, outcome)
        environment.watch(outcome)
        drive.run()
        if drive.settle(until=float("inf")):
            queue.put(outcome)
        else:
            unsettled.append((drive, outcome))
    until = time.monotonic() + LEASE_SECONDS
    for drive, outcome in unsettled:
        while not drive.settle(until=until):
            time.sleep(1.0)
        queue.put(outcome)
    queue.close()
    queue.join_thread()
    os._exit(0)  # tools that nobody waits for any more must not hold up the end
