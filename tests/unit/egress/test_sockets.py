"""Connections to checked addresses: one resolution, and no connection when one address is refused."""

import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpcore2
import pytest
import trustme

from flexchat.deadline import MIN_SECONDS, CallThreads, time_limit
from flexchat.egress.addresses import checked_addresses, resolve_host
from flexchat.egress.errors import EgressError
from flexchat.egress.network import MAX_ADDRESSES, GuardedBackend, TimedStream
from flexchat.egress.policy import EgressPolicy
from tests.unit.egress.test_connections import certificates, trusting

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

    def connect(self, address: tuple[str, int], seconds: float | None) -> socket.socket:
        ip, port = address
        assert port == 443
        self.connected.append(ip)
        self.timeouts.append(seconds)
        if ip in self.failing:
            raise self.failing[ip]
        return socket.socket()

    def connect_to(self, policy: EgressPolicy = PUBLIC, seconds: float = 5) -> None:
        GuardedBackend(policy, connect=self.connect, resolve=self.resolve).connect_tcp(HOST, 443, seconds).close()


def refusal(network: Network, policy: EgressPolicy = PUBLIC) -> str:
    with pytest.raises(EgressError) as refused:
        network.connect_to(policy)
    return refused.value.reason


def test_the_connection_is_made_to_the_checked_address() -> None:
    network = Network([["1.1.1.1"]])
    network.connect_to()
    assert (network.resolved, network.connected, network.timeouts) == (1, ["1.1.1.1"], [5])


def test_a_second_answer_of_the_resolver_is_checked_again() -> None:
    network = Network([["1.1.1.1"], ["127.0.0.1"]])
    network.connect_to()
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


@pytest.mark.parametrize("error", [ConnectionRefusedError("refused"), TimeoutError("silent")])
def test_the_next_address_is_tried_when_one_does_not_answer(error: Exception) -> None:
    network = Network([["2606:4700::1111", "1.1.1.1"]], failing={"2606:4700::1111": error})
    network.connect_to()
    assert network.connected == ["2606:4700::1111", "1.1.1.1"]


def test_the_error_of_the_last_address_is_raised() -> None:
    failing: dict[str, Exception] = {"1.1.1.1": ConnectionRefusedError("x"), "1.0.0.1": TimeoutError("silent")}
    network = Network([["1.1.1.1", "1.0.0.1"]], failing=failing)
    with pytest.raises(httpcore2.ConnectTimeout, match="silent"):
        network.connect_to()


def test_a_limited_number_of_addresses_is_tried() -> None:
    addresses = [f"1.1.1.{number}" for number in range(20)]
    network = Network([addresses], failing=dict.fromkeys(addresses, ConnectionRefusedError("refused")))
    with pytest.raises(httpcore2.ConnectError, match="refused"):
        network.connect_to()
    assert network.connected == addresses[:MAX_ADDRESSES]


@pytest.mark.parametrize("error", [socket.gaierror("unknown"), UnicodeError("label too long"), None])
def test_a_host_without_an_address_is_unresolved(error: Exception | None) -> None:
    def resolve(_host: str, _port: int) -> list[str]:
        if error is not None:
            raise error
        return []

    network = Network([])
    with pytest.raises(EgressError) as refused:
        GuardedBackend(PUBLIC, connect=network.connect, resolve=resolve).connect_tcp(HOST, 443, 5)
    assert (refused.value.reason, network.connected) == ("unresolved", [])


def test_the_limit_of_the_call_limits_each_operation() -> None:
    network = Network([["1.1.1.1"]])
    with time_limit(60):
        network.connect_to(seconds=3_600)
    (timeout,) = network.timeouts
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
    for _ in range(4):
        with pytest.raises(EgressError, match="was not resolved in time"):
            checked_addresses(PUBLIC, HOST, 443, 0.05, resolve=silent, resolutions=threads)
    assert (silent.calls, threads.left_behind) == (2, 2)

    silent.end.set()
    assert threads.wait_for_room(60, room=2)
    assert checked_addresses(PUBLIC, HOST, 443, 60, resolve=silent, resolutions=threads) == ["1.1.1.1"]


def test_a_resolution_ends_with_the_time_of_the_call(silent: SilentResolver) -> None:
    with time_limit(0.05), pytest.raises(TimeoutError):
        checked_addresses(PUBLIC, HOST, 443, 60, resolve=silent, resolutions=CallThreads())
    with time_limit(0.05), pytest.raises(httpcore2.TimeoutException):
        GuardedBackend(PUBLIC, resolve=silent).connect_tcp(HOST, 443, 60)


@pytest.mark.parametrize(
    "text",
    ["2130706433", "0x7F000001", "0177.0.0.1", "127.1", "0", "①②⑦.⓪.⓪.①", "localhost"],
)
def test_the_resolver_accepts_texts_that_mean_this_machine(text: str) -> None:
    """The check of the resolved address refuses them even if the parser of URLs did not."""
    for ip in resolve_host(text, 443):
        with pytest.raises(EgressError):
            PUBLIC.check_ip(ip, text)


@pytest.fixture
def pair() -> Iterator[tuple[TimedStream, socket.socket]]:
    """Yield a stream and the other side of its connection."""
    own, other = socket.socketpair()
    timed = TimedStream(own)
    yield timed, other
    timed.close()
    other.close()


def test_a_read_ends_at_the_limit_of_the_call_though_data_always_arrives(
    pair: tuple[TimedStream, socket.socket],
) -> None:
    timed, other = pair
    other.sendall(b"answer")
    with time_limit(0), pytest.raises(httpcore2.ReadTimeout):
        timed.read(6)


def test_a_read_of_a_silent_connection_ends_after_its_seconds(pair: tuple[TimedStream, socket.socket]) -> None:
    timed, _ = pair
    with pytest.raises(httpcore2.ReadTimeout):
        timed.read(6, 0.01)


def test_a_write_to_a_connection_that_reads_nothing_ends_after_its_seconds_and_at_the_limit_of_the_call(
    pair: tuple[TimedStream, socket.socket],
) -> None:
    timed, _ = pair
    with pytest.raises(httpcore2.WriteTimeout):
        timed.write(b"x" * 10_000_000, 0.01)
    with time_limit(0.01), pytest.raises(httpcore2.WriteTimeout):
        timed.write(b"x" * 10_000_000, 60)


def test_the_answer_of_a_server_that_does_not_read_the_request_is_read(pair: tuple[TimedStream, socket.socket]) -> None:
    timed, other = pair
    other.sendall(b"error")
    other.close()
    timed.write(b"request")
    assert timed.read(5) == b"error"


def test_the_negotiation_of_tls_ends_at_the_limit_of_the_call(pair: tuple[TimedStream, socket.socket]) -> None:
    timed, _ = pair
    with time_limit(0.01), pytest.raises(httpcore2.ConnectTimeout):
        timed.start_tls(ssl.create_default_context(), HOST, 60)


def test_bytes_that_no_request_asked_for_are_noticed(pair: tuple[TimedStream, socket.socket]) -> None:
    timed, other = pair
    assert not timed.get_extra_info("is_readable")

    other.sendall(b"more")
    assert timed.get_extra_info("is_readable")
    assert timed.read(4) == b"more"
    assert not timed.get_extra_info("is_readable")


def test_decrypted_bytes_that_no_request_asked_for_are_noticed(pair: tuple[TimedStream, socket.socket]) -> None:
    """The record is no longer in the socket when a part of it has been read."""
    timed, other = pair
    authority = trustme.CA()
    server: list[ssl.SSLSocket] = []

    def serve() -> None:
        server.append(certificates(authority, HOST).wrap_socket(other, server_side=True))
        server[0].sendall(b"answer")

    thread = threading.Thread(target=serve)
    thread.start()
    encrypted = timed.start_tls(trusting(authority), HOST, 10)
    assert encrypted.read(2, 10) == b"an"
    assert encrypted.get_extra_info("is_readable")
    assert encrypted.read(4, 10) == b"swer"
    thread.join()
    encrypted.close()
    server[0].close()


def test_a_closed_connection_is_noticed(pair: tuple[TimedStream, socket.socket]) -> None:
    timed, other = pair
    other.close()
    assert timed.get_extra_info("is_readable")
    timed.close()
    assert timed.get_extra_info("is_readable")


def test_sockets_of_the_machine_are_refused() -> None:
    with pytest.raises(EgressError):
        GuardedBackend(PUBLIC).connect_unix_socket("/var/run/docker.sock")
