"""Decision which hosts and IP addresses outgoing requests may reach.

The registries of special addresses in `ipaddress` are not enough: `is_global` is true for NAT64, 6to4 and
IPv4-compatible forms of `169.254.169.254` and for multicast, and `is_private` is false for 100.64.0.0/10.
"""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from msgspec import Struct

from flexchat.egress.errors import EgressError, EgressRefusal
from flexchat.egress.urls import Address, is_ip, parse_address

_SPECIAL_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_PRIVATE_V4 = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_SPECIAL_V6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Special networks inside of 2000::/3, the only one from which public addresses are assigned."""

_GLOBAL_V6 = IPv6Network("2000::/3")

LOOPBACK = "is an address of this machine, which functions reach at the local stage only"
"""Problem of an address whose host is named as this machine."""

_PROBLEMS: Mapping[EgressRefusal, str] = {
    "invalid_url": "must be an address such as 'https://host/v1'",
    "host_not_allowed": "must have one of the deployment's allowed hosts",
    "loopback": LOOPBACK,
    "address_not_allowed": "must have a public IP address",
    "insecure": "must begin with 'https://'",
    "unresolved": "must have a host with an IP address",
}

type IpAddress = IPv4Address | IPv6Address


class EgressPolicy(Struct, frozen=True, kw_only=True):
    """Rules of a deployment for outgoing requests.

    `allowed_hosts` are the only hosts that any configuration may name; None allows all. `local` allows http and the
    addresses of this machine and of private networks, such as a container's host: only a stack on an emulator sets it.
    """

    allowed_hosts: frozenset[str] | None = None
    local: bool = False

    def check_address(self, address: Address) -> None:
        """Check the host and the scheme of a request before a name is resolved. Raises EgressError."""
        host = address.host
        if not self.local and is_loopback(host):
            raise EgressError(
                "loopback", f"the host {host!r} is this machine, which functions reach at the local stage only"
            )
        if self.allowed_hosts is not None and host not in self.allowed_hosts:
            raise EgressError("host_not_allowed", f"the host {host!r} is not among the deployment's allowed hosts")
        if address.scheme == "http" and not self.local:
            raise EgressError("insecure", f"requests to {host!r} must use https")
        if is_ip(host):
            self.check_ip(host, host)

    def address_problem(self, url: str) -> str | None:
        """Return the problem of a configured `url` as the end of a sentence, without its host; None for an allowed one.

        A name is not resolved: its addresses are checked with each connection.
        """
        try:
            self.check_address(parse_address(url))
        except EgressError as exc:
            return _PROBLEMS[exc.reason]
        return None

    def check_ip(self, ip: str, host: str) -> None:
        """Check one resolved address of `host`. Raises EgressError."""
        address = _parsed(ip)
        if not (_is_public(address) or (self.local and _is_near(address))):
            raise EgressError("address_not_allowed", f"the host {host!r} has the address {ip!r}, which is not public")


def _is_near(address: IpAddress) -> bool:
    """Return whether an address is on this machine or in a private network; the metadata services are in neither."""
    return address.is_loopback or any(address in network for network in _PRIVATE_V4)


PUBLIC = EgressPolicy()
"""Policy of a deployment without rules of its own: every public host, over https."""


def is_loopback(host: str) -> bool:
    """Return whether the host of an Address is this machine, without resolving a name."""
    return _parsed(host).is_loopback if is_ip(host) else host.endswith(".localhost") or host == "localhost"


def _parsed(ip: str) -> IpAddress:
    """Return the address, without its zone; one that maps an IPv4 address as that one."""
    address = ip_address(ip.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _is_public(address: IpAddress) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL_V4)
    return address in _GLOBAL_V6 and not any(address in network for network in _SPECIAL_V6)
