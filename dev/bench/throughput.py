"""Throughput and latency of the running local stack with several clients."""

import json
import threading
import time
from statistics import quantiles
from typing import Any

import httpx2

from dev.bench.services import ROOT

CLIENTS = (1, 8, 32)
SECONDS = 10.0
MAX_REQUESTS = 550
"""Most requests of one measurement: a caller has 600 a minute."""


def percentiles(values: list[float]) -> dict[str, float]:
    """Return the 50th, 95th and 99th percentile. Raises ValueError without values."""
    if not values:
        raise ValueError("percentiles need at least one value, got none")
    cuts = quantiles(values, n=100, method="inclusive") if len(values) > 1 else values * 99
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98]}


def report() -> dict[str, Any] | None:
    """Print the throughput of the local stack; None when none is running."""
    path = ROOT / ".local" / "stack.json"
    if not path.is_file():
        print("\nThroughput: no local stack is running; run `make up` first")
        return None
    state = json.loads(path.read_text("utf-8"))
    print(f"\nThroughput of the local stack, {SECONDS:.0f} s or {MAX_REQUESTS} requests each: chats per second, ms")
    print(f"{'clients':>8}{'chats/s':>10}{'p50':>8}{'p95':>8}{'p99':>8}{'failed':>8}")
    found: dict[str, Any] = {}
    for number, clients in enumerate(CLIENTS):
        if number:
            time.sleep(61 - time.time() % 60)  # another minute of the limit
        row = _measured(state["url"], state["token"], clients)
        found[str(clients)] = row
        print(f"{clients:>8}" + "".join(f"{row.get(name, 0):>{width}.0f}" for name, width in _COLUMNS))
    return found


_COLUMNS = (("per_second", 10), ("p50", 8), ("p95", 8), ("p99", 8), ("failed", 8))


def _measured(url: str, token: str, clients: int) -> dict[str, float]:
    times: list[float] = []
    failures: list[str] = []
    left = iter(range(MAX_REQUESTS))
    begin = time.monotonic()

    def client() -> None:
        with httpx2.Client(base_url=url, headers={"authorization": f"Bearer {token}"}, timeout=SECONDS) as session:
            while time.monotonic() < begin + SECONDS and next(left, None) is not None:
                started = time.perf_counter()
                try:
                    session.post("/api/chat", json={"message": "Hello"}).raise_for_status()
                except httpx2.HTTPError as error:
                    failures.append(str(error))
                else:
                    times.append((time.perf_counter() - started) * 1000)

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = {"per_second": len(times) / (time.monotonic() - begin), "failed": float(len(failures))}
    return {**counts, **(percentiles(times) if times else {})}
