"""Lists of audit records, read from the partitions of a month, of a principal or of a tool."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from flexchat.audit import MAX_NAME, MAX_PRINCIPAL, AuditRecord
from flexchat.aws.audit_log import BY_PRINCIPAL, BY_TOOL, DEFAULT_DAYS, MONTH, AuditLog, partitions
from flexchat.aws.dynamodb import Table, Value, to_item
from flexchat.cursors import make_cursor, read_cursor
from flexchat.deadline import Deadline
from flexchat.runs import WallClock
from functions.traces.audit import AuditFilters, AuditPage
from functions.traces.aws.merged import search
from functions.traces.filters import TimeRange

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import QueryOutputTypeDef

_READ: Final = msgspec.json.Decoder(AuditRecord)


class DynamoAuditTable:
    """Table of audit records: writes and lists. Methods raise UnavailableError and ConfigError."""

    def __init__(self, client: "DynamoDBClient", table: str, *, days: int = DEFAULT_DAYS, clock: WallClock) -> None:
        self.write = AuditLog(client, table, days=days).write
        self._table = Table(client, table, subject="an audit record")
        self._clock = clock

    def list(
        self, filters: AuditFilters, within: TimeRange, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> AuditPage:
        """Return at most `limit` records. Raises RequestError for a cursor of another list."""
        before = None if cursor is None else read_cursor(filters.scope, cursor, fields=1)[0]
        last = min(within.last, before or within.last)
        if last < within.first:
            return AuditPage((), None)
        query = self._query(filters, within.first, last)
        items, rest = search(
            _searched(filters, within, before),
            lambda pk, after, size: self._page(query, pk, after, size, deadline),
            before=before,
            limit=limit,
        )
        records = tuple(_READ.decode(item["record"]) for item in items)
        return AuditPage(records, make_cursor(filters.scope, rest) if rest else None)

    def _query(self, filters: AuditFilters, first: str, last: str) -> dict[str, Any]:
        index = _index(filters)
        equal: dict[str, Value] = {"principal": filters.principal, "tool": filters.tool, "kind": filters.kind}
        given = {name: value for name, value in equal.items() if value is not None}
        conditions = ["#expires_at > :now", *(f"#{name} = :{name}" for name in given)]
        return {
            "TableName": self._table.name,
            **({} if index is None else {"IndexName": index}),
            "KeyConditionExpression": f"{index or 'pk'} = :pk AND sk BETWEEN :first AND :last",
            "FilterExpression": " AND ".join(conditions),
            "ExpressionAttributeNames": {f"#{name}": name for name in ("expires_at", *given)},
            "ExpressionAttributeValues": to_item(
                {
                    ":first": first,
                    ":last": last,
                    ":now": int(self._clock()),
                    **{f":{name}": value for name, value in given.items()},
                }
            ),
            "ScanIndexForward": False,
        }

    def _page(
        self, query: dict[str, Any], pk: str, after: Mapping[str, Any] | None, size: int, deadline: Deadline
    ) -> "QueryOutputTypeDef":
        values = {**query["ExpressionAttributeValues"], ":pk": {"S": pk}}
        page: dict[str, Any] = {**query, "ExpressionAttributeValues": values, "Limit": size}
        if after is not None:
            page["ExclusiveStartKey"] = after
        return self._table.read(lambda: self._table.client.query(**page), deadline)


def _index(filters: AuditFilters) -> str | None:
    """Return the most selective index; None for the partitions of each month."""
    if filters.principal is not None:
        return BY_PRINCIPAL
    return None if filters.tool is None else BY_TOOL


def _searched(filters: AuditFilters, within: TimeRange, before: str | None) -> Iterator[tuple[Sequence[str], str]]:
    if filters.principal is not None:
        yield partitions(filters.principal[:MAX_PRINCIPAL]), ""
    elif filters.tool is not None:
        yield partitions(filters.tool[:MAX_NAME]), ""
    else:
        for month in dict.fromkeys(day[:MONTH] for day in within.days(before=before)):
            if (end := f"{month}-01") != before:  # a cursor that is a day alone comes after its month
                yield partitions(month), end
