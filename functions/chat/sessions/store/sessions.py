"""Sessions in DynamoDB, as their owner lists, reads, renames and deletes them."""

import secrets
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from flexchat.cursors import cursor_of, numbers_of, position_of
from flexchat.deadline import Deadline
from flexchat.sessions import MessagePage, RecordedMessage, Session, SessionNotFoundError, SessionPage, timestamp
from functions.chat.sessions.store.items import (
    MESSAGES,
    META,
    QUESTION_STEP,
    TITLE_CHARACTERS,
    after_message,
    incarnation_of,
    last_of,
    message_key,
    meta_item,
    owner_prefix,
    partition,
    read_messages,
    read_meta,
    seconds,
)
from functions.chat.sessions.store.table import BY_OWNER, RefusedError, SessionTable
from functions.chat.sessions.store.values import text_value

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import QueryInputTypeDef

PAGE_ITEMS = 100
"""Items that DynamoDB is asked for at a time."""

MAX_PAGE_CHARACTERS = 1_000_000
"""A page of messages ends early when it has come to more than this."""


class SessionStore:
    """The sessions of one DynamoDB table.

    Each method says for whom, its `owner`, by what time, `now` in seconds since the epoch, and until when it has to be
    done. Each raises UnavailableError when the table does not answer by then, and ConfigError when the operator must do
    something first. A session that is not there, has expired, or is another owner's is a SessionNotFoundError.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = SessionTable(client, table)

    def create(
        self, owner: str, session_id: str, *, title: str | None, now: float, expires_at: int, deadline: Deadline
    ) -> Session:
        """A new session without messages, under an id that nobody has."""
        session = Session(
            id=session_id,
            owner=owner,
            incarnation=new_incarnation(),
            title=title,
            topic=None,
            turns=0,
            created_at=timestamp(now),
            updated_at=timestamp(now),
            expires_at=expires_at,
        )
        self._table.put_new(meta_item(session), deadline)
        return session

    def get(self, owner: str, session_id: str, *, now: float, deadline: Deadline) -> Session:
        """One session, as it stands at this moment."""
        session = self._table.session(owner, session_id, now=now, deadline=deadline)
        if session is None:
            raise SessionNotFoundError(session_id)
        return session

    def list(self, owner: str, *, limit: int, cursor: str | None, now: float, deadline: Deadline) -> SessionPage:
        """At most `limit` sessions, the one that changed last first; a change may take a moment to show.

        Raises RequestError for a cursor that is not one of the owner's list.
        """
        scope = f"sessions {owner}"
        found = list(islice(self._sessions(owner, _listed_after(owner, scope, cursor), now, deadline), limit + 1))
        last = found[limit - 1] if len(found) > limit else None
        return SessionPage(
            sessions=tuple(found[:limit]),
            cursor=cursor_of(scope, last.id, last.updated_at) if last else None,
        )

    def messages(
        self,
        owner: str,
        session_id: str,
        *,
        limit: int,
        cursor: str | None,
        now: float,
        deadline: Deadline,
        from_turn: int = 1,
    ) -> MessagePage:
        """At most `limit` messages, the oldest first; fewer where they are long.

        Without a cursor they begin with the turn `from_turn`; a cursor knows where its page begins.

        Raises RequestError for a cursor that is not one of the session.
        """
        session = self.get(owner, session_id, now=now, deadline=deadline)
        scope = f"messages {owner} {session_id} {session.incarnation}"
        start = message_key(session.incarnation, from_turn, QUESTION_STEP)
        if cursor is not None:
            turn, step = numbers_of(scope, cursor, fields=2)
            start = after_message(session.incarnation, turn, step)
        page: list[RecordedMessage] = []
        characters = 0
        for message in self._messages(session, start, now, deadline):
            if len(page) == limit or characters > MAX_PAGE_CHARACTERS:
                return MessagePage(tuple(page), cursor_of(scope, str(page[-1].turn), str(page[-1].step)))
            page.append(message)
            characters += message.characters
        return MessagePage(tuple(page), None)

    def rename(self, owner: str, session_id: str, title: str, *, now: float, deadline: Deadline) -> Session:
        """Give a session another title."""
        change = {
            "Key": {"pk": {"S": partition(owner, session_id)}, "sk": {"S": META}},
            "UpdateExpression": "SET title = :title",
            "ConditionExpression": "expires_at > :now",
            "ExpressionAttributeValues": {":title": text_value(title, TITLE_CHARACTERS), ":now": seconds(now)},
        }
        try:
            return read_meta(self._table.update(change, deadline))
        except RefusedError as exc:
            raise SessionNotFoundError(session_id) from exc

    def delete(self, owner: str, session_id: str, *, deadline: Deadline) -> None:
        """Delete a session: first `META`, and with it all access, then the items.

        When that ends early, deleting it once more goes on; what is left then is in no session, and expires. A session
        that is begun meanwhile under the same id is another incarnation, and is spared.
        """
        pk = partition(owner, session_id)
        existed = self._table.delete(pk, META, deadline)
        keys = tuple(self._message_keys(pk, deadline))
        begun = self._table.get(pk, META, deadline)
        spared = begun["incarnation"]["S"] if begun else None
        left_over = [sk for sk in keys if incarnation_of(sk) != spared]
        self._table.delete_all(pk, left_over, deadline)
        if not existed and not left_over:
            raise SessionNotFoundError(session_id)

    def _sessions(
        self, owner: str, start: Mapping[str, Any] | None, now: float, deadline: Deadline
    ) -> Iterator[Session]:
        query: QueryInputTypeDef = {
            "TableName": self._table.name,
            "IndexName": BY_OWNER,
            "KeyConditionExpression": "#owner = :owner",
            "FilterExpression": "expires_at > :now",
            "ExpressionAttributeNames": {"#owner": "owner"},
            "ExpressionAttributeValues": {":owner": {"S": owner}, ":now": seconds(now)},
            "ScanIndexForward": False,
            "Limit": PAGE_ITEMS,
        }
        if start:
            query["ExclusiveStartKey"] = start
        prefix = owner_prefix(owner)
        items = self._table.query(query, deadline)
        return (read_meta(item) for item in items if item["pk"]["S"].startswith(prefix))

    def _messages(self, session: Session, start: str, now: float, deadline: Deadline) -> Iterator[RecordedMessage]:
        query: QueryInputTypeDef = {
            "TableName": self._table.name,
            "KeyConditionExpression": "pk = :pk AND sk BETWEEN :start AND :end",
            "ExpressionAttributeValues": {
                ":pk": {"S": partition(session.owner, session.id)},
                ":start": {"S": start},
                ":end": {"S": last_of(session.incarnation)},
            },
            "ConsistentRead": True,
            "Limit": PAGE_ITEMS,
        }
        return read_messages(self._table.query(query, deadline), now=now)

    def _message_keys(self, pk: str, deadline: Deadline) -> Iterator[str]:
        query: QueryInputTypeDef = {
            "TableName": self._table.name,
            "KeyConditionExpression": "pk = :pk AND begins_with(sk, :messages)",
            "ExpressionAttributeValues": {":pk": {"S": pk}, ":messages": {"S": MESSAGES}},
            "ProjectionExpression": "sk",
            "ConsistentRead": True,
        }
        return (item["sk"]["S"] for item in self._table.query(query, deadline))


def new_incarnation() -> str:
    """What tells a session from all others that its id has had and will have."""
    return secrets.token_hex(8)


def _listed_after(owner: str, scope: str, cursor: str | None) -> dict[str, Any] | None:
    """The key in the index at which the list goes on."""
    if cursor is None:
        return None
    session_id, updated_at = position_of(scope, cursor, fields=2)
    return {
        "pk": {"S": partition(owner, session_id)},
        "sk": {"S": META},
        "owner": {"S": owner},
        "updated_at": {"S": updated_at},
    }
