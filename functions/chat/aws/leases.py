"""Leases on work that is done once: one holder at a time, and none after the work is done.

After the lease of a dead holder has expired, another one may acquire it.
"""

from decimal import Decimal
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import decimals, failed_condition, to_item, with_deadline
from flexchat.deadline import Deadline
from functions.chat.resumption.tokens import RefusedLease

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

_SORT_KEY = "CLAIM"

_AVAILABLE = (
    "attribute_not_exists(pk) OR expires_at <= :now"
    " OR (attribute_not_exists(done_at) AND (claimed_by = :by OR lease_until <= :now))"
)


class LeaseStore:
    """Leases in one DynamoDB table, by partition key.

    All times are seconds since the epoch. Every method raises UnavailableError when the table does not answer before
    the deadline, and ConfigError for an error that only the operator can correct.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def take(
        self, pk: str, *, by: str, now: float, lease_until: float, expires_at: int, deadline: Deadline
    ) -> RefusedLease | None:
        """Acquire or extend the lease of `by` until `lease_until`; None on success.

        The item is deleted at `expires_at`, done or not.
        """
        item = {
            "pk": pk,
            "sk": _SORT_KEY,
            "claimed_by": by,
            "lease_until": _moment(lease_until),
            "expires_at": expires_at,
        }

        def put() -> RefusedLease | None:
            try:
                self._client.put_item(
                    TableName=self._table,
                    Item=to_item(item),
                    ConditionExpression=_AVAILABLE,
                    ExpressionAttributeValues=to_item({":now": _moment(now), ":by": by}),
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as exc:
                held = failed_condition(exc)
                return RefusedLease(done="done_at" in held, lease_until=float(held["lease_until"]))
            return None

        return with_deadline(deadline, "take a lease in", self._table, put)

    def complete(self, pk: str, *, by: str, now: float, deadline: Deadline) -> bool:
        """Mark the work as done permanently. Return False when `by` no longer holds the lease."""

        def update() -> bool:
            try:
                self._client.update_item(
                    TableName=self._table,
                    Key=_key(pk),
                    UpdateExpression="SET done_at = :now",
                    ConditionExpression="claimed_by = :by",
                    ExpressionAttributeValues=to_item({":now": _moment(now), ":by": by}),
                )
            except ClientError as exc:
                failed_condition(exc)
                return False
            return True

        return with_deadline(deadline, "complete a lease in", self._table, update)

    def release(self, pk: str, *, by: str, deadline: Deadline) -> None:
        """Delete the lease of `by` if its work is not done, so that it is available at once."""

        def delete() -> None:
            try:
                self._client.delete_item(
                    TableName=self._table,
                    Key=_key(pk),
                    ConditionExpression="claimed_by = :by AND attribute_not_exists(done_at)",
                    ExpressionAttributeValues=to_item({":by": by}),
                )
            except ClientError as exc:
                failed_condition(exc)

        with_deadline(deadline, "release a lease in", self._table, delete)


def _key(pk: str) -> "dict[str, AttributeValueTypeDef]":
    return to_item({"pk": pk, "sk": _SORT_KEY})


def _moment(seconds: float) -> Decimal:
    return decimals(seconds, 3)
