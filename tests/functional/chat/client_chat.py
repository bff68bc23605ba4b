"""Chats with tools of their client, through the engine of a deployed function."""

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from flexchat.api import ChatRequest, ChatResponse
from flexchat.deadline import Deadline
from flexchat.http_api.caller import Caller
from flexchat.messages import Message, ToolCall, ToolOutput
from functions.chat.generation.events import ClientCall, ClientCallsRequested, Event, IterationFinished
from functions.chat.generation.model_calls import ChatOverrides, ClientTool
from tests.functional.chat.harness import Chat, assert_every_call_answered_once, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import Step

ALICE = Caller("alice", frozenset({"user"}))

OPEN_FILE = ClientTool(
    name="open_file",
    description="Opens a file",
    parameters={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)
SHOW = ClientTool(name="show")


@dataclass
class ClientChat:
    """Client with tools of its own, of a function with the tool `get_weather`."""

    chat: Chat
    events: list[Event] = field(default_factory=list[Event])
    _requests: "count[int]" = field(default_factory=count)

    def send(
        self,
        *script: Step,
        turns: tuple[Message, ...] = (),
        caller: Caller = ALICE,
        request: dict[str, Any] | None = None,
        tools: tuple[ClientTool, ...] = (OPEN_FILE, SHOW),
        stream: bool = False,
        **overrides: Any,
    ) -> ChatResponse:
        """Return the answer of a model that follows `script`."""
        self.chat.model.script = list(script)
        self.events.clear()
        try:
            return self.chat.function.engine.answer(
                ChatRequest.model_validate({"message": "Look at it.", **(request or {})}),
                caller=caller,
                deadline=Deadline.after(60),
                request_id=f"client-{next(self._requests)}",
                observe=self.events.append,
                stream=stream,
                overrides=ChatOverrides(tools=tools, iterations=turns, **overrides),
            )
        finally:
            for messages in self.chat.model.seen:
                assert_every_call_answered_once(messages)

    @property
    def calls(self) -> tuple[ClientCall, ...]:
        """The calls that the last answer left to the client."""
        return tuple(call for event in self.events if isinstance(event, ClientCallsRequested) for call in event.calls)

    @property
    def finished(self) -> list[IterationFinished]:
        return [event for event in self.events if isinstance(event, IterationFinished)]


def client_chat(dynamodb: Any, **settings: Any) -> ClientChat:
    return ClientChat(deploy([], configuration(tools=[mock_tool()], **settings), dynamodb=dynamodb))


def results(*texts: str, of: tuple[ClientCall, ...]) -> tuple[Message, ...]:
    """Return the messages that a client sends after its calls: their message, and a tool message for each text."""
    calls = tuple(ToolCall(call.id, call.name, {}, call.arguments) for call in of)
    outputs = (Message("tool", (ToolOutput(call.id, call.name, text),)) for call, text in zip(of, texts, strict=False))
    return (Message("assistant", calls), *outputs)
