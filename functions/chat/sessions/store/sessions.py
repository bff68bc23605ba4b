"""Sessions in DynamoDB: create, list, read, rename and delete."""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from flexchat.cursors import make_cursor, read_cursor, read_numbers
from flexchat.deadline import Deadline
from flexchat.sessions import MessagePage, RecordedMessage, Session, SessionNotFoundError, SessionPage, timestamp
from functions.chat.sessions.store.items import (
    LOCK,
    MESSAGES,
    META,
    QUESTION_STEP,
    TITLE_CHARACTERS,
    Item,
    after_message,
    incarnation_of,
    last_of,
    message_key,
    meta_item,
    moment,
    owner_prefix,
    partition,
    read_messages,
    read_meta,
    text_value,
)
from functions.chat.sessions.store.writes import BY_OWNER, RefusedError, SessionTable, SessionWrites

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PAGE_ITEMS = 100
"""Items in one page of a query."""

MAX_PAGE_CHARACTERS = 1_000_000
"""Characters after which a page of messages ends early."""


class SessionStore:
    """The sessions of one DynamoDB table.

    `owner` is the principal that a session belongs to, `now` the time in seconds since the epoch. Every method raises
    UnavailableError when the table does not answer before the deadline, and ConfigError for an error that only the
    operator can correct. A session that does not exist, has expired or has another owner is a SessionNotFoundError.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = SessionTable(client, table)
        self._writes = SessionWrites(table)

    def create(
        self, owner: str, session_id: str, *, title: str | None, now: float, expires_at: int, deadline: Deadline
    ) -> Session:
        """Store a new session without messages; an existing id is an UnavailableError."""
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
        self._table.put(meta_item(session), deadline, if_absent=True)
        return session

    def get(self, owner: str, session_id: str, *, now: float, deadline: Deadline) -> Session:
        """Return one session, read consistently."""
        session = self._table.session(owner, session_id, now=now, deadline=deadline)
        if session is None:
            raise SessionNotFoundError(session_id)
        return session

    def list(self, owner: str, *, limit: int, cursor: str | None, now: float, deadline: Deadline) -> SessionPage:
        """Return at most `limit` sessions, the last changed first; a change may appear with a delay.

        Raises RequestError for a cursor of another listing.
        """
        scope = f"sessions {owner}"
        found = list(islice(self._sessions(owner, _index_key(owner, scope, cursor), now, deadline), limit + 1))
        last = found[limit - 1] if len(found) > limit else None
        return SessionPage(
            sessions=tuple(found[:limit]),
            cursor=make_cursor(scope, last.id, last.updated_at) if last else None,
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
        """Return at most `limit` messages, the oldest first; fewer where they are long.

        Without a cursor they begin with the turn `from_turn`. Raises RequestError for a cursor of another listing.
        """
        session = self.get(owner, session_id, now=now, deadline=deadline)
        scope = f"messages {owner} {session_id} {session.incarnation}"
        start = message_key(session.incarnation, from_turn, QUESTION_STEP)
        if cursor is not None:
            turn, step = read_numbers(scope, cursor, fields=2)
            start = after_message(session.incarnation, turn, step)
        page: list[RecordedMessage] = []
        characters = 0
        for message in self._messages(session, start, now, deadline):
            if len(page) == limit or characters > MAX_PAGE_CHARACTERS:
                return MessagePage(tuple(page), make_cursor(scope, str(page[-1].turn), str(page[-1].step)))
            page.append(message)
            characters += message.characters
        return MessagePage(tuple(page), None)

    def rename(self, owner: str, session_id: str, title: str, *, now: float, deadline: Deadline) -> Session:
        """Change the title of a session."""
        item = self._table.update(
            partition(owner, session_id),
            META,
            "SET title = :title",
            {":title": text_value(title, TITLE_CHARACTERS), ":now": moment(now)},
            deadline,
            condition="expires_at > :now",
        )
        if item is None:
            raise SessionNotFoundError(session_id)
        return read_meta(item)

    def delete(self, owner: str, session_id: str, *, deadline: Deadline) -> None:
        """Delete a session: first `META` and the lock, which ends all access and all writes, then the other items.

        After a failure a second call deletes the rest, which belongs to no session and expires by itself. A new session
        with the same id has another incarnation and is not deleted.
        """
        pk = partition(owner, session_id)
        existed = self._table.delete(pk, META, deadline)
        self._unlock(pk, deadline)
        keys = tuple(self._message_keys(pk, deadline))
        spared = self._incarnation(pk, META, deadline)
        left_over = [sk for sk in keys if incarnation_of(sk) != spared]
        self._table.delete_all(pk, left_over, deadline)
        if not existed and not left_over:
            raise SessionNotFoundError(session_id)

    def _unlock(self, pk: str, deadline: Deadline) -> None:
        locked = self._incarnation(pk, LOCK, deadline)
        if locked is not None and locked != self._incarnation(pk, META, deadline):
            with suppress(RefusedError):
                self._table.transact((self._writes.unlocked(pk, locked),), deadline)

    def _incarnation(self, pk: str, sk: str, deadline: Deadline) -> str | None:
        item = self._table.get(pk, sk, deadline)
        return item["incarnation"] if item else None

    def _sessions(self, owner: str, after: Item | None, now: float, deadline: Deadline) -> Iterator[Session]:
        items = self._table.query(
            "#owner = :owner",
            {":owner": owner, ":now": moment(now)},
            deadline,
            index=BY_OWNER,
            names={"#owner": "owner"},
            filter="expires_at > :now",
            forward=False,
            page_items=PAGE_ITEMS,
            after=after,
        )
        prefix = owner_prefix(owner)
        return (read_meta(item) for item in items if item["pk"].startswith(prefix))

    def _messages(self, session: Session, start: str, now: float, deadline: Deadline) -> Iterator[RecordedMessage]:
        items = self._table.query(
            "pk = :pk AND sk BETWEEN :start AND :end",
            {
                ":pk": partition(session.owner, session.id),
                ":start": start,
                ":end": last_of(session.incarnation),
            },
            deadline,
            page_items=PAGE_ITEMS,
        )
        return read_messages(items, now=now)

    def _message_keys(self, pk: str, deadline: Deadline) -> Iterator[str]:
        items = self._table.query(
            "pk = :pk AND begins_with(sk, :messages)", {":pk": pk, ":messages": MESSAGES}, deadline, projection="sk"
        )
        return (item["sk"] for item in items)


def new_incarnation() -> str:
    """Return a random name that distinguishes a session from earlier and later ones of the same id."""
    return secrets.token_hex(8)


def _index_key(owner: str, scope: str, cursor: str | None) -> Item | None:
    """Return the key, in the index, of the last session of the page before."""
    if cursor is None:
        return None
    session_id, updated_at = read_cursor(scope, cursor, fields=2)
    return {"pk": partition(owner, session_id), "sk": META, "owner": owner, "updated_at": updated_at}
