"""Addresses of MCP servers, checked at the socket: a refused one is never connected to."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from flexchat.egress.addresses import Resolve, resolve_host
from flexchat.egress.policy import PUBLIC, EgressPolicy
from tests.contract.http_wire.hostile_server import Exchange, HostileServer
from tests.contract.mcp_wire.conftest import NewLambda
from tests.contract.mcp_wire.misbehaviours import good, mcp_endpoint, message_of

HOSTS = (
    "127.0.0.1",
    "2130706433",
    "0x7F000001",
    "0177.0.0.1",
    "127.1",
    "0",
    "[::ffff:127.0.0.1]",
    "localhost",
    "rebound.test",
    "user@127.0.0.1",
    "127.0.0.1\\@example.com",
    "①②⑦.⓪.⓪.①",
    "[::1]",
    "[64:ff9b::7f00:1]",
)


def resolve(host: str, port: int) -> list[str]:
    """Return 127.0.0.1 for names below `.test`, for others the addresses that every machine has."""
    return ["127.0.0.1"] if host.endswith(".test") else resolve_host(host, port)


def resolving(addresses: list[str]) -> Resolve:
    """Return a resolver whose answer is the present content of `addresses`."""

    def resolve(_host: str, _port: int) -> list[str]:
        return list(addresses)

    return resolve


@pytest.fixture
def connections(server: HostileServer) -> list[str]:
    found: list[str] = []

    def count(exchange: Exchange) -> None:
        found.append(exchange.request.target)
        mcp_endpoint(exchange)

    server.paths["/mcp"] = count
    return found


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", HOSTS)
def test_no_address_of_this_machine_is_reached(
    new_lambda: NewLambda, server: HostileServer, connections: list[str], scheme: str, host: str
) -> None:
    kind, message = new_lambda(policy=PUBLIC, resolve=resolve).error(f"{scheme}://{host}:{server.port}/mcp", "good")

    assert (kind, host in message) == ("configuration", False)
    assert "is not allowed" in message or message.endswith("at the local stage only"), message
    assert connections == []


@pytest.mark.parametrize(
    "address", ["169.254.169.254/latest", "169.254.170.2/v2", "[fd00:ec2::254]/latest", "metadata.test/latest"]
)
def test_services_of_aws_are_refused_at_the_local_stage_too(new_lambda: NewLambda, address: str) -> None:
    mcp = new_lambda(resolve=resolving(["169.254.169.254"]))
    assert mcp.error(f"http://{address}", "good")[0] == "configuration"


def test_a_host_that_the_deployment_does_not_allow_is_refused(
    new_lambda: NewLambda, server: HostileServer, connections: list[str]
) -> None:
    policy = EgressPolicy(allowed_hosts=frozenset({"mcp.example.com"}), local=True)
    assert new_lambda(policy=policy).error(server.url("/mcp"), "good")[0] == "configuration"
    assert connections == []


def test_an_address_that_changes_during_a_session_is_refused(new_lambda: NewLambda, server: HostileServer) -> None:
    addresses = ["127.0.0.1"]
    mcp = new_lambda(resolve=resolving(addresses))
    url = f"http://rebound.test:{server.port}/mcp"
    assert mcp.call(url, "good")["ok"]

    addresses[:] = ["127.0.0.1", "169.254.169.254"]

    assert mcp.error(url, "good") == ("configuration", "The address of the MCP server 'server' is not allowed")


def test_an_authorization_server_at_a_refused_address_receives_no_secret(
    new_lambda: NewLambda, server: HostileServer
) -> None:
    auth = {"type": "oauth2_client_credentials", "client_id": "c", "client_secret": "s"}
    auth |= {"token_url": "http://169.254.169.254/token"}
    message = "The address of the authorization server is not allowed"
    assert new_lambda().error(server.url("/mcp"), "good", auth=auth) == ("configuration", message)
    assert server.requests == []


def test_a_server_that_answers_with_errors_is_tried_three_times(new_lambda: NewLambda, server: HostileServer) -> None:
    server.paths["/mcp"] = lambda exchange: exchange.answer(b"oops", status="503 Service Unavailable")

    kind, message = new_lambda().error(server.url("/mcp"), "good")

    assert (kind, message.partition(":")[0]) == ("unavailable", "MCP connection failed after 3 attempts")
    assert [b'"initialize"' in request.body for request in server.requests] == [False, True] * 3


@pytest.mark.parametrize("status", ["405 Method Not Allowed", "404 Not Found", "410 Gone"])
def test_an_address_of_the_older_transport_is_named_after_one_attempt(
    new_lambda: NewLambda, server: HostileServer, status: str
) -> None:
    server.paths["/sse"] = lambda exchange: exchange.answer(b"", status=status)

    kind, message = new_lambda().error(server.url("/sse"), "echo")

    assert (kind, "after 1 attempt:" in message) == ("unavailable", True)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        ("404 Not Found", b""),
        ("400 Bad Request", b'{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session ID"}}'),
        ("400 Bad Request", b"Bad Request: No valid session ID provided"),
    ],
)
def test_an_expired_session_is_opened_again_once(
    new_lambda: NewLambda, server: HostileServer, status: str, body: bytes
) -> None:
    calls = 0

    def expiring(exchange: Exchange) -> None:
        nonlocal calls
        is_call = message_of(exchange).get("method") == "tools/call"
        calls += is_call
        if is_call and calls == 2:
            exchange.answer(body, "Content-Type: application/json", status=status)
        else:
            mcp_endpoint(exchange)

    server.paths["/mcp"] = expiring
    mcp = new_lambda()

    results = [mcp.call(server.url("/mcp"), "good")["result"] for _ in range(3)]

    assert results == ["fine"] * 3
    assert calls == 4
    assert sum(b'"initialize"' in request.body for request in server.requests) == 2


def test_a_broken_response_does_not_end_the_calls_beside_it(new_lambda: NewLambda, server: HostileServer) -> None:
    waiting, broken = threading.Event(), threading.Event()

    def scripted(exchange: Exchange) -> None:
        name = message_of(exchange).get("params", {}).get("name")
        if name == "slow":
            waiting.set()
            assert broken.wait(30)
            good(exchange)
        else:
            mcp_endpoint(exchange)

    server.paths["/mcp"] = scripted
    mcp = new_lambda()
    url = server.url("/mcp")
    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(mcp.call, url, "slow")
        assert waiting.wait(30)
        assert mcp.error(url, "nothing")[0] == "unavailable"
        broken.set()
        assert slow.result(30)["result"] == "fine"


def test_parallel_calls_request_one_token(new_lambda: NewLambda, server: HostileServer) -> None:
    server.paths["/token"] = lambda exchange: exchange.answer(b'{"access_token":"token-1","expires_in":3600}')
    auth = {"type": "oauth2_client_credentials", "client_id": "c", "client_secret": "s"}
    auth |= {"token_url": server.url("/token")}
    mcp = new_lambda()

    def call(_: int) -> bool:
        return mcp.call(server.url("/mcp"), "good", auth=auth)["ok"]

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(call, range(8))) == [True] * 8

    assert sum(request.target == "/token" for request in server.requests) == 1


def test_a_session_ends_with_its_connection(new_lambda: NewLambda, server: HostileServer) -> None:
    mcp = new_lambda()
    assert mcp.call(server.url("/mcp"), "good")["ok"]
    mcp.close()
    assert [r.headers["mcp-session-id"] for r in server.requests if r.method == "DELETE"] == ["session-1"]
