"""DynamoDB: items from and to plain values, calls within a deadline, AWS errors translated into ours."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.credentials import CREDENTIAL_ERRORS, credentials_problem, error_code, missing_permission
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.errors import ConfigError, Problem, UnavailableError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    type Item = dict[str, AttributeValueTypeDef]
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import QueryInputTypeDef, WriteRequestUnionTypeDef


type Value = (
    str | bytes | bool | int | float | Decimal | Set[str] | Sequence["Value"] | Mapping[str, "Value | None"] | None
)
"""Value of an attribute; None is an absent attribute."""

type Values = dict[str, Any]
"""Attributes of an item that was read, by their names."""

ACCESS_DENIED = "AccessDeniedException"

CONFIGURATION_ERRORS = {
    "ResourceNotFoundException": "table not found in this account and region; deploy the stage first",
    **CREDENTIAL_ERRORS,
}
"""Errors that only the operator can correct; a retry never helps."""

_CONDITION_FAILED = "ConditionalCheckFailedException"


def to_item(values: Mapping[str, Value]) -> "Item":
    """Return DynamoDB's form of `values`, without those that are None.

    The form is that of boto3's TypeSerializer, whose import costs a tenth of a second. A float is written by `repr`;
    pass a Decimal for a fixed number of decimals (`decimals`).
    """
    return {name: _to_attribute(value) for name, value in values.items() if value is not None}


def from_item(item: Mapping[str, Any]) -> Values:
    """Return the plain values of an item: numbers as int where they are whole, else as float; sets as frozenset."""
    return {name: _from_attribute(attribute) for name, attribute in item.items()}


def decimals(number: float, places: int) -> Decimal:
    """Return `number` rounded to a fixed number of decimal places."""
    return Decimal(f"{number:.{places}f}")


def with_deadline[T](deadline: Deadline, action: str, table: str, call: Callable[[], T]) -> T:
    """Return the result of `call()`, limited to the remaining time of `deadline`.

    `action` and `table` describe the call in errors, such as "read a session from". Raises the errors of
    `translate_errors`, and UnavailableError at the deadline. A write that timed out may still take effect.
    """
    try:
        with translate_errors(action, table):
            return call_with_timeout(deadline.remaining(), call)
    except TimeoutError as exc:
        raise UnavailableError(f"could not {action} table {table!r} in time") from exc


@contextmanager
def translate_errors(action: str, table: str) -> Generator[None]:
    """Raise ConfigError for an error that only the operator can correct, UnavailableError for any other."""
    try:
        yield
    except ClientError as exc:
        code = error_code(exc)
        if code == ACCESS_DENIED:
            lacking = missing_permission("dynamodb", exc)
            raise _config_error(table, f"these credentials lack {lacking} ({code})") from exc
        if code in CONFIGURATION_ERRORS:
            raise _config_error(table, f"{CONFIGURATION_ERRORS[code]} ({code})") from exc
        raise UnavailableError(f"could not {action} table {table!r}: DynamoDB answered {code}") from exc
    except BotoCoreError as exc:
        if (problem := credentials_problem(exc)) is not None:
            raise _config_error(table, problem) from exc
        message = f"could not {action} table {table!r}: DynamoDB did not answer ({type(exc).__name__})"
        raise UnavailableError(message) from exc


def failed_condition(exc: ClientError) -> Values:
    """Return the item whose condition failed, empty where the request did not ask for it; raise any other error."""
    if error_code(exc) != _CONDITION_FAILED:
        raise exc
    return from_item(exc.response.get("Item", {}))


def cancellation_codes(exc: ClientError) -> tuple[str, ...]:
    """Return the code of each item of a cancelled transaction, "None" for those without an error."""
    reasons: Sequence[Mapping[str, Any]] = exc.response.get("CancellationReasons", [])
    return tuple(reason.get("Code", "None") for reason in reasons)


def _to_attribute(value: Value) -> "AttributeValueTypeDef":
    match value:
        case str():
            return {"S": value}
        case bool():
            return {"BOOL": value}
        case int() | Decimal():
            return {"N": str(value)}
        case float():
            return {"N": repr(value)}
        case bytes():
            return {"B": value}
        case Mapping():
            return {"M": to_item(value)}
        case Set():
            return {"SS": sorted(value)}
        case _:
            return {"L": [_to_attribute(each) for each in cast("Sequence[Value]", value)]}


def _from_attribute(attribute: Mapping[str, Any]) -> Any:
    ((kind, value),) = attribute.items()
    match kind:
        case "N":
            return int(value) if value.lstrip("-").isdigit() else float(value)
        case "M":
            return from_item(value)
        case "L":
            return [_from_attribute(each) for each in value]
        case "SS":
            return frozenset(value)
        case _:
            return value


def _config_error(table: str, message: str) -> ConfigError:
    return ConfigError((Problem(path=table, message=message),))


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
        consistent: bool = True,
    ) -> Iterator[Values]:
        """Return the items of a query, read page by page on demand, consistently unless from an index.

        Without `consistent`, a read costs half and may lack the last changes. `after` is the key of the item before the
        first one, `page_items` the number of items read at once.
        """
        query: QueryInputTypeDef = {
            "TableName": self.name,
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": to_item(values),
            "ScanIndexForward": forward,
        }
        if index is not None:
            query["IndexName"] = index
        elif consistent:
            query["ConsistentRead"] = True
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
