"""Guarded connections within an event loop, against listeners on the loopback interface."""

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import httpcore2
import httpx2
import pytest
import trustme

from flexchat.deadline import time_limit
from flexchat.egress.addresses import Resolve
from flexchat.egress.client import MAX_HEADERS, AsyncGuardedTransport
from flexchat.egress.errors import EgressError
from flexchat.egress.network import MAX_ADDRESSES, AsyncGuardedBackend
from flexchat.egress.policy import PUBLIC, EgressPolicy
from tests.unit.egress.servers import OK, OTHER, Listener, Script, listening
from tests.unit.egress.test_connections import LOOPBACK_TEXTS, PROXY_VARIABLES, certificates, resolve, trusting

LOCAL = EgressPolicy(local=True)
HOST = "api.example.com"


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


def get(
    *urls: str,
    policy: EgressPolicy = PUBLIC,
    trusted: ssl.SSLContext | None = None,
    resolve: Resolve = resolve,
    ready: Callable[[], object] = bool,
) -> list[str]:
    """Return the bodies of responses to requests in order; `ready` is called after each of them."""

    async def texts() -> list[str]:
        limits = httpx2.Limits(max_connections=10, max_keepalive_connections=5, keepalive_expiry=60)
        transport = AsyncGuardedTransport(policy, limits=limits, certificates=trusted, resolve=resolve)
        async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
            received: list[str] = []
            for url in urls:
                received.append((await client.get(url)).text)
                await asyncio.to_thread(ready)
            return received

    return asyncio.run(texts())


@pytest.mark.parametrize("host", LOOPBACK_TEXTS)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_url_reaches_a_listener_of_this_machine(listener: Listener, scheme: str, host: str) -> None:
    with pytest.raises((EgressError, httpx2.InvalidURL)):
        get(f"{scheme}://{host}:{listener.port}/")
    assert listener.connections == 0


@pytest.mark.parametrize(
    "host",
    ["169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.169.253", "[fd00:ec2::254]", "[::ffff:a9fe:a9fe]"],
)
def test_services_of_aws_are_refused_at_the_local_stage_too(host: str) -> None:
    with pytest.raises(EgressError) as refused:
        get(f"http://{host}/latest/meta-data/", policy=LOCAL)
    assert refused.value.reason == "address_not_allowed"


@pytest.mark.parametrize("port", [9001, 2773])
def test_services_of_lambda_are_refused(port: int) -> None:
    with pytest.raises(EgressError) as refused:
        get(f"https://127.0.0.1:{port}/")
    assert refused.value.reason == "loopback"


def test_a_host_that_the_deployment_does_not_allow_is_refused_before_it_is_resolved() -> None:
    resolved: list[str] = []

    def resolving(host: str, port: int) -> list[str]:
        resolved.append(host)
        return ["1.1.1.1"]

    with pytest.raises(EgressError) as refused:
        get("https://other.example.com/", policy=EgressPolicy(allowed_hosts=frozenset({HOST})), resolve=resolving)
    assert (refused.value.reason, resolved) == ("host_not_allowed", [])


def test_the_local_stage_reaches_a_listener_and_reuses_its_connection(listener: Listener) -> None:
    url = f"http://api.test:{listener.port}/a"
    assert get(url, url, policy=LOCAL) == ["/a", "/a"]
    assert listener.connections == 1


def test_proxies_of_the_environment_are_ignored(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with listening() as proxy:
        for name in PROXY_VARIABLES:
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert get(f"http://api.test:{listener.port}/a", policy=LOCAL) == ["/a"]
        assert proxy.connections == 0


def test_tls_is_for_the_name_and_not_for_the_address() -> None:
    authority = trustme.CA()
    with listening(certificates(authority, "api.test")) as listener:
        assert get(f"https://api.test:{listener.port}/a", policy=LOCAL, trusted=trusting(authority)) == ["/a"]
        assert listener.names == ["api.test"]


@pytest.mark.parametrize("name", ["other.test", "127.0.0.1"])
def test_a_certificate_of_another_name_is_refused(name: str) -> None:
    authority = trustme.CA()
    with (
        listening(certificates(authority, name)) as listener,
        pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        get(f"https://api.test:{listener.port}/", policy=LOCAL, trusted=trusting(authority))
    assert listener.requests == []


@pytest.mark.parametrize("surplus", [(b"x",), (b"", OTHER)])
@pytest.mark.parametrize("is_encrypted", [False, True])
def test_bytes_after_a_response_end_its_connection(surplus: tuple[bytes, ...], *, is_encrypted: bool) -> None:
    """They are received with the response, or follow it in another record of TLS."""
    authority = trustme.CA()
    tls = certificates(authority, "api.test") if is_encrypted else None
    first, *others = surplus
    with closing(Script([(OK + first, *others), OTHER], [OK], tls=tls)) as server:
        trusted = trusting(authority)
        received = get(server.url, server.url, policy=LOCAL, trusted=trusted, ready=lambda: server.answered.wait(10))
        assert received == ["ok", "ok"]


def test_a_response_with_too_many_headers_is_broken() -> None:
    answer = OK.replace(b"\r\n\r\n", b"\r\n" + b"X-Part: a\r\n" * MAX_HEADERS + b"\r\n")
    with closing(Script([answer])) as server, pytest.raises(httpx2.RemoteProtocolError, match="too many headers"):
        get(server.url, policy=LOCAL)


class Network(httpcore2.AsyncNetworkBackend):
    """Resolver whose answers change with each call, and sockets that record their address."""

    def __init__(self, *answers: list[str], failing: tuple[str, ...] = ()) -> None:
        self._answers = list(answers)
        self._failing = failing
        self.resolving_threads: list[threading.Thread] = []
        self.connected: list[str] = []

    def resolve(self, host: str, port: int) -> list[str]:
        assert (host, port) == (HOST, 443)
        self.resolving_threads.append(threading.current_thread())
        return self._answers.pop(0)

    async def connect_tcp(self, host: str, *_: Any, **__: Any) -> httpcore2.AsyncNetworkStream:
        self.connected.append(host)
        if host in self._failing:
            raise httpcore2.ConnectError("refused")
        return httpcore2.AsyncMockStream([])

    def connect(self, policy: EgressPolicy = PUBLIC) -> None:
        asyncio.run(AsyncGuardedBackend(policy, network=self, resolve=self.resolve).connect_tcp(HOST, 443))

    def refusal(self, policy: EgressPolicy = PUBLIC) -> str:
        with pytest.raises(EgressError) as refused:
            self.connect(policy)
        return refused.value.reason


def test_a_name_is_resolved_outside_of_the_event_loop() -> None:
    network = Network(["1.1.1.1"])
    network.connect()
    assert network.connected == ["1.1.1.1"]
    assert threading.main_thread() not in network.resolving_threads


def test_a_second_answer_of_the_resolver_is_checked_again() -> None:
    network = Network(["1.1.1.1"], ["127.0.0.1"])
    network.connect()
    assert network.refusal() == "address_not_allowed"
    assert network.connected == ["1.1.1.1"]


@pytest.mark.parametrize(
    "addresses",
    [
        ["169.254.169.254"],
        ["1.1.1.1", "169.254.169.254"],
        ["2606:4700::1111", "::ffff:10.0.0.1"],
        ["1.1.1.1", "fd00:ec2::254"],
        ["64:ff9b::a9fe:a9fe"],
        ["2002:a9fe:a9fe::"],
        ["100.64.0.1"],
    ],
)
@pytest.mark.parametrize("policy", [PUBLIC, LOCAL])
def test_one_refused_address_refuses_the_host(addresses: list[str], policy: EgressPolicy) -> None:
    network = Network(addresses)
    if policy.local and addresses[-1] == "::ffff:10.0.0.1":
        return  # a private network, which the local stage reaches
    assert network.refusal(policy) == "address_not_allowed"
    assert network.connected == []


def test_the_next_addresses_are_tried_when_one_does_not_answer() -> None:
    network = Network(["2606:4700::1111", "1.1.1.1"], failing=("2606:4700::1111",))
    network.connect()
    assert network.connected == ["2606:4700::1111", "1.1.1.1"]


def test_a_limited_number_of_addresses_is_tried() -> None:
    addresses = [f"1.1.1.{number}" for number in range(20)]
    network = Network(addresses, failing=tuple(addresses))
    with pytest.raises(httpcore2.ConnectError):
        network.connect()
    assert network.connected == addresses[:MAX_ADDRESSES]


def test_a_connection_is_not_limited_by_the_call_that_opened_its_session() -> None:
    network = Network(["1.1.1.1"])
    with time_limit(0):
        network.connect()
    assert network.connected == ["1.1.1.1"]


def test_sockets_of_the_machine_are_refused() -> None:
    with pytest.raises(EgressError):
        asyncio.run(AsyncGuardedBackend(PUBLIC, network=Network()).connect_unix_socket("/var/run/docker.sock"))
