"""Client of guarded connections, against listeners on the loopback interface."""

import ssl
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import trustme

from flexchat.egress.addresses import resolve_host
from flexchat.egress.client import FROZEN_SECONDS, Clocks, GuardedTransport, guarded_client
from flexchat.egress.errors import EgressError
from flexchat.egress.network import GuardedBackend
from flexchat.egress.policy import PUBLIC, EgressPolicy
from tests.unit.egress.servers import Listener, listening

LOCAL = EgressPolicy(local=True)


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


def resolve(host: str, port: int) -> list[str]:
    """Return 127.0.0.1 for names below `.test`, for others the addresses that every machine has."""
    return ["127.0.0.1"] if host.endswith(".test") else resolve_host(host, port)


@contextmanager
def guarded(policy: EgressPolicy, *, trusted: ssl.SSLContext | None = None) -> Generator[httpx2.Client]:
    with guarded_client(policy, certificates=trusted, resolve=resolve) as client:
        yield client


def get(client: httpx2.Client, url: str) -> str:
    return client.get(url).text


LOOPBACK_TEXTS = (
    "127.0.0.1",
    "2130706433",
    "0x7F000001",
    "0177.0.0.1",
    "127.1",
    "0",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "localhost",
    "rebound.test",
)


@pytest.mark.parametrize("host", LOOPBACK_TEXTS)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_url_reaches_a_listener_of_this_machine(listener: Listener, scheme: str, host: str) -> None:
    with guarded(PUBLIC) as client, pytest.raises((EgressError, httpx2.InvalidURL)):
        get(client, f"{scheme}://{host}:{listener.port}/")
    assert listener.connections == 0


@pytest.mark.parametrize("host", LOOPBACK_TEXTS)
def test_no_socket_is_opened_to_this_machine_without_the_parser_of_urls(listener: Listener, host: str) -> None:
    with pytest.raises(EgressError) as refused:
        GuardedBackend(PUBLIC, resolve=resolve).connect_tcp(host.strip("[]"), listener.port, 10)
    assert (refused.value.reason, listener.connections) == ("address_not_allowed", 0)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1:9001/2018-06-01/runtime/invocation/next",
        "https://127.0.0.1:2773/secretsmanager/get",
        "https://[::1]:9001/",
    ],
)
def test_services_of_lambda_are_refused(url: str) -> None:
    with guarded(PUBLIC) as client, pytest.raises(EgressError) as refused:
        get(client, url)
    assert refused.value.reason == "loopback"


@pytest.mark.parametrize(
    "host",
    ["169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.169.253", "[fd00:ec2::254]", "[::ffff:a9fe:a9fe]"],
)
def test_services_of_aws_are_refused_at_the_local_stage_too(host: str) -> None:
    with guarded(LOCAL) as client, pytest.raises(EgressError) as refused:
        get(client, f"http://{host}/latest/meta-data/")
    assert refused.value.reason == "address_not_allowed"


def test_the_local_stage_reaches_a_listener_of_this_machine(listener: Listener) -> None:
    with guarded(LOCAL) as client:
        assert get(client, f"http://127.0.0.1:{listener.port}/a") == "/a"


PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


def test_proxies_of_the_environment_are_ignored(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with listening() as proxy:
        for name in PROXY_VARIABLES:
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        with guarded(LOCAL) as client:
            get(client, f"http://api.test:{listener.port}/a")
        with guarded(PUBLIC) as client, pytest.raises(EgressError):
            get(client, f"http://api.test:{listener.port}/a")
        assert (listener.requests, proxy.connections) == ([(f"api.test:{listener.port}", "/a")], 0)


def test_connections_are_reused_for_the_same_origin_alone(listener: Listener) -> None:
    """Two names of one address have two connections: each name is resolved and checked."""
    with guarded(LOCAL) as client:
        for host in ("one.test", "one.test", "two.test", "one.test"):
            get(client, f"http://{host}:{listener.port}/")
    assert listener.connections == 2


@pytest.mark.parametrize(("frozen_seconds", "connections"), [(0, 1), (FROZEN_SECONDS - 1, 1), (FROZEN_SECONDS + 1, 2)])
def test_a_connection_is_not_used_again_after_its_environment_was_frozen(
    listener: Listener, frozen_seconds: float, connections: int
) -> None:
    """The monotonic clock, by which connections expire, may stop with the environment."""
    wall = 1_000.0
    transport = GuardedTransport(
        LOCAL, resolve=resolve, clocks=lambda: Clocks(wall=lambda: wall, monotonic=lambda: 7.0)
    )
    with httpx2.Client(transport=transport) as client:
        get(client, f"http://one.test:{listener.port}/")
        wall += frozen_seconds
        get(client, f"http://one.test:{listener.port}/")
        get(client, f"http://one.test:{listener.port}/")

    assert listener.connections == connections


def test_a_response_is_read_to_its_end_after_its_environment_was_frozen(listener: Listener) -> None:
    wall = 1_000.0
    transport = GuardedTransport(
        LOCAL, resolve=resolve, clocks=lambda: Clocks(wall=lambda: wall, monotonic=lambda: 7.0)
    )
    whole = f"http://one.test:{listener.port}/whole"
    with httpx2.Client(transport=transport) as client, client.stream("GET", whole) as response:
        wall += 2 * FROZEN_SECONDS
        get(client, f"http://one.test:{listener.port}/")  # which expires idle connections
        assert response.read() == b"/whole"

    assert listener.connections == 2


def test_a_connection_that_is_in_use_for_long_is_used_again(listener: Listener) -> None:
    now = 0.0
    transport = GuardedTransport(
        LOCAL, resolve=resolve, clocks=lambda: Clocks(wall=lambda: 1_000.0 + now, monotonic=lambda: now)
    )
    with httpx2.Client(transport=transport) as client:
        for now in (0.0, 600.0):  # noqa: B007 # of the clocks
            get(client, f"http://one.test:{listener.port}/")

    assert listener.connections == 1


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


def certificates(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate: Any = authority.issue_cert(*names)
    certificate.configure_cert(context)
    return context


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    trusted: Any = authority
    trusted.configure_trust(context)
    return context


def test_tls_is_for_the_name_and_not_for_the_address(authority: trustme.CA) -> None:
    with (
        listening(certificates(authority, "api.test")) as listener,
        guarded(LOCAL, trusted=trusting(authority)) as client,
    ):
        assert get(client, f"https://api.test:{listener.port}/a") == "/a"
        assert listener.names == ["api.test"]
        assert listener.requests == [(f"api.test:{listener.port}", "/a")]


@pytest.mark.parametrize("names", [("other.test",), ("127.0.0.1",)])
def test_a_certificate_of_another_name_is_refused(authority: trustme.CA, names: tuple[str, ...]) -> None:
    with (
        listening(certificates(authority, *names)) as listener,
        guarded(LOCAL, trusted=trusting(authority)) as client,
        pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        get(client, f"https://api.test:{listener.port}/")
    assert listener.requests == []


def test_certificates_of_the_environment_are_not_trusted(
    authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with (
        listening(certificates(authority, "api.test")) as listener,
        guarded(LOCAL) as client,
        pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        get(client, f"https://api.test:{listener.port}/")
