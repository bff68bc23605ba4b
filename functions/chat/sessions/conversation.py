"""A chat's session: what it remembers for the model, and how the chat's own turn gets into it.

A chat opens its conversation before it does anything else, lets it observe what happens, and closes it with the answer,
or abandons it. Recording never stands in the way of the answer: what cannot be written is tried again, and said at the
end to be missing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from flexchat.api.answer import SessionReference
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.messages import AnswerOutcome, Message, ToolOutput
from flexchat.observability import logger
from flexchat.sessions import (
    Answer,
    AnswerStatus,
    OpenTurn,
    RecordedCall,
    SessionLostError,
)
from functions.chat.generation.events import Event, TurnFinished
from functions.chat.runs.heartbeat import Heartbeat
from functions.chat.sessions.store.turns import SessionTurns

PATIENCE_SECONDS = 5.0
PATIENCE_SHARE = 0.2
"""The most that steps which cannot be recorded may take of a chat's time; what is left then waits for its end."""

CLOSING_ATTEMPTS = 3

LOST = "the session was deleted or taken over by another request while this one was being answered"
UNSAVED = "the sessions' table did not take all of this turn in time; the next message may find it incomplete"


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of the tool loop that is to be recorded."""

    number: int
    at: float
    message: Message
    calls: tuple[RecordedCall, ...]


class Conversation:
    """The session of one chat, which holds its lock until it is closed or abandoned, by renewing it if need be.

    `history` is what the model is told of earlier turns, `message` the user's own of this one, `topic` that of the
    turn before.
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
        self._patience = min(PATIENCE_SECONDS, PATIENCE_SHARE * deadline.remaining())
        self._lost = False
        self._heartbeat = heartbeat

    def begin(self) -> None:
        """Renew the lock's lease from now on, where that is needed."""
        if self._heartbeat is not None:
            self._heartbeat.start()

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
    def turn(self) -> int:
        """The number of this turn, from 1."""
        return self._turn.number

    @property
    def is_first_turn(self) -> bool:
        return not self.history

    def observe(self, event: Event) -> None:
        """Record a step of the tool loop when it has ended; never raises for what cannot be recorded."""
        if not isinstance(event, TurnFinished):
            return
        self._steps += 1
        self._pending.append(_Step(self._steps, self._clock(), event.message, tuple(_calls(event))))
        started = self._deadline.clock()
        if not self._record_pending(self._deadline.within(self._patience)):
            self._patience = max(0.0, self._patience - (self._deadline.clock() - started))

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
        """Record the answer with all that is still to be recorded, and give up the lock.

        `topic` becomes the session's, unless it is None. What cannot be written before the deadline is missing then,
        and the session stays locked until the request's lease is over.
        """
        self._stop_renewing()
        answer = Answer(content, service, model, status, self._turn.run, rule, outcome, demo)
        for _ in range(CLOSING_ATTEMPTS):
            if self._record_pending(self._deadline.within(self._deadline.remaining() / 2)):
                break
        whole = not self._pending
        is_closed = any(self._is_finished(answer, topic) for _ in range(CLOSING_ATTEMPTS))
        if whole and is_closed:
            return SessionReference(id=self.session_id, title=self.title, saved=True)
        problem = LOST if self._lost else UNSAVED
        return SessionReference(id=self.session_id, title=self.title, saved=False, problem=problem)

    def abandon(self) -> None:
        """Give up the lock of a chat that failed; when nothing was done, its message is not kept either.

        Never raises for what cannot be written: the lease ends by itself.
        """
        self._stop_renewing()
        self._record_pending(self._deadline)
        if self._lost:
            return
        something_done = self._steps > 0 or not self._turn.is_new
        try:
            self._turns.abandon(self._turn, keep=something_done, deadline=self._deadline)
        except FlexchatError as exc:
            logger.warning("session not released", reason=str(exc))

    def _stop_renewing(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.stop()

    def _record_pending(self, deadline: Deadline) -> bool:
        """Whether nothing is left to be recorded that can be."""
        while self._pending and not self._lost:
            step = self._pending[0]
            try:
                self._turns.append(self._turn, step.number, step.message, step.calls, now=step.at, deadline=deadline)
            except FlexchatError as exc:
                self._note(exc)
                return self._lost
            self._pending.pop(0)
        return True

    def _is_finished(self, answer: Answer, topic: str | None) -> bool:
        if self._lost:
            return False
        try:
            self._turns.finish(self._turn, answer, topic=topic, now=self._clock(), deadline=self._deadline)
        except FlexchatError as exc:
            self._note(exc)
            return False
        return True

    def _note(self, exc: FlexchatError) -> None:
        self._lost = self._lost or isinstance(exc, SessionLostError)
        logger.warning("session not written", lost=self._lost, reason=str(exc))


def _calls(event: TurnFinished) -> Iterator[RecordedCall]:
    """The calls of a step, each with its result."""
    outputs = (part for message in event.outputs for part in message.parts if isinstance(part, ToolOutput))
    for call, output, execution in zip(event.message.tool_calls, outputs, event.executions, strict=True):
        yield RecordedCall(call, output, execution)
