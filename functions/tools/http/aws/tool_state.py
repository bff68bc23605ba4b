"""State of tools in one DynamoDB table: circuits, counters of calls, and cached results.

`CIRCUIT#<tool>#<host>` holds a circuit that is not closed, `CALLS#<tool>#<period>#<end>` the calls of one period, and
`RESULT#<hash>` a compressed result.
"""

from math import ceil
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import Value, Values, decimals, failed_condition, from_item, to_item, with_deadline
from flexchat.deadline import Deadline
from functions.tools.http.circuit_breaker import Circuit, OpenCircuit

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEPT_SECONDS = 3_600
"""Seconds after its end that an item may be deleted, more than the clocks of two environments differ."""


class ToolStateTable:
    """Store of circuits, calls and results; each method is one request for one item.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError for an
    error that only the operator can correct.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def read_circuit(self, circuit: Circuit, deadline: Deadline) -> OpenCircuit | None:
        """Return the state of a circuit, which may be a second old; None for a closed one."""
        item = self._get(_circuit_key(circuit), "read a circuit from", deadline)
        return None if item is None else _open_circuit(item)

    def open_circuit(self, circuit: Circuit, *, now: float, until: float, deadline: Deadline) -> bool:
        """Open a circuit; return False, without effect, for one that is open at `now`."""
        failed = self._update(
            _circuit_key(circuit),
            "SET open_until = :until, expires_at = :expires_at REMOVE probe_by, probe_until",
            "attribute_not_exists(pk) OR open_until <= :now",
            {":until": _moment(until), ":now": _moment(now), ":expires_at": _expiry(until)},
            "open a circuit in",
            deadline,
        )
        return failed is None

    def start_probe(
        self, circuit: Circuit, *, by: str, now: float, until: float, deadline: Deadline
    ) -> OpenCircuit | bool:
        """Reserve the test call of a half-open circuit for the call `by`.

        Return True on success, False for a closed circuit, and the state that prevents it otherwise.
        """
        failed = self._update(
            _circuit_key(circuit),
            "SET probe_by = :by, probe_until = :until, expires_at = :expires_at",
            "open_until <= :now AND (attribute_not_exists(probe_by) OR probe_by = :by OR probe_until <= :now)",
            {":by": by, ":until": _moment(until), ":now": _moment(now), ":expires_at": _expiry(until)},
            "reserve a test call in",
            deadline,
        )
        if failed is None:
            return True
        return _open_circuit(failed) if failed else False

    def end_probe(self, circuit: Circuit, *, by: str, open_until: float | None, deadline: Deadline) -> None:
        """End the test call `by`, if it is still reserved for it: close the circuit, or open it until `open_until`."""
        key = _circuit_key(circuit)
        if open_until is not None:
            self._update(
                key,
                "SET open_until = :until, expires_at = :expires_at REMOVE probe_by, probe_until",
                "probe_by = :by",
                {":by": by, ":until": _moment(open_until), ":expires_at": _expiry(open_until)},
                "open a circuit in",
                deadline,
            )
            return

        def delete() -> None:
            try:
                self._client.delete_item(
                    TableName=self._table,
                    Key=to_item({"pk": key}),
                    ConditionExpression="probe_by = :by",
                    ExpressionAttributeValues=to_item({":by": by}),
                )
            except ClientError as exc:
                failed_condition(exc)

        with_deadline(deadline, "close a circuit in", self._table, delete)

    def count_call(self, counter: str, *, most: int, end: float, deadline: Deadline) -> bool:
        """Count one call, or return False when the counter has reached `most`; it is deleted after `end`."""
        failed = self._update(
            f"CALLS#{counter}",
            "SET expires_at = :expires_at ADD calls :one",
            "attribute_not_exists(calls) OR calls < :most",
            {":one": 1, ":most": most, ":expires_at": _expiry(end)},
            "count a call in",
            deadline,
        )
        return failed is None

    def cached(self, key: str, *, now: float, deadline: Deadline) -> bytes | None:
        """Return the content stored under `key`, if it has not expired at `now`."""
        item = self._get(f"RESULT#{key}", "read a result from", deadline)
        return None if item is None or item["valid_until"] <= now else item["content"]

    def store_result(self, key: str, content: bytes, *, expires_at: float, deadline: Deadline) -> None:
        """Store a content in place of an existing one."""
        item: dict[str, Value] = {
            "pk": f"RESULT#{key}",
            "content": content,
            "valid_until": _moment(expires_at),
            "expires_at": ceil(expires_at),
        }
        with_deadline(
            deadline,
            "write a result to",
            self._table,
            lambda: self._client.put_item(TableName=self._table, Item=to_item(item)),
        )

    def _get(self, pk: str, action: str, deadline: Deadline) -> Values | None:
        answer = with_deadline(
            deadline,
            action,
            self._table,
            lambda: self._client.get_item(TableName=self._table, Key=to_item({"pk": pk})),
        )
        return from_item(answer["Item"]) if "Item" in answer else None

    def _update(
        self,
        pk: str,
        expression: str,
        condition: str,
        values: dict[str, Value],
        action: str,
        deadline: Deadline,
    ) -> Values | None:
        """Change one item; return it, empty when there is none, if `condition` does not hold."""

        def update() -> Values | None:
            try:
                self._client.update_item(
                    TableName=self._table,
                    Key=to_item({"pk": pk}),
                    UpdateExpression=expression,
                    ConditionExpression=condition,
                    ExpressionAttributeValues=to_item(values),
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as exc:
                return failed_condition(exc)
            return None

        return with_deadline(deadline, action, self._table, update)


def _circuit_key(circuit: Circuit) -> str:
    return f"CIRCUIT#{circuit.tool}#{circuit.host}"


def _open_circuit(item: Values) -> OpenCircuit:
    return OpenCircuit(until=float(item["open_until"]), probe_until=float(item.get("probe_until", 0.0)))


def _moment(seconds: float) -> Value:
    return decimals(seconds, 3)


def _expiry(seconds: float) -> int:
    return ceil(seconds) + KEPT_SECONDS
