"""Requests to the local gateway arrive at the emulator unchanged, and its responses at the client."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from dev.local_gateway.forwarding import Forwarder, without_stage
from dev.local_gateway.server import LocalGateway, listen
from tests.functional.local_gateway.servers import KEY, Emulator, application_running

pytestmark = pytest.mark.slow

PREFIX = "/restapis/a1b2c3/local/_user_request_"


def test_a_request_arrives_with_its_target_headers_and_body(client: httpx2.Client) -> None:
    response = client.post(
        "/api/sessions/a%2Fb%20c?limit=2&x=%C3%A9",
        headers=[
            ("Authorization", "Bearer t"),
            ("X-Twice", "1"),
            ("X-Twice", "2"),
            ("X-Local-Stack-Key", "x"),
            ("User-Agent", "test"),
        ],
        content=b'{"a": 1}',
    )

    seen: dict[str, Any] = response.json()
    port = urlsplit(str(client.base_url)).port
    assert (seen["method"], seen["target"], seen["body"]) == (
        "POST",
        f"{PREFIX}/api/sessions/a%2Fb%20c?limit=2&x=%C3%A9",
        '{"a": 1}',
    )
    headers: list[list[str]] = seen["headers"]
    assert sorted((name, value) for name, value in headers) == [
        ("accept", "*/*"),
        ("accept-encoding", client.headers["Accept-Encoding"]),
        ("authorization", "Bearer t"),
        ("content-length", "8"),
        ("host", f"127.0.0.1:{port}"),
        ("user-agent", "test"),
        ("x-local-stack-key", KEY),
        ("x-twice", "1"),
        ("x-twice", "2"),
    ]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example"},
        {"Origin": "https://evil.example", "Connection": "Upgrade", "Upgrade": "websocket"},
    ],
)
def test_requests_of_other_pages_are_not_forwarded(
    client: httpx2.Client, emulator: Emulator, headers: dict[str, str]
) -> None:
    response = client.post("/api/chat", content=b"{}", headers=headers)

    assert (response.status_code, response.json()["error"], emulator.connections) == (403, "forbidden", 0)
    assert "access-control-allow-origin" not in response.headers


def test_requests_of_the_own_page_are_forwarded(client: httpx2.Client) -> None:
    own = {"Origin": str(client.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}

    assert client.post("/api/chat", content=b"{}", headers=own).status_code == 200


def test_a_body_in_chunks_is_forwarded_with_its_length(client: httpx2.Client) -> None:
    seen = client.post("/api/chat", content=iter([b"abc", b"def"])).json()

    headers = dict(seen["headers"])
    assert (seen["body"], headers["content-length"], "transfer-encoding" in headers) == ("abcdef", "6", False)


def test_a_response_keeps_its_status_and_headers(client: httpx2.Client, emulator: Emulator) -> None:
    emulator.status = 403
    emulator.headers = [
        ("Access-Control-Allow-Origin", "*"),
        ("Set-Cookie", "a=1"),
        ("Set-Cookie", "b=2"),
        ("X-Amzn-ErrorType", "ForbiddenException"),
    ]

    response = client.get("/api/tools/list")

    assert response.status_code == 403
    assert response.headers.multi_items() == [
        ("access-control-allow-origin", "*"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
        ("x-amzn-errortype", "ForbiddenException"),
        ("content-length", str(len(response.content))),
    ]


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("GET", 304), ("OPTIONS", 200)])
def test_responses_without_a_body_and_preflights_pass(
    client: httpx2.Client, emulator: Emulator, method: str, status: int
) -> None:
    emulator.status = status

    assert client.request(method, "/api/chat").status_code == status


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        ("/local/api/runs/r1", "/api/runs/r1"),
        ("/localhost/api", "/localhost/api"),
        ("/local", "/local"),
        ("https://example.com/local/a", "https://example.com/local/a"),
    ],
)
def test_a_location_is_valid_at_the_gateway(
    client: httpx2.Client, emulator: Emulator, location: str, shown: str
) -> None:
    emulator.headers = [("Location", location)]

    assert client.get("/").headers["Location"] == shown == without_stage(location, "local")


def test_small_responses_are_sent_at_once() -> None:
    with listen(0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_connections_are_used_again(client: httpx2.Client, emulator: Emulator) -> None:
    for _ in range(5):
        client.get("/health")

    assert emulator.connections == 1


def test_fifty_requests_at_once_are_answered(client: httpx2.Client) -> None:
    def target(number: int) -> str:
        connection = HTTPConnection(client.base_url.host, client.base_url.port)
        connection.request("GET", f"/api/runs/{number}")
        seen: dict[str, Any] = json.loads(connection.getresponse().read())
        connection.close()
        return seen["target"]

    with ThreadPoolExecutor(50) as clients:
        targets = list(clients.map(target, range(50)))

    assert targets == [f"{PREFIX}/api/runs/{number}" for number in range(50)]


def test_a_stopped_emulator_is_a_bad_gateway() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        api = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with application_running(LocalGateway(Forwarder(api, stage="local", key=KEY))) as url:
            response = httpx2.get(f"{url}/health", trust_env=False)

    assert (response.status_code, response.json()["error"]) == (502, "bad_gateway")
    assert response.json()["message"].startswith("the AWS emulator does not answer: ConnectError")
