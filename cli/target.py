"""Address and token of the service that a command calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from cli.errors import ServiceError
from cli.invocation import flexchat, make


@dataclass(frozen=True, slots=True)
class Target:
    """Address of a service, without a trailing slash, and a token for it."""

    url: str
    token: str


def find_target(*, url: str | None, token: str | None, environ: Mapping[str, str], state: Path) -> Target:
    """Return the target: as given, else FLEXCHAT_URL and FLEXCHAT_TOKEN, else the local stack in `state`.

    The token of the local stack is sent to the local stack only.
    """
    from cli.local_stack import read_state

    url = url or environ.get("FLEXCHAT_URL")
    token = token or environ.get("FLEXCHAT_TOKEN")
    stack = read_state(state)
    if url is None and stack is not None:
        url = stack.url
    if url is not None and not is_http_address(url):
        raise ServiceError(f"{url!r} is not the address of a service; give one such as https://chat.example.com")
    if url is None:
        raise ServiceError(
            f"no local stack is running; start one with `{make('up')}`, or name a service with --url and --token "
            "(or FLEXCHAT_URL and FLEXCHAT_TOKEN)"
        )
    if token is None and stack is not None and url.rstrip("/") == stack.url:
        token = stack.token
    if token is None:
        raise ServiceError(
            f"no token for {url}; give one with --token or FLEXCHAT_TOKEN; "
            f"`{flexchat('tokens', 'create', '--stage', 'STAGE', '--name', 'NAME')}` creates one"
        )
    return Target(url.rstrip("/"), token)


def is_http_address(url: str) -> bool:
    """Return true for a URL of the form http(s)://host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
