"""Transport of a playback for httpx."""

from collections.abc import Iterator

import httpx

from tests.contract.wire_script import Playback, WireRequest
from tests.mock_transport import MockTransport


class CutBody(httpx.SyncByteStream):
    """First half of a body, then a closed connection."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[bytes]:
        yield self._content[: len(self._content) // 2]
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")


def mock_transport(playback: Playback) -> MockTransport:
    """Return a transport that answers from `playback`."""

    def handle(request: httpx.Request) -> httpx.Response:
        timeout = request.extensions["timeout"]["read"]
        headers = dict(request.headers)
        answer = playback.answer(
            WireRequest(url=str(request.url), headers=headers, content=request.content, timeout=timeout)
        )
        match answer.fault:
            case "no_answer":
                raise httpx.ReadTimeout("timed out", request=request)
            case "no_connection":
                raise httpx.ConnectError("[Errno 111] Connection refused", request=request)
            case "cut":
                return httpx.Response(answer.status, headers=answer.headers, stream=CutBody(answer.content))
            case None:
                return httpx.Response(answer.status, headers=answer.headers, content=answer.content)

    return MockTransport(handle)
