"""A configured search service that answers from a script."""

from typing import Any

import httpx2
import pytest

from flexchat.errors import RetrievalError
from flexchat.json import safe_loads
from functions.retrieval.json_service import JsonService
from tests.unit.retrieval_remote.clock import Time

type Answer = httpx2.Response | Exception

KEY = "key-of-the-tests"


class Script:
    """Returns scripted responses and records the requests."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def service(script: Script, time: Time, *, headers: dict[str, str] | None = None, url: str = "https://x.example/q?v=1"):
    return JsonService(
        "the service 'docs'",
        url=url,
        headers={"Authorization": f"Bearer {KEY}"} if headers is None else headers,
        retry=time.retry(),
        max_answer_bytes=1_000,
        transport=httpx2.MockTransport(script),
    )


def refused(*answers: Answer, seconds: float = 10.0, **how: Any) -> tuple[RetrievalError, Script, Time]:
    script, time = Script(*answers), Time()
    requests = service(script, time, **how)
    with pytest.raises(RetrievalError) as error:
        requests.post("", {"a": 1}, deadline=time.deadline(seconds), read=safe_loads, codes={404: "not_found"})
    return error.value, script, time


def ok(body: object = "fine") -> httpx2.Response:
    return httpx2.Response(200, json=body)
