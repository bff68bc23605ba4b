"""Sending of server-sent events with heartbeats."""

import threading
from dataclasses import dataclass, field

import pytest

from flexchat.http_api.streams import StreamClosedError
from functions.chat.streaming.chats import HEARTBEAT, EventSender


@dataclass
class LiveBody:
    """Body that records its pieces; `room` of them are accepted."""

    room: int = 1_000
    is_live: bool = True
    pieces: list[bytes] = field(default_factory=list[bytes])
    beaten: threading.Event = field(default_factory=threading.Event)

    def write(self, data: bytes) -> None:
        if len(self.pieces) >= self.room:
            raise StreamClosedError
        self.pieces.append(data)
        if data == HEARTBEAT:
            self.beaten.set()


def test_a_silent_stream_has_heartbeats() -> None:
    body = LiveBody()
    with EventSender(body, heartbeat_seconds=0.01):
        assert body.beaten.wait(20)

    assert set(body.pieces) == {HEARTBEAT}


def test_collected_events_have_no_heartbeats() -> None:
    body = LiveBody(is_live=False)
    with EventSender(body, heartbeat_seconds=0.001) as sender:
        sender.send(b"one")

    assert body.pieces == [b"one"]


def test_a_closed_stream_stays_closed() -> None:
    body = LiveBody(room=1)
    with EventSender(body, heartbeat_seconds=10) as sender:
        sender.send(b"one")
        for _ in range(2):
            with pytest.raises(StreamClosedError):
                sender.send(b"two")
        body.room = 5
        with pytest.raises(StreamClosedError):
            sender.send(b"three")

    assert body.pieces == [b"one"]
