"""HTTP requests bounded in time and size, to the configured address alone: limits on top of `egress.client`."""

import re
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Final, Literal, cast

import httpx2
from msgspec import Struct

from flexchat import __version__
from flexchat.deadline import Deadline, time_limit
from flexchat.egress.client import GuardedTransport
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.egress.urls import parse_address, request_target
from flexchat.error_bodies import MAX_ERROR_BYTES, BodyTooLargeError, bounded_chunks, bounded_error, read_bounded

type HttpFailure = Literal[
    "unreachable", "timeout", "broken", "invalid_address", "undecodable", "compressed", "refused"
]

MAX_PIECE = 65_536
"""Maximum size of a piece of a decompressed body, so that the limit on the whole is checked in time."""

MAX_PATHS = 64
"""Most parsed addresses of one client."""


IDLE_SECONDS: Final = 60.0

_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+: (?:[!-~](?:[\t -~]*[!-~])?)?")
"""Header of a request: printable ASCII on one line."""


_FRAMING: Final = frozenset({"content-length", "transfer-encoding"})
"""Headers that delimit the body of a request."""

_WITH_BODY: Final = frozenset({"PATCH", "POST", "PUT", "QUERY"})
"""Methods whose requests have a length also without a body."""

_BODY_HEADERS: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class HttpRequestError(Exception):
    """A request without a whole response. The error holds no host or address, which its cause may name."""

    def __init__(self, failure: HttpFailure, detail: str = "") -> None:
        super().__init__(failure)
        self.failure: HttpFailure = failure
        self.detail = detail


class HttpResponse(Struct, frozen=True):
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
    HttpRequestError `invalid_address` for an unusable `base_url` or header.
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
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._base = base_url if base_url.endswith("/") or not base_url else f"{base_url}/"
        if base_url:
            _parse(base_url)
        self._urls: dict[str, _ParsedUrl] = {}
        self._headers = {
            "accept": "application/json",
            "accept-encoding": "gzip, deflate" if compressed else "identity",
            "user-agent": f"flexchat/{__version__}",
            **_checked(headers or {}),
        }
        self._json_headers = {"content-type": "application/json", **self._headers}
        limits = httpx2.Limits(
            max_connections=max_connections,
            max_keepalive_connections=max_idle_connections,
            keepalive_expiry=IDLE_SECONDS,
        )
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
        except (TimeoutError, EgressError, httpx2.HTTPError) as exc:
            raise request_error(exc) from exc

    def _request(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str] | None, seconds: float
    ) -> httpx2.Request:
        """Return a request. Raises HttpRequestError `invalid_address` for a header that cannot be sent."""
        own = self._headers if body is None else self._json_headers
        if headers:
            own = {**own, **_checked(headers)}
        if not (method.isascii() and method.isalpha()):
            raise HttpRequestError("invalid_address")
        parsed = self._url(url)
        timeout = {"connect": seconds, "read": seconds, "write": seconds, "pool": seconds}
        # httpx2 would resolve the dots of a path.
        extensions = {"timeout": timeout, "target": parsed.target}
        sent = {"host": parsed.host, **own}
        if (body or method.upper() in _WITH_BODY) and _FRAMING.isdisjoint(own):
            sent["content-length"] = str(len(body or b""))
        # With a stream, httpx2 sends the headers as they are, instead of searching them for those to add.
        stream = httpx2.ByteStream(body or b"")
        return httpx2.Request(method, parsed.url, headers=sent, stream=stream, extensions=extensions)

    def _url(self, url: str) -> "_ParsedUrl":
        """Return the parsed address of a request: of `url`, below the base address if there is one."""
        if not self._base:
            return _parse(url)
        parsed = self._urls.get(url)
        if parsed is None:
            parsed = _parse(self._base + url.lstrip("/"))
            if len(self._urls) < MAX_PATHS:
                self._urls[url] = parsed
        return parsed


def request_error(exc: BaseException | None) -> HttpRequestError:
    """Return an error of a guarded client, of which a request has no whole response."""
    match exc:
        case HttpRequestError():
            return exc
        case EgressError():
            return HttpRequestError("unreachable" if exc.reason == "unresolved" else "refused", exc.message)
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.PoolTimeout():
            return HttpRequestError("unreachable")
        case httpx2.TimeoutException() | TimeoutError():
            return HttpRequestError("timeout")
        case httpx2.UnsupportedProtocol() | httpx2.LocalProtocolError():
            return HttpRequestError("invalid_address")
        case _:
            return HttpRequestError("broken")


def _checked(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers with lowercase names. Raises HttpRequestError `invalid_address` for one that cannot be sent."""
    if not all(_HEADER.fullmatch(f"{name}: {value}") for name, value in headers.items()):
        raise HttpRequestError("invalid_address")
    return {name.lower(): value for name, value in headers.items()}


class _ParsedUrl(Struct, frozen=True):
    """URL of a request, and its host and its path with its query as they are sent."""

    url: httpx2.URL
    host: str
    target: bytes


def _parse(url: str) -> _ParsedUrl:
    """Return a parsed URL. Raises HttpRequestError `invalid_address`."""
    try:
        parse_address(url)
        parsed = httpx2.URL(url)
        return _ParsedUrl(parsed, parsed.netloc.decode("ascii"), request_target(url).encode())
    except (EgressError, httpx2.InvalidURL) as exc:
        raise HttpRequestError("invalid_address") from exc


class HttpStream:
    """Response whose body is read once, as a whole or in chunks, before `due`."""

    def __init__(self, response: httpx2.Response, due: Deadline) -> None:
        self.status: Final = response.status_code
        self.headers: Final[Mapping[str, str]] = response.headers
        self._response = response
        self._due = due

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

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
        except TimeoutError as exc:
            raise HttpRequestError("timeout") from exc

    def _received(self) -> Iterator[bytes]:
        """Yield the body as it arrives, still compressed: httpx2 would decompress a whole piece at once."""
        try:
            yield from cast("httpx2.SyncByteStream", self._response.stream)
        except httpx2.HTTPError as exc:
            raise request_error(exc) from exc

    def _pieces(self, max_bytes: int) -> Iterator[bytes]:
        received = self._received()
        encoding = self.headers.get("content-encoding", "identity").strip().lower()
        if encoding == "identity":
            return received
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


class BoundedErrors(httpx2.BaseTransport):
    """Transport whose error responses have a body of at most 64 KiB, for a library that reads the whole of them.

    `transport` sends the requests. Such a body may take the time of a pause. Raises HttpRequestError for one that
    cannot be read.
    """

    def __init__(self, transport: httpx2.BaseTransport) -> None:
        self._transport = transport

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return the response to a request, that of an error with its body."""
        response = self._transport.handle_request(request)
        if response.is_success:
            return response
        with closing(response):
            body = HttpStream(response, Deadline.after(request.extensions["timeout"]["read"])).read(MAX_ERROR_BYTES)
        headers = {name: value for name, value in response.headers.items() if name not in _BODY_HEADERS}
        return httpx2.Response(response.status_code, headers=headers, content=body)

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()
