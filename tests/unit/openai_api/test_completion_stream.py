"""Stream of a chat completion without its function."""

import json
import threading
from dataclasses import dataclass, field
from typing import Any

from functions.chat.generation.events import ModelDelta, ModelStarted
from functions.chat.openai_api.completions import CompletionHead, CompletionStream, OpenedBody, event_of, first_chunk
from functions.chat.providers.base import CallDelta, TextDelta
from functions.chat.streaming.chats import HEARTBEAT, EventSender

HEAD = CompletionHead("r1", "flexchat", 7)


@dataclass
class LiveBody:
    """Body that sets `beaten` when it receives a heartbeat."""

    is_live: bool = True
    pieces: list[bytes] = field(default_factory=list[bytes])
    beaten: threading.Event = field(default_factory=threading.Event)

    def write(self, data: bytes) -> None:
        self.pieces.append(data)
        if data == HEARTBEAT:
            self.beaten.set()


def test_a_heartbeat_starts_the_response_with_the_role() -> None:
    client = LiveBody()
    body = OpenedBody(lambda: client, first_chunk(HEAD, include_usage=False), is_live=True)
    assert not body.is_open
    with EventSender(body, heartbeat_seconds=0.01):
        assert client.beaten.wait(30)

    assert body.is_open
    assert client.pieces[1] == HEARTBEAT
    assert json.loads(client.pieces[0].removeprefix(b"data: ")) == {
        "id": "chatcmpl-r1",
        "object": "chat.completion.chunk",
        "created": 7,
        "model": "flexchat",
        "choices": [
            {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None, "logprobs": None}
        ],
    }


def test_turns_without_text_add_no_blank_line() -> None:
    sent: list[Any] = []
    stream = CompletionStream(
        HEAD,
        lambda data: sent.append(json.loads(data.removeprefix(b"data: "))),
        include_usage=False,
        has_comments=False,
    )
    for event in (
        ModelStarted(1, "openai:gpt-4o"),
        ModelDelta(1, CallDelta(0, "calculate")),
        ModelStarted(2, "openai:gpt-4o"),
        ModelDelta(2, TextDelta("One")),
        ModelStarted(3, "openai:gpt-4o"),
        ModelStarted(3, "openai:gpt-4o-mini"),
        ModelDelta(3, TextDelta("two")),
        ModelDelta(3, TextDelta(".")),
    ):
        stream.receive(event)

    assert [chunk["choices"][0]["delta"]["content"] for chunk in sent] == ["One", "\n\ntwo", "."]


def test_an_event_has_one_line_of_data_by_every_rule() -> None:
    text = "a\r\nb\u2028c\u2029d\x85e\x0bf\x1cg"
    event = event_of({"text": text}).decode()

    assert len(event.splitlines()) == 2
    assert json.loads(event.removeprefix("data: ")) == {"text": text}


def test_an_unpaired_surrogate_becomes_a_question_mark() -> None:
    assert event_of({"text": "a\ud83d"}) == b'data: {"text":"a?"}\n\n'
