"""Counters of the use of callers and sessions, in the table of chats: one item per caller or session and day.

`L#<principal>` and `L#<principal>#<session>` hold an item `DAY#<day>` (UTC) with the day's `tokens`, an attribute per
minute for requests and tool calls, such as `requests_1029`, and an attribute `held_<id>` per active chat with the
tokens reserved for it, which `tokens` includes. One conditional update checks and counts every limit of a caller.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import Value, Values, decimals, failed_condition, from_item, to_item, with_deadline
from flexchat.deadline import Deadline
from flexchat.limits.admission import Account, Counted, Counters, Hold, Moment

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, UpdateItemInputTypeDef

_REQUESTS: Final = "requests_"
_TOOL_CALLS: Final = "tool_calls_"
_HELD: Final = "held_"
_MOST_REMOVED: Final = 100
"""Most attributes that one update removes, so that its expression stays within DynamoDB's limits."""


class LimitCounters:
    """Counters in one DynamoDB table; each method is one update of one item.

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
        id: str,
        max_requests: int | None,
        max_tokens: int | None,
        hold: Hold,
        deadline: Deadline,
    ) -> Counted:
        """Count a request and reserve tokens under `id`, or neither when a limit is reached.

        Only limited quantities are counted. Tokens are reserved while the day's are below the limit, so at most one
        chat exceeds it. With a hold, a request that is sent again counts once.
        """
        names: dict[str, str] = {}
        values: dict[str, Value] = {":expires_at": _expiry(moment)}
        sets, adds, conditions = ["expires_at = :expires_at"], list[str](), list[str]()
        if max_requests is not None:
            names["#requests"] = _REQUESTS + moment.minute
            values |= {":one": 1, ":max_requests": max_requests}
            adds.append("#requests :one")
            conditions.append("(attribute_not_exists(#requests) OR #requests < :max_requests)")
        if max_tokens is not None:
            names |= {"#tokens": "tokens", "#hold": _HELD + id}
            values |= {":tokens": hold.tokens, ":max_tokens": max_tokens, ":hold": _hold(hold)}
            sets.append("#hold = :hold")
            adds.append("#tokens :tokens")
            conditions += ["(attribute_not_exists(#tokens) OR #tokens < :max_tokens)", "attribute_not_exists(#hold)"]

        def update() -> Counted:
            try:
                response = self._client.update_item(
                    TableName=self._table,
                    Key=_key(account, moment.day),
                    UpdateExpression=f"SET {', '.join(sets)} ADD {', '.join(adds)}",
                    ConditionExpression=" AND ".join(conditions),
                    ExpressionAttributeNames=names,
                    ExpressionAttributeValues=to_item(values),
                    ReturnValues="ALL_NEW",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as exc:
                counters = _counters(failed_condition(exc), moment)
                return Counted(admitted=id in counters.holds, counters=counters)
            return Counted(admitted=True, counters=_counters(from_item(response.get("Attributes", {})), moment))

        return with_deadline(deadline, "count a request in", self._table, update)

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
        ids = () if id is None else (id,)
        return self._change(account, day, ids, tokens=tokens, minute=minute, past=past, deadline=deadline)

    def reclaim(self, account: Account, day: str, holds: Mapping[str, Hold], *, deadline: Deadline) -> bool:
        """Release the reservations of dead chats; return False when another request does so at the same time."""
        dead = dict(list(holds.items())[:_MOST_REMOVED])
        tokens = -sum(hold.tokens for hold in dead.values())
        return self._change(account, day, tuple(dead), tokens=tokens, minute=None, past=(), deadline=deadline)

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

    def _change(
        self,
        account: Account,
        day: str,
        ids: tuple[str, ...],
        *,
        tokens: int,
        minute: str | None,
        past: tuple[str, ...],
        deadline: Deadline,
    ) -> bool:
        removed = [*(_HELD + each for each in ids), *past[:_MOST_REMOVED]]
        names = {f"#removed{index}": name for index, name in enumerate(removed)}
        held = list(names)[: len(ids)]
        expressions: list[str] = []
        values: dict[str, Value] = {}
        adds: dict[str, int] = {"tokens": tokens} if tokens else {}
        if minute is not None:
            adds[_REQUESTS + minute] = -1
        if adds:
            names |= {f"#added{index}": name for index, name in enumerate(adds)}
            values = {f":added{index}": number for index, number in enumerate(adds.values())}
            expressions.append("ADD " + ", ".join(f"#added{index} :added{index}" for index in range(len(adds))))
        if removed:
            expressions.append("REMOVE " + ", ".join(f"#removed{index}" for index in range(len(removed))))
        parameters: UpdateItemInputTypeDef = {
            "TableName": self._table,
            "Key": _key(account, day),
            "UpdateExpression": " ".join(expressions),
            "ConditionExpression": " AND ".join(f"attribute_exists({name})" for name in ("pk", *held)),
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


def _hold(hold: Hold) -> dict[str, Value]:
    return {"tokens": hold.tokens, "until": decimals(hold.until, 3)}


def _counters(item: Values, moment: Moment) -> Counters:
    return Counters(
        requests=item.get(_REQUESTS + moment.minute, 0),
        tokens=item.get("tokens", 0),
        holds={
            name.removeprefix(_HELD): Hold(value["tokens"], float(value["until"]))
            for name, value in item.items()
            if name.startswith(_HELD)
        },
        past=tuple(
            sorted(name for name in item if name.startswith((_REQUESTS, _TOOL_CALLS)) and name[-4:] < moment.minute)
        ),
    )
