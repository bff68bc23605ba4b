"""Counters of what callers and sessions use, in the table of chats: one item per caller or session and day.

`L#<principal>` and `L#<principal>#<session>` hold an item `DAY#<day>` (UTC) with the day's `tokens`, an attribute per
minute for requests and tool calls, such as `requests_1029`, and an attribute `held_<id>` per chat under way with the
tokens reserved for it, which `tokens` includes. So one conditional update checks and counts every limit of a caller.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import with_deadline
from flexchat.deadline import Deadline

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, UpdateItemInputTypeDef

    type Values = dict[str, AttributeValueTypeDef]

_REQUESTS: Final = "requests_"
_TOOL_CALLS: Final = "tool_calls_"
_HELD: Final = "held_"
_MOST_REMOVED: Final = 100
"""Attributes that one update removes at most, so that its expression stays within DynamoDB's limits."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The windows that a moment lies in; `at` is in seconds since the epoch."""

    at: float

    @property
    def day(self) -> str:
        return f"{self._utc:%Y-%m-%d}"

    @property
    def minute(self) -> str:
        return f"{self._utc:%H%M}"

    @property
    def end_of_minute(self) -> float:
        return self.at // 60 * 60 + 60

    @property
    def end_of_day(self) -> float:
        midnight = self._utc.replace(hour=0, minute=0, second=0, microsecond=0)
        return (midnight + timedelta(days=1)).timestamp()

    @property
    def _utc(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)


@dataclass(frozen=True, slots=True)
class Account:
    """Whose use is counted: a caller's, or that of one of its sessions."""

    principal: str
    session_id: str | None = None

    @property
    def pk(self) -> str:
        return f"L#{self.principal}" if self.session_id is None else f"L#{self.principal}#{self.session_id}"


@dataclass(frozen=True, slots=True)
class Hold:
    """Tokens reserved for one chat; after `until`, in seconds since the epoch, the chat is taken for dead."""

    tokens: int
    until: float


@dataclass(frozen=True, slots=True)
class Counters:
    """The counters of an account: requests of the current minute, tokens of the day with those on hold.

    `past` are the attributes of earlier minutes, which nothing reads any more.
    """

    requests: int
    tokens: int
    holds: Mapping[str, Hold]
    past: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """A counted request when it was `admitted`, with the counters after it, or those that refused it."""

    admitted: bool
    counters: Counters


class LimitCounters:
    """Counters in one DynamoDB table; each method is one update of one item.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError when the
    operator must do something first.
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
        """Count a request and put tokens on hold under `id`, or neither when a limit leaves no room.

        Only what has a limit is counted. Tokens have room while the day's are below the limit, so at most one chat goes
        beyond it. With a hold, a request that is sent again counts once.
        """
        names: dict[str, str] = {}
        values: Values = {":expires_at": _expiry(moment)}
        sets, adds, conditions = ["expires_at = :expires_at"], list[str](), list[str]()
        if max_requests is not None:
            names["#requests"] = _REQUESTS + moment.minute
            values |= {":one": _number(1), ":max_requests": _number(max_requests)}
            adds.append("#requests :one")
            conditions.append("(attribute_not_exists(#requests) OR #requests < :max_requests)")
        if max_tokens is not None:
            names |= {"#tokens": "tokens", "#hold": _HELD + id}
            values |= {":tokens": _number(hold.tokens), ":max_tokens": _number(max_tokens), ":hold": _hold(hold)}
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
                    ExpressionAttributeValues=values,
                    ReturnValues="ALL_NEW",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as exc:
                counters = _counters(_unmet(exc), moment)
                return Counted(admitted=id in counters.holds, counters=counters)
            return Counted(admitted=True, counters=_counters(response.get("Attributes", {}), moment))

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

        With `minute` a request of that minute is taken back. Returns False, without effect, when the hold is gone.
        """
        ids = () if id is None else (id,)
        return self._change(account, day, ids, tokens=tokens, minute=minute, past=past, deadline=deadline)

    def reclaim(self, account: Account, day: str, holds: Mapping[str, Hold], *, deadline: Deadline) -> bool:
        """Give back what dead chats had reserved; False when another request does so at this moment."""
        dead = dict(list(holds.items())[:_MOST_REMOVED])
        tokens = -sum(hold.tokens for hold in dead.values())
        return self._change(account, day, tuple(dead), tokens=tokens, minute=None, past=(), deadline=deadline)

    def take_calls(self, account: Account, moment: Moment, *, calls: int, deadline: Deadline) -> int:
        """Count tool calls of the current minute; return how many there are now."""

        def update() -> int:
            response = self._client.update_item(
                TableName=self._table,
                Key=_key(account, moment.day),
                UpdateExpression="SET expires_at = :expires_at ADD #calls :calls",
                ExpressionAttributeNames={"#calls": _TOOL_CALLS + moment.minute},
                ExpressionAttributeValues={":calls": _number(calls), ":expires_at": _expiry(moment)},
                ReturnValues="UPDATED_NEW",
            )
            return _read(response.get("Attributes", {}), _TOOL_CALLS + moment.minute)

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
        values: Values = {}
        adds: dict[str, int] = {"tokens": tokens} if tokens else {}
        if minute is not None:
            adds[_REQUESTS + minute] = -1
        if adds:
            names |= {f"#added{index}": name for index, name in enumerate(adds)}
            values = {f":added{index}": _number(number) for index, number in enumerate(adds.values())}
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
            parameters["ExpressionAttributeValues"] = values

        def update() -> bool:
            try:
                self._client.update_item(**parameters)
            except ClientError as exc:
                _unmet(exc)
                return False
            return True

        return with_deadline(deadline, "settle a request in", self._table, update)


def _key(account: Account, day: str) -> "Values":
    return {"pk": {"S": account.pk}, "sk": {"S": f"DAY#{day}"}}


def _expiry(moment: Moment) -> "AttributeValueTypeDef":
    """A day after the counted one, when no chat of it is under way any more."""
    return _number(int(moment.end_of_day) + 86_400)


def _number(value: int) -> "AttributeValueTypeDef":
    return {"N": str(value)}


def _hold(hold: Hold) -> "AttributeValueTypeDef":
    return {"M": {"tokens": _number(hold.tokens), "until": {"N": f"{hold.until:.3f}"}}}


def _unmet(exc: ClientError) -> Mapping[str, Any]:
    """The item that a condition did not hold for; any other error is raised again."""
    if exc.response.get("Error", {}).get("Code") != "ConditionalCheckFailedException":
        raise exc
    item: Mapping[str, Any] = exc.response.get("Item", {})
    return item


def _counters(item: Mapping[str, Any], moment: Moment) -> Counters:
    return Counters(
        requests=_read(item, _REQUESTS + moment.minute),
        tokens=_read(item, "tokens"),
        holds={
            name.removeprefix(_HELD): Hold(int(value["M"]["tokens"]["N"]), float(value["M"]["until"]["N"]))
            for name, value in item.items()
            if name.startswith(_HELD)
        },
        past=tuple(
            sorted(name for name in item if name.startswith((_REQUESTS, _TOOL_CALLS)) and name[-4:] < moment.minute)
        ),
    )


def _read(item: Mapping[str, Any], name: str) -> int:
    return int(item[name]["N"]) if name in item else 0
