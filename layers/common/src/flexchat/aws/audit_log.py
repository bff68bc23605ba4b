"""Append-only table of audit records: one conditional write for each, which the indexes follow.

The records of a month, of a principal and of a tool are each in four partitions, by the id of the record, because a
partition of DynamoDB takes 1,000 write units a second.
"""

import hashlib
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec
from botocore.exceptions import ClientError

from flexchat.audit import MAX_NAME, MAX_PRINCIPAL, AuditRecord
from flexchat.aws.dynamodb import Table, Value, failed_condition, to_item
from flexchat.deadline import Deadline
from flexchat.runs import WallClock, iso

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PARTITIONS: Final = 4

BY_PRINCIPAL: Final = "by_principal"
BY_TOOL: Final = "by_tool"
"""Indexes, named as the attribute of their partition."""

DEFAULT_DAYS: Final = 400
"""Retention, unless the deployment has another one."""

MONTH: Final = 7
"""Characters of the month of a time, the name of its partitions: a list of all records takes few queries."""

CLAIM_SECONDS: Final = 2 * 86_400
"""Lifetime of a marker."""

_ID_CHARACTERS: Final = 400


def audit_table(stage: str) -> str:
    """Return the name of a stage's table."""
    return f"flexchat-{stage}-audit"


def partitions(name: str) -> tuple[str, ...]:
    """Return the partitions of a month, a principal or a tool."""
    return tuple(f"{number}#{name}" for number in range(PARTITIONS))


class AuditLog:
    """Writer of records, which are deleted `days` after their time.

    `write` raises UnavailableError when the table does not answer before the deadline, and ConfigError for an error
    that only the operator can correct.
    """

    def __init__(
        self, client: "DynamoDBClient", table: str, *, days: int = DEFAULT_DAYS, clock: WallClock = time.time
    ) -> None:
        self._table = Table(client, table, subject="an audit record")
        self._days = days
        self._clock = clock

    def write(self, record: AuditRecord, *, deadline: Deadline) -> bool:
        """Write a record; return False, without effect, for one that is stored."""
        return self._put(self._item(record), deadline)

    def _put(self, values: Mapping[str, Value], deadline: Deadline) -> bool:
        def put() -> bool:
            try:
                self._table.client.put_item(
                    TableName=self._table.name, Item=to_item(values), ConditionExpression="attribute_not_exists(pk)"
                )
            except ClientError as exc:
                failed_condition(exc)
                return False
            return True

        return self._table.write(put, deadline)

    def claim(self, name: str, *, deadline: Deadline) -> bool:
        """Write a marker; return False, without effect, for one that exists. No list has it."""
        marker = {"pk": f"claim#{name}", "sk": "claim", "expires_at": int(self._clock()) + CLAIM_SECONDS}
        return self._put(marker, deadline)

    def _item(self, record: AuditRecord) -> dict[str, str | int | None]:
        at, number = iso(record.at), hashlib.sha256(record.id.encode()).digest()[0] % PARTITIONS
        return {
            "pk": f"{number}#{at[:MONTH]}",
            "sk": f"{at}#{record.id[:_ID_CHARACTERS]}",
            BY_PRINCIPAL: f"{number}#{record.principal[:MAX_PRINCIPAL]}",
            BY_TOOL: None if record.tool is None else f"{number}#{record.tool[:MAX_NAME]}",
            "principal": record.principal,
            "tool": record.tool,
            "kind": record.kind,
            "record": msgspec.json.encode(record).decode(),
            "expires_at": int(record.at) + self._days * 86_400,
        }
