"""Turn of one chat: its history, and its record in the session.

A turn is a context manager: it is opened before phase 1, observes the events of the chat, and is closed with the
answer. Leaving the block without an answer abandons it. A failed write never fails the chat: it is repeated, and a
write that is still missing is reported with the answer.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

from msgspec import Struct

from flexchat.api import ChatRequest, history_messages
from flexchat.api.answer import SessionReference
from flexchat.config.models.limits import SessionsConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.messages import AnswerOutcome, Message, Part, ToolOutput, user
from flexchat.observability import logger
from flexchat.runs import HEARTBEAT_SECONDS, LEASE_SECONDS
from flexchat.sessions import (
    Answer,
    AnswerStatus,
    OpenTurn,
    RecordedCall,
    SessionLostError,
    title_of,
)
from functions.chat.deadlines import Heartbeat
from functions.chat.generation.events import Emit, Event, IterationFinished, ignore_event
from functions.chat.resumption.tokens import ChatState
from functions.chat.sessions.history import latest_turns, model_history
from functions.chat.sessions.store.turns import SessionTurns

MAX_STEP_SECONDS = 5.0
MAX_STEP_SHARE = 0.2
"""Largest part of a chat's time for failing writes of steps; the rest is written at its end."""

CLOSING_ATTEMPTS = 3

LOST = "the session was deleted or taken over by another request while this one was being answered"
UNSAVED = (
    "the sessions' table did not store all of this turn in time; the history of the next message may be incomplete"
)


class Turn(Protocol):
    """Turn of a chat, with or without a session. `topic` is that of the previous turn; `history` is repaired."""

    @property
    def history(self) -> tuple[Message, ...]: ...

    @property
    def topic(self) -> str | None: ...

    @property
    def session_id(self) -> str | None: ...

    @property
    def number(self) -> int | None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None, /
    ) -> None: ...

    @property
    def observe(self) -> Emit: ...

    def close(
        self,
        content: str,
        *,
        topic: str | None,
        service: str,
        model: str,
        status: AnswerStatus,
        rule: str | None = None,
        outcome: AnswerOutcome | None = None,
        demo: bool = False,
    ) -> SessionReference | None: ...


class StatelessTurn(Struct, frozen=True):
    """Turn of a chat without a session, with the history of its request; nothing is stored."""

    history: tuple[Message, ...]
    topic: None = None
    session_id: None = None
    number: None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    @property
    def observe(self) -> Emit:
        return ignore_event

    def close(self, content: str, **_fields: object) -> None:
        pass


class _Step(Struct, frozen=True):
    """Step of the tool loop that is not stored yet."""

    number: int
    at: float
    message: Message
    calls: tuple[RecordedCall, ...]


class SessionTurn:
    """Turn of a session, whose lock it holds, and renews if need be, until it is closed or abandoned.

    `message` is the user's. `steps` of the turn are stored already.
    """

    def __init__(
        self,
        *,
        turns: SessionTurns,
        turn: OpenTurn,
        message: str,
        history: tuple[Message, ...],
        steps: int,
        deadline: Deadline,
        clock: Clock,
        heartbeat: Heartbeat | None = None,
    ) -> None:
        self.message = message
        self.history = history
        self._turns = turns
        self._turn = turn
        self._deadline = deadline
        self._clock = clock
        self._steps = steps
        self._pending: list[_Step] = []
        self._step_seconds = min(MAX_STEP_SECONDS, MAX_STEP_SHARE * deadline.remaining())
        self._lost = False
        self._closed = False
        self._heartbeat = heartbeat
        if heartbeat is not None:
            heartbeat.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._closed:
            self.abandon()

    @property
    def session_id(self) -> str:
        return self._turn.session.id

    @property
    def title(self) -> str:
        return self._turn.session.title or ""

    @property
    def topic(self) -> str | None:
        return self._turn.session.topic

    @property
    def number(self) -> int:
        """Number of this turn in its session, from 1."""
        return self._turn.number

    def observe(self, event: Event) -> None:
        """Store a finished step of the tool loop; never raises for a failed write."""
        if not isinstance(event, IterationFinished):
            return
        self._steps += 1
        self._pending.append(_Step(self._steps, self._clock(), event.message, tuple(_calls(event))))
        started = self._deadline.clock()
        if not self._write_pending(self._deadline.within(self._step_seconds)):
            self._step_seconds = max(0.0, self._step_seconds - (self._deadline.clock() - started))

    def close(
        self,
        content: str,
        *,
        topic: str | None,
        service: str,
        model: str,
        status: AnswerStatus,
        rule: str | None = None,
        outcome: AnswerOutcome | None = None,
        demo: bool = False,
    ) -> SessionReference:
        """Store the answer with all unwritten steps, and release the lock.

        `topic` becomes the session's, unless it is None. Steps that are not written before the deadline are missing
        then, and the session stays locked until its lease expires.
        """
        self._end()
        answer = Answer(content, service, model, status, self._turn.run, rule, outcome, demo)
        for _ in range(CLOSING_ATTEMPTS):
            if self._write_pending(self._deadline.within(self._deadline.remaining() / 2)):
                break
        is_complete = not self._pending
        is_finished = any(self._finish(answer, topic) for _ in range(CLOSING_ATTEMPTS))
        if is_complete and is_finished:
            return SessionReference(id=self.session_id, title=self.title, saved=True)
        problem = LOST if self._lost else UNSAVED
        return SessionReference(id=self.session_id, title=self.title, saved=False, problem=problem)

    def abandon(self) -> None:
        """Release the lock of a failed chat, and delete its message when no step was done.

        Never raises for a failed write: the lease expires by itself.
        """
        self._end()
        self._write_pending(self._deadline)
        if self._lost:
            return
        has_steps = self._steps > 0 or not self._turn.is_new
        try:
            self._turns.abandon(self._turn, keep=has_steps, deadline=self._deadline)
        except FlexchatError as exc:
            logger.warning("session not released", reason=str(exc))

    def _end(self) -> None:
        self._closed = True
        if self._heartbeat is not None:
            self._heartbeat.stop()

    def _write_pending(self, deadline: Deadline) -> bool:
        """Return True when no step is left that can still be written."""
        while self._pending and not self._lost:
            step = self._pending[0]
            try:
                self._turns.append(self._turn, step.number, step.message, step.calls, now=step.at, deadline=deadline)
            except FlexchatError as exc:
                self._write_failed(exc)
                return self._lost
            self._pending.pop(0)
        return True

    def _finish(self, answer: Answer, topic: str | None) -> bool:
        if self._lost:
            return False
        try:
            self._turns.finish(self._turn, answer, topic=topic, now=self._clock(), deadline=self._deadline)
        except FlexchatError as exc:
            self._write_failed(exc)
            return False
        return True

    def _write_failed(self, exc: FlexchatError) -> None:
        self._lost = self._lost or isinstance(exc, SessionLostError)
        logger.warning("session not written", lost=self._lost, reason=str(exc))


def _calls(event: IterationFinished) -> Iterator[RecordedCall]:
    """Yield the calls of a step, each with its result."""
    outputs = (part for message in event.outputs for part in message.parts if isinstance(part, ToolOutput))
    for call, output, execution in zip(event.message.tool_calls, outputs, event.executions, strict=True):
        yield RecordedCall(call, output, execution)


LEASE_MARGIN_SECONDS = 3.0
"""Lease of a session beyond the deadline of its request, in seconds."""

MAX_LEASE_SECONDS = LEASE_SECONDS + LEASE_MARGIN_SECONDS
"""The longest lease; a request with more time, which only a background run has, renews it."""

_SECONDS_PER_DAY = 86_400


class Conversations:
    """Sessions of one table, for chats.

    `turns` is called for the first chat with a session. `clock` returns seconds since the epoch. `heartbeat` creates
    the renewal of a long turn's lease. A session expires `ttl_days` of its settings after its last turn began.
    """

    def __init__(
        self,
        *,
        turns: Callable[[], SessionTurns],
        clock: Clock,
        heartbeat: Callable[[Callable[[], bool]], Heartbeat] = Heartbeat,
    ) -> None:
        self._turns = turns
        self._clock = clock
        self._heartbeat = heartbeat

    def turn(
        self,
        request: ChatRequest,
        state: ChatState | None,
        *,
        owner: str,
        run: str,
        settings: SessionsConfig,
        deadline: Deadline,
        history: Sequence[Message] | None = None,
        content: tuple[Part, ...] = (),
    ) -> Turn:
        """Return the turn of a request, a new one or the unfinished one of `state`.

        `run` is the id of the request. `history` is that of a client that sends it: it takes the place of the
        request's, and one that is not empty that of the session. `content` has the parts of a message with pictures or
        files. Raises the errors of `open` and `resume` for a request
        with a session.
        """
        if state is not None:
            if state.session_id is None or state.turn is None:
                return StatelessTurn(state.history)
            return self.resume(
                owner=owner,
                session_id=state.session_id,
                turn=state.turn,
                run=run,
                settings=settings,
                deadline=deadline,
            )
        if request.session_id is None:
            if history is not None:
                return StatelessTurn(tuple(history))
            earlier = history_messages(request.history)
            return StatelessTurn(latest_turns(earlier, max_tokens=settings.max_history_tokens))
        opened = self.open(
            owner=owner,
            session_id=request.session_id,
            message=request.message,
            run=run,
            settings=settings,
            deadline=deadline,
            content=content,
        )
        if history:  # what a client sends as history is the history
            opened.history = tuple(history)
        return opened

    def open(
        self,
        *,
        owner: str,
        session_id: str,
        message: str,
        run: str,
        settings: SessionsConfig,
        deadline: Deadline,
        content: tuple[Part, ...] = (),
    ) -> SessionTurn:
        """Begin a turn with the user's message, or with its parts in `content`; a missing session is created.

        A redelivered request, with the same `run`, gets the same turn again. `deadline` includes the closing of the
        turn. Raises SessionBusyError while another request holds the lock, UnavailableError and ConfigError.
        """
        now = self._clock()
        turn = self._turns().begin(
            owner,
            session_id,
            Message("user", content) if content else user(message),
            run=run,
            lease_until=self._lease(now, deadline),
            now=now,
            expires_at=expiry_of(now, settings.ttl_days),
            title=title_of(message),
            deadline=deadline,
        )
        return self._opened(turn, message, None, settings, deadline)

    def resume(
        self, *, owner: str, session_id: str, turn: int, run: str, settings: SessionsConfig, deadline: Deadline
    ) -> SessionTurn:
        """Continue a partially answered turn; its new answer replaces the partial one.

        Raises SessionMovedOnError when the turn is answered or no longer the last, SessionNotFoundError,
        SessionBusyError, UnavailableError and ConfigError.
        """
        now = self._clock()
        resumed, recorded = self._turns().resume(
            owner,
            session_id,
            turn,
            run=run,
            lease_until=self._lease(now, deadline),
            now=now,
            expires_at=expiry_of(now, settings.ttl_days),
            deadline=deadline,
        )
        return self._opened(resumed, recorded.question, recorded.steps, settings, deadline)

    def _opened(
        self, turn: OpenTurn, message: str, steps: int | None, settings: SessionsConfig, deadline: Deadline
    ) -> SessionTurn:
        """Return an opened turn; without `steps`, their number is read from the table."""
        try:
            return SessionTurn(
                turns=self._turns(),
                turn=turn,
                message=message,
                history=self._history(turn, settings.max_history_tokens, deadline),
                steps=self._steps(turn, deadline) if steps is None else steps,
                deadline=deadline,
                clock=self._clock,
                heartbeat=self._renewal(turn, deadline),
            )
        except FlexchatError:
            with suppress(FlexchatError):
                self._turns().abandon(turn, keep=not turn.is_new, deadline=deadline)
            raise

    def _renewal(self, turn: OpenTurn, deadline: Deadline) -> Heartbeat | None:
        """Return the renewal of a turn's lease; None where the first lease outlasts the deadline."""
        if deadline.remaining() + LEASE_MARGIN_SECONDS <= MAX_LEASE_SECONDS:
            return None

        def renew() -> bool:
            lease_until = self._lease(self._clock(), deadline)
            return self._turns().renew(turn, lease_until=lease_until, deadline=deadline.within(HEARTBEAT_SECONDS))

        return self._heartbeat(renew)

    def _history(self, turn: OpenTurn, max_tokens: int, deadline: Deadline) -> tuple[Message, ...]:
        if turn.number == 1:
            return ()
        earlier = self._turns().recent(
            turn.session, before=turn.number, max_tokens=max_tokens, now=self._clock(), deadline=deadline
        )
        return model_history((message for each in earlier for message in each.messages), max_tokens=max_tokens)

    def _steps(self, turn: OpenTurn, deadline: Deadline) -> int:
        if turn.is_new:
            return 0
        return self._turns().turn(turn.session, turn.number, now=self._clock(), deadline=deadline).steps

    def _lease(self, now: float, deadline: Deadline) -> float:
        return now + min(deadline.remaining() + LEASE_MARGIN_SECONDS, MAX_LEASE_SECONDS)


def expiry_of(now: float, ttl_days: int) -> int:
    """Return the expiry of a session that changes now: whole seconds since the epoch, as DynamoDB's TTL expects."""
    return int(now) + ttl_days * _SECONDS_PER_DAY
