"""Events of a chat for a front end that shows its progress."""

from typing import Any
from unittest.mock import ANY

from flexchat.api import ChatRequest
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.http_api.caller import DIRECT
from functions.chat.generation.events import (
    ChatStarted,
    Event,
    ModelDelta,
    ModelStarted,
    RuleMatched,
    ToolStarted,
    WarningRaised,
)
from functions.chat.providers.base import ArgumentsDelta, CallDelta, TextDelta
from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.unit.chat.plain_events import plain

SHOWN = (ChatStarted, RuleMatched, ModelStarted, ModelDelta, ToolStarted, WarningRaised)


def events_of(chat: Chat, *, stream: bool = True, **fields: Any) -> list[Event]:
    seen: list[Event] = []
    chat.function.engine.answer(
        ChatRequest(message="hello", **fields),
        caller=DIRECT,
        deadline=Deadline.after(20),
        request_id="r1",
        observe=seen.append,
        stream=stream,
    )
    return [event for event in seen if isinstance(event, SHOWN)]


def test_a_streamed_chat_reports_its_rule_its_deltas_and_the_start_of_its_tools() -> None:
    arguments = {"expression": "1 + 1"}
    chat = deploy(
        [call_completion(("calculate", arguments)), text_completion("It is 2")],
        configuration(tools=[CALCULATE], rule={"name": "all"}),
    )
    events = events_of(chat)
    call_id = next(event.call_id for event in events if isinstance(event, ToolStarted))

    assert plain(events) == [
        ChatStarted(),
        RuleMatched("all", ANY),
        ModelStarted(1, "openai:gpt-4o"),
        ModelDelta(1, CallDelta(0, "calculate")),
        ModelDelta(1, ArgumentsDelta(0, '{"expressio')),
        ModelDelta(1, ArgumentsDelta(0, 'n": "1 + 1"}')),
        ToolStarted(call_id, "calculate", arguments, 1),
        ModelStarted(2, "openai:gpt-4o"),
        ModelDelta(2, TextDelta("It")),
        ModelDelta(2, TextDelta(" is")),
        ModelDelta(2, TextDelta(" 2")),
    ]


def test_a_chat_that_is_not_streamed_has_no_deltas() -> None:
    events = events_of(deploy([text_completion("hi")], configuration()), stream=False)

    assert plain(events) == [ChatStarted(), RuleMatched(None, ANY), ModelStarted(1, "openai:gpt-4o")]


def test_a_fallback_and_a_skipped_collection_are_warnings() -> None:
    busy = ModelError("busy", type="overloaded", provider="openai")
    chat = deploy([busy, text_completion("hi")], configuration(rule={"fallbacks": ["openai:gpt-4o-mini"]}))
    events = events_of(chat, selected_collections=("kb/manual",))

    assert [event.message for event in events if isinstance(event, WarningRaised)] == [
        "collection 'kb/manual' was not searched: no service named 'kb'; the services are: none",
        "openai:gpt-4o failed (overloaded); openai:gpt-4o-mini answers instead",
    ]
