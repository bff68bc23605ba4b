"""Connections to checked addresses: one resolution, and no connection when one address is refused."""

import socket
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpcore
import pytest

from flexchat.egress.backend import MAX_UNSENT, MIN_SECONDS, GuardedBackend, Stream, resolve_host
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.timeouts import CallThreads, time_limit

PUBLIC = EgressPolicy()
HOST = "api.example.com"


@dataclass
class Network:
    """Resolver whose answers change with each call, and sockets that record their address and timeout.

    Connections to `failing` raise their exception.
    """

    answers: list[list[str]]
    failing: dict[str, Exception] = field(default_factory=dict[str, Exception])
    resolved: int = 0
    connected: list[str] = field(default_factory=list[str])
    timeouts: list[float | None] = field(default_factory=list[float | None])

    def resolve(self, host: str, port: int) -> list[str]:
        assert (host, port) == (HOST, 443)
        self.resolved += 1
        return self.answers.pop(0)

    def connect(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> Stream:
        assert (port, local_address, socket_options) == (443, None, None)
        self.connected.append(host)
        self.timeouts.append(timeout)
        if host in self.failing:
            raise self.failing[host]
        return httpcore.MockStream([b"hello"])

    def backend(self, policy: EgressPolicy = PUBLIC) -> GuardedBackend:
        errors = (httpcore.ConnectError, httpcore.ConnectTimeout)
        return GuardedBackend(policy, self.connect, errors, resolve=self.resolve)


def refusal(network: Network, policy: EgressPolicy = PUBLIC) -> str:
    with pytest.raises(EgressError) as refused:
        network.backend(policy).connect_tcp(HOST, 443)
    return refused.value.reason


def test_the_connection_is_made_to_the_checked_address() -> None:
    network = Network([["1.1.1.1"]])
    assert network.backend().connect_tcp(HOST, 443, 5).read(5) == b"hello"
    assert (network.resolved, network.connected, network.timeouts) == (1, ["1.1.1.1"], [5])


def test_a_second_answer_of_the_resolver_is_checked_again() -> None:
    network = Network([["1.1.1.1"], ["127.0.0.1"]])
    network.backend().connect_tcp(HOST, 443)
    assert refusal(network) == "address_not_allowed"
    assert network.connected == ["1.1.1.1"]


@pytest.mark.parametrize(
    "addresses",
    [
        ["169.254.169.254"],
        ["1.1.1.1", "169.254.169.254"],
        ["169.254.169.254", "1.1.1.1"],
        ["2606:4700::1111", "::ffff:10.0.0.1"],
        ["1.1.1.1", "fd00:ec2::254"],
    ],
)
def test_one_refused_address_refuses_the_host(addresses: list[str]) -> None:
    network = Network([addresses])
    assert refusal(network) == "address_not_allowed"
    assert network.connected == []


def test_at_the_local_stage_metadata_addresses_stay_refused() -> None:
    network = Network([["127.0.0.1", "169.254.169.254"]])
    assert refusal(network, EgressPolicy(local=True)) == "address_not_allowed"
    assert network.connected == []


@pytest.mark.parametrize("error", [httpcore.ConnectError("refused"), httpcore.ConnectTimeout("silent")])
def test_the_next_address_is_tried_when_one_does_not_answer(error: Exception) -> None:
    network = Network([["2606:4700::1111", "1.1.1.1"]], failing={"2606:4700::1111": error})
    network.backend().connect_tcp(HOST, 443)
    assert network.connected == ["2606:4700::1111", "1.1.1.1"]


def test_the_error_of_the_last_address_is_raised() -> None:
    last = httpcore.ConnectTimeout("silent")
    network = Network([["1.1.1.1", "1.0.0.1"]], failing={"1.1.1.1": httpcore.ConnectError("x"), "1.0.0.1": last})
    with pytest.raises(httpcore.ConnectTimeout):
        network.backend().connect_tcp(HOST, 443)


@pytest.mark.parametrize("error", [socket.gaierror("unknown"), UnicodeError("label too long"), None])
def test_a_host_without_an_address_is_unresolved(error: Exception | None) -> None:
    def resolve(_host: str, _port: int) -> list[str]:
        if error is not None:
            raise error
        return []

    network = Network([])
    backend = GuardedBackend(PUBLIC, network.connect, (httpcore.ConnectError,), resolve=resolve)
    with pytest.raises(EgressError) as refused:
        backend.connect_tcp(HOST, 443)
    assert (refused.value.reason, network.connected) == ("unresolved", [])


def test_the_limit_of_the_call_limits_each_operation() -> None:
    network = Network([["1.1.1.1"]])
    with time_limit(60):
        network.backend().connect_tcp(HOST, 443, 3_600)
    (timeout,) = network.timeouts
    assert timeout is not None
    assert MIN_SECONDS <= timeout <= 60


class Wire(httpcore.MockStream):
    """Stream that records what is sent, with its timeout."""

    def __init__(self) -> None:
        super().__init__([b"answer"])
        self.sent: list[tuple[bytes, float | None]] = []

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.sent.append((buffer, timeout))


@dataclass
class WiredNetwork(Network):
    """Network whose only connection is `wire`."""

    wire: Wire = field(default_factory=Wire)

    def connect(self, *_arguments: Any, **_options: Any) -> Stream:
        return self.wire


def connected(wire: Wire) -> Stream:
    return WiredNetwork([["1.1.1.1"]], wire=wire).backend().connect_tcp(HOST, 443)


def test_the_parts_of_a_request_are_sent_together_before_the_read() -> None:
    wire = Wire()
    stream = connected(wire)
    stream.write(b"headers ", 7)
    stream.write(b"body", 7)
    assert wire.sent == []

    assert stream.read(6) == b"answer"
    assert wire.sent == [(b"headers body", 7)]
    stream.read(6)
    assert len(wire.sent) == 1


def test_a_large_body_is_sent_as_it_is_written() -> None:
    wire = Wire()
    stream = connected(wire)
    for part in (b"a", b"b" * MAX_UNSENT, b"c"):
        stream.write(part)
    assert [sent for sent, _timeout in wire.sent] == [b"a" + b"b" * MAX_UNSENT]

    stream.read(6)
    assert [sent for sent, _timeout in wire.sent[1:]] == [b"c"]


def test_a_part_that_waited_is_sent_within_the_limit_of_the_call() -> None:
    wire = Wire()
    stream = connected(wire)
    with time_limit(60):
        stream.write(b"request", 3_600)
        stream.read(6)
    ((_sent, timeout),) = wire.sent
    assert timeout is not None
    assert MIN_SECONDS <= timeout <= 60


@dataclass
class SilentResolver:
    """Resolver that does not answer until `end` is set."""

    end: threading.Event
    calls: int = 0

    def __call__(self, _host: str, _port: int) -> list[str]:
        self.calls += 1
        assert self.end.wait(60)
        return ["1.1.1.1"]


@pytest.fixture
def silent() -> Iterator[SilentResolver]:
    resolver = SilentResolver(threading.Event())
    yield resolver
    resolver.end.set()


def test_a_resolver_that_does_not_answer_is_cut_off_and_its_threads_are_limited(silent: SilentResolver) -> None:
    threads = CallThreads(max_left_behind=2)
    backend = GuardedBackend(PUBLIC, Network([]).connect, (), resolve=silent, resolutions=threads)
    for _ in range(4):
        with pytest.raises(EgressError, match="was not resolved in time"):
            backend.connect_tcp(HOST, 443, 0.05)
    assert (silent.calls, threads.left_behind) == (2, 2)

    silent.end.set()
    assert threads.wait_for_room(60, room=2)
    assert backend.connect_tcp(HOST, 443, 60).read(5) == b"hello"


def test_a_resolution_ends_with_the_time_of_the_call(silent: SilentResolver) -> None:
    backend = GuardedBackend(PUBLIC, Network([]).connect, (), resolve=silent, resolutions=CallThreads())
    with time_limit(0.05), pytest.raises(TimeoutError):
        backend.connect_tcp(HOST, 443, 60)


@pytest.mark.parametrize(
    "text",
    ["2130706433", "0x7F000001", "0177.0.0.1", "127.1", "0", "①②⑦.⓪.⓪.①", "localhost"],
)
def test_the_resolver_accepts_texts_that_mean_this_machine(text: str) -> None:
    """The check of the resolved address refuses them even if the parser of URLs did not."""
    for ip in resolve_host(text, 443):
        with pytest.raises(EgressError):
            PUBLIC.check_ip(ip, text)


def test_sockets_of_the_machine_are_refused() -> None:
    with pytest.raises(EgressError):
        Network([]).backend().connect_unix_socket("/var/run/docker.sock")
