"""Strict parsing of the URLs of outgoing requests.

`urllib.parse.urlsplit` drops tabs and newlines and accepts backslashes and credentials, so that two parsers may see two
hosts in one text. Such texts are refused here.
"""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Literal, cast
from urllib.parse import urlsplit

from flexchat.egress.errors import EgressError

MAX_URL = 8_192
"""Maximum number of characters of a URL."""

_CHARACTERS = re.compile(r"[!#-;=?-\[\]_a-z~]+")
"""Printable ASCII without space, quotation mark, angle brackets, backslash, caret, backtick, braces and bar."""

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC = re.compile(r"(?:\d+|0x[0-9a-f]*)")
"""Last label that resolvers read as a part of an IPv4 address: `127.1`, `0x7f000001`, `2852039166`."""

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """Scheme, host in lower case without brackets, and port of a URL."""

    scheme: Literal["http", "https"]
    host: str
    port: int

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port


def parse_address(url: str) -> Address:
    """Return the address of an absolute `url`. Raises EgressError `invalid_url` for one that is not plain."""
    if len(url) > MAX_URL:
        raise EgressError("invalid_url", f"the URL has {len(url)} characters, at most {MAX_URL} are allowed")
    if not _CHARACTERS.fullmatch(url):
        raise EgressError("invalid_url", "the URL contains characters that must be percent-encoded")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as exc:
        raise EgressError("invalid_url", "the URL has no valid host and port") from exc
    scheme = parts.scheme
    if scheme not in _PORTS or not url[len(scheme) :].startswith("://"):
        raise EgressError("invalid_url", "the URL must begin with 'https://' or 'http://'")
    if "@" in parts.netloc:
        raise EgressError("invalid_url", "the URL must not contain credentials; use `auth`")
    if port == 0 or parts.netloc.endswith(":"):
        raise EgressError("invalid_url", "the port of the URL must be between 1 and 65535")
    host = _checked_host(parts.hostname or "", bracketed="[" in parts.netloc)
    return Address(cast("Literal['http', 'https']", scheme), host, port or _PORTS[scheme])


def _checked_host(host: str, *, bracketed: bool) -> str:
    """Return `host`, a name or a canonical IP address. Raises EgressError."""
    try:
        if bracketed:
            return str(IPv6Address(host)) if "%" not in host else _refuse(host)
        if _NUMERIC.fullmatch(host.removesuffix(".").rpartition(".")[2]):
            return str(IPv4Address(host))
    except AddressValueError:
        return _refuse(host)
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        return _refuse(host)
    return host


def _refuse(host: str) -> str:
    raise EgressError("invalid_url", f"the host {host!r} is neither a plain DNS name nor a canonical IP address")
