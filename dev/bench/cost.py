"""Cost of AWS services per 1,000 chats, by the prices of `prices.toml`; tokens of a model are excluded.

The model is a sum of products: billed GB-seconds, requests of functions and of the API, reads and writes of DynamoDB,
calls of SSM, and bytes of logs. A function is billed while it waits for the model.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PRICES = Path(__file__).with_name("prices.toml")
CHATS = 1000


@dataclass(frozen=True, slots=True)
class Usage:
    """Use of AWS services by one chat; seconds are those of all functions together, at `memory_gb` each."""

    seconds: float
    memory_gb: float
    invocations: float
    api_requests: float = 1
    writes: float = 0
    reads: float = 0
    ssm_calls: float = 0
    log_kb: float = 0


EXAMPLES: Mapping[str, Usage] = {
    "no tool, model 1 s": Usage(1.02, 1, invocations=2, writes=1, log_kb=2),
    "5x1 tools, model 6 x 1 s": Usage(6.3, 1, invocations=7, writes=1, log_kb=8),
    "3x4 tools, model 4 x 1 s": Usage(4.6, 1, invocations=14, writes=1, log_kb=14),
}
"""Assumed use: 1 GB of memory, an authorizer and a chat function, and 20 to 50 ms for each tool call."""


def cost(usage: Usage, prices: Mapping[str, Any], chats: int = CHATS) -> dict[str, float]:
    """Return the US dollars of each service for `chats` chats."""
    million = chats / 1_000_000
    return {
        "lambda": usage.seconds * usage.memory_gb * chats * prices["lambda"]["gb_second"],
        "requests": usage.invocations * million * prices["lambda"]["million_requests"],
        "api": usage.api_requests * million * prices["api_gateway"]["million_requests"],
        "dynamodb": million
        * (usage.writes * prices["dynamodb"]["million_writes"] + usage.reads * prices["dynamodb"]["million_reads"]),
        "ssm": usage.ssm_calls * million * prices["ssm"]["million_calls"],
        "logs": usage.log_kb * chats / 1_048_576 * prices["logs"]["gb_ingested"],
    }


def report() -> dict[str, Any]:
    """Print the cost of the examples and return it with the prices."""
    prices = tomllib.loads(PRICES.read_text("utf-8"))
    print(f"\nUS dollars per {CHATS:,} chats, {prices['region']}, prices of {prices['date']}, without model tokens")
    rows = {name: cost(usage, prices) for name, usage in EXAMPLES.items()}
    services = list(next(iter(rows.values())))
    print(f"{'chat':28}" + "".join(f"{name:>10}" for name in [*services, "total"]))
    for name, row in rows.items():
        values = [row[service] for service in services]
        print(f"{name:28}" + "".join(f"{value:10.4f}" for value in [*values, sum(values)]))
    return {"prices": prices, "usage": {name: asdict(usage) for name, usage in EXAMPLES.items()}, "dollars": rows}
