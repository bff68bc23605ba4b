"""HTTP requests bounded in time and size, to the configured address alone.

Redirects are not followed, and proxies, netrc and certificates of the environment are ignored: the configuration alone
decides where a key is sent. Only functions whose requirements name httpx import this module.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import httpx

from flexchat.deadline import Deadline
from flexchat.error_bodies import bounded_error, read_bounded

CONNECT_SECONDS = 5.0

type HttpFailure = Literal["unreachable", "timeout", "broken", "invalid_address", "undecodable", "compressed"]


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
    """One pool of connections for the life of the environment.

    With `compressed=False` no response is requested compressed, so that none expands to any size, and a compressed one
    is refused. Raises HttpRequestError `invalid_address` for an unusable `base_url`.
    """

    def __init__(
        self,
        *,
        headers: Mapping[str, str],
        max_connections: int,
        max_idle_connections: int,
        base_url: str = "",
        compressed: bool = True,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._compressed = compressed
        encoding = {} if compressed else {"accept-encoding": "identity"}
        try:
            self._client = httpx.Client(
                base_url=base_url,
                headers={"accept": "application/json", **encoding, **headers},
                limits=httpx.Limits(
                    max_connections=max_connections, max_keepalive_connections=max_idle_connections, keepalive_expiry=60
                ),
                follow_redirects=False,
                trust_env=False,
                transport=transport,
            )
        except httpx.InvalidURL as exc:
            raise HttpRequestError("invalid_address") from exc

    def send(
        self, method: str, url: str, body: bytes | None, *, seconds: float, due: Deadline, max_bytes: int
    ) -> HttpResponse:
        """Send a JSON `body`, or a request without one, and return the response.

        `seconds` limits the connection and each pause, `due` the whole response. Raises HttpRequestError, and
        BodyTooLargeError for a success of more than `max_bytes`.
        """
        timeout = httpx.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        headers = {} if body is None else {"content-type": "application/json"}
        try:
            with self._client.stream(method, url, content=body, headers=headers, timeout=timeout) as response:
                encoding = response.headers.get("content-encoding", "identity")
                if not self._compressed and encoding != "identity":
                    raise HttpRequestError("compressed", encoding)
                content = _read(response.iter_bytes(), response, max_bytes, due)
        except httpx.HTTPError as exc:
            raise HttpRequestError(_failure(exc)) from exc
        except httpx.InvalidURL as exc:
            raise HttpRequestError("invalid_address") from exc
        return HttpResponse(response.status_code, response.headers, content)


def _read(chunks: Iterable[bytes], response: httpx.Response, max_bytes: int, due: Deadline) -> bytes:
    try:
        body = read_bounded(chunks, is_success=response.is_success, max_bytes=max_bytes, due=due)
    except TimeoutError as exc:
        raise HttpRequestError("timeout") from exc
    return body if response.is_success else bounded_error(body)


def _failure(exc: httpx.HTTPError) -> HttpFailure:
    match exc:
        case httpx.ConnectError() | httpx.ConnectTimeout() | httpx.PoolTimeout() | httpx.ProxyError():
            return "unreachable"
        case httpx.TimeoutException():
            return "timeout"
        case httpx.DecodingError():
            return "undecodable"
        case httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
            return "invalid_address"
        case _:
            return "broken"
