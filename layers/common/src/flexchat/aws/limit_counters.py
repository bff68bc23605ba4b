"""Counters of the use of callers and sessions, in the table of chats: one small item per caller or session and day.

`L#<principal>` and `L#<principal>#<session>` hold an item `DAY#<day>` (UTC) with the day's `tokens`, those of them that
are `reserved` for active chats, and an attribute per minute for requests and tool calls, such as `requests_1029`. One
conditional update checks and counts every limit of a caller. An active chat has an item of its own in the partition
`…#HOLDS`, `<day>#<expiry>-<id>`, so that the size of the counters, and with it the cost of each update, does not depend
on the number of active chats.

The counters are written before a hold, and a hold is deleted before they are corrected: a process that dies between
the two leaves tokens counted until the end of the day, and never fewer than were used.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import Value, Values, failed_condition, from_item, to_item, with_deadline
from flexchat.deadline import Deadline
from flexchat.limits.admission import Account, Counted, Counters, Hold, Moment, hold_id

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, UpdateItemInputTypeDef

_REQUESTS: Final = "requests_"
_TOOL_CALLS: Final = "tool_calls_"
_MOST_REMOVED: Final = 100
"""Most attributes that one update removes, so that its expression stays within DynamoDB's limits."""

_MOST_RECLAIMED: Final = 25
"""Most expired holds that one request releases, each by a write."""


class LimitCounters:
    """Counters in one DynamoDB table.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError for an
    error only the operator can correct.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def reserve(
        self,
        account: Account,
        moment: Moment,
        *,
        max_requests: int | None,
        max_tokens: int | None,
        hold: Hold,
        deadline: Deadline,
    ) -> Counted:
        """Count a request and reserve the tokens of `hold`, or neither when a limit is reached.

        Only limited quantities are counted. Tokens are reserved while the day's are below the limit, so at most one
        chat exceeds it. An update whose response is lost is sent again and counts twice.
        """
        names: dict[str, str] = {}
        values: dict[str, Value] = {":expires_at": _expiry(moment)}
        adds, conditions = list[str](), list[str]()
        if max_requests is not None:
            names["#requests"] = _REQUESTS + moment.minute
            values |= {":one": 1, ":max_requests": max_requests}
            adds.append("#requests :one")
            conditions.append("(attribute_not_exists(#requests) OR #requests < :max_requests)")
        if max_tokens is not None:
            names |= {"#tokens": "tokens", "#reserved": "reserved"}
            values |= {":tokens": hold.tokens, ":max_tokens": max_tokens}
            adds += ["#tokens :tokens", "#reserved :tokens"]
            conditions.append("(attribute_not_exists(#tokens) OR #tokens < :max_tokens)")

        def update() -> Counted:
            try:
                response = self._client.update_item(
                    TableName=self._table,
                    Key=_key(account, moment.day),
                    UpdateExpression=f"SET expires_at = :expires_at ADD {', '.join(adds)}",
                    ConditionExpression=" AND ".join(conditions),
                    ExpressionAttributeNames=names,
                    ExpressionAttributeValues=to_item(values),
                    ReturnValues="ALL_NEW",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as exc:
                return Counted(admitted=False, counters=_counters(failed_condition(exc), moment))
            return Counted(admitted=True, counters=_counters(from_item(response.get("Attributes", {})), moment))

        counted = with_deadline(deadline, "count a request in", self._table, update)
        if counted.admitted and max_tokens is not None:
            self._add_hold(account, moment, hold, deadline)
        return counted

    def settle(
        self,
        account: Account,
        day: str,
        *,
        id: str | None,
        tokens: int = 0,
        minute: str | None = None,
        past: tuple[str, ...] = (),
        deadline: Deadline,
    ) -> bool:
        """End the hold `id` of `day`, add `tokens` (which may be negative) to that day's, and remove `past`.

        With `minute` a request of that minute is subtracted. Returns False, without effect, without such a hold.
        """
        reserved = 0
        if id is not None:
            held = self._end_hold(account, day, id, deadline)
            if held is None:
                return False
            reserved = -held
        return self._change(account, day, tokens=tokens, reserved=reserved, minute=minute, past=past, deadline=deadline)

    def reclaim(self, account: Account, moment: Moment, *, deadline: Deadline) -> Sequence[Hold]:
        """Release the reservations of dead chats, and return those that no other request releases at the same time."""
        released: list[Hold] = []
        for hold in self._expired(account, moment, deadline):
            held = self._end_hold(account, moment.day, hold.id, deadline)
            if held is not None:
                released.append(hold)
        if released:
            tokens = -sum(hold.tokens for hold in released)
            self._change(account, moment.day, tokens=tokens, reserved=tokens, deadline=deadline)
        return released

    def take_calls(self, account: Account, moment: Moment, *, calls: int, deadline: Deadline) -> int:
        """Add tool calls to those of the current minute and return their number."""

        def update() -> int:
            response = self._client.update_item(
                TableName=self._table,
                Key=_key(account, moment.day),
                UpdateExpression="SET expires_at = :expires_at ADD #calls :calls",
                ExpressionAttributeNames={"#calls": _TOOL_CALLS + moment.minute},
                ExpressionAttributeValues=to_item({":calls": calls, ":expires_at": _expiry(moment)}),
                ReturnValues="UPDATED_NEW",
            )
            return from_item(response.get("Attributes", {})).get(_TOOL_CALLS + moment.minute, 0)

        return with_deadline(deadline, "count tool calls in", self._table, update)

    def read(self, account: Account, moment: Moment, *, deadline: Deadline) -> Counters:
        """Return the counters of an account, without a change of them."""
        response = with_deadline(
            deadline,
            "read the limits in",
            self._table,
            lambda: self._client.get_item(TableName=self._table, Key=_key(account, moment.day)),
        )
        return _counters(from_item(response.get("Item", {})), moment)

    def _add_hold(self, account: Account, moment: Moment, hold: Hold, deadline: Deadline) -> None:
        item = {**_hold_key(account, moment.day, hold.id), "tokens": hold.tokens, "expires_at": _expiry(moment)}
        with_deadline(
            deadline,
            "reserve tokens in",
            self._table,
            lambda: self._client.put_item(TableName=self._table, Item=to_item(item)),
        )

    def _end_hold(self, account: Account, day: str, id: str, deadline: Deadline) -> int | None:
        """Delete a hold and return its tokens; None without one."""
        response = with_deadline(
            deadline,
            "settle a request in",
            self._table,
            lambda: self._client.delete_item(
                TableName=self._table, Key=to_item(_hold_key(account, day, id)), ReturnValues="ALL_OLD"
            ),
        )
        return from_item(response.get("Attributes", {})).get("tokens")

    def _expired(self, account: Account, moment: Moment, deadline: Deadline) -> list[Hold]:
        response = with_deadline(
            deadline,
            "read reservations from",
            self._table,
            lambda: self._client.query(
                TableName=self._table,
                KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
                ExpressionAttributeValues=to_item(
                    {
                        ":pk": f"{account.pk}#HOLDS",
                        ":first": f"{moment.day}#",
                        ":last": f"{moment.day}#{hold_id(moment.at, '')}",
                    }
                ),
                ConsistentRead=True,
                Limit=_MOST_RECLAIMED,
            ),
        )
        return [Hold(item["sk"].partition("#")[2], item["tokens"]) for item in map(from_item, response["Items"])]

    def _change(
        self,
        account: Account,
        day: str,
        *,
        tokens: int,
        reserved: int,
        minute: str | None = None,
        past: tuple[str, ...] = (),
        deadline: Deadline,
    ) -> bool:
        adds = {"tokens": tokens, "reserved": reserved, **({} if minute is None else {_REQUESTS + minute: -1})}
        adds = {name: number for name, number in adds.items() if number}
        names = {f"#added{index}": name for index, name in enumerate(adds)}
        values = {f":added{index}": number for index, number in enumerate(adds.values())}
        expressions: list[str] = []
        if adds:
            expressions.append("ADD " + ", ".join(f"#added{index} :added{index}" for index in range(len(adds))))
        if removed := {f"#removed{index}": name for index, name in enumerate(past[:_MOST_REMOVED])}:
            names |= removed
            expressions.append("REMOVE " + ", ".join(removed))
        if not expressions:
            return True
        parameters: UpdateItemInputTypeDef = {
            "TableName": self._table,
            "Key": _key(account, day),
            "UpdateExpression": " ".join(expressions),
            "ConditionExpression": "attribute_exists(pk)",
            "ExpressionAttributeNames": names,
        }
        if values:
            parameters["ExpressionAttributeValues"] = to_item(values)

        def update() -> bool:
            try:
                self._client.update_item(**parameters)
            except ClientError as exc:
                failed_condition(exc)
                return False
            return True

        return with_deadline(deadline, "settle a request in", self._table, update)


def _key(account: Account, day: str) -> "dict[str, AttributeValueTypeDef]":
    return to_item({"pk": account.pk, "sk": f"DAY#{day}"})


def _expiry(moment: Moment) -> int:
    """Return the end of the day after the counted one, by which every chat of that day has ended."""
    return int(moment.end_of_day) + 86_400


def _hold_key(account: Account, day: str, id: str) -> dict[str, Value]:
    return {"pk": f"{account.pk}#HOLDS", "sk": f"{day}#{id}"}


def _counters(item: Values, moment: Moment) -> Counters:
    return Counters(
        requests=item.get(_REQUESTS + moment.minute, 0),
        tokens=item.get("tokens", 0),
        reserved=item.get("reserved", 0),
        past=tuple(
            sorted(name for name in item if name.startswith((_REQUESTS, _TOOL_CALLS)) and name[-4:] < moment.minute)
        ),
        tool_calls=item.get(_TOOL_CALLS + moment.minute, 0),
    )
