"""Handler for tests of the runtime loop; `do` of the event names its behaviour."""

import os
import threading
from typing import Any

from flexchat.http_api.streams import ResponseStream

FAIL_AFTER: list[bool] = []
"""Makes the work after the next response fail."""

ENDED: list[str] = []


class Stop(BaseException):
    """Error that is no Exception."""


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    raise AssertionError("the runtime calls stream_handler")


def stream_handler(event: dict[str, Any], context: Any, stream: ResponseStream) -> Any:
    return globals()[event["do"]](event, context, stream)


def pieces(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    stream.start(200, {"Content-Type": "text/event-stream"})
    stream.write("data: zwölf\n\n".encode())
    stream.write(b"")
    stream.write(b"data: 2\n\n")


def whole(event: dict[str, Any], context: Any, stream: ResponseStream) -> dict[str, Any]:
    return {
        "statusCode": 404,
        "multiValueHeaders": {"Content-Type": ["application/json"], "Set-Cookie": ["a=1", "b=2"]},
        "body": '{"error": "nicht gefunden: ä"}',
        "isBase64Encoded": False,
    }


def binary(event: dict[str, Any], context: Any, stream: ResponseStream) -> dict[str, Any]:
    return {"statusCode": 200, "headers": {"Content-Type": "image/gif"}, "body": "R0lGODk=", "isBase64Encoded": True}


def empty(event: dict[str, Any], context: Any, stream: ResponseStream) -> dict[str, Any]:
    return {"statusCode": 204, "body": None}


def nothing(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    return None


def show(event: dict[str, Any], context: Any, stream: ResponseStream) -> dict[str, Any]:
    return {
        "request_id": context.aws_request_id,
        "arn": context.invoked_function_arn,
        "name": context.function_name,
        "memory": context.memory_limit_in_mb,
        "has_time": context.get_remaining_time_in_millis() > 0,
        "trace": os.environ.get("_X_AMZN_TRACE_ID"),
    }


def fails_before(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    raise ValueError("no such thing")


def fails_after(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    stream.start(200, {"Content-Type": "text/event-stream"})
    stream.write(b"data: 1\n\n")
    raise ValueError("no such thing")


def exits(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    raise SystemExit(3)


def stops_after(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    stream.start(200, {})
    raise Stop("now")


def twice(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    stream.start(200, {})
    stream.start(200, {})


def unstarted(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    stream.write(b"data: 1\n\n")


def both(event: dict[str, Any], context: Any, stream: ResponseStream) -> dict[str, Any]:
    stream.start(200, {})
    return {"statusCode": 200}


def parallel(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    stream.start(200, {})
    threads = [threading.Thread(target=_letters, args=(stream, letter)) for letter in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _letters(stream: ResponseStream, letter: str) -> None:
    for _ in range(50):
        stream.write(letter.encode() * 100)


def endless(event: dict[str, Any], context: Any, stream: ResponseStream) -> None:
    try:
        stream.start(200, {})
        for _ in range(1_000_000):
            stream.write(b"x" * 1000)
    except Exception as exc:
        ENDED.append(type(exc).__name__)
        if event.get("raise"):
            raise


def after_response() -> None:
    """Record the work after a response; that of an event with `fail_after` fails."""
    ENDED.append("after")
    if FAIL_AFTER:
        FAIL_AFTER.clear()
        raise OSError("no network")
