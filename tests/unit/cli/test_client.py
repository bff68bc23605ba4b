"""Where a command finds the service, and how it tells what went wrong."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from cli.client import Client, ServiceError, Target, find_target
from cli.local.state import StackState, write_state

LOCAL = StackState(
    url="http://127.0.0.1:1/api",
    token="local-token",
    region="us-east-1",
    endpoint="http://127.0.0.1:1",
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


def client(handler: Callable[[httpx.Request], httpx.Response]) -> Client:
    return Client(Target("https://chat.example", "tok"), transport=httpx.MockTransport(handler))


def failing(error: httpx.HTTPError) -> Client:
    def handler(request: httpx.Request) -> httpx.Response:
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
def test_options_go_before_the_environment_and_the_environment_before_the_local_stack(
    state: Path, url: str | None, token: str | None, environ: dict[str, str], found: Target
) -> None:
    assert find_target(url=url, token=token, environ=environ, state=state) == found


def test_the_local_token_is_not_sent_to_another_service(state: Path) -> None:
    with pytest.raises(ServiceError, match=r"no token for https://elsewhere\.example"):
        find_target(url="https://elsewhere.example", token=None, environ={}, state=state)


def test_without_a_service_the_way_to_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="make up"):
        find_target(url=None, token=None, environ={}, state=tmp_path / "stack.json")


def test_a_chat_is_sent_with_the_token_and_may_take_a_little_longer_than_its_deadline() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"content": "Hello"})

    assert client(handler).chat({"message": "Hi", "deadline_ms": 2_000}) == {"content": "Hello"}
    assert [(r.method, str(r.url), r.read(), r.headers["Authorization"]) for r in seen] == [
        ("POST", "https://chat.example/api/chat", b'{"message":"Hi","deadline_ms":2000}', "Bearer tok")
    ]
    assert seen[0].extensions["timeout"]["read"] == 7.0


def test_tools_are_asked_for_at_their_route() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"tools": [], "path": request.url.path})

    assert client(handler).tools() == {"tools": [], "path": "/api/tools/list"}


def test_a_refusal_is_told_in_the_services_own_words_with_details_and_request_id() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        body = {
            "error": "invalid_request",
            "message": "the body does not fit",
            "request_id": "r-1",
            "details": [{"path": "message", "message": "is required"}, {"path": "", "message": "no key 'mesage'"}],
        }
        return httpx.Response(400, json=body)

    with pytest.raises(ServiceError) as raised:
        client(handler).chat({"mesage": "Hi"})

    assert str(raised.value) == (
        "HTTP 400: the body does not fit\n  message: is required\n  body: no key 'mesage'\n  request id: r-1"
    )


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(502, text="bad gateway"),
        httpx.Response(200, json=[]),
        httpx.Response(404, json={"detail": "none"}),
    ],
)
def test_an_answer_of_something_else_is_not_mistaken_for_ours(response: httpx.Response) -> None:
    with pytest.raises(ServiceError, match=r"HTTP \d+ from https://chat.example/api/chat, which does not look like"):
        client(lambda _: response).chat({"message": "Hi"})


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx.ConnectError("refused"), "https://chat.example cannot be reached. Is the stack up? `make up`"),
        (httpx.ReadTimeout("slow"), "https://chat.example did not answer within 120 s"),
        (httpx.RemoteProtocolError("gone"), "https://chat.example could not be asked: gone"),
    ],
)
def test_a_service_that_does_not_answer_is_told_in_words(error: httpx.HTTPError, words: str) -> None:
    with pytest.raises(ServiceError) as raised:
        failing(error).tools()

    assert str(raised.value) == words
