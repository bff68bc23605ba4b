"""Chats that wait for the results of a client's tools, stored until the request with these results."""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import replace
from http import HTTPStatus
from typing import Self

from msgspec import Struct

from flexchat.api import ChatRequest
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, RequestError
from flexchat.http_api.caller import Caller
from flexchat.messages import Message, ToolOutput
from flexchat.observability import logger
from functions.chat.generation.checkpoint import Checkpoint, PendingIteration, is_client_call_id
from functions.chat.resumption.tokens import ChatState, StateStore

LIFETIME_SECONDS = 86_400


class WaitingChat(Struct, frozen=True):
    """State of a chat before its `pending` iteration. A request that continues it has limits of its own."""

    state: ChatState
    pending: PendingIteration

    def answered(self, results: Mapping[str, ToolOutput]) -> ChatState:
        """Return the state after the iteration, with the client's `results` by the ids of its calls.

        Raises RequestError (400) for a call without a result.
        """
        missing = [call.id for call in self.pending.client_calls.values() if call.id not in results]
        if missing:
            message = f"the tool calls {', '.join(missing)} have no result; send a tool message for each"
            raise RequestError(message, status=HTTPStatus.BAD_REQUEST, code="missing_tool_result")
        iteration = self.pending.completed(results)
        messages = (*self.state.checkpoint.messages, iteration.message, *iteration.outputs)
        return replace(self.state, checkpoint=Checkpoint(messages), completed=iteration)

    def as_bytes(self) -> bytes:
        content = {"state": self.state.as_json(), "pending": self.pending.as_json()}
        return json.dumps(content, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Parse the output of `as_bytes`. Raises ValueError for another version."""
        stored = json.loads(content)
        return cls(ChatState.from_json(stored["state"]), PendingIteration.from_json(stored["pending"]))


class WaitingChats:
    """Stores waiting chats, and finds them by the ids of the calls that their clients run.

    `states` is called for the first one. `clock` returns seconds since the epoch.
    """

    def __init__(self, *, states: Callable[[], StateStore], clock: Clock) -> None:
        self._states = states
        self._clock = clock

    def store(self, chat: WaitingChat, *, caller: Caller, deadline: Deadline) -> None:
        """Store a chat for a day; a warning is logged when that fails, and its client continues without it."""
        first = next(iter(chat.pending.client_calls.values()))
        expires_at = int(self._clock()) + LIFETIME_SECONDS
        try:
            self._states().put(_key(caller, first.id), chat.as_bytes(), expires_at=expires_at, deadline=deadline)
        except FlexchatError as error:
            logger.warning("client turn not stored", reason=str(error))

    def find(
        self, request: ChatRequest, iterations: Sequence[Message], *, caller: Caller, deadline: Deadline
    ) -> ChatState | None:
        """Return the state of the chat whose last iteration the results in `iterations` complete.

        `iterations` are the messages after the user's, as the client has them. The state is that of the same message
        and session; None for an unknown or an expired one. It is not used up: the same request may be sent again.
        Raises RequestError (400) for a call without a result.
        """
        calls = next((message.tool_calls for message in reversed(iterations) if message.tool_calls), ())
        if not (calls and is_client_call_id(calls[0].id)):
            return None
        try:
            content = self._states().get(_key(caller, calls[0].id), now=self._clock(), deadline=deadline)
            chat = None if content is None else WaitingChat.from_bytes(content)
        except (FlexchatError, ValueError) as error:
            logger.warning("client turn not read", reason=str(error))
            return None
        if chat is None or (chat.state.message, chat.state.session_id) != (request.message, request.session_id):
            logger.info("client turn not found")
            return None
        return chat.answered(_results(iterations))


def _results(iterations: Sequence[Message]) -> dict[str, ToolOutput]:
    outputs = (part for message in iterations for part in message.parts if isinstance(part, ToolOutput))
    return {output.call_id: output for output in outputs}


def _key(caller: Caller, call_id: str) -> str:
    return f"client-turn/{caller.principal}/{call_id}"
