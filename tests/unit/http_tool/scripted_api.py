"""Server of an API that answers http tools from a script."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ToolError
from flexchat.http_client import BoundedHttpClient
from flexchat.messages import Json
from flexchat.tools import CallTool
from functions.tools.http.implementation import Implementation
from functions.tools.http.sender import HttpSender
from functions.tools.http.tool import HttpTool

URL = "https://api.example.com/items"


type Answer = httpx2.Response | httpx2.HTTPError | Callable[[httpx2.Request], httpx2.Response]


class Api:
    """Server that answers each request with the next answer of a script, the last one again and again."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = answers
        self.requests: list[httpx2.Request] = []
        self.waits: list[float] = []
        self.now = 1_000_000.0
        client = BoundedHttpClient(transport=httpx2.MockTransport(self._answer), compressed=False)
        self.tool = HttpTool(HttpSender(client, EgressPolicy()), sleep=self.waits.append, wall_clock=lambda: self.now)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self._answers[min(len(self.requests), len(self._answers)) - 1]
        if isinstance(answer, httpx2.HTTPError):
            raise answer
        return answer(request) if callable(answer) else answer

    def call(self, arguments: dict[str, Json] | None = None, *, idempotent: bool = False, **values: Any) -> Json:
        implementation = Implementation.model_validate({"type": "http", "url": URL, **values})
        call = CallTool(
            tool="items",
            arguments=arguments or {},
            implementation={},
            call_id="call-1",
            idempotency_key="request-1:call-1",
            request_id="request-1",
            timeout_ms=10_000,
            idempotent=idempotent,
        )
        return self.tool(call, implementation)

    def error(self, arguments: dict[str, Json] | None = None, **values: Any) -> ToolError:
        with pytest.raises(ToolError) as raised:
            self.call(arguments, **values)
        return raised.value


def answer(content: Json, status: int = 200, **headers: str) -> httpx2.Response:
    return httpx2.Response(status, json=content, headers=headers)


class Stream(httpx2.SyncByteStream):
    """Body that arrives as it is, without being decoded by httpx2 when it is created."""

    def __init__(self, *parts: bytes) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[bytes]:
        yield from self._parts
