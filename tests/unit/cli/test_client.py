"""The client of the service: its target, its requests, its errors."""

from collections.abc import Callable
from operator import methodcaller
from pathlib import Path

import httpx2
import pytest

from cli.client import Client
from cli.errors import ServiceError
from cli.invocation import flexchat, make, trace_hint
from cli.local_stack import StackState, write_state
from cli.target import Target, find_target
from cli.transport import parse_answer
from flexchat.api.listings import ToolList
from flexchat.messages import Json

LOCAL = StackState(
    url="http://127.0.0.1:1/api",
    token="local-token",
    region="us-east-1",
    endpoint="http://127.0.0.1:1",
    access_key_id="AKIATHEKEYOFTHESTACK",
    pids=(1,),
    stage="local",
    stack="flexchat-local",
    config="config/flexchat.json",
)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    path = tmp_path / "stack.json"
    write_state(path, LOCAL)
    return path


def client(handler: Callable[[httpx2.Request], httpx2.Response]) -> Client:
    return Client(Target("https://chat.example", "tok"), transport=httpx2.MockTransport(handler))


def failing(error: httpx2.HTTPError) -> Client:
    def handler(request: httpx2.Request) -> httpx2.Response:
        raise error

    return client(handler)


@pytest.mark.parametrize(
    ("url", "token", "environ", "found"),
    [
        (None, None, {}, Target("http://127.0.0.1:1/api", "local-token")),
        ("https://a.example/", "t", {}, Target("https://a.example", "t")),
        (None, None, {"FLEXCHAT_URL": "https://e.example", "FLEXCHAT_TOKEN": "e"}, Target("https://e.example", "e")),
        ("https://a.example", None, {"FLEXCHAT_TOKEN": "e"}, Target("https://a.example", "e")),
        (None, "t", {}, Target("http://127.0.0.1:1/api", "t")),
        ("http://127.0.0.1:1/api/", None, {}, Target("http://127.0.0.1:1/api", "local-token")),
    ],
)
def test_options_override_the_environment_and_the_environment_the_local_stack(
    state: Path, url: str | None, token: str | None, environ: dict[str, str], found: Target
) -> None:
    assert find_target(url=url, token=token, environ=environ, state=state) == found


def test_the_local_token_is_not_sent_to_another_service(state: Path) -> None:
    with pytest.raises(ServiceError, match=r"no token for https://elsewhere\.example"):
        find_target(url="https://elsewhere.example", token=None, environ={}, state=state)


def test_without_a_service_the_error_names_make_up(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="make up"):
        find_target(url=None, token=None, environ={}, state=tmp_path / "stack.json")


def test_a_chat_is_sent_with_the_token_and_a_timeout_after_its_deadline() -> None:
    seen: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json={"content": "Hello"})

    assert client(handler).chat({"message": "Hi", "deadline_ms": 2_000}) == {"content": "Hello"}
    assert [(r.method, str(r.url), r.read(), r.headers["Authorization"]) for r in seen] == [
        ("POST", "https://chat.example/api/chat", b'{"message":"Hi","deadline_ms":2000}', "Bearer tok")
    ]
    assert seen[0].extensions["timeout"]["read"] == 7.0


def test_tools_are_read_from_their_endpoint() -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"tools": [], "path": request.url.path})

    assert client(handler).tools() == {"tools": [], "path": "/api/tools/list"}


def test_an_error_response_is_raised_with_its_message_details_and_request_id() -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        body = {
            "error": "invalid_request",
            "message": "the body does not fit",
            "request_id": "r-1",
            "details": [{"path": "message", "message": "is required"}, {"path": "", "message": "no key 'mesage'"}],
        }
        return httpx2.Response(400, json=body)

    with pytest.raises(ServiceError) as raised:
        client(handler).chat({"mesage": "Hi"})

    assert str(raised.value) == (
        "HTTP 400: the body does not fit\n  message: is required\n  body: no key 'mesage'\n"
        f"  request id: {trace_hint('r-1')}"
    )


@pytest.mark.parametrize(
    "response",
    [
        httpx2.Response(200, text="<html>"),
        httpx2.Response(502, text="bad gateway"),
        httpx2.Response(200, json=[]),
        httpx2.Response(404, json={"detail": "none"}),
    ],
)
def test_a_response_of_another_service_is_rejected(response: httpx2.Response) -> None:
    with pytest.raises(ServiceError, match=r"HTTP \d+ from https://chat.example/api/chat, which does not look like"):
        client(lambda _: response).chat({"message": "Hi"})


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (httpx2.ConnectError("refused"), "https://chat.example cannot be reached; check the address and the network"),
        (httpx2.ReadTimeout("slow"), "https://chat.example did not answer within 120 s"),
        (
            httpx2.RemoteProtocolError("gone"),
            "https://chat.example closed the connection without a complete response",
        ),
    ],
)
def test_a_service_that_does_not_answer_is_reported(error: httpx2.HTTPError, arguments: str) -> None:
    with pytest.raises(ServiceError) as raised:
        failing(error).tools()

    assert str(raised.value) == arguments


def test_an_unreachable_local_stack_is_an_error_with_the_repair_command() -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("[Errno 111] Connection refused", request=request)

    local = Client(Target(LOCAL.url, LOCAL.token), transport=httpx2.MockTransport(refuse))

    with pytest.raises(ServiceError) as raised:
        local.tools()

    assert str(raised.value) == f"{LOCAL.url} cannot be reached; `{make('up')}` starts or repairs the local stack"


@pytest.mark.parametrize("url", ["nonsense", "chat.example", "ftp://chat.example", "http://", "http://[", "http://a:b"])
def test_an_invalid_address_is_rejected_before_a_request(url: str, tmp_path: Path) -> None:
    with pytest.raises(ServiceError) as raised:
        find_target(url=url, token="t", environ={}, state=tmp_path / "stack.json")

    assert str(raised.value) == f"{url!r} is not the address of a service; give one such as https://chat.example.com"


def test_a_rejected_token_is_an_error_with_the_command_that_creates_one() -> None:
    body = {"error": "forbidden", "message": "this token is unknown, expired or revoked", "request_id": "r-1"}

    with pytest.raises(ServiceError) as raised:
        client(lambda _: httpx2.Response(403, json=body)).tools()

    assert str(raised.value) == (
        "HTTP 403: this token is unknown, expired or revoked\n"
        f"  create a token: {flexchat('tokens', 'create', '--stage', 'STAGE', '--name', 'NAME')}\n"
        f"  request id: {trace_hint('r-1')}"
    )


@pytest.mark.parametrize(
    ("call", "listing", "message"),
    [
        (
            methodcaller("suite", "defalt"),
            {"suites": [{"name": "mine"}, {"name": "default"}]},
            "https://chat.example has no suite 'defalt'; it has: 'default', 'mine'",
        ),
        (
            methodcaller("session", "s9"),
            {"sessions": []},
            "https://chat.example has no session 's9'; it has: none",
        ),
        (
            methodcaller("validation_run", "r9"),
            {"runs": [{"id": "r1"}]},
            "https://chat.example has no run 'r9'; it has: 'r1'",
        ),
    ],
)
def test_an_unknown_name_is_an_error_with_the_existing_ones(
    call: Callable[[Client], object], listing: dict[str, Json], message: str
) -> None:
    answers = [httpx2.Response(404, json={"message": "no"}), httpx2.Response(200, json=listing)]

    with pytest.raises(ServiceError) as raised:
        call(client(lambda _: answers.pop(0)))

    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("status", "headers", "remedy"),
    [
        (413, {}, "the request is too large: shorten the message or the history, or send the history as a --session"),
        (429, {"Retry-After": "17"}, "try again in 17 s"),
        (503, {"Retry-After": "5"}, "try again in 5 s"),
        (500, {}, "try again; if it fails again, `flexchat logs --level ERROR --stage STAGE` has the reason"),
        (504, {}, "the answer took longer than a request may: run it in the background with --async"),
    ],
)
@pytest.mark.parametrize("own", [True, False], ids=["Flexchat's body", "another body"])
def test_a_rejected_request_is_an_error_with_the_remedy(
    status: int, headers: dict[str, str], remedy: str, own: bool
) -> None:
    refusal = {"error": "refused", "message": "no", "request_id": "r-1"}
    response = httpx2.Response(status, headers=headers, json=refusal if own else ["no"])

    with pytest.raises(ServiceError) as raised:
        client(lambda _: response).chat({"message": "Hi"})

    other = f"HTTP {status} from https://chat.example/api/chat, which does not look like Flexchat\n  {remedy}"
    assert str(raised.value) == (f"HTTP {status}: no\n  {remedy}\n  request id: {trace_hint('r-1')}" if own else other)


def test_a_gateway_error_is_retryable_and_a_model_error_has_its_own_message() -> None:
    messages: list[str] = []
    bodies = ({"message": "Bad gateway"}, {"error": "model_failed", "message": "the key is wrong"})
    for status, body in ((502, bodies[0]), (502, bodies[1]), (429, bodies[0]), (429, bodies[1])):
        with pytest.raises(ServiceError) as raised:
            client(lambda _, status=status, body=body: httpx2.Response(status, json=body)).tools()
        messages.append(str(raised.value))

    assert messages == [
        "HTTP 502: Bad gateway\n  try again in a minute",
        "HTTP 502: the key is wrong",
        "HTTP 429: Bad gateway\n  try again in a minute",
        "HTTP 429: the key is wrong",
    ]


def test_connections_are_closed_with_the_client() -> None:
    closed: list[bool] = []

    class Transport(httpx2.MockTransport):
        def close(self) -> None:
            closed.append(True)

    used = Client(
        Target("https://chat.example", "tok"), transport=Transport(lambda _: httpx2.Response(200, json={"tools": []}))
    )
    used.tools()
    assert closed == []

    del used

    assert closed == [True]


def test_json_of_another_service_is_rejected_with_a_message() -> None:
    with pytest.raises(ServiceError) as caught:
        parse_answer(ToolList, {"tools": [{"title": "a"}]})

    message = str(caught.value)
    assert message.startswith(
        "the service answered with JSON that this version of flexchat cannot read: no valid 'tools.0.description', "
    )
    assert "Check that the URL is that of a Flexchat API" in message
    assert "pydantic" not in message
