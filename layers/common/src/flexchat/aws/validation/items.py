"""Items of validation records and tallies: keys, attributes, and the conversion from and to records.

`RUN#<run>` holds `RUN`, `MODEL#<model>` for each of the run's models, and `I#<model>#<case>#<repeat>` for each record.
`TALLIES` holds `<model>#TOTAL`, `<model>#C#<category>` and `<model>#D#<day>` of records of earlier versions, and the
same names after `<model>#REAL#` and `<model>#DEMO#` by the provenance of later ones; `BY_HAND` holds `<model>#TOTAL` of
the manual tests that do not count. In a key, `#` only separates names: within a name it is written `%23`.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from flexchat.aws.dynamodb import Value, Values, to_item
from flexchat.sessions import timestamp
from flexchat.text import truncate_middle
from flexchat.validation.records import ItemKey, ModelTallies, Provenance, RunCounters, Tally, ValidationRecord

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef


type Item = dict[str, Value]

TALLIES = "TALLIES"
BY_HAND = "BY_HAND"
TOTAL = "TOTAL"
ITEMS = "I#"
RUN = "RUN"
MODELS = "MODEL#"

DAYS_KEPT = 400
"""Lifetime of a day's tally."""

MAX_REASONS = 20
REASON_CHARACTERS = 1_000


def named(name: str) -> str:
    """Return a name escaped for use in a key."""
    return name.replace("%", "%25").replace("#", "%23")


def run_partition(run: str) -> str:
    return f"RUN#{named(run)}"


def run_model_key(model: str) -> str:
    return f"{MODELS}{named(model)}"


def record_key(key: ItemKey) -> str:
    return f"{ITEMS}{named(key.model)}#{named(key.case)}#{key.repeat:04}"


def model_series(model: str) -> str:
    """Return the partition of a model's records in the index."""
    return f"MODEL#{model}"


def record_item(record: ValidationRecord, *, expires_at: int) -> Item:
    """Return the item of a record. Its place in the series is unique: run and key follow the time."""
    key = record.key
    sort_key = record_key(key)
    return {
        "pk": run_partition(key.run),
        "sk": sort_key,
        "series": model_series(key.model),
        "at": f"{timestamp(record.at)}#{named(key.run)}#{sort_key}",
        "run": key.run,
        "model": key.model,
        "case": key.case,
        "repeat": key.repeat,
        "suite": record.suite,
        "category": record.category,
        "result": record.result,
        "reasons": [_storable(reason) for reason in record.reasons[:MAX_REASONS]],
        "tested_at": float(record.at),
        "latency_ms": record.latency_ms,
        "input_tokens": record.input_tokens,
        "output_tokens": record.output_tokens,
        "cost_micros": record.cost_micros,
        "request_id": record.request_id,
        "uncounted": True if not record.counted else None,
        "demo": record.demo or None,
        "provenance": None if record.provenance == "unknown" else record.provenance,
        "server": record.server or None,
        "expires_at": expires_at,
    }


def _storable(reason: str) -> str:
    """Return a reason in a form that DynamoDB accepts: truncated, with lone surrogates replaced."""
    return truncate_middle(reason, REASON_CHARACTERS).encode("utf-8", "replace").decode()


def read_key(item: Values) -> ItemKey:
    return ItemKey(item["run"], item["model"], item["case"], item["repeat"])


def read_record(item: Values) -> ValidationRecord:
    return ValidationRecord(
        key=read_key(item),
        suite=item["suite"],
        category=item.get("category"),
        result=item["result"],
        reasons=tuple(item["reasons"]),
        at=float(item["tested_at"]),
        latency_ms=item["latency_ms"],
        input_tokens=item["input_tokens"],
        output_tokens=item["output_tokens"],
        cost_micros=item.get("cost_micros"),
        request_id=item["request_id"],
        counted="uncounted" not in item,
        provenance=item.get("provenance", "demo" if "demo" in item else "unknown"),
        server=item.get("server", ""),
    )


def tally_of(record: ValidationRecord) -> Tally:
    """Return the counts that one record adds to its model."""
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


def counters_of(record: ValidationRecord) -> RunCounters:
    """Return the counts that one record adds to its run."""
    is_answered = record.result != "skipped"
    return RunCounters(
        done=1,
        passed=int(record.result == "passed"),
        failed=int(record.result == "failed"),
        errors=int(record.result == "error"),
        skipped=int(record.result == "skipped"),
        calls=int(is_answered),
        input_tokens=record.input_tokens,
        output_tokens=record.output_tokens,
        cost_micros=record.cost_micros or 0,
        demo=int(is_answered and record.provenance == "demo"),
        real=int(is_answered and record.provenance == "real"),
    )


def model_prefix(model: str) -> str:
    """Return the common prefix of the keys of a model's tallies."""
    return f"{named(model)}#"


def is_day(sort_key: str, model: str) -> bool:
    """Return true for the key of a day's tally of a model."""
    name = sort_key.removeprefix(model_prefix(model))
    return any(name.startswith(f"{apart}D#") for apart in ("", "REAL#", "DEMO#"))


def _apart(prefix: str, provenance: Provenance) -> tuple[str, Item]:
    """Return the prefix and the attributes of the tallies of one provenance; none for an unknown one."""
    if provenance == "unknown":
        return prefix, {}
    return f"{prefix}{provenance.upper()}#", {"provenance": provenance}


def day_of(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).date().isoformat()


def day_expiry(day: str) -> int:
    """Return the expiry of a day's tally in seconds since the epoch."""
    return int((datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=DAYS_KEPT)).timestamp())


def read_tallies(items: Iterable[Values], *, now: float) -> tuple[ModelTallies, ...]:
    """Return the tallies of all models among `items`, sorted by name, without expired days."""
    found: dict[str, ModelTallies] = {}
    for item in items:
        if item.get("expires_at", now + 1) > now:
            model = item["model"]
            tallies = found.get(model, ModelTallies(model))
            match item.get("provenance"):
                case "real":
                    found[model] = replace(tallies, real=_with(tallies.real or ModelTallies(model), item))
                case "demo":
                    found[model] = replace(tallies, demo=_with(tallies.demo or ModelTallies(model), item))
                case _:
                    found[model] = _with(tallies, item)
    return tuple(found[model] for model in sorted(found))


def _with(tallies: ModelTallies, item: Values) -> ModelTallies:
    tally = _read_tally(item)
    if "category" in item:
        return replace(tallies, categories={**tallies.categories, item["category"]: tally})
    if "day" in item:
        return replace(tallies, days={**tallies.days, item["day"]: tally})
    return replace(tallies, total=tally)


def _read_tally(item: Values) -> Tally:
    counts = {name: item[name] for name in asdict(Tally()) if name in item and name != "last_tested"}
    return Tally(**counts, last_tested=float(item.get("last_tested", 0)))


class RecordWrites:
    """One transaction, whose writes have fixed positions that identify a failed condition."""

    RECORD = 0

    def __init__(self, table: str, record: ValidationRecord, *, expires_at: int, run_counters: bool) -> None:
        self._table = table
        self._record = record
        self._expires_at = expires_at
        self.of_run = frozenset({1, 2} if run_counters else ())

    def items(self, tested_later: frozenset[int]) -> "list[TransactWriteItemTypeDef]":
        """Return the transaction; the tallies at the positions `tested_later` keep their later test."""
        writes: list[TransactWriteItemTypeDef] = [
            {
                "Put": {
                    "TableName": self._table,
                    "Item": to_item(record_item(self._record, expires_at=self._expires_at)),
                    "ConditionExpression": "attribute_not_exists(pk)",
                }
            }
        ]
        if self.of_run:
            writes += self._of_run()
        tally = tally_of(self._record)
        if tally != Tally():
            for partition, sort_key, labels in self._tallies():
                is_latest = len(writes) not in tested_later
                writes.append(self._counted(partition, sort_key, labels, tally, is_latest=is_latest))
        return writes

    def _of_run(self) -> "Iterator[TransactWriteItemTypeDef]":
        key = self._record.key
        counts = asdict(counters_of(self._record))
        for sort_key in (RUN, run_model_key(key.model)):
            add, names, values = _added(counts)
            yield {
                "Update": {
                    "TableName": self._table,
                    "Key": to_item({"pk": run_partition(key.run), "sk": sort_key}),
                    "UpdateExpression": add,
                    "ConditionExpression": "attribute_exists(pk)",
                    "ExpressionAttributeNames": names,
                    "ExpressionAttributeValues": to_item(values),
                }
            }

    def _tallies(self) -> Iterator[tuple[str, str, Item]]:
        """Return partition, sort key and other attributes of each tally that the record adds to."""
        record = self._record
        prefix = model_prefix(record.key.model)
        day = day_of(record.at)
        if not record.counted:
            yield BY_HAND, f"{prefix}{TOTAL}", {"expires_at": self._expires_at}
            return
        prefix, labels = _apart(prefix, record.provenance)
        yield TALLIES, f"{prefix}{TOTAL}", labels
        if record.category is not None:
            yield TALLIES, f"{prefix}C#{record.category}", {**labels, "category": record.category}
        yield TALLIES, f"{prefix}D#{day}", {**labels, "day": day, "expires_at": day_expiry(day)}

    def _counted(
        self, partition: str, sort_key: str, labels: Item, tally: Tally, *, is_latest: bool
    ) -> "TransactWriteItemTypeDef":
        counts = asdict(tally)
        last_tested = counts.pop("last_tested")
        add, names, values = _added(counts)
        settings: Item = {"model": self._record.key.model, **labels}
        if is_latest and last_tested:
            settings["last_tested"] = float(last_tested)
        assignments = ", ".join(f"#{name} = :{name}" for name in settings)
        write: TransactWriteItemTypeDef = {
            "Update": {
                "TableName": self._table,
                "Key": to_item({"pk": partition, "sk": sort_key}),
                "UpdateExpression": f"SET {assignments} {add}",
                "ExpressionAttributeNames": {**names, **{f"#{name}": name for name in settings}},
                "ExpressionAttributeValues": to_item(
                    {**values, **{f":{name}": value for name, value in settings.items()}}
                ),
            }
        }
        if "last_tested" in settings:
            write["Update"]["ConditionExpression"] = "attribute_not_exists(last_tested) OR last_tested <= :last_tested"
        return write


def _added(counts: Mapping[str, int]) -> tuple[str, dict[str, str], Item]:
    """Return an `ADD` of the counts that are not zero, with the names and values of the expression."""
    added = {name: number for name, number in counts.items() if number}
    return (
        "ADD " + ", ".join(f"#{name} :{name}" for name in added),
        {f"#{name}": name for name in added},
        {f":{name}": number for name, number in added.items()},
    )
