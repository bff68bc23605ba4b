"""Transport of scripted answers, written with the requests, responses and errors of httpx."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import httpx

from flexchat.egress.transport import HttpFailure, HttpRequestError, OutgoingRequest


class MockTransport:
    """`flexchat.egress.transport.HttpTransport` whose network is `handler`; it may raise the errors of httpx."""

    def __init__(self, handler: Callable[[httpx.Request], httpx.Response]) -> None:
        self._handler = handler

    def send(self, request: OutgoingRequest) -> "MockResponse":
        """Return the response of the handler."""
        address = request.address
        sent = httpx.Request(
            request.method,
            f"{address.scheme}://{address.netloc}{request.target}",
            headers=dict(request.headers),
            content=request.body,
            extensions={"timeout": {"read": request.seconds}},
        )
        try:
            response = self._handler(sent)
        except httpx.HTTPError as exc:
            raise _failed(exc) from exc
        return MockResponse(response)


class MockResponse:
    """Response of a handler, not decompressed."""

    def __init__(self, response: httpx.Response) -> None:
        self.status: Final = response.status_code
        self.headers: Final[Mapping[str, str]] = dict(response.headers.items())
        self._response = response

    def pieces(self) -> Iterator[bytes]:
        """Yield the body of the handler's response. Raises HttpRequestError."""
        assert isinstance(self._response.stream, httpx.SyncByteStream)
        try:
            yield from self._response.stream
        except httpx.HTTPError as exc:
            raise _failed(exc) from exc

    def close(self) -> None:
        """Close the body."""
        self._response.close()


def _failed(exc: httpx.HTTPError) -> HttpRequestError:
    failure: HttpFailure = "broken"
    match exc:
        case httpx.ConnectError() | httpx.ConnectTimeout() | httpx.PoolTimeout():
            failure = "unreachable"
        case httpx.TimeoutException():
            failure = "timeout"
        case httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
            failure = "invalid_address"
        case _:
            pass
    return HttpRequestError(failure)
