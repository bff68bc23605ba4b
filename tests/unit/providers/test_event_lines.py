"""Events of streamed responses, from chunks of any size."""

import pytest

from flexchat.error_bodies import BodyTooLargeError
from functions.chat.providers.streams import json_lines, sse_events

EVENTS = b': ping\n\nevent: delta\nid: 7\ndata: {"a": 1}\n\ndata:{"b":\ndata: 2}\n\ndata: [DONE]\n\n'
PAYLOADS = [b'{"a": 1}', b'{"b":\n2}', b"[DONE]"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_events_are_the_same_for_chunks_of_any_size_and_every_line_end(size: int, end: bytes) -> None:
    body = EVENTS.replace(b"\n", end)

    assert list(sse_events(body[at : at + size] for at in range(0, len(body), size))) == PAYLOADS


def test_a_byte_order_mark_and_empty_chunks_are_ignored() -> None:
    assert list(sse_events([b"", b'\xef\xbb\xbfdata: {"a": 1}\n', b"", b"\n"])) == [b'{"a": 1}']


def test_a_last_event_without_its_blank_line_is_complete() -> None:
    assert list(sse_events([b'data: {"a": 1}\n\ndata: {"b": 2}\n'])) == [b'{"a": 1}', b'{"b": 2}']
    assert list(sse_events([b'data: {"a": 1}\n\ndata: [DONE]'])) == [b'{"a": 1}', b"[DONE]"]


def test_a_last_line_that_was_cut_off_is_dropped() -> None:
    assert list(sse_events([b'data: {"a": 1}\n\ndata: {"b": ['])) == [b'{"a": 1}']
    assert list(json_lines([b'{"a": 1}\n\n{"b": "te'])) == [b'{"a": 1}']


def test_lines_of_json_are_split_and_blank_ones_ignored() -> None:
    assert list(json_lines([b'{"a": 1}\n  \r\n{"b"', b': 2}\n{"c": 3}'])) == [b'{"a": 1}', b'{"b": 2}', b'{"c": 3}']


@pytest.mark.parametrize("chunks", [[b"x" * 101], [b"x" * 60, b"x" * 60], [b"x" * 101 + b"\n"]])
def test_a_line_above_its_limit_is_refused_before_its_end(chunks: list[bytes]) -> None:
    with pytest.raises(BodyTooLargeError):
        list(json_lines(chunks, max_bytes=100))


def test_an_event_of_many_lines_is_limited_as_a_whole() -> None:
    with pytest.raises(BodyTooLargeError):
        list(sse_events([b"data: 123456789\n"] * 10, max_bytes=100))


@pytest.mark.parametrize("body", [b"<!doctype html>", b"<html>\n<p>data: no</p>\n</html>\n", b'{"error": "no"}'])
def test_the_first_line_of_a_body_that_is_no_stream_is_an_event(body: bytes) -> None:
    first = body.partition(b"\n")[0]

    assert next(sse_events([body])) == first
    assert next(json_lines([body])) == first
