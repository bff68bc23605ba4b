"""Check of requests to servers on this machine: no web page of another origin may send them one.

A browser sends a page's requests to 127.0.0.1 too, and lets the page read the response if the server allows its origin
or if the name of the page's site resolves to 127.0.0.1 now (DNS rebinding). The AWS emulator imports this module with
its own Python, so it uses the standard library alone.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

HOSTS = ("127.0.0.1", "localhost", "[::1]", "host.docker.internal", "host.containers.internal")
"""Names of this machine: on itself, and in containers of Docker and Podman."""
DIRECT = ("none", "same-origin")
"""Values of Sec-Fetch-Site for an address that the user enters, and for requests of the server's own page."""
HOME = "/"
"""Path to which an identity provider may send a tab back."""
NAVIGATION = {"sec-fetch-mode": ["navigate"], "sec-fetch-dest": ["document"]}
"""Headers of a request for the document of a tab; no page reads the response."""
STATUS = HTTPStatus.FORBIDDEN
MAX_SHOWN = 200

type Scope = MutableMapping[str, Any]
type Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
type Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
type Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class RequestCheck:
    """Check of the requests to the server at `port`.

    `has_page` allows requests of a page of this server, `origins` those of pages of other servers, and with a page an
    identity provider may send a tab back to it. Clients that are no browser send neither Origin nor Sec-Fetch-Site.
    """

    port: int
    has_page: bool = False
    origins: tuple[str, ...] = ()

    def refusal(self, headers: Iterable[tuple[str, str]], *, method: str = "", target: str = "") -> str | None:
        """Return the reason to refuse a request with these header lines; None for an allowed one.

        `target` is its path and query.
        """
        found: dict[str, list[str]] = {
            "host": [],
            "origin": [],
            "sec-fetch-site": [],
            **{name: [] for name in NAVIGATION},
        }
        for name, value in headers:
            found.get(name.lower(), []).append(value.strip())
        hosts, origins, sites = found["host"], found["origin"], found["sec-fetch-site"]
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts():
            return f"the header Host is {_shown(hosts)}; this server is at 127.0.0.1:{self.port}"
        if origins and set(origins) <= set(self.origins):
            return None
        if origins and not (self.has_page and origins == [f"http://{hosts[0].lower()}"]):
            expected = f"only pages of http://{hosts[0]}" if self.has_page else "no web page"
            return f"the request comes from a page of the origin {_shown(origins)}; {expected} may send requests here"
        is_navigation = method == "GET" and all(found[name] == value for name, value in NAVIGATION.items())
        if self.has_page and not origins and is_navigation and _is_return(target):
            return None
        if sites and not (sites[0] in DIRECT and len(sites) == 1 and (self.has_page or sites[0] == "none")):
            return (
                f"the header Sec-Fetch-Site is {_shown(sites)}, so that another page sends this request or links here;"
                " enter the address in the browser instead"
            )
        return None

    def _hosts(self) -> tuple[str, ...]:
        addresses = tuple(f"{name}:{self.port}" for name in HOSTS)
        return (*addresses, *HOSTS) if self.port == 80 else addresses


def _is_return(target: str) -> bool:
    """Return whether an identity provider may send a tab here: with its response to a sign-in, or after a sign-out."""
    path, _, query = target.partition("?")
    names = {part.partition("=")[0] for part in query.split("&")}
    return path == HOME and (query == "" or ("state" in names and not names.isdisjoint(("code", "error"))))


def refusal_body(reason: str) -> bytes:
    """Return the body of a refusal, as JSON."""
    return json.dumps({"error": "forbidden", "message": reason}).encode()


class CheckedApplication:
    """ASGI application that answers requests with a `refusal` itself, and passes the others to `application`."""

    def __init__(self, application: Application, refusal: Callable[[Scope], str | None]) -> None:
        self._application = application
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reason = None if scope["type"] == "lifespan" else self._refusal(scope)
        if reason is None:
            await self._application(scope, receive, send)
        elif scope["type"] == "http":
            await _send_refusal(reason, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})


def checked(application: Application, check: RequestCheck) -> CheckedApplication:
    """Return `application` behind `check`."""
    return CheckedApplication(
        application,
        lambda scope: check.refusal(header_lines(scope), method=scope.get("method", ""), target=target(scope)),
    )


def target(scope: Scope) -> str:
    """Return the path and the query of an ASGI scope."""
    return f"{scope.get('path', '')}?{scope.get('query_string', b'').decode('latin-1')}"


def header_lines(scope: Scope) -> list[tuple[str, str]]:
    """Return the header lines of an ASGI scope as text."""
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]


async def _send_refusal(reason: str, send: Send) -> None:
    body = refusal_body(reason)
    # The rest of the request is not read.
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": int(STATUS), "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _shown(values: Sequence[str]) -> str:
    return " and ".join(repr(value[:MAX_SHOWN]) for value in values) or "missing"
