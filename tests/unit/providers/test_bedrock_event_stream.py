"""Bodies of Bedrock's streams: their limits, their failures and their end."""

from binascii import crc32
from collections.abc import Iterable, Iterator
from typing import Any, cast

import pytest
from urllib3.exceptions import IncompleteRead, ProtocolError, ReadTimeoutError

from flexchat.deadline import Deadline
from flexchat.error_bodies import BodyTooLargeError
from functions.chat.providers.bedrock.aws.converse import ConverseError, open_events
from tests.contract.event_stream_frames import event_frame, exception_frame, frame

HELLO = event_frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Hello"}})


class Body:
    """Body in chunks, whose exceptions are raised."""

    def __init__(self, *chunks: bytes | Exception) -> None:
        self._chunks = chunks
        self.closed = False

    def stream(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    def close(self) -> None:
        self.closed = True


def events_of(body: Body, *, max_bytes: int = 10_000, due: Deadline | None = None) -> list[bytes]:
    with open_events(body, max_bytes=max_bytes, due=due or Deadline.after(30)) as events:
        return list(events)


def failure(*chunks: bytes | Exception, due: Deadline | None = None) -> ConverseError:
    body = Body(*chunks)
    with pytest.raises(ConverseError) as caught:
        events_of(body, due=due)
    assert body.closed
    return caught.value


def in_bytes(content: bytes) -> Iterable[bytes]:
    return (bytes([byte]) for byte in content)


def test_frames_are_read_from_chunks_of_any_size() -> None:
    expected = [b'{"contentBlockDelta":{"contentBlockIndex": 0, "delta": {"text": "Hello"}}}'] * 2

    assert events_of(Body(HELLO + HELLO)) == expected
    assert events_of(Body(*in_bytes(HELLO + HELLO))) == expected


def test_a_frame_without_a_payload_is_an_empty_event() -> None:
    assert events_of(Body(frame({":message-type": "event", ":event-type": "ping"}, b""))) == [b'{"ping":{}}']


def test_a_body_is_closed_when_its_reader_fails() -> None:
    body = Body(HELLO, HELLO)

    def read_one() -> None:
        with open_events(body, max_bytes=10_000, due=Deadline.after(30)) as events:
            next(events)
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        read_one()

    assert body.closed


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ReadTimeoutError(cast("Any", None), "/", "timed out"), "ReadTimeoutError"),
        (ProtocolError("Connection broken"), "ConnectionClosedError"),
        (IncompleteRead(5, 10), "ConnectionClosedError"),
        (ConnectionResetError(), "ConnectionClosedError"),
    ],
)
def test_a_failure_of_the_connection_has_the_name_of_botocore(error: Exception, code: str) -> None:
    caught = failure(HELLO, error)

    assert (caught.code, caught.message, caught.status) == (code, "", None)


def test_a_stream_that_does_not_end_before_the_deadline_is_a_timeout() -> None:
    assert failure(HELLO, due=Deadline.after(0)).code == "ReadTimeoutError"


def test_a_stream_beyond_its_maximum_is_too_large() -> None:
    body = Body(HELLO, HELLO)

    with pytest.raises(BodyTooLargeError):
        events_of(body, max_bytes=len(HELLO) + 1)

    assert body.closed


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (exception_frame("throttlingException", "Slow down."), ("ThrottlingException", "Slow down.", 429)),
        (frame({":message-type": "exception", ":exception-type": "newException"}, b"["), ("NewException", "", 500)),
        (frame({":message-type": "error", ":error-code": "Broken"}, b""), ("Broken", "", 500)),
    ],
)
def test_an_exception_in_the_stream_has_its_code_and_its_status(sent: bytes, expected: tuple[str, str, int]) -> None:
    caught = failure(sent)

    assert (caught.code, caught.message, caught.status) == expected


@pytest.mark.parametrize("sent", [b"\0" * 64, b"<html><body></body></html>", HELLO[:-1] + b"!"])
def test_bytes_that_are_no_frames_are_an_invalid_stream(sent: bytes) -> None:
    assert failure(sent).code == "InvalidEventStreamError"


def test_a_frame_with_invalid_headers_is_an_invalid_stream() -> None:
    valid = frame({"a": "b"}, b"")
    unknown_type = _with_checksum(valid.replace(b"\x01a\x07", b"\x01a\x63"))

    assert failure(unknown_type).code == "InvalidEventStreamError"


def _with_checksum(message: bytes) -> bytes:
    return message[:-4] + crc32(message[:-4]).to_bytes(4)
