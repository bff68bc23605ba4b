"""Conversations of responses, which a later request continues by `previous_response_id`."""

import json
from collections.abc import Sequence
from itertools import chain
from typing import Final, Protocol

from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.caller import Caller
from flexchat.messages import Json, Message, Part, Text, ToolCall
from flexchat.observability import logger
from flexchat.runs import WallClock
from functions.chat.openai_api.response_models import previous_not_found
from functions.chat.sessions.history import latest_turns
from functions.chat.transcript import message_from_json, message_to_json

ID_PREFIX: Final = "resp_"

STORE_SECONDS: Final = 5.0
"""Limit of one read or write."""

_DAY_SECONDS: Final = 86_400
_VERSION: Final = 1


class ResponseBlobs(Protocol):
    """Stored contents by key."""

    def put(self, key: str, content: bytes, *, expires_at: int, deadline: Deadline) -> None: ...

    def get(self, key: str, *, now: float, deadline: Deadline) -> bytes | None: ...


class StoredResponses(Struct, frozen=True, kw_only=True):
    """Conversations up to a response and with it, by owner and the id of the response.

    A response may be continued several times, each time from the same conversation.
    """

    blobs: ResponseBlobs
    now: WallClock

    def read(self, response_id: str, *, caller: Caller, deadline: Deadline) -> tuple[Message, ...]:
        """Return a conversation. Raises RequestError for a response that is not stored, or is another caller's."""
        content = None
        if response_id.startswith(ID_PREFIX) and response_id.removeprefix(ID_PREFIX).isalnum():
            key, due = _key(caller, response_id), deadline.within(STORE_SECONDS)
            content = self.blobs.get(key, now=self.now(), deadline=due)
        if content is None:
            raise previous_not_found(response_id)
        stored = json.loads(content)
        if stored["v"] != _VERSION:
            raise previous_not_found(response_id)
        return tuple(message_from_json(message) for message in stored["messages"])

    def write(
        self,
        response_id: str,
        messages: Sequence[Message],
        *,
        caller: Caller,
        ttl_days: int,
        max_tokens: int,
        deadline: Deadline,
    ) -> bool:
        """Store a conversation for `ttl_days`; return False, and log the reason, when it cannot be stored.

        Of the turns before the last one, the latest of at most `max_tokens` are stored.
        """
        kept: list[Json] = [message_to_json(message) for message in _latest(messages, max_tokens)]
        content = json.dumps({"v": _VERSION, "messages": kept}, separators=(",", ":")).encode()
        expires_at = int(self.now()) + ttl_days * _DAY_SECONDS
        due = deadline.within(STORE_SECONDS)
        try:
            self.blobs.put(_key(caller, response_id), content, expires_at=expires_at, deadline=due)
        except FlexchatError as error:
            logger.error("response not stored", reason=str(error))
            return False
        return True


def output_message(text: str, calls: Sequence[ToolCall]) -> Message:
    """Return the assistant's message of a response."""
    parts: tuple[Part, ...] = (Text(text),) if text.strip() else ()
    return Message("assistant", (*parts, *calls))


def _latest(messages: Sequence[Message], max_tokens: int) -> tuple[Message, ...]:
    """Return the system messages, the latest turns, and the whole last turn."""
    users = [place for place, message in enumerate(messages) if message.role == "user"]
    last = users[-1] if users else 0
    system = (message for message in messages[:last] if message.role == "system")
    return tuple(chain(system, latest_turns(_without_system(messages[:last]), max_tokens=max_tokens), messages[last:]))


def _without_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(message for message in messages if message.role != "system")


def _key(caller: Caller, response_id: str) -> str:
    return f"response/{caller.principal}/{response_id}"
