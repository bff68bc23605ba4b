"""One DynamoDB table with the keys `pk` and `sk`, read and written as plain values within deadlines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import Value, Values, failed_condition, from_item, to_item, with_deadline
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import QueryInputTypeDef, WriteRequestUnionTypeDef

BATCH_ITEMS = 25
"""Most items of one batch write, a limit of DynamoDB."""

BATCH_ATTEMPTS = 8
"""Consecutive batch writes without any progress before a write fails."""


class Table:
    """Reads and writes of one table; `subject` names the contents in errors, such as "a session".

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError for an
    error that only the operator can correct.
    """

    def __init__(self, client: "DynamoDBClient", name: str, *, subject: str) -> None:
        self.client = client
        self.name = name
        self._subject = subject

    def get(self, pk: str, sk: str, deadline: Deadline) -> Values | None:
        """Return one item, read consistently; None when there is none."""
        key = to_item({"pk": pk, "sk": sk})
        answer = self.read(lambda: self.client.get_item(TableName=self.name, Key=key, ConsistentRead=True), deadline)
        return from_item(answer["Item"]) if "Item" in answer else None

    def query(
        self,
        condition: str,
        values: Mapping[str, Value],
        deadline: Deadline,
        *,
        index: str | None = None,
        names: Mapping[str, str] | None = None,
        filter: str | None = None,
        projection: str | None = None,
        forward: bool = True,
        page_items: int | None = None,
        after: Mapping[str, Value] | None = None,
    ) -> Iterator[Values]:
        """Return the items of a query, read page by page on demand, consistently unless from an index.

        `after` is the key of the item before the first one, `page_items` the number of items read at once.
        """
        query: QueryInputTypeDef = {
            "TableName": self.name,
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": to_item(values),
            "ScanIndexForward": forward,
        }
        if index is None:
            query["ConsistentRead"] = True
        else:
            query["IndexName"] = index
        if names:
            query["ExpressionAttributeNames"] = names
        if filter is not None:
            query["FilterExpression"] = filter
        if projection is not None:
            query["ProjectionExpression"] = projection
        if page_items is not None:
            query["Limit"] = page_items
        if after is not None:
            query["ExclusiveStartKey"] = to_item(after)
        return self._pages(query, deadline)

    def _pages(self, query: "QueryInputTypeDef", deadline: Deadline) -> Iterator[Values]:
        while True:
            page = self.read(lambda: self.client.query(**query), deadline)
            yield from map(from_item, page["Items"])
            if "LastEvaluatedKey" not in page:
                return
            query["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def put(self, item: Mapping[str, Value], deadline: Deadline, *, if_absent: bool = False) -> None:
        """Write an item in place of an existing one; with `if_absent` an existing one is an UnavailableError."""
        arguments: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(pk)"} if if_absent else {}
        self.write(lambda: self.client.put_item(TableName=self.name, Item=to_item(item), **arguments), deadline)

    def update(
        self,
        pk: str,
        sk: str,
        expression: str,
        values: Mapping[str, Value],
        deadline: Deadline,
        *,
        condition: str,
        names: Mapping[str, str] | None = None,
    ) -> Values | None:
        """Change one item and return it as it is then; None, without effect, when `condition` does not hold."""
        arguments: dict[str, Any] = {"ExpressionAttributeNames": names} if names else {}

        def update() -> Values | None:
            try:
                answer = self.client.update_item(
                    TableName=self.name,
                    Key=to_item({"pk": pk, "sk": sk}),
                    UpdateExpression=expression,
                    ConditionExpression=condition,
                    ExpressionAttributeValues=to_item(values),
                    ReturnValues="ALL_NEW",
                    **arguments,
                )
            except ClientError as exc:
                failed_condition(exc)
                return None
            return from_item(answer["Attributes"])

        return self.write(update, deadline)

    def delete(self, pk: str, sk: str, deadline: Deadline) -> bool:
        """Delete one item; return False when there was none."""
        answer = self._call(
            "delete {} from",
            lambda: self.client.delete_item(
                TableName=self.name, Key=to_item({"pk": pk, "sk": sk}), ReturnValues="ALL_OLD"
            ),
            deadline,
        )
        return bool(answer.get("Attributes"))

    def delete_all(self, pk: str, sks: Sequence[str], deadline: Deadline) -> None:
        """Delete items in batches."""
        requests: list[WriteRequestUnionTypeDef] = [
            {"DeleteRequest": {"Key": to_item({"pk": pk, "sk": sk})}} for sk in sks
        ]
        self._batch("delete {} from", requests, deadline)

    def put_all(self, items: Sequence[Mapping[str, Value]], deadline: Deadline) -> None:
        """Write items in batches, not all or nothing."""
        requests: list[WriteRequestUnionTypeDef] = [{"PutRequest": {"Item": to_item(item)}} for item in items]
        self._batch("write {} to", requests, deadline)

    def _batch(self, action: str, requests: "list[WriteRequestUnionTypeDef]", deadline: Deadline) -> None:
        attempts = 0
        while requests and attempts < BATCH_ATTEMPTS:
            batch, rest = requests[:BATCH_ITEMS], requests[BATCH_ITEMS:]
            answer = self._call(
                action, lambda batch=batch: self.client.batch_write_item(RequestItems={self.name: batch}), deadline
            )
            unprocessed = answer.get("UnprocessedItems", {}).get(self.name, [])
            attempts = attempts + 1 if len(unprocessed) == len(batch) else 0
            requests = [*unprocessed, *rest]
        if requests:
            description = action.format(self._subject)
            raise UnavailableError(f"could not {description} table {self.name!r}: DynamoDB processes no items")

    def read[T](self, call: Callable[[], T], deadline: Deadline) -> T:
        """Return the result of a reading `call()`."""
        return self._call("read {} from", call, deadline)

    def write[T](self, call: Callable[[], T], deadline: Deadline) -> T:
        """Return the result of a writing `call()`."""
        return self._call("write {} to", call, deadline)

    def _call[T](self, action: str, call: Callable[[], T], deadline: Deadline) -> T:
        return with_deadline(deadline, action.format(self._subject), self.name, call)
