"""Scripted HTTP server of a provider over httpx2."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import httpx2


class Server:
    """Gives `answers` in order, the last one for ever, and keeps the requests."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self._answers = list(answers)
        self.requests: list[httpx2.Request] = []

    @property
    def transport(self) -> httpx2.MockTransport:
        return httpx2.MockTransport(self._handle)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class CountedChunks:
    """Body in chunks that counts those sent and records when it is closed."""

    def __init__(self, chunks: Sequence[bytes]) -> None:
        self._chunks = chunks
        self.sent = 0
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self.sent += 1
            yield chunk

    def close(self) -> None:
        self.closed = True


class Chunks(CountedChunks, httpx2.SyncByteStream):
    """Counted chunks of httpx2."""
