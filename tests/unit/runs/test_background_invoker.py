"""Asynchronous invocations: queued once, and awaited no longer than the deadline."""

import json
import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError

from flexchat.aws.lambdas import BackgroundInvoker
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.retry import Retry
from tests.clock import Clock

FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-chat:live"


class Client:
    """Lambda client with a scripted `invoke`."""

    def __init__(self, does: Callable[[], object] = lambda: None) -> None:
        self.does = does
        self.sent: list[dict[str, Any]] = []

    def invoke(self, **request: Any) -> dict[str, Any]:
        self.sent.append(request)
        self.does()
        return {"StatusCode": 202}


def raising(error: Exception) -> Callable[[], object]:
    def raise_it() -> None:
        raise error

    return raise_it


def invoke(client: Client, *, seconds: float = 5.0) -> None:
    invoker = BackgroundInvoker(cast("Any", client))
    invoker.invoke(FUNCTION, {"run": {"id": "é"}}, deadline=Deadline.after(seconds))


def invoke_throttled(client: Client, clock: Clock, *, seconds: float = 5.0) -> None:
    retry = Retry(max_retries=None, base=0.5, cap=4.0, sleep=clock.sleep, random=lambda: 1.0)
    invoker = BackgroundInvoker(cast("Any", client), retry=retry)
    invoker.invoke(FUNCTION, {"run": {"id": "é"}}, deadline=Deadline.after(seconds, clock=clock))


def test_the_alias_of_the_function_is_invoked_asynchronously() -> None:
    client = Client()
    invoke(client)

    (request,) = client.sent
    assert (request["FunctionName"], request["InvocationType"]) == (FUNCTION, "Event")
    assert json.loads(request["Payload"]) == {"run": {"id": "é"}}


@pytest.mark.parametrize(
    ("error", "error_text"),
    [
        (ClientError({"Error": {"Code": "ServiceException"}}, "Invoke"), "ServiceException"),
        (ClientError({"Error": {"Code": "AccessDeniedException"}}, "Invoke"), "AccessDeniedException"),
        (ClientError(cast("Any", {}), "Invoke"), "unknown"),
        (ReadTimeoutError(endpoint_url="https://lambda"), "ReadTimeoutError"),
        (ConnectTimeoutError(endpoint_url="https://lambda"), "ConnectTimeoutError"),
    ],
)
def test_a_failed_invocation_is_unavailable(error: Exception, error_text: str) -> None:
    client = Client(raising(error))

    with pytest.raises(UnavailableError, match=error_text):
        invoke(client)
    assert len(client.sent) == 1


def throttled() -> ClientError:
    return ClientError({"Error": {"Code": "TooManyRequestsException"}}, "Invoke")


def test_a_throttled_invocation_is_retried_until_lambda_accepts_it() -> None:
    answers: list[Callable[[], object]] = [raising(throttled()), raising(throttled()), lambda: None]
    client, clock = Client(lambda: answers.pop(0)()), Clock(0.0)

    invoke_throttled(client, clock)

    assert (len(client.sent), clock.now) == (3, 1.5)


def test_throttled_invocation_is_abandoned_before_the_deadline() -> None:
    client, clock = Client(raising(throttled())), Clock(0.0)

    with pytest.raises(UnavailableError, match="TooManyRequestsException"):
        invoke_throttled(client, clock)

    assert (len(client.sent), clock.now) == (4, 3.5)


def test_endless_throttling_is_an_error_long_before_a_late_deadline() -> None:
    client, clock = Client(raising(throttled())), Clock(0.0)

    with pytest.raises(UnavailableError, match="TooManyRequestsException"):
        invoke_throttled(client, clock, seconds=60.0)

    assert clock.now == 7.5


def test_an_invocation_is_abandoned_at_the_deadline() -> None:
    never = threading.Event()
    with pytest.raises(UnavailableError, match="TimeoutError"):
        invoke(Client(never.wait), seconds=0.01)


def test_nothing_is_sent_after_the_deadline() -> None:
    client = Client()

    with pytest.raises(UnavailableError):
        invoke(client, seconds=0.0)
    assert client.sent == []
