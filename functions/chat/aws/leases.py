"""Claims on what may be done once: whoever holds one does it, and nobody does it again once it is done.

A claim is a lease: when its holder has died, the next one may take it after the lease has passed.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import with_deadline
from flexchat.deadline import Deadline

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

_SORT_KEY = "CLAIM"

_MAY_BE_TAKEN = (
    "attribute_not_exists(pk) OR expires_at <= :now"
    " OR (attribute_not_exists(done_at) AND (claimed_by = :by OR lease_until <= :now))"
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a claim cannot be taken: it is done with, or somebody holds it until `lease_until`."""

    done: bool
    lease_until: float


class LeaseStore:
    """Claims in one DynamoDB table, each under the partition key of what it is about.

    All times are seconds since the epoch. Every method raises UnavailableError when the table does not answer before
    the deadline, and ConfigError when the operator must do something first.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def take(
        self, pk: str, *, by: str, now: float, lease_until: float, expires_at: int, deadline: Deadline
    ) -> Refusal | None:
        """Take the claim for `by` until `lease_until`; None when that succeeded, also for one that `by` holds already.

        It is forgotten at `expires_at`, done or not.
        """
        item = {
            **_key(pk),
            "claimed_by": {"S": by},
            "lease_until": _number(lease_until),
            "expires_at": {"N": str(expires_at)},
        }

        def put() -> Refusal | None:
            try:
                self._client.put_item(
                    TableName=self._table,
                    Item=item,
                    ConditionExpression=_MAY_BE_TAKEN,
                    ExpressionAttributeValues={":now": _number(now), ":by": {"S": by}},
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as exc:
                return _refusal(_other_holder(exc))
            return None

        return with_deadline(deadline, "take a claim in", self._table, put)

    def complete(self, pk: str, *, by: str, now: float, deadline: Deadline) -> bool:
        """Mark what was claimed as done, for good. False when `by` does not hold the claim any more."""

        def update() -> bool:
            try:
                self._client.update_item(
                    TableName=self._table,
                    Key=_key(pk),
                    UpdateExpression="SET done_at = :now",
                    ConditionExpression="claimed_by = :by",
                    ExpressionAttributeValues={":now": _number(now), ":by": {"S": by}},
                )
            except ClientError as exc:
                _other_holder(exc)
                return False
            return True

        return with_deadline(deadline, "complete a claim in", self._table, update)

    def release(self, pk: str, *, by: str, deadline: Deadline) -> None:
        """Give up a claim that is not done, so that it can be taken again at once; another's is left alone."""

        def delete() -> None:
            try:
                self._client.delete_item(
                    TableName=self._table,
                    Key=_key(pk),
                    ConditionExpression="claimed_by = :by AND attribute_not_exists(done_at)",
                    ExpressionAttributeValues={":by": {"S": by}},
                )
            except ClientError as exc:
                _other_holder(exc)

        with_deadline(deadline, "release a claim in", self._table, delete)


def _key(pk: str) -> "dict[str, AttributeValueTypeDef]":
    return {"pk": {"S": pk}, "sk": {"S": _SORT_KEY}}


def _number(seconds: float) -> "AttributeValueTypeDef":
    return {"N": f"{seconds:.3f}"}


def _other_holder(exc: ClientError) -> dict[str, Any]:
    """The item that a condition did not hold for; any other error is raised again."""
    if exc.response.get("Error", {}).get("Code") != "ConditionalCheckFailedException":
        raise exc
    return exc.response.get("Item", {})


def _refusal(item: dict[str, Any]) -> Refusal:
    return Refusal(done="done_at" in item, lease_until=float(item["lease_until"]["N"]))
