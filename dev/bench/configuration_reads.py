"""Cold starts a second within SSM's rate of reads, with the packed configuration and without it.

The calls of a start are counted with the real source of the catalog. The starts are simulated in virtual time: SSM
accepts 40 calls a second of an account, with as many at once (https://docs.aws.amazon.com/general/latest/gr/ssm.html),
and botocore's standard mode sends a throttled one again after a random time of up to 1, 2, 4, ... seconds.
"""

import heapq
import random
from collections.abc import Iterable, Mapping
from itertools import batched
from typing import Any, Final

from flexchat.aws.catalog import CatalogSource
from flexchat.aws.clients import ssm
from flexchat.config.encoding import REQUEST_LIMIT, StoredParameters
from flexchat.config.packed import pack, unpack
from flexchat.config.parameters import split
from flexchat.secret_references import secret_hosts_name, secret_name

STAGE: Final = "bench"
CALLS_A_SECOND: Final = 40
CALL_SECONDS: Final = 0.01
WAIT_SECONDS: Final = 10.0
"""Longest wait of a start for its configuration."""

SIMULATED_SECONDS: Final = 60
STARTED: Final = 0.999
"""Share of the starts that must have read their configuration in time."""

SECRETS: Final = 4
TOOLS: Final = (30, 100, 300)
BEFORE_ATTEMPTS: Final = 3


class CountedStore:
    """Parameters in memory that count the calls SSM would get."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self._parameters = parameters
        self.calls = 0

    def read_path(self, path: str) -> StoredParameters:
        """Return the parameters below `path`, ten for each call."""
        found = {name: value for name, value in self._parameters.items() if name.startswith(f"{path}/")}
        self.calls += -(-len(found) // REQUEST_LIMIT)
        return StoredParameters(found)

    def read(self, names: Iterable[str]) -> StoredParameters:
        """Return parameters by name, ten for each call."""
        wanted = tuple(names)
        self.calls += len(tuple(batched(wanted, REQUEST_LIMIT, strict=False)))
        return StoredParameters({name: self._parameters[name] for name in wanted if name in self._parameters})


class PackedCopy:
    """The packed configuration of parameters."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self.content = pack(parameters, stage=STAGE)

    def read(self) -> StoredParameters:
        """Return the parameters."""
        return unpack(self.content, stage=STAGE)


def configuration(tools: int) -> dict[str, Any]:
    """Return a configuration with this many tools, and four secrets."""
    return {
        "llms": {
            f"llm-{number}": {
                "type": "openai",
                "api_key": f"${{KEY_{number}}}",
                "base_url": "https://api.openai.com/v1",
            }
            for number in range(SECRETS)
        },
        "responses": [{"llm": "llm-0", "model": "gpt-4o", "prompt": "You help."}],
        "tools": {
            "enabled": True,
            "registry": [
                {
                    "name": f"tool_{number}",
                    "description": f"Look up record {number} of a customer by its number, with its state and its date.",
                    "parameters": {"type": "object", "properties": {"number": {"type": "string"}}},
                    "implementation": {"type": "http", "url": f"https://api.example.com/v1/records/{number}"},
                }
                for number in range(tools)
            ],
        },
    }


def calls_of_a_start(tools: int, *, packed: bool) -> tuple[int, int]:
    """Return the calls of SSM by which a cold start reads its configuration, and the bytes of the packed copy."""
    stored = split(configuration(tools), stage=STAGE)
    secrets = {secret_name(STAGE, f"KEY_{number}"): "a-secret-of-the-bench" for number in range(SECRETS)}
    hosts = {secret_hosts_name(STAGE, f"KEY_{number}"): "api.openai.com" for number in range(SECRETS)}
    store, copy = CountedStore({**stored, **secrets, **hosts}), PackedCopy(stored)
    catalog = CatalogSource(store=store, packed=copy if packed else None, stage=STAGE).current()
    if catalog.disabled or len(catalog.configuration.tools.registry) != tools:
        raise RuntimeError(f"the configuration was not read: {catalog.disabled}")
    return store.calls, len(copy.content)


def started(rate: float, calls: int, attempts: int, *, seed: int = 1) -> float:
    """Return the share of cold starts, `rate` of them a second, that read their configuration in time."""
    drawn = random.Random(seed)  # noqa: S311 - a simulation
    count = round(rate * SIMULATED_SECONDS)
    # time, number of the start, calls that are left, attempts of the next call
    events = [(drawn.random() * SIMULATED_SECONDS, number, calls, 0) for number in range(count)]
    begun = {number: at for at, number, _, _ in events}
    heapq.heapify(events)
    tokens, filled, in_time = float(CALLS_A_SECOND), 0.0, 0
    while events:
        now, number, left, tried = heapq.heappop(events)
        tokens, filled = min(CALLS_A_SECOND, tokens + (now - filled) * CALLS_A_SECOND), now
        if tokens >= 1:
            tokens -= 1
            if left > 1:
                heapq.heappush(events, (now + CALL_SECONDS, number, left - 1, 0))
            else:
                in_time += now + CALL_SECONDS - begun[number] <= WAIT_SECONDS
        elif tried + 1 < attempts:
            heapq.heappush(events, (now + drawn.random() * 2**tried, number, left, tried + 1))
    return in_time / count if count else 1.0


def starts_a_second(calls: int, attempts: int) -> int:
    """Return the largest number of cold starts a second that all read their configuration in time."""
    rate = 0
    while started(rate + 1, calls, attempts) >= STARTED:
        rate += 1
    return rate


def configuration_reads() -> dict[str, Any]:
    """Measure and print the cold starts a second for every number of tools; return the figures."""
    client: Any = ssm()
    attempts: int = client.meta.config.retries["total_max_attempts"]
    print(f"\nCold starts a second at {CALLS_A_SECOND} calls of SSM a second, {SECRETS} secrets")
    print(f"{'tools':>6}{'entries':>9}{'calls':>7}{'starts/s':>10}{'packed, bytes':>15}{'calls':>7}{'starts/s':>10}")
    found: dict[str, Any] = {}
    for tools in TOOLS:
        entries = len(split(configuration(tools), stage=STAGE))
        before, _ = calls_of_a_start(tools, packed=False)
        calls, size = calls_of_a_start(tools, packed=True)
        row = {
            "calls_by_entry": before,
            "starts_by_entry": starts_a_second(before, BEFORE_ATTEMPTS),
            "packed_bytes": size,
            "calls": calls,
            "starts": starts_a_second(calls, attempts),
        }
        found[str(tools)] = row
        print(
            f"{tools:>6}{entries:>9}{before:>7}{row['starts_by_entry']:>10}{size:>15}{calls:>7}{row['starts']:>10}",
            flush=True,
        )
    return found
