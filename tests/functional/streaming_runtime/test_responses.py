"""Bytes that the runtime loop sends to the Runtime API."""

import base64
import json
from typing import Any

import pytest

from functions.chat.streaming.runtime import RuntimeClient, run
from tests.functional.streaming_runtime import stream_handlers
from tests.functional.streaming_runtime.api_server import (
    ERROR,
    GONE,
    HEADERS,
    ID,
    RESPONSE,
    ApiServer,
    Request,
    api_server,
)

HANDLER = "tests.functional.streaming_runtime.stream_handlers.lambda_handler"


def handled(server: ApiServer) -> list[Request]:
    """Run the loop until the server has no more events; return the requests other than those for events."""
    with pytest.raises(SystemExit) as ended:
        run(RuntimeClient(server.address), HANDLER, from_snapshot=False)
    assert ended.value.code == 1
    return server.posts()


def event(do: str, **fields: Any) -> dict[str, Any]:
    return {"httpMethod": "POST", "path": "/api/chat", "do": do, **fields}


def trailers_of(request: Request) -> dict[str, Any]:
    lines = request.body.rpartition(b"\r\n0\r\n")[2].decode().split("\r\n")
    found = dict(line.split(": ") for line in lines if line)
    error = json.loads(base64.b64decode(found.pop("Lambda-Runtime-Function-Error-Body")))
    del error["stackTrace"]
    return {**found, "body": error}


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [{name: value for name, value in line.items() if name not in {"timestamp", "stackTrace"}} for line in lines]


def test_pieces_of_a_stream_are_chunks_after_the_metadata_and_eight_nul_bytes():
    with api_server(event("pieces")) as server:
        (request,) = handled(server)

    assert request == Request(
        RESPONSE,
        {
            "Host": server.address,
            "Lambda-Runtime-Function-Response-Mode": "streaming",
            "Transfer-Encoding": "chunked",
            "Content-Type": "application/vnd.awslambda.http-integration-response",
            "Trailer": "Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body",
        },
        b'4d\r\n{"statusCode": 200, "headers": {"Content-Type": "text/event-stream"}}'
        + bytes(8)
        + "\r\ne\r\ndata: zwölf\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n".encode(),
    )


def test_response_in_one_piece_is_streamed_with_its_headers():
    with api_server(event("whole"), event("binary"), event("empty")) as server:
        whole, binary, empty = handled(server)

    headers = '{"Content-Type": ["application/json"], "Set-Cookie": ["a=1", "b=2"]}'
    assert [whole.body, binary.body, empty.body] == [
        f'76\r\n{{"statusCode": 404, "multiValueHeaders": {headers}}}'.encode()
        + bytes(8)
        + '\r\n1f\r\n{"error": "nicht gefunden: ä"}\r\n0\r\n\r\n'.encode(),
        b'45\r\n{"statusCode": 200, "headers": {"Content-Type": "image/gif"}}'
        + bytes(8)
        + b"\r\n5\r\nGIF89\r\n0\r\n\r\n",
        b'1b\r\n{"statusCode": 204}' + bytes(8) + b"\r\n0\r\n\r\n",
    ]


def test_direct_invocation_is_answered_with_json(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "chat-stream")
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024")
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "of the invocation before")
    untraced = {name: value for name, value in HEADERS.items() if "Trace" not in name}
    shown = {
        "request_id": ID,
        "arn": HEADERS["Lambda-Runtime-Invoked-Function-Arn"],
        "name": "chat-stream",
        "memory": "1024",
        "has_time": True,
        "trace": HEADERS["Lambda-Runtime-Trace-Id"],
    }
    with api_server({"do": "show"}) as server:
        (traced,) = handled(server)
    with api_server({"do": "show"}, headers={**untraced, "Lambda-Runtime-Invocation-Id": "7"}) as server:
        (second,) = handled(server)

    assert traced.headers["Content-Type"] == "application/json"
    assert json.loads(traced.body) == shown
    assert json.loads(second.body) == {**shown, "trace": None}
    assert second.headers["Lambda-Runtime-Invocation-Id"] == "7"


def test_time_of_an_invocation_ends_at_its_deadline():
    with api_server({"do": "show"}, headers={**HEADERS, "Lambda-Runtime-Deadline-Ms": "1"}) as server:
        (request,) = handled(server)

    assert json.loads(request.body)["has_time"] is False


@pytest.mark.parametrize(
    ("do", "type", "message"),
    [
        ("fails_before", "ValueError", "no such thing"),
        ("unstarted", "RuntimeError", "start the response before its body"),
        ("nothing", "TypeError", "the handler returned no response"),
        ("exits", "SystemExit", "3"),
    ],
)
def test_error_before_the_first_byte_is_reported(do: str, type: str, message: str, capsys: pytest.CaptureFixture[str]):
    with api_server(event(do)) as server:
        (request,) = handled(server)

    reported = request.error
    assert request.path == ERROR
    assert request.headers["Content-Type"] == "application/vnd.aws.lambda.error+json"
    assert request.headers["Lambda-Runtime-Function-Error-Type"] == type
    cause = json.loads(request.headers["Lambda-Runtime-Function-XRay-Error-Cause"])
    assert [(error["type"], error["message"]) for error in cause["exceptions"]] == [(type, message)]
    assert all("stream_handlers" in frame or "runtime.py" in frame for frame in reported.pop("stackTrace"))
    assert reported == {"errorType": type, "errorMessage": message, "requestId": ID}
    assert lines_of(capsys)[0] == {"level": "ERROR", "message": "invocation failed", **reported}


@pytest.mark.parametrize(
    ("do", "type", "message"),
    [
        ("fails_after", "ValueError", "no such thing"),
        ("twice", "RuntimeError", "the response is already started"),
        ("both", "RuntimeError", "the response is already started"),
        ("stops_after", "Stop", "now"),
    ],
)
def test_error_after_the_first_byte_is_in_the_trailers(do: str, type: str, message: str):
    with api_server(event(do)) as server:
        (request,) = handled(server)

    assert request.path == RESPONSE
    assert trailers_of(request) == {
        "Lambda-Runtime-Function-Error-Type": type,
        "body": {"errorType": type, "errorMessage": message, "requestId": ID},
    }


def test_loop_continues_after_an_error():
    with api_server(b"no JSON", event("fails_before"), event("fails_after"), event("empty")) as server:
        requests = handled(server)

    assert [request.path for request in requests] == [ERROR, ERROR, RESPONSE, RESPONSE]


@pytest.mark.parametrize("do", ["exits", "stops_after"])
def test_error_that_is_no_exception_ends_the_process_after_its_report(do: str):
    with api_server(event(do), event("empty")) as server:
        handled(server)

    assert len(server.events) == 1


def test_pieces_of_several_threads_are_whole():
    with api_server(event("parallel")) as server:
        (request,) = handled(server)

    chunks = request.body.split(b"\r\n64\r\n")[1:]
    assert sorted(chunk[:100] for chunk in chunks) == [
        letter * 100 for letter in (b"a", b"b", b"c", b"d") for _ in range(50)
    ]


@pytest.mark.parametrize("raises", [False, True])
def test_handler_of_a_closed_response_is_stopped_and_the_loop_continues(
    raises: bool, capsys: pytest.CaptureFixture[str]
):
    stream_handlers.ENDED.clear()
    with api_server(event("endless", **{"raise": raises}), event("fails_before"), answers={RESPONSE: None}) as server:
        requests = handled(server)

    assert stream_handlers.ENDED == ["StreamClosedError", "after", "after"]
    assert requests[0].path == RESPONSE
    assert ("response closed before its end" in capsys.readouterr().out) == raises


def test_work_after_a_response_follows_it_and_its_failure_ends_nothing(capsys: pytest.CaptureFixture[str]):
    stream_handlers.ENDED.clear()
    stream_handlers.FAIL_AFTER.append(True)
    with api_server(event("pieces"), event("pieces")) as server:
        requests = handled(server)

    assert [request.path for request in requests] == [RESPONSE, RESPONSE]
    assert stream_handlers.ENDED == ["after", "after"]
    assert "no network" in capsys.readouterr().out


def test_rejected_response_is_logged_and_the_loop_continues(capsys: pytest.CaptureFixture[str]):
    too_large = b"HTTP/1.1 413 Payload Too Large\r\nContent-Length: 9\r\n\r\ntoo large"
    with api_server(event("pieces"), {"do": "show"}, answers={RESPONSE: too_large}) as server:
        assert len(handled(server)) == 2

    expected = {"level": "ERROR", "message": f"the Runtime API answered {RESPONSE} with 413: too large"}
    assert lines_of(capsys)[:2] == [expected, expected]


def test_failure_of_the_runtime_api_ends_the_process(capsys: pytest.CaptureFixture[str]):
    broken = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\nbroken"
    with api_server(event("pieces"), event("pieces"), answers={RESPONSE: broken}) as server:
        assert len(handled(server)) == 1

    expected = {"level": "ERROR", "message": f"the Runtime API answered {RESPONSE} with 502: broken"}
    assert lines_of(capsys)[-1] == expected


def test_end_of_the_environment_and_an_absent_runtime_api_end_the_process(capsys: pytest.CaptureFixture[str]):
    path = "/2018-06-01/runtime/invocation/next"
    with api_server() as server:
        handled(server)
    with pytest.raises(SystemExit):
        run(RuntimeClient(server.address), HANDLER, from_snapshot=False)

    gone, absent = lines_of(capsys)
    assert GONE.startswith(b"HTTP/1.1 410")
    assert gone["message"] == f"the Runtime API answered {path} with 410: shut down"
    assert absent["message"].startswith(f"the Runtime API did not answer GET {path}: ConnectionRefusedError")
