"""Sessions in DynamoDB: create, list, read, rename and delete."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from flexchat.aws.dynamodb import Values
from flexchat.cursors import make_cursor, read_cursor, read_numbers
from flexchat.deadline import Deadline
from flexchat.sessions import (
    Exposure,
    MessagePage,
    RecordedMessage,
    Session,
    SessionNotFoundError,
    SessionPage,
    TurnNotFoundError,
    ranges,
    timestamp,
)
from functions.chat.sessions.store.items import (
    LOCK,
    MESSAGES,
    META,
    QUESTION_STEP,
    SHARE,
    SHARES,
    TITLE_CHARACTERS,
    Item,
    after_message,
    end_of_turn,
    incarnation_of,
    message_key,
    meta_item,
    moment,
    owner_prefix,
    partition,
    read_messages,
    read_meta,
    share_of,
    share_partition,
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
            title_by=None if title is None else "person",
            topic=None,
            turns=0,
            created_at=timestamp(now),
            updated_at=timestamp(now),
            expires_at=expires_at,
            exposure=Exposure(),
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
            cursor=session_cursor(scope, last) if last else None,
        )

    def newest(
        self, owner: str, *, scope: str, cursor: str | None, now: float, deadline: Deadline
    ) -> Iterator[Session]:
        """Return all sessions after the cursor of `session_cursor`, the last changed first, read on demand.

        Raises RequestError for a cursor of another `scope`.
        """
        return self._sessions(owner, _index_key(owner, scope, cursor), now, deadline)

    def texts(self, session: Session, *, now: float, deadline: Deadline) -> Iterator[RecordedMessage]:
        """Return the messages without their calls, the newest first, read on demand; the last ones may be missing."""
        items = self._table.query(
            "pk = :pk AND sk BETWEEN :start AND :end",
            {
                ":pk": partition(session.owner, session.id),
                ":start": message_key(session.incarnation, 1, QUESTION_STEP),
                ":end": end_of_turn(session.incarnation, session.turns),
            },
            deadline,
            names={"#at": "at"},
            filter="attribute_exists(message)",
            projection="sk, message, #at, expires_at",
            forward=False,
            page_items=PAGE_ITEMS,
            consistent=False,
        )
        return read_messages(items, now=now)

    def read(
        self,
        owner: str,
        session_id: str,
        *,
        from_turn: int,
        now: float,
        deadline: Deadline,
        branch: int | None = None,
    ) -> tuple[Session, Iterator[RecordedMessage]]:
        """Return a session and the messages of a branch from a turn on, the oldest first, read on demand.

        The branch is as for `messages`. Raises TurnNotFoundError.
        """
        session = self.get(owner, session_id, now=now, deadline=deadline)
        start = message_key(session.incarnation, from_turn, QUESTION_STEP)
        items = self._items(session, branch_path(session, branch), start, deadline)
        return session, read_messages(items, now=now)

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
        branch: int | None = None,
    ) -> MessagePage:
        """Return at most `limit` messages of a branch, the oldest first; fewer where they are long.

        The branch is that of the turn `branch`, with the latest turns that follow it, by default that of the session's
        last turn. Without a cursor the messages begin with the turn `from_turn`. Raises RequestError for a cursor of
        another listing, and TurnNotFoundError.
        """
        session = self.get(owner, session_id, now=now, deadline=deadline)
        path = branch_path(session, branch)
        scope = f"messages {owner} {session_id} {session.incarnation}"
        start = message_key(session.incarnation, from_turn, QUESTION_STEP)
        if cursor is not None:
            turn, step = read_numbers(scope, cursor, fields=2)
            start = after_message(session.incarnation, turn, step)
        page: list[RecordedMessage] = []
        characters = 0
        for message in read_messages(self._items(session, path, start, deadline), now=now):
            if len(page) == limit or characters > MAX_PAGE_CHARACTERS:
                last = page[-1]
                return MessagePage(session, path, tuple(page), make_cursor(scope, str(last.turn), str(last.step)))
            page.append(message)
            characters += message.characters
        return MessagePage(session, path, tuple(page), None)

    def rename(self, owner: str, session_id: str, title: str, *, now: float, deadline: Deadline) -> Session:
        """Change the title of a session."""
        item = self._table.update(
            partition(owner, session_id),
            META,
            "SET title = :title, title_by = :by",
            {":title": text_value(title, TITLE_CHARACTERS), ":by": "person", ":now": moment(now)},
            deadline,
            condition="expires_at > :now",
        )
        if item is None:
            raise SessionNotFoundError(session_id)
        return read_meta(item)

    def claim_title(self, session: Session, *, deadline: Deadline) -> bool:
        """Mark a session as one whose title a model writes; return False when it has a title of a person or a model."""
        return self._set_title(
            session,
            "SET title_by = :model",
            {":model": "model"},
            deadline,
            condition="attribute_not_exists(title_by)",
        )

    def set_title(self, session: Session, title: str, *, deadline: Deadline) -> bool:
        """Store the title of a model after `claim_title`; return False when a person has changed it since."""
        return self._set_title(
            session,
            "SET title = :title",
            {":title": text_value(title, TITLE_CHARACTERS), ":model": "model"},
            deadline,
            condition="title_by = :model",
        )

    def _set_title(
        self, session: Session, expression: str, values: Item, deadline: Deadline, *, condition: str
    ) -> bool:
        changed = self._table.update(
            partition(session.owner, session.id),
            META,
            expression,
            {**values, ":incarnation": session.incarnation},
            deadline,
            condition=f"incarnation = :incarnation AND {condition}",
        )
        return changed is not None

    def delete(self, owner: str, session_id: str, *, deadline: Deadline) -> None:
        """Delete a session: first `META` and the lock, which ends all access and all writes, then the other items.

        After a failure a second call deletes the rest, which belongs to no session and expires by itself. A new session
        with the same id has another incarnation and is not deleted.
        """
        pk = partition(owner, session_id)
        existed = self._table.delete(pk, META, deadline)
        self._unlock(pk, deadline)
        keys = (*self._keys(pk, SHARES, deadline), *self._keys(pk, MESSAGES, deadline))
        spared = self._incarnation(pk, META, deadline)
        left_over = [sk for sk in keys if incarnation_of(sk) != spared]
        for sk in left_over:
            if sk.startswith(SHARES):
                self._table.delete_all(share_partition(share_of(sk)), (SHARE,), deadline)
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

    def _items(self, session: Session, path: Sequence[int], start: str, deadline: Deadline) -> Iterator[Values]:
        """Yield the items of the turns of `path` from the key `start` on, the oldest first."""
        for first, last in ranges(path):
            end = end_of_turn(session.incarnation, last)
            if end >= start:
                yield from self._table.query(
                    "pk = :pk AND sk BETWEEN :start AND :end",
                    {
                        ":pk": partition(session.owner, session.id),
                        ":start": max(start, message_key(session.incarnation, first, QUESTION_STEP)),
                        ":end": end,
                    },
                    deadline,
                    page_items=PAGE_ITEMS,
                )

    def _keys(self, pk: str, prefix: str, deadline: Deadline) -> Iterator[str]:
        """Return the sort keys of the messages or of the links of a session."""
        items = self._table.query(
            "pk = :pk AND begins_with(sk, :prefix)", {":pk": pk, ":prefix": prefix}, deadline, projection="sk"
        )
        return (item["sk"] for item in items)


def branch_path(session: Session, branch: int | None) -> tuple[int, ...]:
    """Return the turns of the branch of a turn, by default of the last one. Raises TurnNotFoundError."""
    if branch is not None and branch > session.turns:
        raise TurnNotFoundError(session.id, branch, session.turns)
    return session.path(session.turns if branch is None else session.latest(branch))


def new_incarnation() -> str:
    """Return a random name that distinguishes a session from earlier and later ones of the same id."""
    return secrets.token_hex(8)


def session_cursor(scope: str, last: Session) -> str:
    """Return the cursor of the sessions after `last` in a listing of sessions."""
    return make_cursor(scope, last.id, last.updated_at)


def _index_key(owner: str, scope: str, cursor: str | None) -> Item | None:
    """Return the key, in the index, of the last session of the page before."""
    if cursor is None:
        return None
    session_id, updated_at = read_cursor(scope, cursor, fields=2)
    return {"pk": partition(owner, session_id), "sk": META, "owner": owner, "updated_at": updated_at}
