"""Strict parsing of addresses."""

import re
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import unquote, urlsplit

import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from urllib3.util import parse_url

from flexchat.egress.errors import EgressError
from flexchat.egress.urls import MAX_URL, Address, parse_address


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://api.example.com", Address("https", "api.example.com", 443)),
        ("https://API.Example.com:8443/v1?q=%20#top", Address("https", "api.example.com", 8443)),
        ("HTTP://localhost:8080/a@b", Address("http", "localhost", 8080)),
        ("https://1.1.1.1/", Address("https", "1.1.1.1", 443)),
        ("https://[2606:4700:0:0::1111]/", Address("https", "2606:4700::1111", 443)),
        ("https://xn--bcher-kva.example/", Address("https", "xn--bcher-kva.example", 443)),
        ("https://_service.example.com/", Address("https", "_service.example.com", 443)),
    ],
)
def test_plain_addresses_are_parsed(url: str, address: Address) -> None:
    assert parse_address(url) == address


@pytest.mark.parametrize(
    "url",
    [
        # Forms of IPv4 addresses that resolvers accept.
        "https://2852039166/",
        "https://0xA9FEA9FE/",
        "https://0251.0376.0251.0376/",
        "https://169.254.43518/",
        "https://169.16689662/",
        "https://127.1/",
        "https://0/",
        "https://0x7f.1/",
        "https://127.0.0.1./",
        "https://127.0.0.01/",
        "https://256.1.1.1/",
        "https://api.example.com.1/",
        "https://①②⑦.⓪.⓪.①/",
        "https://\uff11\uff12\uff17.0.0.1/",
        "https://127。0。0。1/",
        "https://%31%32%37.0.0.1/",
        # IPv6 with a zone, IPvFuture, and broken brackets.
        "https://[fe80::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[v1.fe]/",
        "https://[::1/",
        "https://[::1]x/",
        "https://x[::1]/",
        "https://[127.0.0.1]/",
        "https://::1/",
        # Texts in which two parsers see two hosts.
        "https://allowed.com\t.evil.com/",
        "https://allowed.com\n.evil.com/",
        "https://allowed.com\\@evil.com/",
        "https://allowed.com@evil.com/",
        "https://user:password@allowed.com/",
        "https://allowed.com%40evil.com/",
        "https://allowed.com%2eevil.com/",
        "https://allowed.com:443:80/",
        "https://allowed.com:/",
        "https://allowed.com:0/",
        "https://allowed.com:65536/",
        "https://allowed.com:٤٤٣/",
        "https://allowed.com:+443/",
        "https://allowed.com:4_43/",
        "https://allowed .com/",
        " https://allowed.com/",
        "https://allowed.com/\x00",
        "https://allowed.com/\r\nX-Evil: 1",
        "https://allowed.com/ü",
        "https://allowed.com/a b",
        'https://allowed.com/"',
        # Hosts that no DNS name has.
        "https://",
        "https:///evil.com/",
        "https:evil.com",
        "https:/evil.com",
        "//evil.com/",
        "https://.example.com/",
        "https://example..com/",
        "https://example.com./",
        "https://-example.com/",
        "https://example-.com/",
        "https://exa*mple.com/",
        f"https://{'a' * 64}.com/",
        f"https://{'a.' * 127}com/",
        "https://bücher.example/",
        "https://evil。com/",
        # Other schemes.
        "",
        "file:///etc/passwd",
        "ftp://example.com/",
        "gopher://127.0.0.1:9001/",
        "http+unix://socket/",
        "javascript://example.com/",
        f"https://example.com/{'a' * MAX_URL}",
    ],
)
def test_other_texts_are_refused(url: str) -> None:
    with pytest.raises(EgressError) as refused:
        parse_address(url)
    assert refused.value.reason == "invalid_url"


def test_errors_do_not_contain_credentials() -> None:
    with pytest.raises(EgressError) as refused:
        parse_address("https://user:hunter2@api.example.com/")
    assert "hunter2" not in str(refused.value)


HOSTS = ("allowed.com", "evil.com", "127.0.0.1", "127.1", "0x7f000001", "[::1]", "[::ffff:a9fe:a9fe]", "xn--e1a", "é")
PIECES = (*HOSTS, *"@:/\\?#[]%.-_\t\n\r \x00&;,|^`{}\"'<>0x", "443", "%40", "%2f", "//", "。", "http://", "https://")


def _joined(scheme: str, pieces: list[str]) -> str:
    return scheme + "".join(pieces)


SCHEMES = st.sampled_from(("https://", "http://", "HTTPS://", "https:/", ""))
NEAR_URLS = st.builds(_joined, SCHEMES, st.lists(st.sampled_from(PIECES) | st.characters(), max_size=8))


@given(NEAR_URLS)
@example("https://allowed.com#@evil.com/")
@example("https://allowed.com?@evil.com/")
@example("https://allowed.com/\\@evil.com/")
@example("https://xn--e1a.xn--/")
def test_accepted_texts_name_the_same_host_in_other_parsers(url: str) -> None:
    try:
        address = parse_address(url)
    except EgressError:
        return
    try:
        sent = httpx2.Request("GET", url).url
    except UnicodeError:  # invalid punycode is not sent
        return
    hosts = {
        "httpx2": sent.raw_host.decode(),
        "urllib": urlsplit(url).hostname or "",
        "urllib3": parse_url(url).host or "",
        "browsers": _host_in_browsers(url),
    }
    assert {name: _canonical(host) for name, host in hosts.items()} == dict.fromkeys(hosts, address.host)
    assert (sent.scheme, sent.port or _default_port(address)) == (address.scheme, address.port)


def _default_port(address: Address) -> int:
    return 443 if address.scheme == "https" else 80


def _canonical(host: str) -> str:
    host = host.strip("[]").lower()
    return str(IPv6Address(host)) if ":" in host else host


def _host_in_browsers(url: str) -> str:
    """Return the host by the rules of browsers and curl: tabs dropped, backslashes as slashes, `%` decoded."""
    url = re.sub(r"[\t\n\r]", "", url).strip().replace("\\", "/")
    authority = re.split(r"[/?#]", url.split(":", 1)[1].lstrip("/"), maxsplit=1)[0]
    host = unquote(authority.rpartition("@")[2])
    return host[: host.index("]") + 1] if host.startswith("[") else host.partition(":")[0]


@given(st.ip_addresses())
def test_canonical_ip_addresses_are_parsed(ip: IPv4Address | IPv6Address) -> None:
    host = str(ip) if ip.version == 4 else f"[{ip.exploded}]"
    assert parse_address(f"https://{host}/") == Address("https", str(ip), 443)
