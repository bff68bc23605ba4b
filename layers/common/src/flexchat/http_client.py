"""HTTP requests bounded in time and size, to the configured address alone.

Redirects are not followed, and proxies, netrc and certificates of the environment are ignored: the configuration alone
decides where a key is sent. Only functions whose requirements name httpx import this module.
"""

import logging
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Literal, cast

import httpx

from flexchat import __version__
from flexchat.deadline import Deadline
from flexchat.egress.errors import EgressError
from flexchat.egress.httpx_transport import GuardedTransport
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.error_bodies import BodyTooLargeError, bounded_chunks, bounded_error, read_bounded
from flexchat.timeouts import time_limit

# Their lines at INFO and DEBUG have whole addresses and headers, with keys and arguments.
for _library in ("httpx", "httpcore"):
    logging.getLogger(_library).setLevel(logging.WARNING)

CONNECT_SECONDS = 5.0

MAX_PIECE = 65_536
"""Maximum size of a piece of a decompressed body, so that the limit on the whole is checked in time."""

MAX_PATHS = 64
"""Most parsed addresses of one client."""

type HttpFailure = Literal[
    "unreachable", "timeout", "broken", "invalid_address", "undecodable", "compressed", "refused"
]


class HttpRequestError(Exception):
    """A request without a whole response. The error holds no host or address, which the texts of httpx name."""

    def __init__(self, failure: HttpFailure, detail: str = "") -> None:
        super().__init__(failure)
        self.failure: HttpFailure = failure
        self.detail = detail


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A whole response; the body of an error has at most 64 KiB."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


class BoundedHttpClient:
    """One pool of connections for the life of the environment, which stores no cookies: they belong to one request.

    Connections are made by the rules of `egress`; `transport` replaces the network. With `compressed=False` no response
    is requested compressed. A response in gzip or deflate is read all the same, one in another coding refused. Raises
    HttpRequestError `invalid_address` for an unusable `base_url`.
    """

    def __init__(
        self,
        *,
        headers: Mapping[str, str] | None = None,
        max_connections: int = 100,
        max_idle_connections: int = 20,
        base_url: str = "",
        compressed: bool = True,
        egress: EgressPolicy = PUBLIC,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        limits = httpx.Limits(
            max_connections=max_connections, max_keepalive_connections=max_idle_connections, keepalive_expiry=60
        )
        try:
            self._base = _folder(httpx.URL(base_url)) if base_url else None
        except httpx.InvalidURL as exc:
            raise HttpRequestError("invalid_address") from exc
        self._paths: dict[str, httpx.URL] = {}
        self._headers = httpx.Headers(
            {
                "accept": "application/json",
                "accept-encoding": "gzip, deflate" if compressed else "identity",
                "user-agent": f"flexchat/{__version__}",
            }
        )
        self._headers.update(headers)
        self._transport = transport or GuardedTransport(egress, limits=limits)

    def send(
        self,
        method: str,
        url: str,
        body: bytes | None,
        *,
        headers: Mapping[str, str] | None = None,
        seconds: float,
        due: Deadline,
        max_bytes: int,
    ) -> HttpResponse:
        """Send a request, with a JSON `body` unless `headers` name another type, and return the response.

        `seconds` limits the connection and each pause, `due` the whole response. Raises HttpRequestError, and
        BodyTooLargeError for a success of more than `max_bytes`.
        """
        with self.stream(method, url, body, headers=headers, seconds=seconds, due=due) as response:
            return HttpResponse(response.status, response.headers, response.read(max_bytes))

    @contextmanager
    def stream(
        self,
        method: str,
        url: str,
        body: bytes | None,
        *,
        headers: Mapping[str, str] | None = None,
        seconds: float,
        due: Deadline,
    ) -> Generator["HttpStream"]:
        """Send a request as `send` does, and return the response before its body; at the end it is closed.

        Raises HttpRequestError, also from the body of the `with` statement.
        """
        try:
            request = self._request(method, url, body, headers, seconds)
            with time_limit(due.remaining()), closing(self._transport.handle_request(request)) as response:
                yield HttpStream(response, due)
        except httpx.HTTPError as exc:
            raise HttpRequestError(_failure(exc)) from exc
        except TimeoutError as exc:
            raise HttpRequestError("timeout") from exc
        except EgressError as exc:
            failure = "unreachable" if exc.reason == "unresolved" else "refused"
            raise HttpRequestError(failure, exc.message) from exc
        except (httpx.InvalidURL, UnicodeError) as exc:  # UnicodeError: a label in invalid punycode
            raise HttpRequestError("invalid_address") from exc

    def _request(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str] | None, seconds: float
    ) -> httpx.Request:
        """Return a request for the transport.

        The `httpx.Client` is not used: its cookies, redirects and merged settings take most of the time of a request.
        """
        own = self._headers
        if headers or body is not None:
            own = own.copy()
            own.update(headers)
        if body is not None:
            own.setdefault("content-type", "application/json")
        connect = min(CONNECT_SECONDS, seconds)
        timeout = {"connect": connect, "read": seconds, "write": seconds, "pool": seconds}
        return httpx.Request(method, self._url(url), headers=own, content=body, extensions={"timeout": timeout})

    def _url(self, url: str) -> httpx.URL:
        """Return the address of a request: `url` below the base address, if there is one."""
        if self._base is None:
            return httpx.URL(url)
        address = self._paths.get(url)
        if address is None:
            path = self._base.raw_path + url.lstrip("/").encode("ascii")
            address = self._base.copy_with(raw_path=path)
            if len(self._paths) < MAX_PATHS:
                self._paths[url] = address
        return address


def _folder(url: httpx.URL) -> httpx.URL:
    return url if url.raw_path.endswith(b"/") else url.copy_with(raw_path=url.raw_path + b"/")


class HttpStream:
    """Response whose body is read once, as a whole or in chunks, before `due`."""

    def __init__(self, response: httpx.Response, due: Deadline) -> None:
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._due = due

    @property
    def is_success(self) -> bool:
        return self._response.is_success

    def read(self, max_bytes: int) -> bytes:
        """Return the whole body; of an error its beginning.

        Raises TimeoutError, HttpRequestError for a body that cannot be decompressed, and BodyTooLargeError for a
        success of more than `max_bytes`.
        """
        try:
            body = read_bounded(self._pieces(max_bytes), is_success=self.is_success, max_bytes=max_bytes, due=self._due)
        except BodyTooLargeError as exc:
            if self.is_success:
                raise
            raise HttpRequestError("undecodable") from exc  # an error's body that expands to nothing
        return body if self.is_success else bounded_error(body)

    def chunks(self, max_bytes: int) -> Iterator[bytes]:
        """Yield the body as it arrives. Raises HttpRequestError, and BodyTooLargeError above `max_bytes` in total."""
        try:
            yield from bounded_chunks(self._pieces(max_bytes), max_bytes=max_bytes, due=self._due)
        except httpx.HTTPError as exc:
            raise HttpRequestError(_failure(exc)) from exc
        except TimeoutError as exc:
            raise HttpRequestError("timeout") from exc

    def _pieces(self, max_bytes: int) -> Iterator[bytes]:
        received = cast("Iterable[bytes]", self._response.stream)  # a synchronous transport has no other stream
        encoding = self.headers.get("content-encoding", "identity").strip().lower()
        if encoding == "identity":
            return iter(received)
        if encoding not in ("gzip", "x-gzip", "deflate"):
            raise HttpRequestError("compressed", encoding)
        return _decompressed(received, max_bytes)


def _decompressed(received: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    """Yield the body in pieces of bounded size: one received chunk of a gzip bomb expands a thousandfold.

    A compressed body has at most `max_bytes` too: it may be endless and expand to nothing.
    """
    decoder = zlib.decompressobj(zlib.MAX_WBITS | 32)  # gzip or zlib, by its header
    total = 0
    try:
        for chunk in received:
            total += len(chunk)
            if total > max_bytes:
                raise BodyTooLargeError
            while chunk:
                yield decoder.decompress(chunk, MAX_PIECE)
                chunk = decoder.unconsumed_tail
            if decoder.eof:
                return
    except zlib.error as exc:
        raise HttpRequestError("undecodable") from exc
    # A response to HEAD names the coding of a body that it does not have.
    if total:
        raise HttpRequestError("undecodable")


def _failure(exc: httpx.HTTPError) -> HttpFailure:
    match exc:
        case httpx.ConnectError() | httpx.ConnectTimeout() | httpx.PoolTimeout() | httpx.ProxyError():
            return "unreachable"
        case httpx.TimeoutException():
            return "timeout"
        case httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
            return "invalid_address"
        case _:
            return "broken"
