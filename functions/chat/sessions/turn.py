"""Turn of one chat: its history, and its record in the session.

A turn is a context manager: it is opened before phase 1, observes the events of the chat, and is closed with the
answer. Leaving the block without an answer abandons it; a chat that its client stopped is closed with the text so far.
A failed write never fails the chat: it is repeated, and a write that is still missing is reported with the answer.
"""

from collections.abc import Collection, Iterator
from types import TracebackType
from typing import Protocol, Self

from msgspec import Struct, field

from flexchat.api.answer import SessionReference
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.messages import AnswerOutcome, Message, ToolOutput
from flexchat.observability import logger
from flexchat.sessions import (
    Answer,
    AnswerStatus,
    AnswerTotals,
    Exposure,
    OpenTurn,
    RecordedCall,
    SessionLostError,
    title_of,
)
from functions.chat.choices import NO_CHOICE, Choice
from functions.chat.deadlines import Heartbeat
from functions.chat.errors import is_stop
from functions.chat.generation.checks import WITHHELD_MESSAGE
from functions.chat.generation.events import (
    Emit,
    Event,
    IterationFinished,
    ModelDelta,
    ModelStarted,
    RuleMatched,
    ignore_event,
)
from functions.chat.providers.base import TextDelta
from functions.chat.sessions.store.turns import SessionTurns
from functions.chat.tools.marking import nonce_of
from functions.chat.tools.policy import ExposureTracker

MAX_STEP_SECONDS = 5.0
MAX_STEP_SHARE = 0.2
"""Largest part of a chat's time for failing writes of steps; the rest is written at its end."""

CLOSING_ATTEMPTS = 3

LOST = "the session was deleted or taken over by another request while this one was being answered"
UNSAVED = (
    "the sessions' table did not store all of this turn in time; the history of the next message may be incomplete"
)


class Turn(Protocol):
    """Turn of a chat, with or without a session. `topic` is that of the previous turn; `history` is repaired.

    `exposure` is that of the conversation, to which the chat adds what it reads.
    """

    @property
    def history(self) -> tuple[Message, ...]: ...

    @property
    def topic(self) -> str | None: ...

    @property
    def session_id(self) -> str | None: ...

    @property
    def number(self) -> int | None: ...

    @property
    def exposure(self) -> ExposureTracker: ...

    @property
    def stopped(self) -> str | None:
        """Text of the answer that was stored when the client stopped the chat; None for another end."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None, /
    ) -> None: ...

    @property
    def observe(self) -> Emit: ...

    def asked(self, message: Message) -> None:
        """Record the user's message in place of the text that withholds it until its check."""
        ...

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
        totals: AnswerTotals | None = None,
    ) -> SessionReference | None: ...


class StatelessTurn(Struct, frozen=True):
    """Turn of a chat without a session, with the history of its request; nothing is stored."""

    history: tuple[Message, ...]
    topic: None = None
    session_id: None = None
    number: None = None
    stopped: None = None
    exposure: ExposureTracker = field(default_factory=ExposureTracker)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    @property
    def observe(self) -> Emit:
        return ignore_event

    def asked(self, message: Message) -> None:
        pass

    def close(self, content: str, **_fields: object) -> None:
        pass


class _Step(Struct, frozen=True):
    """Step of the tool loop that is not stored yet."""

    number: int
    at: float
    message: Message
    calls: tuple[RecordedCall, ...]


class _Progress(Struct):
    """Text of the running model call, or of the one that ended last, with its model and its rule."""

    rule: str | None = None
    model: str = ""
    has_begun: bool = False
    _texts: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def receive(self, event: Event) -> None:
        """Add an event of the chat. It has begun with the first text or the first finished step."""
        match event:
            case RuleMatched():
                self.rule = event.rule
            case ModelStarted():
                self.model = event.name
                self._texts.clear()
            case ModelDelta(delta=TextDelta(text=text)):
                self._texts.append(text)
                self.has_begun = self.has_begun or bool(text.strip())
            case IterationFinished():
                self._texts.clear()
                self.has_begun = True
            case _:
                pass


class SessionTurn:
    """Turn of a session, whose lock it holds, and renews if need be, until it is closed or abandoned.

    `message` is the user's. `steps` of the turn are stored already. `choice` is the caller's, `demo_llms` are those
    of the demo model. With `titled`, a model writes the title of a new session.
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
        titled: bool = False,
        choice: Choice = NO_CHOICE,
        demo_llms: Collection[str] = (),
    ) -> None:
        self.message = message
        self.history = history
        self.stopped: str | None = None
        self._recorded = turn.session.exposure
        self.exposure = ExposureTracker(
            self._recorded or Exposure(),
            is_complete=self._recorded is not None,
            nonce=nonce_of(turn.session.incarnation),
        )
        self._choice = choice
        self._demo_llms = demo_llms
        self._progress = _Progress()
        self._turns = turns
        self._turn = turn
        self._title: str | None = None
        self._deadline = deadline
        self._clock = clock
        self._steps = steps
        self._question: Message | None = None
        self._pending: list[_Step] = []
        self._step_seconds = min(MAX_STEP_SECONDS, MAX_STEP_SHARE * deadline.remaining())
        self._lost = False
        self._closed = False
        self._needs_title = titled and turn.number == 1 and turn.session.title_by is None
        self._heartbeat = heartbeat
        if heartbeat is not None:
            heartbeat.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._closed:
            return
        if is_stop(error) and self._progress.has_begun:
            self._stop()
        else:
            self.abandon()

    @property
    def session_id(self) -> str:
        return self._turn.session.id

    @property
    def title(self) -> str:
        return self._title or self._turn.session.title or ""

    @property
    def topic(self) -> str | None:
        return self._turn.session.topic

    @property
    def number(self) -> int:
        """Number of this turn in its session, from 1."""
        return self._turn.number

    def asked(self, message: Message) -> None:
        """Store the user's message, with the title of a session that has none of its own."""
        self.message, self._question = message.text, message
        session = self._turn.session
        if session.title_by is None and (self.number == 1 or session.title == WITHHELD_MESSAGE):
            self._title = title_of(message.text)
        self._write_pending(self._deadline.within(self._step_seconds))

    def observe(self, event: Event) -> None:
        """Store a finished step of the tool loop; never raises for a failed write."""
        self._progress.receive(event)
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
        totals: AnswerTotals | None = None,
    ) -> SessionReference:
        """Store the answer with all unwritten steps, and release the lock.

        `topic` becomes the session's, unless it is None. Steps that are not written before the deadline are missing
        then, and the session stays locked until its lease expires.
        """
        self._end()
        answer = Answer(
            content,
            service,
            model,
            status,
            self._turn.run,
            rule,
            outcome,
            demo,
            chosen_rule=self._choice.rule,
            chosen_model=self._choice.model,
            totals=totals,
        )
        for _ in range(CLOSING_ATTEMPTS):
            if self._write_pending(self._deadline.within(self._deadline.remaining() / 2)):
                break
        is_complete = not (self._pending or self._question)
        is_finished = any(self._finish(answer, topic) for _ in range(CLOSING_ATTEMPTS))
        if is_complete and is_finished:
            return SessionReference(
                id=self.session_id,
                title=self.title,
                saved=True,
                title_pending=self._needs_title or None,
                turn=self.number,
            )
        problem = LOST if self._lost else UNSAVED
        return SessionReference(id=self.session_id, title=self.title, saved=False, turn=self.number, problem=problem)

    def _stop(self) -> None:
        """Store the text of the answer so far, which the client has ended."""
        progress = self._progress
        service, _, model = progress.model.partition(":")
        self.stopped = progress.text
        self.close(
            progress.text,
            topic=None,
            service=service,
            model=model,
            status="partial",
            rule=progress.rule,
            outcome="stopped",
            demo=service in self._demo_llms,
        )

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
            self._turns.abandon(self._turn, keep=has_steps, deadline=self._deadline, exposure=self._new_exposure())
        except FlexchatError as exc:
            logger.warning("session not released", reason=str(exc))

    def _end(self) -> None:
        self._closed = True
        if self._heartbeat is not None:
            self._heartbeat.stop()

    def _write_pending(self, deadline: Deadline) -> bool:
        """Return True when no message and no step is left that can still be written."""
        if self._question is not None and not self._lost:
            try:
                self._turns.replace_question(
                    self._turn, self._question, title=self._title, now=self._clock(), deadline=deadline
                )
            except FlexchatError as exc:
                self._write_failed(exc)
                return self._lost
            self._question = None
        while self._pending and not self._lost:
            step, exposure = self._pending[0], self._new_exposure()
            try:
                self._turns.append(
                    self._turn,
                    step.number,
                    step.message,
                    step.calls,
                    now=step.at,
                    deadline=deadline,
                    exposure=exposure,
                )
            except FlexchatError as exc:
                self._write_failed(exc)
                return self._lost
            self._pending.pop(0)
            self._recorded = exposure or self._recorded
        return True

    def _new_exposure(self) -> Exposure | None:
        """Return the exposure of the conversation if it is not recorded yet."""
        return None if self.exposure.current == self._recorded else self.exposure.current

    def _finish(self, answer: Answer, topic: str | None) -> bool:
        if self._lost:
            return False
        try:
            self._turns.finish(
                self._turn,
                answer,
                topic=topic,
                now=self._clock(),
                deadline=self._deadline,
                exposure=self._new_exposure(),
            )
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
