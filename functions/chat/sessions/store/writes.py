"""Parts of the transactions that write a session, with the conditions that keep it consistent."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from flexchat.aws.credentials import error_code
from flexchat.aws.dynamodb import Table, Value, cancellation_codes, to_item
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.sessions import Exposure, OpenTurn, Session
from functions.chat.sessions.store.items import (
    ANSWER_STEP,
    LOCK,
    META,
    QUESTION_STEP,
    TITLE_CHARACTERS,
    Item,
    exposure_value,
    forks_value,
    lock_item,
    message_key,
    meta_item,
    moment,
    partition,
    read_session,
    text_value,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, TransactWriteItemTypeDef


MAX_TRANSACTION_ITEMS = 90
MAX_TRANSACTION_BYTES = 3_500_000
"""Below DynamoDB's limits of 100 items and 4 MB."""

_ITEM_BYTES = 2_048
"""Upper bound of an item's size without its long value."""

HOLDS_LOCK = "incarnation = :incarnation AND lock_run = :run"
_FREE = "(attribute_not_exists(lock_until) OR lock_until < :now OR lock_run = :run)"
_OTHER = "incarnation <> :incarnation"


class SessionWrites:
    """Builder of the parts of transactions on one table."""

    def __init__(self, table: str) -> None:
        self._table = table

    def put(self, item: Item) -> "TransactWriteItemTypeDef":
        return {"Put": {"TableName": self._table, "Item": to_item(item)}}

    def created(self, session: Session, *, now: float) -> "tuple[TransactWriteItemTypeDef, ...]":
        """Put a new locked session in place of none or of an expired one."""
        created: TransactWriteItemTypeDef = {
            "Put": {
                "TableName": self._table,
                "Item": to_item(meta_item(session)),
                "ConditionExpression": "attribute_not_exists(pk) OR expires_at <= :now",
                "ExpressionAttributeValues": to_item({":now": moment(now)}),
            }
        }
        return created, self.put(lock_item(session))

    def taken(self, turn: OpenTurn, held_turns: int, *, now: float) -> "tuple[TransactWriteItemTypeDef, ...]":
        """Lock a session for a turn, if it is unlocked and still has the turns that were read.

        `META` must have no lock of an earlier version either, which is removed.
        """
        session = turn.session
        lock: Item = {":incarnation": session.incarnation, ":run": turn.run, ":now": moment(now)}
        values: Item = {
            ":title": text_value(session.title or "", TITLE_CHARACTERS),
            ":turns": session.turns,
            ":at": session.updated_at,
            ":expires_at": session.expires_at,
            ":held": held_turns,
        }
        forks = ""
        if turn.number in session.forks:
            forks, values[":forks"] = ", forks = :forks", forks_value(session.forks)
        changed: TransactWriteItemTypeDef = {
            "Update": {
                "TableName": self._table,
                "Key": _key(session, META),
                "UpdateExpression": "SET title = if_not_exists(title, :title), turns = :turns, updated_at = :at, "
                f"expires_at = :expires_at{forks} REMOVE lock_run, lock_until",
                "ConditionExpression": f"incarnation = :incarnation AND turns = :held AND {_FREE}",
                "ExpressionAttributeValues": to_item({**values, **lock}),
            }
        }
        locked: TransactWriteItemTypeDef = {
            "Put": {
                "TableName": self._table,
                "Item": to_item(lock_item(session)),
                "ConditionExpression": f"{_OTHER} OR {_FREE}",
                "ExpressionAttributeValues": to_item(lock),
            }
        }
        return changed, locked

    def answer_is_partial(self, turn: OpenTurn) -> "TransactWriteItemTypeDef":
        """Check that the turn has no complete answer."""
        session = turn.session
        return {
            "ConditionCheck": {
                "TableName": self._table,
                "Key": _key(session, message_key(session.incarnation, turn.number, ANSWER_STEP)),
                "ConditionExpression": "attribute_not_exists(pk) OR #status = :partial",
                "ExpressionAttributeNames": {"#status": "status"},
                "ExpressionAttributeValues": to_item({":partial": "partial"}),
            }
        }

    def fence(self, turn: OpenTurn) -> "TransactWriteItemTypeDef":
        """Check that the turn's request still holds the lock."""
        return {
            "ConditionCheck": {
                "TableName": self._table,
                "Key": _key(turn.session, LOCK),
                "ConditionExpression": HOLDS_LOCK,
                "ExpressionAttributeValues": to_item(holder(turn)),
            }
        }

    def released(
        self, turn: OpenTurn, changes: str = "", values: Mapping[str, Value] | None = None
    ) -> "tuple[TransactWriteItemTypeDef, ...]":
        """Release the lock, which the turn's request must hold, with `changes` of the session."""
        released: TransactWriteItemTypeDef = {
            "Delete": {
                "TableName": self._table,
                "Key": _key(turn.session, LOCK),
                "ConditionExpression": HOLDS_LOCK,
                "ExpressionAttributeValues": to_item(holder(turn)),
            }
        }
        if not changes:
            return (released,)
        changed: TransactWriteItemTypeDef = {
            "Update": {
                "TableName": self._table,
                "Key": _key(turn.session, META),
                "UpdateExpression": changes,
                "ConditionExpression": "incarnation = :incarnation",
                "ExpressionAttributeValues": to_item({":incarnation": turn.session.incarnation, **(values or {})}),
            }
        }
        return released, changed

    def exposed(self, turn: OpenTurn, exposure: Exposure) -> "TransactWriteItemTypeDef":
        """Record what the conversation has read."""
        return self._set(turn, "exposure", exposure_value(exposure))

    def titled(self, turn: OpenTurn, title: str) -> "TransactWriteItemTypeDef":
        """Set the title of a session."""
        return self._set(turn, "title", text_value(title, TITLE_CHARACTERS))

    def _set(self, turn: OpenTurn, name: str, value: Value) -> "TransactWriteItemTypeDef":
        """Set an attribute of a session."""
        values: Item = {":incarnation": turn.session.incarnation, ":value": value}
        return {
            "Update": {
                "TableName": self._table,
                "Key": _key(turn.session, META),
                "UpdateExpression": f"SET {name} = :value",
                "ConditionExpression": "incarnation = :incarnation",
                "ExpressionAttributeValues": to_item(values),
            }
        }

    def unlocked(self, pk: str, incarnation: str) -> "TransactWriteItemTypeDef":
        """Delete the lock of a deleted session, unless a new session of the same id has been locked."""
        return {
            "Delete": {
                "TableName": self._table,
                "Key": to_item({"pk": pk, "sk": LOCK}),
                "ConditionExpression": "incarnation = :incarnation",
                "ExpressionAttributeValues": to_item({":incarnation": incarnation}),
            }
        }

    def deleted_question(self, turn: OpenTurn) -> "TransactWriteItemTypeDef":
        """Delete the user's message of a turn."""
        session = turn.session
        key = _key(session, message_key(session.incarnation, turn.number, QUESTION_STEP))
        return {"Delete": {"TableName": self._table, "Key": key}}


def holder(turn: OpenTurn) -> Item:
    """Return the values of `HOLDS_LOCK`."""
    return {":incarnation": turn.session.incarnation, ":run": turn.run}


def _key(session: Session, sk: str) -> "dict[str, AttributeValueTypeDef]":
    return to_item({"pk": partition(session.owner, session.id), "sk": sk})


def transactions(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Return the items in order, as many together as one transaction takes beside its condition."""
    part: list[Item] = []
    size = 0
    for item in items:
        item_size = _ITEM_BYTES + sum(map(_size, item.values()))
        if part and (len(part) == MAX_TRANSACTION_ITEMS or size + item_size > MAX_TRANSACTION_BYTES):
            yield part
            part, size = [], 0
        part.append(item)
        size += item_size
    yield part


def _size(value: Value) -> int:
    """Return an upper bound of the bytes of a text or of binary content; other values count as part of the item."""
    match value:
        case bytes():
            return len(value)
        case str():
            return 4 * len(value)
        case _:
            return 0


BY_OWNER = "by_owner"
"""The index of sessions by their owner and the time of their last change."""

_CONFLICT = "TransactionConflict"
_UNMET = "ConditionalCheckFailed"


class RefusedError(FlexchatError):
    """A transaction without effect.

    `unmet` are the positions of the items whose conditions did not hold, empty when another transaction was under way.
    """

    def __init__(self, unmet: frozenset[int]) -> None:
        super().__init__(f"conditions not met: {sorted(unmet)}" if unmet else "another transaction was under way")
        self.unmet = unmet


class SessionTable(Table):
    """The table that holds sessions."""

    def __init__(self, client: "DynamoDBClient", name: str) -> None:
        super().__init__(client, name, subject="a session")

    def session(self, owner: str, session_id: str, *, now: float, deadline: Deadline) -> Session | None:
        """Return a session, read consistently; None when there is none or it has expired."""
        items = self.query(
            "pk = :pk AND begins_with(sk, :meta)", {":pk": partition(owner, session_id), ":meta": META}, deadline
        )
        session = read_session(items)
        return session if session is not None and session.expires_at > now else None

    def transact(self, items: "Sequence[TransactWriteItemTypeDef]", deadline: Deadline) -> None:
        """Write all of `items` or nothing. Raises RefusedError.

        DynamoDB writes the same items once, however often they are sent within ten minutes: their token is their hash.
        """
        token = hashlib.sha256(repr(items).encode("utf-8", "surrogatepass")).hexdigest()[:36]

        def call() -> None:
            try:
                self.client.transact_write_items(TransactItems=items, ClientRequestToken=token)
            except ClientError as exc:
                _raise_refused(exc)
                raise

        self.write(call, deadline)


def _raise_refused(exc: ClientError) -> None:
    """Raise RefusedError for a failed condition or a conflict with another transaction."""
    if error_code(exc) == "TransactionConflictException":
        raise RefusedError(frozenset()) from exc
    codes = cancellation_codes(exc)
    if _UNMET in codes or _CONFLICT in codes:
        raise RefusedError(frozenset(place for place, code in enumerate(codes) if code == _UNMET)) from exc
