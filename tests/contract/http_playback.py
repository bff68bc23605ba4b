"""Transport of a playback for httpx2."""

from collections.abc import Iterator

import httpx2

from tests.contract.wire_script import Playback, WireRequest


class CutBody(httpx2.SyncByteStream):
    """First half of a body, then a closed connection."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[bytes]:
        yield self._content[: len(self._content) // 2]
        raise httpx2.RemoteProtocolError("peer closed connection without sending complete message body")


def mock_transport(playback: Playback) -> httpx2.MockTransport:
    """Return a transport that answers from `playback`."""

    def handle(request: httpx2.Request) -> httpx2.Response:
        timeout = request.extensions["timeout"]["read"]
        headers = dict(request.headers)
        answer = playback.answer(
            WireRequest(url=str(request.url), headers=headers, content=request.content, timeout=timeout)
        )
        match answer.fault:
            case "no_answer":
                raise httpx2.ReadTimeout("timed out", request=request)
            case "no_connection":
                raise httpx2.ConnectError("[Errno 111] Connection refused", request=request)
            case "cut":
                return httpx2.Response(answer.status, headers=answer.headers, stream=CutBody(answer.content))
            case None:
                return httpx2.Response(answer.status, headers=answer.headers, content=answer.content)

    return httpx2.MockTransport(handle)
