"""Counters of the use of callers, roles and sessions, in the table of chats: one small item per account and period.

`L#<principal>`, `L#<principal>#<session>` and `L#ROLE#<role>` hold an item `DAY#<day>` (UTC) with the day's `tokens`
and `micros` (of US dollars), those of them that are `reserved` for active chats, and an attribute per minute for
requests, tool calls and others that a limit counts by minutes, such as `requests_1029`. With a limit of a month, the
item is `MONTH#<month>`, and the attributes of its days and minutes have the day in their names: `tokens_22`,
`requests_22T1029`. So one conditional update checks and counts every limit of an account.

An active chat has an item of its own in the partition `…#HOLDS`, `<period>#<expiry>-<id>`, so that the size of the
counters, and with it the cost of each update, does not depend on the number of active chats. Its `limits` are those in
whose counters it is included; without them, it is the day's tokens.

The counters are written before a hold, and a hold is deleted before they are corrected: a process that dies between
the two leaves tokens counted until the end of the period, and never fewer than were used.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import Value, Values, failed_condition, from_item, to_item, with_deadline
from flexchat.deadline import Deadline
from flexchat.errors import LimitName
from flexchat.limits.counting import Account, Amount, Counted, Counters, Hold, Use, hold_id
from flexchat.limits.windows import KINDS, Limit, Moment, Quantity, Window

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, UpdateItemInputTypeDef

_ATTRIBUTES: Final[Mapping[Quantity, str]] = {
    "requests": "requests",
    "tool_calls": "tool_calls",
    "tokens": "tokens",
    "usd": "micros",
}
_RESERVED: Final[Mapping[Quantity, str]] = {"tokens": "reserved", "usd": "reserved_micros"}
_HELD: Final[tuple[LimitName, ...]] = ("tokens_per_day",)
"""Limits of a hold without names of them, as earlier versions stored."""

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
        limits: Sequence[Limit],
        hold: Hold,
        over: Amount | None = None,
        deadline: Deadline,
    ) -> Counted:
        """Count a request and reserve the amounts of `hold`, or neither when one of `limits` is reached.

        Only limited quantities are counted. Amounts are reserved while the counters are below their limits, so at most
        one chat exceeds them. With `over`, a running chat reserves more: no request is counted, and the counters must
        be below their limits with the use beyond its reservations. An update whose response is lost is sent again and
        counts twice.
        """
        adds, conditions = Counter[str](), dict[str, tuple[LimitName, int]]()
        held: list[LimitName] = []
        for limit in limits:
            name = _attribute(limit.name, moment, account)
            if limit.quantity == "requests" and over is None:
                adds[name] += 1
                conditions[name] = (limit.name, limit.allowed)
            elif limit.quantity in _RESERVED and (over is None or hold.amount.of(limit.quantity)):
                held.append(limit.name)
                beyond = 0 if over is None else over.of(limit.quantity)
                conditions[name] = (limit.name, limit.allowed - beyond)
        adds.update(_held_counters(held, hold.amount, moment, account))
        names = {f"#{place}": name for place, name in enumerate(adds)}
        places = {name: place for place, name in names.items()}
        values: dict[str, Value] = {":expires_at": _expiry(account, moment)}
        values |= {f":add{place[1:]}": adds[name] for place, name in names.items()}
        values |= {f":most{places[name][1:]}": most for name, (_, most) in conditions.items()}

        def update() -> Counted:
            try:
                response = self._client.update_item(
                    TableName=self._table,
                    Key=_key(account, moment),
                    UpdateExpression="SET expires_at = :expires_at ADD "
                    + ", ".join(f"{place} :add{place[1:]}" for place in names),
                    ConditionExpression=" AND ".join(
                        _below(places[name], most) for name, (_, most) in conditions.items()
                    ),
                    ExpressionAttributeNames=names,
                    ExpressionAttributeValues=to_item(values),
                    ReturnValues="ALL_NEW",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as exc:
                return Counted(admitted=False, counters=_counters(failed_condition(exc), moment, account))
            return Counted(
                admitted=True, counters=_counters(from_item(response.get("Attributes", {})), moment, account)
            )

        counted = with_deadline(deadline, "count a request in", self._table, update)
        if counted.admitted and held:
            self._add_hold(account, moment, hold, held, deadline)
        return counted

    def settle(
        self,
        account: Account,
        reserved: Moment,
        *,
        id: str | None,
        use: Use,
        requests: Sequence[LimitName] = (),
        past: tuple[str, ...] = (),
        now: Moment,
        deadline: Deadline,
    ) -> Counters | None:
        """End the hold `id` of the time `reserved`, replace its amounts with `use`, and remove `past`.

        An unknown cost counts as the reserved one. One request is subtracted from the counters of the limits
        `requests`. Minutes and days that have ended are not corrected. Returns the corrected counters; None, without
        effect, without such a hold or such counters.
        """
        adds = Counter[str]()
        changed: list[LimitName] = []
        if id is not None:
            ended = self._end_hold(account, reserved, id, deadline)
            if ended is None:
                return None
            held, limits, _ = ended
            used = Amount(use.tokens, held.micros if use.micros is None else use.micros)
            changed = [name for name in limits if _is_current(name, reserved, now, account)]
            adds = _settled(changed, held, used, reserved, account)
        adds.update(
            {_attribute(name, reserved, account): -1 for name in requests if _is_current(name, reserved, now, account)}
        )
        found = self._change(account, reserved, adds, past=past, deadline=deadline)
        if found is None:
            return None
        counters = _counters(found, reserved, account)
        return Counters(
            {name: counters.of(name) for name in changed},
            {name: amount for name, amount in counters.reserved.items() if name in changed},
        )

    def reclaim(self, account: Account, moment: Moment, *, deadline: Deadline) -> Sequence[Hold]:
        """Release the reservations of dead chats, and return those that no other request releases at the same time."""
        released: list[Hold] = []
        adds = Counter[str]()
        for expired in self._expired(account, moment, deadline):
            ended = self._end_hold(account, moment, expired, deadline)
            if ended is None:
                continue
            held, limits, at = ended
            reserved = moment if at is None else Moment(at)
            released.append(Hold(expired, held.tokens, held.micros))
            current: list[LimitName] = [name for name in limits if _is_current(name, reserved, moment, account)]
            adds.update(_settled(current, held, Amount(), reserved, account))
        if released:
            self._change(account, moment, adds, deadline=deadline)
        return released

    def take_calls(
        self, account: Account, moment: Moment, *, limits: Sequence[LimitName], calls: int, deadline: Deadline
    ) -> Mapping[LimitName, int]:
        """Add tool calls, which may be negative, to the counters of `limits`, and return these."""
        names = {f"#{place}": _attribute(name, moment, account) for place, name in enumerate(limits)}

        def update() -> Mapping[LimitName, int]:
            response = self._client.update_item(
                TableName=self._table,
                Key=_key(account, moment),
                UpdateExpression="SET expires_at = :expires_at ADD " + ", ".join(f"{place} :calls" for place in names),
                ExpressionAttributeNames=names,
                ExpressionAttributeValues=to_item({":calls": calls, ":expires_at": _expiry(account, moment)}),
                ReturnValues="UPDATED_NEW",
            )
            found = from_item(response.get("Attributes", {}))
            return {name: found.get(_attribute(name, moment, account), 0) for name in limits}

        return with_deadline(deadline, "count tool calls in", self._table, update)

    def read(self, account: Account, moment: Moment, *, deadline: Deadline) -> Counters:
        """Return the counters of an account, without a change of them."""
        response = with_deadline(
            deadline,
            "read the limits in",
            self._table,
            lambda: self._client.get_item(TableName=self._table, Key=_key(account, moment)),
        )
        return _counters(from_item(response.get("Item", {})), moment, account)

    def _add_hold(
        self, account: Account, moment: Moment, hold: Hold, limits: Sequence[LimitName], deadline: Deadline
    ) -> None:
        item: dict[str, Value] = {**_hold_key(account, moment, hold.id), "expires_at": _expiry(account, moment)}
        item |= {name: amount for name, amount in (("tokens", hold.tokens), ("micros", hold.micros)) if amount}
        if tuple(limits) != _HELD or account.monthly:
            item |= {"limits": " ".join(limits), "reserved_at": round(moment.at)}
        with_deadline(
            deadline,
            "reserve tokens in",
            self._table,
            lambda: self._client.put_item(TableName=self._table, Item=to_item(item)),
        )

    def _end_hold(
        self, account: Account, reserved: Moment, id: str, deadline: Deadline
    ) -> tuple[Amount, Sequence[LimitName], float | None] | None:
        """Delete a hold and return its amounts, its limits and its time; None without one."""
        response = with_deadline(
            deadline,
            "settle a request in",
            self._table,
            lambda: self._client.delete_item(
                TableName=self._table, Key=to_item(_hold_key(account, reserved, id)), ReturnValues="ALL_OLD"
            ),
        )
        item = from_item(response.get("Attributes", {}))
        if not item:
            return None
        limits = cast("list[LimitName]", item["limits"].split()) if "limits" in item else _HELD
        return Amount(item.get("tokens", 0), item.get("micros", 0)), limits, item.get("reserved_at")

    def _expired(self, account: Account, moment: Moment, deadline: Deadline) -> list[str]:
        """Return the ids of expired holds."""
        period = _period(account, moment)
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
                        ":first": f"{period}#",
                        ":last": f"{period}#{hold_id(moment.at, '')}",
                    }
                ),
                ConsistentRead=True,
                Limit=_MOST_RECLAIMED,
            ),
        )
        return [item["sk"].partition("#")[2] for item in map(from_item, response["Items"])]

    def _change(
        self,
        account: Account,
        moment: Moment,
        adds: Mapping[str, int],
        *,
        past: tuple[str, ...] = (),
        deadline: Deadline,
    ) -> Values | None:
        """Change the counters of the period of `moment`, and return them; None without such an item."""
        changes = {name: number for name, number in adds.items() if number}
        names = {f"#added{index}": name for index, name in enumerate(changes)}
        values = {f":added{index}": number for index, number in enumerate(changes.values())}
        expressions: list[str] = []
        if changes:
            expressions.append("ADD " + ", ".join(f"#added{index} :added{index}" for index in range(len(changes))))
        if removed := {f"#removed{index}": name for index, name in enumerate(past[:_MOST_REMOVED])}:
            names |= removed
            expressions.append("REMOVE " + ", ".join(removed))
        if not expressions:
            return {}
        parameters: UpdateItemInputTypeDef = {
            "TableName": self._table,
            "Key": _key(account, moment),
            "UpdateExpression": " ".join(expressions),
            "ConditionExpression": "attribute_exists(pk)",
            "ExpressionAttributeNames": names,
            "ReturnValues": "ALL_NEW",
        }
        if values:
            parameters["ExpressionAttributeValues"] = to_item(values)

        def update() -> Values | None:
            try:
                response = self._client.update_item(**parameters)
            except ClientError as exc:
                failed_condition(exc)
                return None
            return from_item(response.get("Attributes", {}))

        return with_deadline(deadline, "settle a request in", self._table, update)


def _below(place: str, most: int) -> str:
    """Return the condition that the counter at `place` is below the value `most`; a missing one is 0."""
    condition = f"{place} < :most{place[1:]}"
    return f"(attribute_not_exists({place}) OR {condition})" if most > 0 else condition


def _held_counters(limits: Iterable[LimitName], amount: Amount, moment: Moment, account: Account) -> Counter[str]:
    """Return the attributes of the counters that include a hold, and of their reserved part, with its amounts."""
    adds = Counter[str]()
    for name in limits:
        quantity, window = KINDS[name]
        adds[_attribute(name, moment, account)] += amount.of(quantity)
        if window != "minute":
            adds[_RESERVED[quantity] + _suffix(window, moment, account)] += amount.of(quantity)
    return adds


def _settled(limits: Iterable[LimitName], held: Amount, used: Amount, moment: Moment, account: Account) -> Counter[str]:
    """Return the changes of the counters that include a hold of `moment` when it is replaced with `used`."""
    changes = Counter[str]()
    for name in limits:
        quantity, window = KINDS[name]
        changes[_attribute(name, moment, account)] += used.of(quantity) - held.of(quantity)
        if window != "minute":
            changes[_RESERVED[quantity] + _suffix(window, moment, account)] -= held.of(quantity)
    return changes


def _is_current(name: LimitName, reserved: Moment, now: Moment, account: Account) -> bool:
    """Return whether the window of a limit that was counted at `reserved` is still read: the period itself always."""
    window = KINDS[name][1]
    is_period = window == ("month" if account.monthly else "day")
    return is_period or reserved.end_of(window) > now.at


def _attribute(name: LimitName, moment: Moment, account: Account) -> str:
    quantity, window = KINDS[name]
    return _ATTRIBUTES[quantity] + _suffix(window, moment, account)


def _suffix(window: Window, moment: Moment, account: Account) -> str:
    """Return the end of the names of a window's attributes in the item of an account."""
    if window == "month" or (window == "day" and not account.monthly):
        return ""
    day = moment.day[-2:]
    if window == "day":
        return f"_{day}"
    return f"_{day}T{moment.minute}" if account.monthly else f"_{moment.minute}"


def _period(account: Account, moment: Moment) -> str:
    return moment.month if account.monthly else moment.day


def _key(account: Account, moment: Moment) -> "dict[str, AttributeValueTypeDef]":
    kind = "MONTH" if account.monthly else "DAY"
    return to_item({"pk": account.pk, "sk": f"{kind}#{_period(account, moment)}"})


def _expiry(account: Account, moment: Moment) -> int:
    """Return the end of the day after the counted period, by which every chat of it has ended."""
    return int(moment.end_of("month" if account.monthly else "day")) + 86_400


def _hold_key(account: Account, moment: Moment, id: str) -> dict[str, Value]:
    return {"pk": f"{account.pk}#HOLDS", "sk": f"{_period(account, moment)}#{id}"}


def _counters(item: Values, moment: Moment, account: Account) -> Counters:
    used, reserved = dict[LimitName, int](), dict[LimitName, int]()
    for name, (quantity, window) in KINDS.items():
        if window == "month" and not account.monthly:
            continue
        if counted := item.get(_attribute(name, moment, account), 0):
            used[name] = counted
        if window != "minute" and quantity in _RESERVED:
            held = item.get(_RESERVED[quantity] + _suffix(window, moment, account), 0)
            if held:
                reserved[name] = held
    return Counters(used, reserved, _past(item, moment, account))


def _past(item: Values, moment: Moment, account: Account) -> tuple[str, ...]:
    """Return the attributes of minutes and days that have ended."""
    now = _suffix("minute", moment, account)
    found: list[str] = []
    for name in item:
        _, separator, suffix = name.rpartition("_")
        is_window = bool(separator) and suffix[:1].isdigit()
        if is_window and f"_{suffix}" < now[: 1 + len(suffix)]:
            found.append(name)
    return tuple(sorted(found))
