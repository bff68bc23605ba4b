"""Sessions for tests: stores on one table, a manual clock, and chats in one line."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api.answer import SessionReference
from flexchat.config.models.limits import SessionsConfig
from flexchat.deadline import Deadline
from flexchat.messages import Json, Message, Text, ToolCall, ToolOutput
from flexchat.sessions import AnswerStatus, Exposure, OpenTurn, RecordedCall
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.deadlines import Heartbeat
from functions.chat.generation.events import IterationFinished
from functions.chat.sessions.conversations import Conversations
from functions.chat.sessions.store.sessions import SessionStore
from functions.chat.sessions.store.turns import SessionTurns
from functions.chat.sessions.turn import SessionTurn
from tests.unit.runs.table import CHATS

NOW = 1_800_000_000.0
"""2027-01-15 08:00 UTC."""

TTL_DAYS = 30
CHAT_SECONDS = 20.0
LEASE_IS_OVER = CHAT_SECONDS + 5
LONG_TIMEOUT_SECONDS = 600.0


class PatientTurns(SessionTurns):
    """Turns whose steps are written at the first attempt, however long a large one takes on a busy machine.

    A write that timed out would continue beside its repetition, which the emulated table does not support.
    """

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
        patient = Deadline.after(LONG_TIMEOUT_SECONDS)
        super().append(turn, step, message, calls, now=now, deadline=patient, exposure=exposure)


@dataclass
class SessionHarness:
    """One table, one clock (seconds since the epoch, and the deadlines' too), one owner's chats."""

    client: DynamoDBClient
    now: float = NOW
    max_history_tokens: int = 16_000
    chat_seconds: float = CHAT_SECONDS
    turns_type: type[SessionTurns] = SessionTurns
    beats: list[Callable[[], bool]] = field(default_factory=list[Callable[[], bool]])
    """Renewals of the leases of the opened conversations, to be called by hand."""

    def clock(self) -> float:
        return self.now

    @property
    def deadline(self) -> Deadline:
        return Deadline.after(self.chat_seconds, clock=self.clock)

    @property
    def settings(self) -> SessionsConfig:
        """Settings of sessions, also with fewer tokens than a configuration may have."""
        return SessionsConfig.model_construct(ttl_days=TTL_DAYS, max_history_tokens=self.max_history_tokens)

    @property
    def turns(self) -> SessionTurns:
        return SessionTurns(self.client, CHATS)

    @property
    def store(self) -> SessionStore:
        return SessionStore(self.client, CHATS)

    def conversations(self, client: DynamoDBClient | None = None) -> Conversations:
        return Conversations(
            turns=lambda: self.turns_type(client or self.client, CHATS),
            clock=self.clock,
            heartbeat=self._heartbeat,
        )

    def _heartbeat(self, beat: Callable[[], bool]) -> Heartbeat:
        """A heartbeat that is stopped from the beginning."""
        self.beats.append(beat)
        stopped = threading.Event()
        stopped.set()
        return Heartbeat(beat, stopped=stopped)

    def open(
        self, message: str, *, run: str, owner: str = "ann", session: str = "s1", client: DynamoDBClient | None = None
    ) -> SessionTurn:
        return self.conversations(client).open(
            owner=owner,
            session_id=session,
            message=message,
            run=run,
            settings=self.settings,
            deadline=self.deadline,
        )

    def resume(self, turn: int, *, run: str, owner: str = "ann", session: str = "s1") -> SessionTurn:
        return self.conversations().resume(
            owner=owner, session_id=session, turn=turn, run=run, settings=self.settings, deadline=self.deadline
        )

    def chat(self, message: str, *, run: str, steps: int = 0, session: str = "s1", owner: str = "ann") -> SessionTurn:
        """Run a complete chat that answers its message in capitals after `steps` of its tool loop."""
        conversation = self.open(message, run=run, session=session, owner=owner)
        for step in range(1, steps + 1):
            conversation.observe(step_of(f"{run}-{step}", iteration=step))
        closed(conversation, message.upper())
        return conversation

    def history(self, *, run: str = "reader", session: str = "s1", owner: str = "ann") -> tuple[Message, ...]:
        """History of the next chat, which is not stored."""
        conversation = self.open("?", run=run, session=session, owner=owner)
        conversation.abandon()
        return conversation.history


def closed(
    turn: SessionTurn, content: str, *, topic: str | None = None, status: AnswerStatus = "complete"
) -> SessionReference:
    return turn.close(content, topic=topic, service="openai", model="gpt-4o", status=status, rule="general")


def step_of(*call_ids: str, iteration: int = 1, result: Json = 3) -> IterationFinished:
    """A step of the tool loop with a call of `add` for each id."""
    calls = tuple(ToolCall(call_id, "add", {"a": 1}, '{"a":1}') for call_id in call_ids)
    return IterationFinished(
        iteration,
        Message("assistant", (Text("Let me see."), *calls)),
        tuple(Message("tool", (ToolOutput(call.id, call.name, f"result of {call.id}"),)) for call in calls),
        tuple(
            ToolExecution("add", {"a": 1}, ToolResult(True, "add", 3, result=result), iteration, call.id)
            for call in calls
        ),
    )


def messages_of(step: IterationFinished) -> tuple[Message, ...]:
    return (step.message, *step.outputs)


def texts_of(messages: Sequence[Message]) -> list[tuple[str, str]]:
    """Roles and texts; the name of a call represents its message, the content of a result its answer."""
    return [(message.role, "".join(map(_text_of, message.parts))) for message in messages]


def _text_of(part: object) -> str:
    match part:
        case Text():
            return part.text
        case ToolCall():
            return f"<{part.id}>"
        case _:
            return cast("ToolOutput", part).content
