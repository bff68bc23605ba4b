"""Request for a chat completion."""

import re
from collections.abc import Mapping
from typing import Any, Self

from msgspec import Struct

from flexchat.api.request import SESSION_ID_PATTERN
from flexchat.http_api.body import header
from flexchat.messages import Json
from functions.chat.generation.overrides import ChatOverrides, ClientTool
from functions.chat.openai_api.conversation import Conversation, conversation_of
from functions.chat.openai_api.messages import messages_of
from functions.chat.openai_api.models import ChosenModel
from functions.chat.openai_api.parameters import Parameters
from functions.chat.openai_api.requests import invalid_parameter
from functions.chat.openai_api.tools import client_tools, tool_choice
from functions.chat.providers.base import ToolChoice


class CompletionRequest(Struct, frozen=True, kw_only=True):
    """Parameters of a chat completion.

    `has_comments` adds the steps of the service as comments to a stream. A request with a session has no history, since
    the session has its own.
    """

    model: str
    conversation: Conversation
    streams: bool
    include_usage: bool
    has_comments: bool
    session_id: str | None
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    stop: tuple[str, ...]
    tools: tuple[ClientTool, ...]
    tool_choice: ToolChoice

    @classmethod
    def of(cls, body: Mapping[str, Json], event: Mapping[str, Any]) -> Self:
        """Parse the body of a REST API proxy event. Raises RequestError that names the parameter."""
        values = Parameters(body)
        values.refuse()
        model = values.required_text("model")
        most, most_before = values.count("max_completion_tokens"), values.count("max_tokens")
        return cls(
            model=model,
            conversation=conversation_of(messages_of(body.get("messages")), param="messages"),
            streams=values.flag("stream"),
            include_usage=values.object("stream_options").flag("include_usage"),
            has_comments=has_comments(values, event),
            session_id=session_of(values, event),
            temperature=values.number("temperature", low=0, high=2),
            top_p=values.number("top_p", low=0, high=1),
            max_tokens=most_before if most is None else most,
            stop=values.texts("stop", at_most=4),
            tools=client_tools(values, nested=True),
            tool_choice=tool_choice(values, nested=True),
        )

    def overrides(self, chosen: ChosenModel) -> ChatOverrides:
        """Return the settings of the chat."""
        return ChatOverrides(
            rule=chosen.rule,
            model=chosen.model,
            instructions=self.conversation.instructions,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            top_p=self.top_p,
            stop=self.stop,
            tools=self.tools,
            tool_choice=self.tool_choice,
            history=self.conversation.history,
            turns=self.conversation.turns,
        )


def has_comments(values: Parameters, event: Mapping[str, Any]) -> bool:
    """Return whether the client wants the steps of the service as comments of a stream."""
    return header(event, "x-flexchat-events").strip().lower() == "comments" or values.object("flexchat").flag("events")


def session_of(values: Parameters, event: Mapping[str, Any]) -> str | None:
    """Return the session of the metadata, else of the header. Raises RequestError for another form."""
    metadata = values.object("metadata")
    place, session_id = metadata.place("session_id"), metadata.text("session_id")
    if session_id is None:
        place, session_id = "X-Session-Id", header(event, "x-session-id") or None
    if session_id is not None and not re.fullmatch(SESSION_ID_PATTERN, session_id):
        raise invalid_parameter(place, "must be 1 to 64 of the characters a-z, A-Z, 0-9, _ and -")
    return session_id
