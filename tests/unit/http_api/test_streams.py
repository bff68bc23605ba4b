"""Streamed responses of the HTTP API, and the same responses in one body."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aws_lambda_powertools.event_handler import Response

from flexchat.errors import RequestError
from flexchat.http_api.api import ApiRouter, HttpApi, streamed
from flexchat.http_api.body import BodyLimit
from flexchat.http_api.deadline import RequestDeadlines
from flexchat.http_api.streams import StreamClosedError
from tests.functional.chat.harness import LambdaContext

EVENT: dict[str, Any] = json.loads((Path(__file__).parents[3] / "events" / "chat-http.json").read_text("utf-8"))
ORIGIN = "https://app.example.com"

type Handle = Callable[["ApiRouter[Any]"], Any]


@dataclass
class SentResponse:
    """Response stream that records its calls; it is closed after `room` pieces."""

    room: int = 100
    started: list[tuple[int, Mapping[str, str]]] = field(default_factory=list[tuple[int, Mapping[str, str]]])
    pieces: list[bytes] = field(default_factory=list[bytes])

    def start(self, status: int, headers: Mapping[str, str]) -> None:
        self.started.append((status, dict(headers)))

    def write(self, data: bytes) -> None:
        if len(self.pieces) >= self.room:
            raise StreamClosedError
        self.pieces.append(data)


def api_of(handle: Handle, *, stream_seconds: float = 290.0) -> HttpApi[str]:
    """An API with one route."""
    router = ApiRouter[str]()

    @router.endpoint("POST", "/api/stream", role="operator", summary="Stream", tags=["service"])
    def stream() -> Response[str]:
        handle(router)
        return streamed()

    class Api(HttpApi[str]):
        routers = (router,)
        body = BodyLimit("{}")

    deadlines = RequestDeadlines(clock=lambda: 1_000.0, stream_seconds=stream_seconds)
    return Api("service", allowed_origins=(ORIGIN,), deadlines=deadlines)


def event_of(*, roles: str = "operator", body: str = "{}") -> dict[str, Any]:
    context = EVENT["requestContext"]
    return EVENT | {
        "httpMethod": "POST",
        "path": "/api/stream",
        "body": body,
        "headers": {**EVENT["headers"], "Origin": ORIGIN},
        "requestContext": {**context, "authorizer": {**context["authorizer"], "roles": roles}},
    }


def send_two(router: ApiRouter[Any]) -> None:
    body = router.open_stream("text/event-stream", {"X-Run": "r1"})
    body.write(b"one ")
    body.write("zwö".encode())


HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Run": "r1",
    "Access-Control-Allow-Origin": ORIGIN,
    "Access-Control-Max-Age": "600",
}


def shown(headers: Mapping[str, Any]) -> dict[str, Any]:
    """The headers without the lists of names that CORS allows and exposes, and without the random span id."""
    hidden = ("Access-Control-Allow-Headers", "Access-Control-Expose-Headers", "traceresponse")
    return {name: value for name, value in headers.items() if name not in hidden}


def test_a_streamed_response_is_sent_in_pieces_and_nothing_is_returned() -> None:
    sent = SentResponse()

    assert api_of(send_two).resolve(event_of(), LambdaContext(), sent) is None
    assert [(status, shown(headers)) for status, headers in sent.started] == [(200, HEADERS)]
    assert sent.pieces == [b"one ", "zwö".encode()]


def test_without_a_stream_the_pieces_are_returned_in_one_body() -> None:
    response = api_of(send_two).resolve(event_of(), LambdaContext())

    assert {**response, "multiValueHeaders": shown(response["multiValueHeaders"])} == {
        "statusCode": 200,
        "body": "one zwö",
        "isBase64Encoded": False,
        "multiValueHeaders": {name: [value] for name, value in HEADERS.items()},
    }


@pytest.mark.parametrize(
    ("event", "status"),
    [(event_of(roles="user"), 403), (event_of(body="{"), 400), (event_of() | {"path": "/api/other"}, 404)],
)
def test_a_rejected_request_is_returned_whole_and_starts_no_stream(event: dict[str, Any], status: int) -> None:
    sent = SentResponse()
    response = api_of(send_two).resolve(event, LambdaContext(), sent)

    assert response is not None
    assert (response["statusCode"], sent) == (status, SentResponse())


def test_an_error_before_the_start_is_a_response_with_its_status() -> None:
    def fail(_router: ApiRouter[Any]) -> None:
        raise RequestError("too early", status=409, code="early")

    response = api_of(fail).resolve(event_of(), LambdaContext(), sent := SentResponse())

    assert response is not None
    assert (response["statusCode"], json.loads(response["body"])["error"], sent) == (409, "early", SentResponse())


def fail_late(router: ApiRouter[Any]) -> None:
    router.open_stream("text/event-stream").write(b"one")
    raise ArithmeticError


def test_an_error_after_the_start_is_raised_to_the_runtime() -> None:
    with pytest.raises(ArithmeticError):
        api_of(fail_late).resolve(event_of(), LambdaContext(), SentResponse())


def test_an_error_after_the_start_takes_the_place_of_collected_pieces() -> None:
    response = api_of(fail_late).resolve(event_of(), LambdaContext())

    assert (response["statusCode"], json.loads(response["body"])["error"]) == (500, "internal_error")


def test_a_closed_response_ends_the_request_without_an_error() -> None:
    sent = SentResponse(room=1)

    assert api_of(send_two).resolve(event_of(), LambdaContext(), sent) is None
    assert sent.pieces == [b"one "]


def test_a_second_start_is_an_error() -> None:
    def open_twice(router: ApiRouter[Any]) -> None:
        router.open_stream("text/event-stream")
        router.open_stream("text/event-stream")

    with pytest.raises(RuntimeError, match="already started"):
        api_of(open_twice).resolve(event_of(), LambdaContext(), SentResponse())


@pytest.mark.parametrize(("live", "expected"), [(True, (True, 40.0)), (False, (False, 28.0))])
def test_only_a_streamed_response_has_the_time_of_a_stream(live: bool, expected: tuple[bool, float]) -> None:
    seen: list[tuple[bool, float]] = []

    def see(router: ApiRouter[Any]) -> None:
        seen.append((router.is_streaming, router.stream_deadline().remaining()))
        router.open_stream("text/event-stream")

    api_of(see, stream_seconds=40.0).resolve(event_of(), LambdaContext(), SentResponse() if live else None)

    assert seen == [expected]
