"""Check of the addresses of requests of httpx and httpx2, whose URLs are the same."""

from typing import Protocol

from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import parse_address


class Url(Protocol):
    """The `URL` of httpx."""

    @property
    def scheme(self) -> str: ...

    @property
    def netloc(self) -> bytes: ...


def check_url(policy: EgressPolicy, url: Url) -> None:
    """Check the scheme and the host of a request. Raises EgressError."""
    policy.check_address(parse_address(f"{url.scheme}://{url.netloc.decode('ascii')}/"))
