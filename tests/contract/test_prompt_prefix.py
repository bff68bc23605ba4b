"""Beginnings of successive requests, which prompt caches of all providers find by their exact text."""

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, cast

import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Message, Reasoning, Text, ToolCall, ToolOutput, assistant, system, user
from flexchat.messages import ProviderState as State
from functions.chat.providers.base import ChatOptions, PromptCache
from functions.chat.providers.wire_format import to_json
from tests.contract.wire_script import Playback, Wire, exchanges, retry_policy
from tests.contract.wires import WIRES

LONG: Final = system("Answer with the tools. " * 1_000)
CACHE: Final = PromptCache("conversation", continues=True)
MARKS: Final = re.compile(rb',"cache_control":\{"type":"ephemeral"\}|,\{"cachePoint":\{"type":"default"\}\}')


def iteration(number: int, calls: int) -> tuple[Message, ...]:
    """Return the calls of an iteration and their results."""
    made = [
        ToolCall(
            id=f"call_{number}_{index}", name="lookup", arguments={"key": f"k{index}"}, raw=f'{{"key": "k{index}"}}'
        )
        for index in range(calls)
    ]
    thought = Reasoning(State("elsewhere", {"signature": "s"}), "Hm.")
    results = (Message("tool", (ToolOutput(call.id, call.name, f'{{"found": {number}}}'),)) for call in made)
    return Message("assistant", (thought, Text(f"Step {number}."), *made)), *results


def requests(wire: Wire, conversations: Sequence[Sequence[Message]]) -> list[bytes]:
    """Return the bodies of requests with tools."""
    playback = Playback([exchanges(wire, "plain_hello")[0].answer] * len(conversations))
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    tools = wire.tools()
    for messages in conversations:
        provider.generate_chat(messages, wire.model, ChatOptions(Deadline.after(30), tools=tools, cache=CACHE))
    for request in playback.requests:
        wire.check_request(request)
    return [request.content for request in playback.requests]


def beginning(body: bytes) -> bytes:
    """Return a body up to the end of the text of its last message."""
    parsed = cast("dict[str, Any]", json.loads(body))
    messages = to_json(parsed.get("messages") or parsed["contents"])
    return body[: body.index(messages) + len(messages)].rstrip(b'"]}')


def rest(body: bytes) -> dict[str, Any]:
    parsed = cast("dict[str, Any]", json.loads(body))
    return {name: value for name, value in parsed.items() if name not in ("messages", "contents")}


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.type)
@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([[LONG, user("Go on")], iteration(1, 1), iteration(2, 12), iteration(3, 1)], id="iterations"),
        pytest.param([[LONG, user("Go on")], [assistant("Done."), user("And now?")], iteration(1, 2)], id="turns"),
    ],
)
def test_a_request_begins_with_the_request_before_it(wire: Wire, parts: Sequence[Sequence[Message]]) -> None:
    conversations = [[message for part in parts[:count] for message in part] for count in range(1, len(parts) + 1)]

    bodies = [MARKS.sub(b"", body) for body in requests(wire, conversations)]

    for first, second in pairwise(bodies):
        assert second.startswith(beginning(first))
        assert rest(second) == rest(first)
    assert all(len(beginning(first)) < len(beginning(second)) for first, second in pairwise(bodies))


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.type)
def test_the_end_of_the_request_before_has_a_mark_in_the_next_one(wire: Wire) -> None:
    first, second = requests(wire, [[LONG, user("Go on")], [LONG, user("Go on"), *iteration(1, 15)]])

    is_marking = wire.type in ("anthropic", "bedrock")
    assert (len(MARKS.findall(first)), len(MARKS.findall(second))) == ((3, 4) if is_marking else (0, 0))
    for mark in list(MARKS.finditer(beginning(first)))[-1:]:
        assert second.startswith(first[: mark.end()])
