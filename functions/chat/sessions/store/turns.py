"""Turns of a session in DynamoDB: a chat writes its own turn and reads earlier ones.

Each step is one transaction, on the condition that the writer still holds the session's lock. A request that is
interrupted leaves complete steps, and a request with an expired lease cannot change the next one.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from flexchat.aws.dynamodb import Value, Values
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.messages import Message
from flexchat.sessions import (
    MAX_FORKS,
    Answer,
    Exposure,
    OpenTurn,
    RecordedCall,
    RecordedMessage,
    RecordedTurn,
    Session,
    SessionBusyError,
    SessionForksError,
    SessionLostError,
    SessionMovedOnError,
    SessionNotFoundError,
    TurnNotFoundError,
    call_characters,
    message_tokens,
    ranges,
    timestamp,
)
from functions.chat.sessions.store.items import (
    ANSWER_STEP,
    LOCK,
    QUESTION_STEP,
    TOPIC_CHARACTERS,
    Item,
    answer_item,
    call_item,
    end_of_turn,
    exposure_value,
    forks_value,
    message_item,
    message_key,
    moment,
    partition,
    read_messages,
    text_value,
)
from functions.chat.sessions.store.sessions import new_incarnation
from functions.chat.sessions.store.writes import (
    HOLDS_LOCK,
    RefusedError,
    SessionTable,
    SessionWrites,
    holder,
    transactions,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

ATTEMPTS = 5
"""Attempts to begin a turn while other requests change the session."""

PAGE_ITEMS = 50
"""Items in one page of a query."""


class SessionTurns:
    """The turns of the sessions of one DynamoDB table.

    `now` and `lease_until` are in seconds since the epoch. Every method raises UnavailableError when the table does not
    answer before the deadline, and ConfigError for an error that only the operator can correct.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = SessionTable(client, table)
        self._writes = SessionWrites(table)

    def begin(
        self,
        owner: str,
        session_id: str,
        message: Message,
        *,
        run: str,
        lease_until: float,
        now: float,
        expires_at: int,
        title: str,
        deadline: Deadline,
        parent: int | None = None,
        answering: str | None = None,
    ) -> OpenTurn:
        """Lock the session for the request `run` and record the user's message, in one transaction.

        A session that does not exist is created; `title` is for one without a title. The turn follows the turn
        `parent`, by default the session's last. `answering` is the run whose events are those of the answer. A second
        call of the same `run` returns the same turn. Raises SessionBusyError while another request holds the lock,
        TurnNotFoundError and SessionForksError.
        """
        incarnation = new_incarnation()
        for _ in range(ATTEMPTS):
            held = self._table.session(owner, session_id, now=now, deadline=deadline)
            _refuse_busy(held, run, now)
            is_new = held is None or held.lock_run != run
            forks = _forks(held, session_id, parent if is_new else None)
            session = Session(
                id=session_id,
                owner=owner,
                incarnation=held.incarnation if held else incarnation,
                title=held.title if held and held.title else title,
                title_by=held.title_by if held else None,
                topic=held.topic if held and parent != 0 else None,
                turns=(held.turns if held else 0) + (1 if is_new else 0),
                created_at=held.created_at if held else timestamp(now),
                updated_at=timestamp(now),
                expires_at=expires_at,
                lock_run=run,
                lock_until=lease_until,
                answering=answering,
                forks=forks,
                exposure=held.exposure if held else Exposure(),
            )
            turn = OpenTurn(session, session.turns, run, expires_at, is_new=is_new)
            question = message_item(turn, QUESTION_STEP, message, now=now)
            lock = self._writes.taken(turn, held.turns, now=now) if held else self._writes.created(session, now=now)
            if self._is_written((*lock, self._writes.put(question)), deadline):
                return turn
        raise SessionBusyError(session_id, until=lease_until, now=now)

    def resume(
        self,
        owner: str,
        session_id: str,
        number: int,
        *,
        run: str,
        lease_until: float,
        now: float,
        expires_at: int,
        deadline: Deadline,
        answering: str | None = None,
    ) -> tuple[OpenTurn, RecordedTurn]:
        """Lock the session again for a turn without a complete answer, and return the turn with its messages.

        Raises SessionMovedOnError when the turn is not the session's last or has a complete answer, SessionBusyError
        while another request holds the lock, SessionNotFoundError without such a session.
        """
        for _ in range(ATTEMPTS):
            held = self._table.session(owner, session_id, now=now, deadline=deadline)
            if held is None:
                raise SessionNotFoundError(session_id)
            _refuse_busy(held, run, now)
            recorded = self.turn(held, number, now=now, deadline=deadline)
            if held.turns != number or not recorded.is_open:
                raise SessionMovedOnError(session_id)
            session = replace(
                held,
                updated_at=timestamp(now),
                expires_at=expires_at,
                lock_run=run,
                lock_until=lease_until,
                answering=answering,
            )
            turn = OpenTurn(session, number, run, recorded.recorded[0].expires_at, is_new=False)
            lock = self._writes.taken(turn, held.turns, now=now)
            if self._is_written((*lock, self._writes.answer_is_partial(turn)), deadline):
                return turn, recorded
        raise SessionBusyError(session_id, until=lease_until, now=now)

    def renew(self, turn: OpenTurn, *, lease_until: float, deadline: Deadline) -> bool:
        """Extend the lease of the turn's request; False when the request no longer holds the lock."""
        renewed = self._table.update(
            partition(turn.session.owner, turn.session.id),
            LOCK,
            "SET lock_until = :until",
            {**holder(turn), ":until": moment(lease_until)},
            deadline,
            condition=HOLDS_LOCK,
        )
        return renewed is not None

    def replace_question(
        self, turn: OpenTurn, message: Message, *, title: str | None, now: float, deadline: Deadline
    ) -> None:
        """Record the user's message of a turn in place of the present one, and the title of its session, if given.

        Idempotent. Raises SessionLostError.
        """
        items = [self._writes.fence(turn), self._writes.put(message_item(turn, QUESTION_STEP, message, now=now))]
        if title is not None:
            items.append(self._writes.titled(turn, title))
        self._write(turn, items, deadline)

    def append(
        self,
        turn: OpenTurn,
        step: int,
        message: Message,
        calls: Sequence[RecordedCall],
        *,
        now: float,
        deadline: Deadline,
        exposure: Exposure | None = None,
    ) -> None:
        """Record a step of the tool loop: the assistant's message, and its calls with their results.

        One transaction where they fit. Otherwise the calls are written first, and the message, without which readers
        ignore them, last. `exposure` becomes the session's in the first one. Idempotent. Raises SessionLostError.
        """
        characters = call_characters(len(calls))
        items = [call_item(turn, step, place, call, characters=characters) for place, call in enumerate(calls)]
        items.append(message_item(turn, step, message, now=now))
        exposed = () if exposure is None else (self._writes.exposed(turn, exposure),)
        for part in transactions(items):
            self._write(turn, (self._writes.fence(turn), *exposed, *map(self._writes.put, part)), deadline)
            exposed = ()

    def finish(
        self,
        turn: OpenTurn,
        answer: Answer,
        *,
        topic: str | None,
        now: float,
        deadline: Deadline,
        exposure: Exposure | None = None,
    ) -> None:
        """Record the turn's answer and release the lock, in one transaction; an earlier partial answer is replaced.

        Without a `topic` or an `exposure` that of the session remains. Idempotent. Raises SessionLostError.
        """
        values: Item = {":now": timestamp(now)}
        changes = "SET updated_at = :now"
        if topic is not None:
            changes += ", topic = :topic"
            values[":topic"] = text_value(topic, TOPIC_CHARACTERS)
        if exposure is not None:
            changes += ", exposure = :exposure"
            values[":exposure"] = exposure_value(exposure)
        released = self._writes.released(turn, changes, values)
        try:
            self._write(turn, (*released, self._writes.put(answer_item(turn, answer, now=now))), deadline)
        except SessionLostError:
            if not self._is_answered(turn, deadline):
                raise

    def abandon(self, turn: OpenTurn, *, keep: bool, deadline: Deadline, exposure: Exposure | None = None) -> None:
        """Release the lock and, in the same transaction, delete the user's message unless `keep`.

        The `exposure` of a turn that is kept becomes the session's. Raises SessionLostError.
        """
        if keep:
            exposed = () if exposure is None else (self._writes.exposed(turn, exposure),)
            self._write(turn, (*self._writes.released(turn), *exposed), deadline)
            return
        changes, values = "SET turns = :previous", dict[str, Value]({":previous": turn.number - 1})
        if turn.number in turn.session.forks:
            left = {number: parent for number, parent in turn.session.forks.items() if number != turn.number}
            changes, values[":forks"] = f"{changes}, forks = :forks", forks_value(left)
        released = self._writes.released(turn, changes, values)
        self._write(turn, (*released, self._writes.deleted_question(turn)), deadline)

    def recent(
        self, session: Session, *, before: int, max_tokens: int, now: float, deadline: Deadline
    ) -> tuple[RecordedTurn, ...]:
        """Return the last turns on the path to the turn `before`, oldest first, up to `max_tokens`.

        A last turn that is larger alone is returned without its steps.
        """
        newest_first = read_messages(self._newest_first(session, before, deadline), now=now)
        turns: list[RecordedTurn] = []
        tokens = 0
        for number, messages in groupby(newest_first, key=attrgetter("turn")):
            recorded: list[RecordedMessage] = []
            for message in messages:
                tokens += sum(map(message_tokens, message.messages))
                if tokens > max_tokens and message.step != QUESTION_STEP:
                    if not turns:
                        turns.append(self._without_steps(session, number, now, deadline))
                    return tuple(reversed(turns))
                recorded.append(message)
            turns.append(RecordedTurn(number, tuple(reversed(recorded))))
        return tuple(reversed(turns))

    def question(
        self, owner: str, session_id: str, number: int, *, now: float, deadline: Deadline
    ) -> tuple[int, Message]:
        """Return the turn that the turn `number` follows, and the user's message of `number`.

        Raises SessionNotFoundError, and TurnNotFoundError also for a turn that has expired.
        """
        session = self._table.session(owner, session_id, now=now, deadline=deadline)
        if session is None:
            raise SessionNotFoundError(session_id)
        key = message_key(session.incarnation, number, QUESTION_STEP)
        item = self._table.get(partition(owner, session_id), key, deadline) if number <= session.turns else None
        recorded = next(iter(read_messages([item] if item else [], now=now)), None)
        if recorded is None:
            raise TurnNotFoundError(session_id, number, session.turns)
        return session.parent(number), recorded.message

    def turn(self, session: Session, number: int, *, now: float, deadline: Deadline) -> RecordedTurn:
        """Return the recorded messages of one turn."""
        start = message_key(session.incarnation, number, QUESTION_STEP)
        items = self._items(session, start, end_of_turn(session.incarnation, number), deadline, forward=True)
        return RecordedTurn(number, tuple(read_messages(items, now=now)))

    def _newest_first(self, session: Session, before: int, deadline: Deadline) -> Iterator[Values]:
        """Yield the items of the path to the turn `before`, without its own, the newest first."""
        for first, last in reversed(ranges(session.path(session.parent(before)))):
            start = message_key(session.incarnation, first, QUESTION_STEP)
            yield from self._items(session, start, end_of_turn(session.incarnation, last), deadline, forward=False)

    def _without_steps(self, session: Session, number: int, now: float, deadline: Deadline) -> RecordedTurn:
        keys = (message_key(session.incarnation, number, step) for step in (QUESTION_STEP, ANSWER_STEP))
        items = (self._table.get(partition(session.owner, session.id), key, deadline) for key in keys)
        return RecordedTurn(number, tuple(read_messages((item for item in items if item), now=now)))

    def _items(self, session: Session, start: str, end: str, deadline: Deadline, *, forward: bool) -> Iterator[Values]:
        return self._table.query(
            "pk = :pk AND sk BETWEEN :start AND :end",
            {":pk": partition(session.owner, session.id), ":start": start, ":end": end},
            deadline,
            forward=forward,
            page_items=PAGE_ITEMS,
        )

    def _is_written(self, items: "Sequence[TransactWriteItemTypeDef]", deadline: Deadline) -> bool:
        """Write on the condition that the session is unchanged since it was read; return False otherwise."""
        try:
            self._table.transact(items, deadline)
        except RefusedError:
            return False
        return True

    def _write(self, turn: OpenTurn, items: "Sequence[TransactWriteItemTypeDef]", deadline: Deadline) -> None:
        """Write on the condition, of the first item, that the turn's request holds the lock."""
        try:
            self._table.transact(items, deadline)
        except RefusedError as exc:
            if not exc.unmet:
                raise UnavailableError("a session was being changed at the same moment") from exc
            raise SessionLostError(
                f"the session {turn.session.id!r} was deleted, or another request took it over"
            ) from exc

    def _is_answered(self, turn: OpenTurn, deadline: Deadline) -> bool:
        """Return True when an earlier attempt of this request finished the turn and only its response was lost."""
        session = turn.session
        key = message_key(session.incarnation, turn.number, ANSWER_STEP)
        item = self._table.get(partition(session.owner, session.id), key, deadline)
        return item is not None and item["request_id"] == turn.run


def _forks(held: Session | None, session_id: str, parent: int | None) -> Mapping[int, int]:
    """Return the forks of a session with a new turn after `parent`. Raises TurnNotFoundError and SessionForksError."""
    turns = held.turns if held else 0
    if parent is not None and parent > turns:
        raise TurnNotFoundError(session_id, parent, turns)
    forks: Mapping[int, int] = held.forks if held else {}
    if parent is None or parent == turns:
        return forks
    if len(forks) >= MAX_FORKS:
        raise SessionForksError(session_id)
    return {**forks, turns + 1: parent}


def _refuse_busy(held: Session | None, run: str, now: float) -> None:
    if held is not None and held.is_held(now=now, run=run):
        raise SessionBusyError(held.id, until=held.lock_until, now=now)
