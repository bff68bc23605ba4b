"""Links to sessions in DynamoDB.

A link has two items: `SHARE#<id>`, which a reader's request finds, and one in the partition of its session, which lists
the links and is deleted with it. A link of a deleted session shows nothing: it is valid for one incarnation.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from flexchat.aws.dynamodb import Values
from flexchat.deadline import Deadline
from flexchat.redacted_struct import RedactedStruct
from flexchat.sessions import Session
from flexchat.tokens import Role
from functions.chat.sessions.store.items import SHARE, SHARES, Item, moment, partition, share_key, share_partition
from functions.chat.sessions.store.writes import SessionTable, SessionWrites

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class Share(RedactedStruct, frozen=True, kw_only=True):
    """Link to the branch of a session that ends with `turn` and has `turns`, for tokens with `role`.

    `digest` is the hash of its secret. `created_at` is ISO 8601 in UTC, `expires_at` seconds since the epoch.
    """

    redacted: ClassVar = ("digest",)

    id: str
    owner: str
    session_id: str
    incarnation: str
    digest: bytes
    turn: int
    turns: int
    role: Role
    tool_calls: bool
    attachments: bool
    created_at: str
    expires_at: int


class ShareStore:
    """The links of the sessions of one DynamoDB table.

    `now` is in seconds since the epoch. Every method raises UnavailableError when the table does not answer before the
    deadline, and ConfigError for an error that only the operator can correct.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = SessionTable(client, table)
        self._writes = SessionWrites(table)

    def add(self, share: Share, *, deadline: Deadline) -> None:
        """Store a new link."""
        listed, found = _items(share)
        self._table.transact((self._writes.put(listed), self._writes.put(found)), deadline)

    def of_session(self, session: Session, *, now: float, deadline: Deadline) -> tuple[Share, ...]:
        """Return the links of a session that have not expired, the newest first."""
        items = self._table.query(
            "pk = :pk AND begins_with(sk, :shares)",
            {
                ":pk": partition(session.owner, session.id),
                ":shares": f"{SHARES}{session.incarnation}#",
                ":now": moment(now),
            },
            deadline,
            filter="expires_at > :now",
        )
        return tuple(sorted(_read_all(items), key=lambda share: share.created_at, reverse=True))

    def find(self, id: str, *, now: float, deadline: Deadline) -> Share | None:
        """Return a link, read consistently: a revocation has effect at once. None for an expired one."""
        item = self._table.get(share_partition(id), SHARE, deadline)
        return None if item is None or item["expires_at"] <= now else _read(item)

    def remove(self, share: Share, *, deadline: Deadline) -> None:
        """Delete a link, first the item that readers find."""
        self._table.delete(share_partition(share.id), SHARE, deadline)
        self._table.delete(partition(share.owner, share.session_id), share_key(share.incarnation, share.id), deadline)


def _items(share: Share) -> tuple[Item, Item]:
    facts: Item = {
        "share_id": share.id,
        "share_owner": share.owner,
        "session_id": share.session_id,
        "incarnation": share.incarnation,
        "digest": share.digest,
        "turn": share.turn,
        "turns": share.turns,
        "role": share.role,
        "tool_calls": share.tool_calls,
        "attachments": share.attachments,
        "created_at": share.created_at,
        "expires_at": share.expires_at,
    }
    place = {"pk": partition(share.owner, share.session_id), "sk": share_key(share.incarnation, share.id)}
    return {**place, **facts}, {"pk": share_partition(share.id), "sk": SHARE, **facts}


def _read_all(items: Iterator[Values]) -> Iterator[Share]:
    return map(_read, items)


def _read(item: Values) -> Share:
    return Share(
        id=item["share_id"],
        owner=item["share_owner"],
        session_id=item["session_id"],
        incarnation=item["incarnation"],
        digest=item["digest"],
        turn=item["turn"],
        turns=item["turns"],
        role=item["role"],
        tool_calls=item["tool_calls"],
        attachments=item["attachments"],
        created_at=item["created_at"],
        expires_at=item["expires_at"],
    )
