"""The table of sessions: single reads and writes, each within its deadline."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import with_deadline
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, UnavailableError
from flexchat.sessions import Session
from functions.chat.sessions.store.items import META, expiry, partition, read_meta

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import (
        AttributeValueTypeDef,
        QueryInputTypeDef,
        TransactWriteItemTypeDef,
        WriteRequestUnionTypeDef,
    )

BY_OWNER = "by_owner"
"""The index of sessions by their owner and the time of their last change."""

_BATCH = 25
"""The most that DynamoDB deletes at once."""

_BATCH_ATTEMPTS = 8

_CONFLICTS = frozenset({"TransactionConflict"})
_UNMET = frozenset({"ConditionalCheckFailed"})


class RefusedError(FlexchatError):
    """A write was refused because of what stands in the table.

    `unmet` are the places, in the transaction, of the items whose conditions did not hold; none of them when another
    transaction was under way.
    """

    def __init__(self, unmet: frozenset[int]) -> None:
        super().__init__(f"conditions not met: {sorted(unmet)}" if unmet else "another transaction was under way")
        self.unmet = unmet


class SessionTable:
    """One DynamoDB table.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError when the
    operator must do something first.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self.name = table

    def get(self, pk: str, sk: str, deadline: Deadline) -> Mapping[str, Any] | None:
        """One item, read consistently."""
        response = with_deadline(
            deadline,
            "read a session from",
            self.name,
            lambda: self._client.get_item(
                TableName=self.name, Key={"pk": {"S": pk}, "sk": {"S": sk}}, ConsistentRead=True
            ),
        )
        return response.get("Item")

    def session(self, owner: str, session_id: str, *, now: float, deadline: Deadline) -> Session | None:
        """A session that has not expired, as it stands at this moment."""
        item = self.get(partition(owner, session_id), META, deadline)
        return read_meta(item) if item is not None and expiry(item) > now else None

    def query(self, parameters: "QueryInputTypeDef", deadline: Deadline) -> Iterator[Mapping[str, Any]]:
        """The items of a query, page by page as they are asked for."""
        wanted: QueryInputTypeDef = {**parameters}
        while True:
            page = with_deadline(deadline, "read sessions from", self.name, lambda: self._client.query(**wanted))
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            wanted["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def update(self, parameters: Mapping[str, Any], deadline: Deadline) -> Mapping[str, Any]:
        """Change one item; the whole item as it is then. Raises RefusedError when its condition does not hold."""

        def call() -> Mapping[str, Any]:
            try:
                return self._client.update_item(TableName=self.name, ReturnValues="ALL_NEW", **parameters)
            except ClientError as exc:
                _refuse_unmet(exc)
                raise

        return with_deadline(deadline, "write a session to", self.name, call)["Attributes"]

    def put_new(self, item: "Mapping[str, AttributeValueTypeDef]", deadline: Deadline) -> None:
        """Put an item in a place that is free."""
        with_deadline(
            deadline,
            "write a session to",
            self.name,
            lambda: self._client.put_item(
                TableName=self.name, Item=item, ConditionExpression="attribute_not_exists(pk)"
            ),
        )

    def delete(self, pk: str, sk: str, deadline: Deadline) -> bool:
        """Delete one item; whether there was one."""
        response = with_deadline(
            deadline,
            "delete a session from",
            self.name,
            lambda: self._client.delete_item(
                TableName=self.name, Key={"pk": {"S": pk}, "sk": {"S": sk}}, ReturnValues="ALL_OLD"
            ),
        )
        return bool(response.get("Attributes"))

    def delete_all(self, pk: str, sks: Sequence[str], deadline: Deadline) -> None:
        """Delete items, as many at a time as DynamoDB takes."""
        left: list[WriteRequestUnionTypeDef] = [
            {"DeleteRequest": {"Key": {"pk": {"S": pk}, "sk": {"S": sk}}}} for sk in sks
        ]
        attempts = 0
        while left and attempts < _BATCH_ATTEMPTS:
            requests, left = left[:_BATCH], left[_BATCH:]
            response = with_deadline(
                deadline,
                "delete a session from",
                self.name,
                lambda requests=requests: self._client.batch_write_item(RequestItems={self.name: requests}),
            )
            refused = response.get("UnprocessedItems", {}).get(self.name, [])
            attempts = attempts + 1 if len(refused) == len(requests) else 0
            left = [*refused, *left]
        if left:
            raise UnavailableError(f"could not delete a session from table {self.name!r}: DynamoDB takes no deletions")

    def transact(self, items: "Sequence[TransactWriteItemTypeDef]", deadline: Deadline) -> None:
        """Write all of `items` or nothing.

        The same items are written once however often they are sent: DynamoDB knows them by their token for ten
        minutes. Raises RefusedError.
        """
        token = hashlib.sha256(repr(items).encode("utf-8", "surrogatepass")).hexdigest()[:36]

        def call() -> None:
            try:
                self._client.transact_write_items(TransactItems=items, ClientRequestToken=token)
            except ClientError as exc:
                _refuse_cancelled(exc)
                raise

        with_deadline(deadline, "write a session to", self.name, call)


def _refuse_unmet(exc: ClientError) -> None:
    if exc.response.get("Error", {}).get("Code") == "ConditionalCheckFailedException":
        raise RefusedError(frozenset({0})) from exc


def _refuse_cancelled(exc: ClientError) -> None:
    """Raise RefusedError where a transaction met something else than what it expected."""
    code = exc.response.get("Error", {}).get("Code")
    if code == "TransactionConflictException":
        raise RefusedError(frozenset()) from exc
    if code != "TransactionCanceledException":
        return
    reasons: Sequence[Mapping[str, Any]] = exc.response.get("CancellationReasons", [])
    codes = [reason.get("Code", "None") for reason in reasons]
    if set(codes) & (_UNMET | _CONFLICTS):
        raise RefusedError(frozenset(place for place, each in enumerate(codes) if each in _UNMET)) from exc
