"""Transport of a playback for httpx, and for httpx2, which the openai package uses."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import httpx

from tests.contract.wire_script import Playback, WireRequest


def mock_transport(playback: Playback, library: ModuleType = httpx) -> Any:
    """Return the `MockTransport` of `library`, whose names are those of httpx."""
    http: Any = library

    class CutBody(http.SyncByteStream):
        def __init__(self, content: bytes) -> None:
            self._content = content

        def __iter__(self) -> Iterator[bytes]:
            yield self._content[: len(self._content) // 2]
            raise http.RemoteProtocolError("peer closed connection without sending complete message body")

    def handle(request: Any) -> Any:
        timeout = request.extensions["timeout"]["read"]
        headers = dict(request.headers)
        answer = playback.answer(
            WireRequest(url=str(request.url), headers=headers, content=request.content, timeout=timeout)
        )
        match answer.fault:
            case "no_answer":
                raise http.ReadTimeout("timed out", request=request)
            case "no_connection":
                raise http.ConnectError("[Errno 111] Connection refused", request=request)
            case "cut":
                return http.Response(answer.status, headers=answer.headers, stream=CutBody(answer.content))
            case None:
                return http.Response(answer.status, headers=answer.headers, content=answer.content)

    return http.MockTransport(handle)
