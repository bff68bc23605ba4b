"""Handing work to Lambda: once, and not for longer than there is time."""

import json
import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError

from flexchat.aws.lambdas import BackgroundInvoker
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError

FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-chat:live"


class Client:
    """The Lambda client's `invoke`, doing as told."""

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
    BackgroundInvoker(cast("Any", client)).invoke(FUNCTION, {"run": {"id": "é"}}, deadline=Deadline.after(seconds))


def test_the_function_is_invoked_by_its_alias_and_not_waited_for() -> None:
    client = Client()
    invoke(client)

    (request,) = client.sent
    assert (request["FunctionName"], request["InvocationType"]) == (FUNCTION, "Event")
    assert json.loads(request["Payload"]) == {"run": {"id": "é"}}


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ClientError({"Error": {"Code": "TooManyRequestsException"}}, "Invoke"), "TooManyRequestsException"),
        (ClientError(cast("Any", {}), "Invoke"), "unknown"),
        (ReadTimeoutError(endpoint_url="https://lambda"), "ReadTimeoutError"),
        (ConnectTimeoutError(endpoint_url="https://lambda"), "ConnectTimeoutError"),
    ],
)
def test_whatever_keeps_lambda_from_accepting_it_is_ours_to_mend(error: Exception, says: str) -> None:
    client = Client(raising(error))

    with pytest.raises(UnavailableError, match=says):
        invoke(client)
    assert len(client.sent) == 1


def test_lambda_is_not_waited_for_beyond_the_deadline() -> None:
    never = threading.Event()
    with pytest.raises(UnavailableError, match="TimeoutError"):
        invoke(Client(never.wait), seconds=0.01)


def test_nothing_is_sent_when_the_time_is_up() -> None:
    client = Client()

    with pytest.raises(UnavailableError):
        invoke(client, seconds=0.0)
    assert client.sent == []
