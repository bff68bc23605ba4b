"""Strict parsing of the URLs of outgoing requests.

`urllib.parse.urlsplit` drops tabs and newlines and accepts backslashes, credentials and `[::1]x`, so that two parsers
may see two hosts in one text. Such texts are refused here.
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Literal, cast

from msgspec import Struct

from flexchat.egress.errors import EgressError

MAX_URL = 8_192
"""Maximum number of characters of a URL."""

_CHARACTERS = re.compile(r"[!#-;=?-\[\]_a-z~]+")
"""Printable ASCII without space, quotation mark, angle brackets, backslash, caret, backtick, braces and bar."""

_START = re.compile(r"(?P<scheme>https?)://(?P<authority>[^/?#]*)", re.IGNORECASE)
_AUTHORITY = re.compile(r"(?:\[(?P<ipv6>[^\[\]]*)\]|(?P<host>[^:\[\]]+))(?::(?P<port>[0-9]{1,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC = re.compile(r"(?:\d+|0x[0-9a-f]*)")
"""Last label that resolvers read as a part of an IPv4 address: `127.1`, `0x7f000001`, `2852039166`."""

_PORTS = {"http": 80, "https": 443}


class Address(Struct, frozen=True):
    """Scheme, host in lower case without brackets, and port of a URL."""

    scheme: Literal["http", "https"]
    host: str
    port: int

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def netloc(self) -> str:
        """Host, in brackets if it is an IPv6 address, and port unless it is the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def is_ip(host: str) -> bool:
    """Return whether the host of an Address is an IP address."""
    return ":" in host or _NUMERIC.fullmatch(host.rpartition(".")[2]) is not None


def parse_address(url: str) -> Address:
    """Return the address of an absolute `url`. Raises EgressError `invalid_url` for one that is not plain."""
    if len(url) > MAX_URL:
        raise EgressError("invalid_url", f"the URL has {len(url)} characters, at most {MAX_URL} are allowed")
    if not _CHARACTERS.fullmatch(url):
        raise EgressError("invalid_url", "the URL contains characters that must be percent-encoded")
    start = _START.match(url)
    if start is None:
        raise EgressError("invalid_url", "the URL must begin with 'https://' or 'http://'")
    scheme = cast("Literal['http', 'https']", start["scheme"].lower())
    if "@" in start["authority"]:
        raise EgressError("invalid_url", "the URL must not contain credentials; use `auth`")
    authority = _AUTHORITY.fullmatch(start["authority"])
    if authority is None:
        raise EgressError("invalid_url", "the URL has no valid host and port")
    port = _PORTS[scheme] if authority["port"] is None else int(authority["port"])
    if not 0 < port < 65_536:
        raise EgressError("invalid_url", "the port of the URL must be between 1 and 65535")
    if authority["ipv6"] is not None:
        return Address(scheme, _checked_ipv6(authority["ipv6"]), port)
    return Address(scheme, _checked_host(authority["host"].lower()), port)


def request_target(url: str) -> str:
    """Return the path and the query of a URL that `parse_address` accepts; a fragment is not sent."""
    target = _START.sub("", url, count=1).partition("#")[0]
    return target if target.startswith("/") else f"/{target}"


def host_of(url: str) -> str:
    """Return the host of a URL; empty for one that `parse_address` refuses."""
    try:
        return parse_address(url).host
    except EgressError:
        return ""


def is_host(text: str) -> bool:
    """Return true for an exact host without scheme, port and path."""
    try:
        return ":" not in text and parse_address(f"https://{text}/").host == text
    except EgressError:
        return False


def _checked_ipv6(text: str) -> str:
    """Return the canonical form of an IPv6 address without a zone. Raises EgressError."""
    try:
        return str(IPv6Address(text)) if "%" not in text else _refuse(text)
    except AddressValueError:
        return _refuse(text)


def _checked_host(host: str) -> str:
    """Return `host`, a name or a canonical IPv4 address. Raises EgressError."""
    try:
        if _NUMERIC.fullmatch(host.removesuffix(".").rpartition(".")[2]):
            return str(IPv4Address(host))
    except AddressValueError:
        return _refuse(host)
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in host.split(".")):
        return _refuse(host)
    return host


def _refuse(host: str) -> str:
    raise EgressError("invalid_url", f"the host {host!r} is neither a plain DNS name nor a canonical IP address")
