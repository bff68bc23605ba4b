"""Estimate of a stage's monthly cost without chats, and of the cost of 1,000 chats; tokens of models are excluded.

The idle cost is that of the template's resources. The cost of chats is a sum of products: billed GB-seconds, requests,
writes and bytes of one chat. A function is billed while it waits for the model.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cli.costs.template import Function, Inventory

PRICES = Path(__file__).with_name("prices.toml")
CHATS = 1000
DAYS_A_MONTH = 365 / 12
SECONDS_A_MONTH = 730 * 3600

STREAM, CHAT, AUTHORIZER, TRACES, TOOL = (
    *("ChatStreamFunction", "ChatFunction", "AuthorizerFunction", "TracesFunction", "HttpToolFunction"),
)

SERIES_OF_A_MODEL = 20
SERIES_OF_A_TOOL = 6
SERIES_OF_ALL = 5
"""Custom metrics that answered chats with and without tool calls write: for each model, each tool, and the service.

Each kind of error adds one to three; `tests/functional/test_metric_series.py` counts them.
"""

OWN_SECONDS = 0.05
"""Billed seconds of a chat besides its waits."""

RESTORES = 0.1
"""Environments that a chat starts, of each function that it uses: more with few chats, fewer with many."""

LOG_KB = 4
LOG_KB_OF_A_CALL = 1

AUDIT_WRITES = 3
"""Write units of an audit record of at most 1 KB, with its two indexes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Chats of a stage; the seconds are those of one call."""

    tools: int
    chats_per_day: int
    models: int = 1
    model_calls: int = 2
    model_seconds: float = 2.0
    tool_calls: int = 1
    tool_seconds: float = 0.2


@dataclass(frozen=True, slots=True)
class Line:
    """One item of an estimate in US dollars."""

    name: str
    detail: str
    dollars: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """Items of a month without chats, and of `CHATS` chats."""

    prices: Mapping[str, Any]
    idle: tuple[Line, ...]
    chats: tuple[Line, ...]
    half_memory: float
    monthly: float


def read_prices() -> dict[str, Any]:
    return tomllib.loads(PRICES.read_text("utf-8"))


def estimate(inventory: Inventory, load: Load, prices: Mapping[str, Any]) -> Estimate:
    """Return the cost of a stage with these resources, chats and prices."""
    idle = idle_lines(inventory, load, prices)
    chats = chat_lines(inventory, load, prices)
    halved = replace(inventory, functions={**inventory.functions, **_half(inventory)})
    thousands = load.chats_per_day * DAYS_A_MONTH / CHATS
    return Estimate(
        prices=prices,
        idle=idle,
        chats=chats,
        half_memory=total(chat_lines(halved, load, prices)),
        monthly=total(idle) + total(chats) * thousands,
    )


def total(lines: tuple[Line, ...]) -> float:
    return sum(line.dollars for line in lines)


def idle_lines(inventory: Inventory, load: Load, prices: Mapping[str, Any]) -> tuple[Line, ...]:
    """Return the items of a month that do not depend on the number of chats."""
    cloudwatch = prices["cloudwatch"]
    snapshots = inventory.snapshot_gb * inventory.releases
    tools = load.tools if inventory.has_tool_metrics else min(load.tools, 1)
    series = SERIES_OF_ALL + load.models * SERIES_OF_A_MODEL + tools * SERIES_OF_A_TOOL
    refreshes = inventory.refreshes_a_month
    return (
        Line(
            "snapshots",
            f"{inventory.snapshot_gb:g} GB of {len(inventory.functions)} functions, {_releases(inventory)}",
            snapshots * SECONDS_A_MONTH * prices["snapstart"]["cached_gb_second"],
        ),
        Line(
            "custom metrics",
            f"{series}, of {load.models} model(s) and {'each tool' if inventory.has_tool_metrics else 'all tools'}",
            series * cloudwatch["metric_month"],
        ),
        Line("alarms", f"{inventory.alarms}", inventory.alarms * cloudwatch["alarm_month"]),
        Line("dashboard", "free within an account's first three", 0.0),
        Line("secret", f"{inventory.secrets}", inventory.secrets * prices["secretsmanager"]["secret_month"]),
        Line(
            "refreshes of MCP tools",
            f"{refreshes:,.0f} schedules",
            refreshes / 1e6 * (prices["scheduler"]["million_invocations"] + prices["lambda"]["million_requests"]),
        ),
        Line("tables", f"{inventory.tables} on demand, without data", 0.0),
    )


def chat_lines(inventory: Inventory, load: Load, prices: Mapping[str, Any]) -> tuple[Line, ...]:
    """Return the items of `CHATS` chats."""
    functions = inventory.functions
    chat = functions.get(STREAM) or functions[CHAT]
    waits = load.model_calls * load.model_seconds + load.tool_calls * load.tool_seconds
    price = prices["lambda"]["gb_second"][inventory.architecture]
    others = load.tool_calls * load.tool_seconds * functions[TOOL].memory_gb + OWN_SECONDS * (
        functions[AUTHORIZER].memory_gb + functions[TRACES].memory_gb
    )
    invocations = 3 + load.tool_calls  # the authorizer, the chat and its trace
    restored = [chat, functions[AUTHORIZER], functions[TRACES], *([functions[TOOL]] if load.tool_calls else [])]
    restored_gb = RESTORES * sum(each.memory_gb for each in restored if each.has_snapshot)
    log_kb = LOG_KB + load.tool_calls * LOG_KB_OF_A_CALL
    million = CHATS / 1e6
    return (
        Line(
            "chat function",
            f"{waits + OWN_SECONDS:.2f} s at {chat.memory_gb * 1024:.0f} MB, {inventory.architecture}",
            (waits + OWN_SECONDS) * chat.memory_gb * CHATS * price,
        ),
        Line("other functions", "tools, authorizer, trace", others * CHATS * price),
        Line("invocations", f"{invocations} a chat", invocations * million * prices["lambda"]["million_requests"]),
        Line(
            "restores",
            "1 of each function for 10 chats",
            restored_gb * CHATS * prices["snapstart"]["restored_gb"],
        ),
        Line("API requests", "1 a chat", million * prices["api_gateway"]["million_requests"]),
        Line(
            "DynamoDB",
            "1 read, 4 writes",
            million * (prices["dynamodb"]["million_reads"] + 4 * prices["dynamodb"]["million_writes"]),
        ),
        Line(
            "audit records",
            f"{load.tool_calls} a chat, 3 writes each",
            million * load.tool_calls * AUDIT_WRITES * prices["dynamodb"]["million_writes"],
        ),
        Line("trace in S3", "1 object", million * prices["s3"]["million_puts"]),
        Line("logs", f"{log_kb} KB a chat", log_kb * CHATS / 1_048_576 * prices["cloudwatch"]["gb_ingested"]),
        Line("X-Ray", "1 trace a chat", million * prices["xray"]["million_traces"]),
    )


def _releases(inventory: Inventory) -> str:
    return "1 release" if inventory.releases == 1 else f"{inventory.releases} releases"


def _half(inventory: Inventory) -> dict[str, Function]:
    """Return the functions that answer chats with half of their memory."""
    return {
        name: replace(inventory.functions[name], memory_gb=inventory.functions[name].memory_gb / 2)
        for name in (STREAM, CHAT)
        if name in inventory.functions
    }
