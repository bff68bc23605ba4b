"""What is written of a session, as the parts of DynamoDB's transactions, with the conditions that keep it in order."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from flexchat.sessions import OpenTurn, Session
from functions.chat.sessions.store.items import (
    ANSWER_STEP,
    META,
    QUESTION_STEP,
    TITLE_CHARACTERS,
    message_key,
    meta_item,
    partition,
    seconds,
)
from functions.chat.sessions.store.values import text_value

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

    from functions.chat.sessions.store.items import Item

MAX_TRANSACTION_ITEMS = 90
MAX_TRANSACTION_BYTES = 3_500_000
"""Below DynamoDB's limits of 100 items and 4 MB."""

_ITEM_BYTES = 2_048
"""What an item has beside its long value, at most."""

_HOLDS_LOCK = "incarnation = :incarnation AND lock_run = :run"
_FREE = "(attribute_not_exists(lock_until) OR lock_until < :now OR lock_run = :run)"


class SessionWrites:
    """The parts of transactions on one table."""

    def __init__(self, table: str) -> None:
        self._table = table

    def put(self, item: "Item") -> "TransactWriteItemTypeDef":
        return {"Put": {"TableName": self._table, "Item": item}}

    def created(self, session: Session, *, now: float) -> "TransactWriteItemTypeDef":
        """A new session, in the place of an expired one if there is one."""
        return {
            "Put": {
                "TableName": self._table,
                "Item": meta_item(session),
                "ConditionExpression": "attribute_not_exists(pk) OR expires_at <= :now",
                "ExpressionAttributeValues": {":now": seconds(now)},
            }
        }

    def taken(self, turn: OpenTurn, held_turns: int, *, now: float) -> "TransactWriteItemTypeDef":
        """The lock of a session for a turn, if it is free and still has the turns that were read."""
        session = turn.session
        return {
            "Update": {
                "TableName": self._table,
                "Key": _key(session, META),
                "UpdateExpression": "SET title = if_not_exists(title, :title), turns = :turns, updated_at = :at, "
                "expires_at = :expires_at, lock_run = :run, lock_until = :until",
                "ConditionExpression": f"incarnation = :incarnation AND turns = :held AND {_FREE}",
                "ExpressionAttributeValues": {
                    ":title": text_value(session.title or "", TITLE_CHARACTERS),
                    ":turns": seconds(session.turns),
                    ":at": {"S": session.updated_at},
                    ":expires_at": seconds(session.expires_at),
                    ":run": {"S": turn.run},
                    ":until": seconds(session.lock_until),
                    ":incarnation": {"S": session.incarnation},
                    ":held": seconds(held_turns),
                    ":now": seconds(now),
                },
            }
        }

    def answer_is_partial(self, turn: OpenTurn) -> "TransactWriteItemTypeDef":
        """Nothing but that the turn has no complete answer."""
        session = turn.session
        return {
            "ConditionCheck": {
                "TableName": self._table,
                "Key": _key(session, message_key(session.incarnation, turn.number, ANSWER_STEP)),
                "ConditionExpression": "attribute_not_exists(pk) OR #status = :partial",
                "ExpressionAttributeNames": {"#status": "status"},
                "ExpressionAttributeValues": {":partial": {"S": "partial"}},
            }
        }

    def fence(self, turn: OpenTurn) -> "TransactWriteItemTypeDef":
        """Nothing but that the turn's request still holds the lock."""
        return {
            "ConditionCheck": {
                "TableName": self._table,
                "Key": _key(turn.session, META),
                "ConditionExpression": _HOLDS_LOCK,
                "ExpressionAttributeValues": _holder(turn),
            }
        }

    def renewed(self, turn: OpenTurn, lease_until: float) -> dict[str, Any]:
        """A single update that extends the lease of the turn's request, which must hold the lock."""
        return {
            "Key": _key(turn.session, META),
            "UpdateExpression": "SET lock_until = :until",
            "ConditionExpression": _HOLDS_LOCK,
            "ExpressionAttributeValues": {**_holder(turn), ":until": seconds(lease_until)},
        }

    def released(self, turn: OpenTurn, changes: str = "", values: "Item | None" = None) -> "TransactWriteItemTypeDef":
        """The lock given up by the turn's request, which must hold it, with other `changes` of the session."""
        return {
            "Update": {
                "TableName": self._table,
                "Key": _key(turn.session, META),
                "UpdateExpression": f"{changes} REMOVE lock_run, lock_until".lstrip(),
                "ConditionExpression": _HOLDS_LOCK,
                "ExpressionAttributeValues": {**_holder(turn), **(values or {})},
            }
        }

    def forgotten_question(self, turn: OpenTurn) -> "TransactWriteItemTypeDef":
        """The user's message of a turn, gone."""
        session = turn.session
        key = _key(session, message_key(session.incarnation, turn.number, QUESTION_STEP))
        return {"Delete": {"TableName": self._table, "Key": key}}


def _key(session: Session, sk: str) -> "Item":
    return {"pk": {"S": partition(session.owner, session.id)}, "sk": {"S": sk}}


def _holder(turn: OpenTurn) -> "Item":
    return {":incarnation": {"S": turn.session.incarnation}, ":run": {"S": turn.run}}


def transactions(items: "Sequence[Item]") -> "Iterator[Sequence[Item]]":
    """The items in order, as many together as one transaction takes beside its condition."""
    part: list[Item] = []
    size = 0
    for item in items:
        item_size = _ITEM_BYTES + sum(
            len(value.get("B", b"")) or 4 * len(value.get("S", "")) for value in item.values()
        )
        if part and (len(part) == MAX_TRANSACTION_ITEMS or size + item_size > MAX_TRANSACTION_BYTES):
            yield part
            part, size = [], 0
        part.append(item)
        size += item_size
    yield part
