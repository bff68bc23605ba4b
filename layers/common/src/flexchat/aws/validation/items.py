"""Validation's items: how they are named, written and read.

`RUN#<run>` holds `RUN`, `MODEL#<model>` for each of the run's models, and `I#<model>#<case>#<repeat>` for each record.
`TALLIES` holds `<model>#TOTAL`, `<model>#C#<category>` and `<model>#D#<day>`; `BY_HAND` holds `<model>#TOTAL` of the
tests by hand that do not count. In a key, `#` stands between names only:
a name's own is written `%23`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from flexchat.sessions import timestamp
from flexchat.text import truncate_middle
from flexchat.validation.records import ItemKey, ModelTallies, Tally, ValidationRecord

if TYPE_CHECKING:
    from flexchat.aws.validation.table import Item

TALLIES = "TALLIES"
BY_HAND = "BY_HAND"
TOTAL = "TOTAL"
ITEMS = "I#"

DAYS_KEPT = 400
"""How long a day of the trend is kept."""

MAX_REASONS = 20
REASON_CHARACTERS = 1_000

_INTEGERS = ("latency_ms", "input_tokens", "output_tokens")


def named(name: str) -> str:
    """A name as a part of a key."""
    return name.replace("%", "%25").replace("#", "%23")


def run_partition(run: str) -> str:
    return f"RUN#{named(run)}"


def record_key(key: ItemKey) -> str:
    return f"{ITEMS}{named(key.model)}#{named(key.case)}#{key.repeat:04}"


def model_series(model: str) -> str:
    """A model's records in the index."""
    return f"MODEL#{model}"


def record_item(record: ValidationRecord, *, expires_at: int) -> "Item":
    """A record. Its place in the series is unique: after the time stands what tells it from others of that moment."""
    key = record.key
    sort_key = record_key(key)
    item: Item = {
        "pk": {"S": run_partition(key.run)},
        "sk": {"S": sort_key},
        "series": {"S": model_series(key.model)},
        "at": {"S": f"{timestamp(record.at)}#{named(key.run)}#{sort_key}"},
        "run": {"S": key.run},
        "model": {"S": key.model},
        "case": {"S": key.case},
        "repeat": {"N": str(key.repeat)},
        "suite": {"S": record.suite},
        "result": {"S": record.result},
        "reasons": {"L": [{"S": _storable(reason)} for reason in record.reasons[:MAX_REASONS]]},
        "tested_at": {"N": repr(record.at)},
        "request_id": {"S": record.request_id},
        "expires_at": {"N": str(expires_at)},
        **{name: {"N": str(getattr(record, name))} for name in _INTEGERS},
    }
    if record.category is not None:
        item["category"] = {"S": record.category}
    if not record.counted:
        item["uncounted"] = {"BOOL": True}
    if record.demo:
        item["demo"] = {"BOOL": True}
    if record.cost_micros is not None:
        item["cost_micros"] = {"N": str(record.cost_micros)}
    return item


def _storable(reason: str) -> str:
    """A reason as DynamoDB takes it: a model's own words may be long, and hold halves of characters."""
    return truncate_middle(reason, REASON_CHARACTERS).encode("utf-8", "replace").decode()


def read_key(item: Mapping[str, Any]) -> ItemKey:
    return ItemKey(item["run"]["S"], item["model"]["S"], item["case"]["S"], int(item["repeat"]["N"]))


def read_record(item: Mapping[str, Any]) -> ValidationRecord:
    return ValidationRecord(
        key=read_key(item),
        suite=item["suite"]["S"],
        category=item["category"]["S"] if "category" in item else None,
        result=item["result"]["S"],
        reasons=tuple(reason["S"] for reason in item["reasons"]["L"]),
        at=float(item["tested_at"]["N"]),
        latency_ms=int(item["latency_ms"]["N"]),
        input_tokens=int(item["input_tokens"]["N"]),
        output_tokens=int(item["output_tokens"]["N"]),
        cost_micros=int(item["cost_micros"]["N"]) if "cost_micros" in item else None,
        request_id=item["request_id"]["S"],
        counted="uncounted" not in item,
        demo="demo" in item,
    )


def tally_of(record: ValidationRecord) -> Tally:
    """What one record adds to the counts of its model."""
    match record.result:
        case "passed" | "failed":
            return Tally(
                tests=1,
                successes=int(record.result == "passed"),
                latency_ms=record.latency_ms,
                input_tokens=record.input_tokens,
                output_tokens=record.output_tokens,
                cost_micros=record.cost_micros or 0,
                priced=int(record.cost_micros is not None),
                demo=int(record.demo),
                last_tested=record.at,
            )
        case "no_tool_call":
            return Tally(no_tool_calls=1)
        case "error":
            return Tally(errors=1)
        case "skipped":
            return Tally()


def model_prefix(model: str) -> str:
    """What the keys of all tallies of a model begin with."""
    return f"{named(model)}#"


def day_of(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).date().isoformat()


def day_expiry(day: str) -> int:
    """When a day is forgotten, in seconds since the epoch."""
    return int((datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=DAYS_KEPT)).timestamp())


def read_tallies(items: Iterable[Mapping[str, Any]], *, now: float) -> tuple[ModelTallies, ...]:
    """The tallies of all models among `items`, by the order of their names; days that expired are left out."""
    found: dict[str, ModelTallies] = {}
    for item in items:
        if "expires_at" in item and int(item["expires_at"]["N"]) <= now:
            continue
        model = item["model"]["S"]
        tallies = found.get(model, ModelTallies(model))
        found[model] = _with(tallies, item)
    return tuple(found[model] for model in sorted(found))


def _with(tallies: ModelTallies, item: Mapping[str, Any]) -> ModelTallies:
    tally = _read_tally(item)
    if "category" in item:
        return ModelTallies(
            tallies.model, tallies.total, {**tallies.categories, item["category"]["S"]: tally}, tallies.days
        )
    if "day" in item:
        return ModelTallies(tallies.model, tallies.total, tallies.categories, {**tallies.days, item["day"]["S"]: tally})
    return ModelTallies(tallies.model, tally, tallies.categories, tallies.days)


def _read_tally(item: Mapping[str, Any]) -> Tally:
    counts = {name: int(item[name]["N"]) for name in asdict(Tally()) if name in item and name != "last_tested"}
    last_tested = float(item["last_tested"]["N"]) if "last_tested" in item else 0.0
    return Tally(**counts, last_tested=last_tested)
