"""Index of traces and counters of usage in DynamoDB.

Each index has an item with the whole summary of the trace, so that a few queries are a list. A trace, all of its index
items and what it adds to the counters are one transaction.

Indexes and counters that many chats write at the same time have four partitions, by the id of the trace: a partition of
DynamoDB takes 1,000 write units a second, of which an item of a transaction costs two for each kilobyte
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html).
"""

import hashlib
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from msgspec.structs import asdict

from flexchat.api.traces import FeedbackView, TraceSummary, UsageGroup
from flexchat.aws.dynamodb import Table, Value, Values, to_item
from flexchat.aws.transactions import repeat_transient, transact
from flexchat.cursors import make_cursor, read_cursor
from flexchat.deadline import Deadline
from flexchat.runs import WallClock, iso
from functions.traces.aws.merged import search
from functions.traces.filters import FAILED, TimeRange, TraceFilters
from functions.traces.stores import StoredTrace, TracePage
from functions.traces.usage import RETENTION_DAYS, Usage, UsageCounts, UsageKey

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import QueryOutputTypeDef, TransactWriteItemTypeDef

SHARDS: Final = 8
"""Items of one counter: transactions that change the same item at the same time conflict."""

PARTITIONS: Final = 4
"""Partitions of one index, and of the counters of a day. The first one has the key of versions without partitions."""

_SHARED: Final = ("D#", "C#", "M#", "L#", "O#", FAILED)
"""Prefixes of the indexes with partitions; one session has few chats at a time, and ratings are rare."""

_TRACE = "trace"


class DynamoTraceIndex:
    """Index and counters in one table. `clock` is the time of expiry.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError for an
    error that only the operator can correct.
    """

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        *,
        clock: WallClock = time.time,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._table = Table(client, table, subject="a trace")
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter

    def add(self, trace: StoredTrace, usage: Usage, *, deadline: Deadline) -> bool:
        """Store a trace and count its usage. Return False, without effect, for a stored id."""
        item = _item(trace)
        partition = _shard(trace.summary) % PARTITIONS
        lookup = {"pk": _lookup(trace.summary.id), "sk": _TRACE, **item, "key": trace.key, "partition": partition}
        sk = _sort_key(trace.summary)
        indexed = ({"pk": pk, "sk": sk, **item} for pk in _partitions(trace.summary, partition))
        return self._transact(
            [
                self._put(lookup, condition="attribute_not_exists(pk)"),
                *map(self._put, indexed),
                *(self._count(key, counts, trace.summary) for key, counts in usage.items()),
            ],
            deadline,
        )

    def get(self, id: str, *, deadline: Deadline) -> StoredTrace | None:
        """Return a trace; None when there is none or it has expired."""
        item = self._table.get(_lookup(id), _TRACE, deadline)
        if item is None or item["expires_at"] <= self._clock():
            return None
        feedback = item.get("feedback")
        return StoredTrace(
            summary=_summary(item),
            key=item["key"],
            expires_at=item["expires_at"],
            partition=item.get("partition", 0),
            feedback=() if feedback is None else (FeedbackView.model_validate_json(feedback),),
        )

    def list(
        self, filters: TraceFilters, within: TimeRange, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> TracePage:
        """Return at most `limit` summaries. Raises RequestError for a cursor of another list."""
        scope = filters.scope
        before = None if cursor is None else read_cursor(scope, cursor, fields=1)[0]
        found, rest = self._search(filters, within, before, limit, deadline)
        return TracePage(tuple(map(_summary, found)), make_cursor(scope, rest) if rest else None)

    def rate(self, trace: StoredTrace, feedback: FeedbackView, *, deadline: Deadline) -> bool:
        """Store the feedback on a trace in place of an earlier one, and its rating in every index item.

        Return False, without effect, for a trace that has been deleted.
        """
        summary = trace.summary.model_copy(update={"rating": feedback.rating})
        rated = StoredTrace(summary=summary, key=trace.key, expires_at=trace.expires_at)
        sk = _sort_key(summary)
        other = "down" if feedback.rating == "up" else "up"
        lookup = to_item({"pk": _lookup(summary.id), "sk": _TRACE})
        by_rating = {"pk": _by_rating(feedback.rating), "sk": sk, **_item(rated)}
        return self._transact(
            [
                self._rated(lookup, "SET #summary.#rating = :rating, feedback = :feedback", feedback),
                *(
                    self._rated(to_item({"pk": pk, "sk": sk}), "SET #summary.#rating = :rating", feedback)
                    for pk in _partitions(summary, trace.partition)
                ),
                self._put(by_rating),
                {"Delete": {"TableName": self._table.name, "Key": to_item({"pk": _by_rating(other), "sk": sk})}},
            ],
            deadline,
        )

    def of_day(self, day: str, group: UsageGroup, name: str | None, *, deadline: Deadline) -> Usage:
        """Return the counters of a group on one day; with `name` that of one value."""
        prefix = f"{group}#" if name is None else _counter(UsageKey(group, name))
        items = chain.from_iterable(
            self._table.query("pk = :pk AND begins_with(sk, :prefix)", {":pk": pk, ":prefix": prefix}, deadline)
            for pk in _partitions_of(f"U#{day}")
        )
        usage: dict[UsageKey, UsageCounts] = {}
        for item in items:
            key = UsageKey(group, item["sk"].removeprefix(f"{group}#").rpartition("#")[0])
            if name not in (None, key.name):
                continue  # a name that begins with this one and a number sign
            counts = UsageCounts(**{field: item[field] for field in UsageCounts.__struct_fields__ if field in item})
            usage[key] = usage.get(key, UsageCounts()) + counts
        return usage

    def _search(
        self, filters: TraceFilters, within: TimeRange, before: str | None, limit: int, deadline: Deadline
    ) -> tuple[Sequence[Values], str]:
        """Return at most `limit` matching items, and the sort key that the rest begins before, as `search` does."""
        query = self._query(filters, within, before)
        if query is None:
            return [], ""
        return search(
            _searched(filters, within, before),
            lambda pk, after, size: self._page(query, pk, after, size, deadline),
            before=before,
            limit=limit,
        )

    def _page(
        self, query: "dict[str, Any]", pk: str, after: Mapping[str, Any] | None, size: int, deadline: Deadline
    ) -> "QueryOutputTypeDef":
        values = {**query["ExpressionAttributeValues"], ":pk": {"S": pk}}
        page: dict[str, Any] = {**query, "ExpressionAttributeValues": values, "Limit": size}
        if after is not None:
            page["ExclusiveStartKey"] = after
        return self._table.read(lambda: self._table.client.query(**page), deadline)

    def _query(self, filters: TraceFilters, within: TimeRange, before: str | None) -> "dict[str, Any] | None":
        """Return the query of a list without its partition; None for one without items."""
        last = min(within.last, before or within.last)
        if last < within.first:
            return None
        condition, names, values = _condition(filters, now=self._clock())
        return {
            "TableName": self._table.name,
            "KeyConditionExpression": "pk = :pk AND sk BETWEEN :first AND :last",
            "FilterExpression": condition,
            "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": to_item({":first": within.first, ":last": last, **values}),
            "ScanIndexForward": False,
        }

    def _put(self, item: Mapping[str, Value], *, condition: str | None = None) -> "TransactWriteItemTypeDef":
        if condition is None:
            return {"Put": {"TableName": self._table.name, "Item": to_item(item)}}
        return {"Put": {"TableName": self._table.name, "Item": to_item(item), "ConditionExpression": condition}}

    def _count(self, key: UsageKey, counts: UsageCounts, summary: TraceSummary) -> "TransactWriteItemTypeDef":
        numbers = {name: number for name, number in asdict(counts).items() if number}
        added = ", ".join(f"#{name} :{name}" for name in numbers)
        shard = _shard(summary)
        pk = _partitions_of(f"U#{_day(summary)}")[shard % PARTITIONS]
        expires_at = int(summary.started_at.timestamp()) + RETENTION_DAYS * 86_400
        return {
            "Update": {
                "TableName": self._table.name,
                "Key": to_item({"pk": pk, "sk": f"{_counter(key)}{shard}"}),
                "UpdateExpression": f"SET expires_at = :expires_at ADD {added}",
                "ExpressionAttributeNames": {f"#{name}": name for name in numbers},
                "ExpressionAttributeValues": to_item(
                    {":expires_at": expires_at, **{f":{name}": number for name, number in numbers.items()}}
                ),
            }
        }

    def _rated(self, key: Any, expression: str, feedback: FeedbackView) -> "TransactWriteItemTypeDef":
        values: dict[str, Value] = {":rating": feedback.rating}
        if ":feedback" in expression:
            values[":feedback"] = feedback.model_dump_json()
        return {
            "Update": {
                "TableName": self._table.name,
                "Key": key,
                "UpdateExpression": expression,
                "ConditionExpression": "attribute_exists(pk)",
                "ExpressionAttributeNames": {"#summary": "summary", "#rating": "rating"},
                "ExpressionAttributeValues": to_item(values),
            }
        }

    def _transact(self, writes: "list[TransactWriteItemTypeDef]", deadline: Deadline) -> bool:
        """Write all or nothing; return False when a condition does not hold."""
        token = uuid4().hex
        unmet = repeat_transient(
            lambda attempt: self._table.write(attempt, deadline),
            lambda: transact(self._table.client, writes, token=token),
            deadline,
            sleep=self._sleep,
            jitter=self._jitter,
        )
        return not unmet


def _item(trace: StoredTrace) -> Mapping[str, Value]:
    """Return the attributes of every item of a trace but its key."""
    return {"summary": trace.summary.model_dump(mode="json"), "expires_at": trace.expires_at}


def _summary(item: Values) -> TraceSummary:
    return TraceSummary.model_validate(item["summary"])


def _lookup(id: str) -> str:
    return f"I#{id}"


def _by_rating(rating: str) -> str:
    return f"R#{rating}"


def _sort_key(summary: TraceSummary) -> str:
    return f"{iso(summary.started_at.timestamp())}#{summary.id}"


def _day(summary: TraceSummary) -> str:
    return iso(summary.started_at.timestamp())[:10]


def _counter(key: UsageKey) -> str:
    """Return the sort key of a counter before the number of its shard."""
    return f"{key.group}#{key.name}#"


def _shard(summary: TraceSummary) -> int:
    return hashlib.sha256(summary.id.encode()).digest()[0] % SHARDS


def _partitions_of(pk: str) -> Sequence[str]:
    """Return the partitions of an index, or of the counters of a day."""
    return (pk, *(f"{number}#{pk}" for number in range(1, PARTITIONS)))


def _partitions(summary: TraceSummary, number: int) -> Iterator[str]:
    """Return the partitions of the indexes of a trace but that of its rating; `number` is its own of each index."""
    return (_partitions_of(pk)[number] if pk.startswith(_SHARED) else pk for pk in _indexes(summary))


def _indexes(summary: TraceSummary) -> Iterator[str]:
    yield f"D#{_day(summary)}"
    yield f"C#{summary.caller}"
    if summary.session_id is not None:
        yield f"S#{summary.session_id}"
    if summary.model is not None:
        yield f"M#{summary.model}"
    for tool in summary.tools:
        yield f"L#{tool}"
    yield f"O#{summary.outcome}"
    if summary.failed:
        yield FAILED


def _searched(filters: TraceFilters, within: TimeRange, before: str | None) -> Iterator[tuple[Sequence[str], str]]:
    """Return the indexes of a list, the newest first, each as its partitions with the sort key that the next one begins
    before."""
    if filters.partition is not None:
        pk = filters.partition
        yield _partitions_of(pk) if pk.startswith(_SHARED) else (pk,), ""
        return
    for day in within.days(before=before):
        if day != before:  # a cursor that is a day alone comes after it
            yield _partitions_of(f"D#{day}"), day


def _condition(filters: TraceFilters, *, now: float) -> tuple[str, Mapping[str, str], Mapping[str, Value]]:
    """Return the filter expression of a list, its names and its values."""
    equal: dict[str, Value] = {
        "caller": filters.caller,
        "session_id": filters.session,
        "model": filters.model,
        "rule": filters.rule,
        "outcome": filters.outcome,
        "failed": filters.failed,
        "rating": filters.rating,
    }
    operators: dict[str, tuple[str, Value]] = {name: ("#summary.#{0} = :{0}", value) for name, value in equal.items()}
    operators["tools"] = ("contains(#summary.#{0}, :{0})", filters.tool)
    operators["duration_ms"] = ("#summary.#{0} >= :{0}", filters.min_ms)
    given = {name: each for name, each in operators.items() if each[1] is not None}
    conditions = ["#expires_at > :now", *(operator.format(name) for name, (operator, _) in given.items())]
    names = {f"#{name}": name for name in ("expires_at", *(("summary", *given) if given else ()))}
    return (
        " AND ".join(conditions),
        names,
        {":now": int(now), **{f":{name}": value for name, (_, value) in given.items()}},
    )
