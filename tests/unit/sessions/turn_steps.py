"""Steps of a turn, and items of the table."""

from copy import replace
from typing import Any, cast

from flexchat.messages import Message, Text, ToolCall, ToolOutput, user
from flexchat.sessions import Answer, OpenTurn, RecordedCall, Session
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.sessions.store.turns import SessionTurns
from tests.unit.runs.table import CHATS
from tests.unit.sessions.harness import SessionHarness

DAY = 86_400
LARGE_BUDGET = 1_000_000


def begin(
    harness: SessionHarness,
    message: str = "Hello",
    *,
    run: str = "r1",
    session: str = "s1",
    turns: SessionTurns | None = None,
) -> OpenTurn:
    return (turns or harness.turns).begin(
        "ann",
        session,
        user(message),
        run=run,
        lease_until=harness.now + 20,
        now=harness.now,
        expires_at=int(harness.now) + DAY,
        title=f"About {message}",
        deadline=harness.deadline,
    )


def append(harness: SessionHarness, turn: OpenTurn, step: int, *calls: RecordedCall) -> None:
    harness.turns.append(turn, step, call_message(*calls), calls, now=harness.now, deadline=harness.deadline)


def finish(
    harness: SessionHarness, turn: OpenTurn, content: str = "Bye", *, topic: str | None = None, **answer: Any
) -> None:
    given = replace(Answer(content, "openai", "gpt-4o", "complete", turn.run), **answer)
    harness.turns.finish(turn, given, topic=topic, now=harness.now, deadline=harness.deadline)


def resume(harness: SessionHarness, number: int, *, run: str, turns: SessionTurns | None = None) -> OpenTurn:
    turn, _ = (turns or harness.turns).resume(
        "ann",
        "s1",
        number,
        run=run,
        lease_until=harness.now + 20,
        now=harness.now,
        expires_at=int(harness.now) + DAY,
        deadline=harness.deadline,
    )
    return turn


def recent(harness: SessionHarness, *, max_tokens: int = LARGE_BUDGET) -> list[tuple[int, tuple[Message, ...]]]:
    """History for the next turn."""
    session = stored_session(harness)
    found = harness.turns.recent(
        session, before=session.turns + 1, max_tokens=max_tokens, now=harness.now, deadline=harness.deadline
    )
    return [(turn.number, turn.messages) for turn in found]


def stored_session(harness: SessionHarness) -> Session:
    return harness.store.get("ann", "s1", now=harness.now, deadline=harness.deadline)


def recorded(call_id: str, *, result: str = "3") -> RecordedCall:
    return RecordedCall(
        ToolCall(call_id, "add", {"a": 1}, '{"a":1}'),
        ToolOutput(call_id, "add", result),
        ToolExecution("add", {"a": 1}, ToolResult(True, "add", 2, result=result), 1, call_id),
    )


def call_message(*calls: RecordedCall) -> Message:
    return Message("assistant", (Text("Let me see."), *(call.call for call in calls)))


def answers(*calls: RecordedCall) -> tuple[Message, ...]:
    return tuple(Message("tool", (call.output,)) for call in calls)


def items(harness: SessionHarness) -> list[dict[str, Any]]:
    found = harness.client.get_paginator("query").paginate(
        TableName=CHATS,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": "S#ann#s1"}},
    )
    return [cast("dict[str, Any]", item) for page in found for item in page["Items"]]
