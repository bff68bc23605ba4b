"""Events in the body of a streamed response, in the format `application/vnd.amazon.eventstream`.

botocore decodes the frames. Its parser of their payloads is bypassed: the events are read as JSON, as a plain response.
"""

import json
import struct
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast

from botocore.eventstream import EventStreamBuffer, EventStreamMessage, ParserError
from urllib3.exceptions import HTTPError, ReadTimeoutError

from flexchat.deadline import Deadline
from flexchat.error_bodies import bounded_chunks
from flexchat.json import JsonError, safe_loads
from functions.chat.providers.bedrock.aws.errors import ConverseError

_STATUS = {
    "validationException": 400,
    "modelStreamErrorException": 424,
    "throttlingException": 429,
    "internalServerException": 500,
    "serviceUnavailableException": 503,
}
"""Statuses of the exceptions in a stream, as the service documents them."""


class RawBody(Protocol):
    """Body of a response that botocore has not read."""

    def stream(self) -> Iterator[bytes]: ...

    def close(self) -> None: ...


@contextmanager
def open_events(body: RawBody, *, max_bytes: int, due: Deadline) -> Generator[Iterator[bytes]]:
    """Return the events of `body`, which is closed at the end."""
    try:
        yield _events(body, max_bytes=max_bytes, due=due)
    finally:
        body.close()


def _events(body: RawBody, *, max_bytes: int, due: Deadline) -> Iterator[bytes]:
    """Yield each event as a JSON object of its name and its payload.

    Raises ConverseError for an exception in the stream and for a broken connection, and BodyTooLargeError.
    """
    frames = EventStreamBuffer()
    try:
        for chunk in bounded_chunks(body.stream(), max_bytes=max_bytes, due=due):
            frames.add_data(chunk)
            for frame in frames:
                yield _event(frame)
    except (ReadTimeoutError, TimeoutError) as exc:
        raise ConverseError("ReadTimeoutError") from exc
    except (HTTPError, OSError) as exc:
        raise ConverseError("ConnectionClosedError") from exc
    except (ParserError, LookupError, ValueError, struct.error) as exc:
        raise ConverseError("InvalidEventStreamError") from exc


def _event(frame: EventStreamMessage) -> bytes:
    headers = cast("dict[str, Any]", frame.headers)  # the stubs have another type
    match headers.get(":message-type"):
        case "exception":
            name = str(headers.get(":exception-type"))
            raise ConverseError(name[:1].upper() + name[1:], _message(frame.payload), status=_STATUS.get(name, 500))
        case "error":
            raise ConverseError(str(headers.get(":error-code")), str(headers.get(":error-message", "")), status=500)
        case _:
            name = json.dumps(str(headers.get(":event-type"))).encode()
            return b"{%b:%b}" % (name, frame.payload or b"{}")


def _message(payload: bytes) -> str:
    try:
        value = safe_loads(payload)
    except JsonError:
        return ""
    message = value.get("message") if isinstance(value, dict) else None
    return message if isinstance(message, str) else ""
