"""Write units of DynamoDB that busy keys take a second: one token with many active chats, before and after sharding.

A partition takes 1,000 write units a second. A write costs one unit for each kilobyte of the whole item, twice that in
a transaction, and the same for each index that copies a changed attribute
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html).
"""

from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from msgspec import Struct

from flexchat.limits.admission import CLEANUP_FROM

PARTITION_UNITS: Final = 1_000
TRANSACTION: Final = 2

type Item = Mapping[str, Mapping[str, Any]]
"""Item in DynamoDB's JSON."""


class Load(Struct, frozen=True):
    """Chats of one token; each has `iterations` steps with one tool call, and calls `tools` different tools."""

    starts: int = 50
    active: int = 200
    iterations: int = 3
    tools: int = 3

    @property
    def renewals(self) -> int:
        """Renewals of the lock of a session, each 10 seconds, of chats that take longer than a request."""
        return 3


class Key(Struct, frozen=True):
    """Busy partition: units of writes for one chat to its item of `bytes`, spread over `partitions`."""

    name: str
    bytes: int
    units: float
    partitions: int = 1

    def rate(self, load: Load) -> float:
        return self.units * load.starts / self.partitions


def item_bytes(item: Item) -> int:
    """Return the size of an item (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html)."""
    return sum(len(name.encode()) + _value_bytes(value) for name, value in item.items())


def write_units(size: int) -> int:
    return max(1, ceil(size / 1024))


def _value_bytes(value: Mapping[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "N":
            return ceil(len(content.strip("-0.").replace(".", "")) / 2) + 1
        case "M":
            return 3 + sum(1 + len(name) + _value_bytes(each) for name, each in content.items())
        case "L":
            return 3 + sum(1 + _value_bytes(each) for each in content)
        case "S":
            return len(content.encode())
        case _:
            return 1


def counter_item(*, active: int, holds_inside: bool) -> Item:
    """Return the counters of a token in the last minute before those of past minutes are deleted."""
    item: dict[str, Any] = {
        "pk": {"S": "L#k3m9x2p7qd"},
        "sk": {"S": "DAY#2026-11-22"},
        "expires_at": {"N": "1795478400"},
        "tokens": {"N": "12345678"},
    }
    for minute in range(1000, 1008):
        item |= {f"requests_{minute}": {"N": "3000"}, f"tool_calls_{minute}": {"N": "9000"}}
    if holds_inside:
        hold = {"M": {"tokens": {"N": "2345"}, "until": {"N": "1795343440.123"}}}
        return item | {f"held_{number:032x}": hold for number in range(active)}
    return item | {"reserved": {"N": "468990"}}


def monthly_counter_item() -> Item:
    """Return the counters of a token with every limit, with the ended minutes that await their removal."""
    item: dict[str, Any] = {
        "pk": {"S": "L#k3m9x2p7qd"},
        "sk": {"S": "MONTH#2026-11"},
        "expires_at": {"N": "1796169600"},
    }
    counted = ("requests", "tool_calls", "tokens", "micros")
    for name in (*counted, "reserved", "reserved_micros"):
        item |= {name: {"N": "123456789"}, f"{name}_22": {"N": "12345678"}}
    minutes = CLEANUP_FROM // len(counted)
    item |= {f"{name}_22T{minute}": {"N": "123456"} for minute in range(1000, 1001 + minutes) for name in counted}
    return item


def hold_item() -> Item:
    return {
        "pk": {"S": "L#k3m9x2p7qd#HOLDS"},
        "sk": {"S": f"2026-11-22#1795343440123-{0:032x}"},
        "tokens": {"N": "2345"},
        "expires_at": {"N": "1795478400"},
    }


def session_item(*, lock_inside: bool, topic: int = 2_000) -> Item:
    """Return `META` of a session with a topic of the largest length."""
    moment = {"S": "2027-01-15T08:00:00.000000+00:00"}
    item = {
        "pk": {"S": f"S#k3m9x2p7qd#{0:032x}"},
        "sk": {"S": "META"},
        "owner": {"S": "k3m9x2p7qd"},
        "incarnation": {"S": "0" * 16},
        "title": {"S": "x" * 60},
        "topic": {"S": "x" * topic},
        "turns": {"N": "12"},
        "created_at": moment,
        "updated_at": moment,
        "expires_at": {"N": "1800086400"},
    }
    lock = {"lock_run": {"S": "x" * 36}, "lock_until": {"N": "1800000050.375"}}
    return item | lock if lock_inside else item


def keys(load: Load, *, sharded: bool) -> list[Key]:
    """Return the busy partitions of one token and one day."""
    counter = item_bytes(counter_item(active=load.active, holds_inside=not sharded))
    counts = 2 + load.iterations  # reserved, settled, and the calls of each iteration
    partitions = 4 if sharded else 1
    counters = 4 + load.tools  # of the day, the caller, the rule, the model, and each tool
    summary = 900
    found = [
        Key("counters of a token", counter, counts * write_units(counter)),
        Key("usage of a day", 120, TRANSACTION * counters, partitions),
        Key("traces of a day", summary, TRANSACTION * write_units(summary), partitions),
        Key("traces of a tool, of each chat", summary, TRANSACTION * write_units(summary), partitions),
    ]
    if sharded:
        monthly = item_bytes(monthly_counter_item())
        found.append(Key("counters with every limit", monthly, counts * write_units(monthly)))
        found.append(Key("holds of a token", item_bytes(hold_item()), 2 * write_units(item_bytes(hold_item()))))
    return found


def session_units(load: Load, *, sharded: bool) -> float:
    """Return the write units of a turn for `META`, its lock and its copy in the index.

    Start and end change `updated_at`, the key of the index, so that its copy is deleted and written again.
    """
    meta = write_units(item_bytes(session_item(lock_inside=not sharded)))
    changes = 2 * (TRANSACTION * meta + 2 * meta)
    if sharded:
        locks = 2 * TRANSACTION + load.iterations * TRANSACTION + load.renewals
    else:
        locks = load.iterations * TRANSACTION * meta + load.renewals * 2 * meta
    return changes + locks


def report() -> dict[str, Any]:
    """Print the busy partitions before and after, and return them."""
    load = Load()
    print(
        f"\n{load.active} active chats of one token, {load.starts} starts a second, of {PARTITION_UNITS:,} write units"
    )
    figures: dict[str, Any] = {}
    for name, sharded in (("before", False), ("after", True)):
        print(f"{name:32}{'bytes':>8}{'units a chat':>14}{'units a second':>16}")
        for key in keys(load, sharded=sharded):
            print(f"  {key.name:30}{key.bytes:8}{key.units:14.0f}{key.rate(load):16.0f}")
        turn = session_units(load, sharded=sharded)
        print(f"  {'session, lock and index':30}{'':8}{turn:14.0f}")
        figures[name] = {
            "keys": {key.name: {"bytes": key.bytes, "rate": key.rate(load)} for key in keys(load, sharded=sharded)},
            "session": turn,
        }
    return figures
