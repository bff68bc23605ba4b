"""A playback as the transport of an adapter over httpx."""

from collections.abc import Iterator

import httpx

from tests.contract.wire_script import Playback, WireAnswer, WireRequest


def httpx_transport(playback: Playback) -> httpx.MockTransport:
    def handle(request: httpx.Request) -> httpx.Response:
        answer = playback.answer(
            WireRequest(
                url=str(request.url),
                headers=dict(request.headers),
                content=request.content,
                timeout=request.extensions["timeout"]["read"],
            )
        )
        match answer.fault:
            case "no_answer":
                raise httpx.ReadTimeout("timed out", request=request)
            case "no_connection":
                raise httpx.ConnectError("[Errno 111] Connection refused", request=request)
            case "cut":
                return httpx.Response(answer.status, headers=answer.headers, stream=_CutBody(answer))
            case None:
                return httpx.Response(answer.status, headers=answer.headers, content=answer.content)

    return httpx.MockTransport(handle)


class _CutBody(httpx.SyncByteStream):
    def __init__(self, answer: WireAnswer) -> None:
        self._content = answer.content

    def __iter__(self) -> Iterator[bytes]:
        yield self._content[: len(self._content) // 2]
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")
