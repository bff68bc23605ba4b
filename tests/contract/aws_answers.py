"""Canned answers of AWS services at the socket: botocore's own checks, signature and parsing are the real ones."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

import botocore.session
from boto3.session import Session
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.loaders import Loader


@dataclass(frozen=True, slots=True)
class AwsAnswer:
    """An answer with a JSON body or with bytes, or an exception that the socket raises instead."""

    body: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    fault: Exception | None = None


@dataclass(frozen=True, slots=True)
class AwsRequest:
    """Request with its parsed body."""

    url: str
    headers: Mapping[str, str]
    body: Any


type Answers = Callable[[AwsRequest], AwsAnswer]


def refusal(code: str, message: str = "", *, status: int = 400) -> AwsAnswer:
    """An error response of AWS's JSON services."""
    return AwsAnswer({"message": message}, status=status, headers={"x-amzn-errortype": code})


def in_turn(*answers: AwsAnswer) -> tuple[Answers, list[AwsRequest]]:
    """Return a handler that returns each answer once, in order, and the list of requests it received."""
    left = list(answers)
    received: list[AwsRequest] = []

    def answer(request: AwsRequest) -> AwsAnswer:
        received.append(request)
        return left.pop(0)

    return answer, received


@cache
def _loader() -> Loader:
    """botocore's descriptions of its services, read once for all tests."""
    return Loader()


def answering(event: str, answers: Answers) -> Session:
    """Session with `answers` for its clients' requests of `event`, for example `s3vectors.QueryVectors`."""
    session = botocore.session.Session()
    session.register_component("data_loader", _loader())
    session.set_credentials("AKIDOFTHETESTS", "key-of-the-tests")
    session.set_config_variable("region", "eu-central-1")
    session.register(f"before-send.{event}", socket(answers))
    return Session(botocore_session=session)


def socket(answers: Answers) -> Any:
    """Return a handler of botocore's event `before-send` that takes the place of the socket."""

    def send(*, request: AWSPreparedRequest, **_: object) -> AWSResponse:
        sent = cast("Any", request)
        headers = {name: value.decode() if isinstance(value, bytes) else value for name, value in sent.headers.items()}
        answer = answers(AwsRequest(sent.url, headers, json.loads(sent.body)))
        if answer.fault is not None:
            raise answer.fault
        raw = cast("Any", _Body(answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()))
        return AWSResponse(sent.url, answer.status, cast("Any", dict(answer.headers)), raw)

    return send


class _Body:
    """Part of urllib3's response that botocore reads, whole or as a stream."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self, *_: object, **__: object) -> Iterator[bytes]:
        yield self._content

    def read(self, *_: object) -> bytes:
        content, self._content = self._content, b""
        return content

    def close(self) -> None:
        """Nothing is open."""
