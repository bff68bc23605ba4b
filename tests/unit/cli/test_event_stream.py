"""Parser of server-sent events."""

from collections.abc import Sequence

import pytest

from cli.errors import ServiceError
from cli.event_stream import ServerEvent, read_events

TEXT = (
    "id: 1.0\nevent: accepted\ndata: {}\n\n: heartbeat\n\nid: 1.5\r\nevent: delta\r\ndata: zwölf\r\rdata:a\ndata: b\n\n"
)
EVENTS = [
    ServerEvent("accepted", "{}", "1.0"),
    ServerEvent("delta", "zwölf", "1.5"),
    ServerEvent("message", "a\nb", "1.5"),
]


def pieces_of(data: bytes, size: int) -> Sequence[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_pieces_of_any_size_give_the_same_events(size: int) -> None:
    assert list(read_events(pieces_of(TEXT.encode(), size))) == EVENTS


def test_an_incomplete_event_at_the_end_is_dropped() -> None:
    assert list(read_events([b"data: 1\n\ndata: 2\n"])) == [ServerEvent("message", "1")]


def test_an_event_without_data_is_dropped_but_its_id_stays() -> None:
    assert list(read_events([b"id: 7\n\nretry: 5\ndata\n\n"], last_id="3")) == [ServerEvent("message", "", "7")]


@pytest.mark.parametrize("data", [b"data: " + b"x" * 100, b"data: x\n" * 30])
def test_an_event_beyond_the_limit_is_an_error(data: bytes) -> None:
    with pytest.raises(ServiceError, match="an event of more than 64 bytes"):
        list(read_events(pieces_of(data, 5), longest=64))


def test_many_events_within_the_limit_have_no_total_limit() -> None:
    assert len(list(read_events([b"data: x\n\n: heartbeat\n\n"] * 100, longest=64))) == 100
