"""Stored state of a partial answer, written and read."""

import json

import pytest

from flexchat.messages import Json, Message, ProviderState, Reasoning, Text, ToolCall, ToolOutput, assistant, user
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT, Checkpoint
from functions.chat.resumption.tokens import ChatState

STATE = ProviderState("gemini", {"s": [1, None]}, "main:gemini-3")
CALL = ToolCall("c1", "look", {"at": "ä \ud800"}, '{"at":"ä"}', state=STATE)
BROKEN = ToolCall("c2", "look", None, "{at", problem="not JSON")

COMPLETE = ChatState(
    message="Look \ud83d up. ",
    history=(user("Hi"), assistant("Hello 👋")),
    profile={"topic": "looks", "documents": [{"title": "A", "distance": 0.25}], "temperature": None, "vip": True},
    checkpoint=Checkpoint(
        messages=(
            Message("assistant", (Reasoning(ProviderState("anthropic", "sig"), "hm"), Text("a"), CALL, BROKEN)),
            Message("tool", (ToolOutput("c1", "look", '{"success":true}'),)),
            Message("tool", (ToolOutput("c2", "look", "no", is_error=True),)),
        ),
        executions=(
            ToolExecution("look", {"at": "ä"}, ToolResult(True, "look", 5, result={"n": [1.5, "x"]}), 1, "c1"),
            ToolExecution(
                "look",
                "{at",
                ToolResult(
                    False, "look", 0, error="no", error_type="malformed_arguments", validation_errors=("a", "b")
                ),
                1,
                "c2",
            ),
        ),
        iterations=1,
    ),
    session_id="s1",
    turn=7,
)
BARE = ChatState(message="Hi", history=(), profile={}, checkpoint=EMPTY_CHECKPOINT)


@pytest.mark.parametrize("state", [COMPLETE, BARE], ids=["everything", "nothing yet"])
def test_a_state_is_read_as_it_was_written(state: ChatState) -> None:
    assert ChatState.from_bytes(state.as_bytes()) == state


def test_state_of_another_version_is_rejected() -> None:
    written: dict[str, Json] = json.loads(BARE.as_bytes())

    with pytest.raises(ValueError, match="chat state of version 2"):
        ChatState.from_bytes(json.dumps(written | {"v": 2}).encode())


def test_the_repr_of_a_state_contains_no_profile() -> None:
    assert "looks" not in repr(COMPLETE)
