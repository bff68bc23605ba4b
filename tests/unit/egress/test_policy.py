"""Decisions about hosts and IP addresses."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.egress.errors import EgressError
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.egress.urls import parse_address

LOCAL = EgressPolicy(local=True)

REFUSED = (
    # Metadata, credentials and time of AWS; the runtime API and the parameters extension of Lambda.
    "169.254.169.254",
    "169.254.169.253",
    "169.254.169.123",
    "169.254.170.2",
    "169.254.170.23",
    "127.0.0.1",
    "127.255.255.254",
    "fd00:ec2::254",
    "fd00:ec2::253",
    "fd00:ec2::23",
    "::1",
    # Private, shared, benchmark, documentation, multicast, broadcast and unassigned addresses.
    "0.0.0.0",  # noqa: S104 # refused
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "fc00::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "4000::1",
    # Forms of IPv6 that contain an IPv4 address.
    "::ffff:169.254.169.254",
    "::ffff:127.0.0.1",
    "::ffff:0:169.254.169.254",
    "::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "2002:a9fe:a9fe::",
    "2002:7f00:1::1",
    "2001:0:4136:e378:8000:63bf:5601:5601",
)


@pytest.mark.parametrize("ip", REFUSED)
def test_addresses_that_are_not_public_are_refused(ip: str) -> None:
    with pytest.raises(EgressError) as refused:
        PUBLIC.check_ip(ip, "api.example.com")
    assert refused.value.reason == "address_not_allowed"


@pytest.mark.parametrize("ip", ["1.1.1.1", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses_are_allowed(ip: str) -> None:
    PUBLIC.check_ip(ip, "api.example.com")


NEAR = ("127.", "10.", "172.16.", "172.31.", "192.168.", "::ffff:127.0.0.1")


@pytest.mark.parametrize("ip", REFUSED)
def test_the_local_stage_adds_this_machine_and_private_networks_alone(ip: str) -> None:
    if ip == "::1" or ip.startswith(NEAR):
        LOCAL.check_ip(ip, "localhost")
        return
    with pytest.raises(EgressError):
        LOCAL.check_ip(ip, "localhost")


def _accepted(ip: IPv4Address | IPv6Address) -> bool:
    try:
        PUBLIC.check_ip(str(ip), "api.example.com")
    except EgressError:
        return False
    return True


@given(st.ip_addresses())
def test_accepted_addresses_are_global_unicast(ip: IPv4Address | IPv6Address) -> None:
    if _accepted(ip):
        public = ip.ipv4_mapped or ip if isinstance(ip, IPv6Address) else ip
        assert public.is_global
        assert not any((public.is_multicast, public.is_private, public.is_reserved, public.is_link_local))


CONTAINING_V4 = {"::": 0, "::ffff:0:0": 0, "::ffff:0:0:0": 0, "64:ff9b::": 0, "64:ff9b:1::": 0, "2002::": 80}


@given(st.ip_addresses(v=4), st.sampled_from(sorted(CONTAINING_V4)))
def test_addresses_that_contain_a_refused_one_are_refused(ip: IPv4Address, prefix: str) -> None:
    containing = ip_address(int(IPv6Address(prefix)) | int(ip) << CONTAINING_V4[prefix])
    if _accepted(containing):
        assert _accepted(ip)


@given(st.ip_addresses(network=ip_network("169.254.0.0/16")) | st.ip_addresses(network=ip_network("fd00:ec2::/32")))
def test_no_address_of_the_services_of_aws_is_accepted(ip: IPv4Address | IPv6Address) -> None:
    assert not _accepted(ip)


@pytest.mark.parametrize(
    ("policy", "url", "reason"),
    [
        (PUBLIC, "http://api.example.com/", "insecure"),
        (EgressPolicy(allowed_hosts=frozenset({"a.com"})), "https://b.com/", "host_not_allowed"),
        (EgressPolicy(allowed_hosts=frozenset({"a.com"})), "https://a.com.b.com/", "host_not_allowed"),
        (EgressPolicy(allowed_hosts=frozenset({"a.com"})), "https://xa.com/", "host_not_allowed"),
        (PUBLIC, "https://127.0.0.1/", "loopback"),
        (PUBLIC, "https://localhost/", "loopback"),
        (PUBLIC, "http://api.localhost/", "loopback"),
        (LOCAL, "https://169.254.169.254/", "address_not_allowed"),
        (EgressPolicy(allowed_hosts=frozenset()), "https://b.com/", "host_not_allowed"),
    ],
)
def test_hosts_and_schemes_that_are_not_allowed_are_refused(policy: EgressPolicy, url: str, reason: str) -> None:
    with pytest.raises(EgressError) as refused:
        policy.check_address(parse_address(url))
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("policy", "url"),
    [
        (PUBLIC, "https://api.example.com/"),
        (PUBLIC, "https://API.example.com:8443/"),
        (LOCAL, "http://localhost:8080/"),
        (EgressPolicy(allowed_hosts=frozenset({"a.com"})), "https://a.com/"),
    ],
)
def test_exact_hosts_are_allowed(policy: EgressPolicy, url: str) -> None:
    policy.check_address(parse_address(url))
