"""Errors of the queue, the event bus and the chat function."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from flexchat.api.trials import TrialRequest
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from functions.validation.aws.queues import EventBus, WorkQueue
from functions.validation.aws.trials import TrialInvoker
from functions.validation.trial_errors import TrialError

TRIAL = TrialRequest(model="a:x", message="hi", prompt="You help.")


@dataclass
class Client:
    """Client with the same scripted result for every operation."""

    does: Callable[[], Any]

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def operate(**_request: Any) -> Any:
            return self.does()

        return operate


def _raises(error: Exception) -> Any:
    def does() -> Any:
        raise error

    return cast("Any", Client(does))


def _throttled() -> Any:
    return _raises(ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "Operation"))


def _unreachable() -> Any:
    return _raises(EndpointConnectionError(endpoint_url="https://nowhere"))


def _client_of(answer: Any) -> Any:
    return cast("Any", Client(lambda: answer))


SOON = 5.0
"""Seconds; without any, nothing is in time."""


@pytest.mark.parametrize(
    ("client", "seconds", "reason"),
    [
        (_throttled(), SOON, "ThrottlingException"),
        (_unreachable(), SOON, "EndpointConnectionError"),
        (_client_of({}), 0.0, "TimeoutError"),
        (_client_of({"Failed": [{"Id": "0"}, {"Id": "1", "Code": "x"}]}), SOON, "refused 2 messages: unknown"),
    ],
)
def test_messages_rejected_by_sqs_raise_an_error(client: Any, seconds: float, reason: str) -> None:
    with pytest.raises(UnavailableError, match=reason):
        WorkQueue(client, "https://queue").send([{"plan": {"run": "r"}}], deadline=Deadline.after(seconds))


def test_a_message_that_cannot_be_delayed_raises_an_error() -> None:
    with pytest.raises(UnavailableError, match="could not delay a message of queue 'https://queue'"):
        WorkQueue(_throttled(), "https://queue").delay("receipt", seconds=45, deadline=Deadline.after(SOON))


def test_an_empty_batch_sends_no_request() -> None:
    assert WorkQueue(_throttled(), "https://queue").send([], deadline=Deadline.after(SOON)) == 0


@pytest.mark.parametrize(
    ("client", "seconds", "reason"),
    [
        (_throttled(), SOON, "ThrottlingException"),
        (_unreachable(), SOON, "EndpointConnectionError"),
        (_client_of({}), 0.0, "TimeoutError"),
        (_client_of({"FailedEntryCount": 1, "Entries": [{"ErrorCode": "InternalFailure"}]}), SOON, "InternalFailure"),
    ],
)
def test_an_event_rejected_by_eventbridge_raises_an_error(client: Any, seconds: float, reason: str) -> None:
    with pytest.raises(UnavailableError, match=reason):
        EventBus(client, source="flexchat.test").put("It Happened", {}, deadline=Deadline.after(seconds))


@pytest.mark.parametrize(
    ("client", "seconds", "code", "passing"),
    [
        (_throttled(), SOON, "unavailable", True),
        (_unreachable(), SOON, "unavailable", True),
        (_raises(OSError("reset")), SOON, "unavailable", True),
        (_raises(ClientError({"Error": {"Code": "AccessDeniedException"}}, "Invoke")), SOON, "configuration", False),
        (_client_of({}), 0.0, "timeout", True),
        (_client_of({"Payload": io.BytesIO(b"not json")}), SOON, "invalid_reply", False),
    ],
)
def test_a_trial_without_an_answer_reports_if_a_retry_is_useful(
    client: Any, seconds: float, code: str, passing: bool
) -> None:
    with pytest.raises(TrialError) as raised:
        TrialInvoker(client, "chat:live").run(TRIAL, deadline=Deadline.after(seconds))

    assert (raised.value.code, raised.value.is_transient) == (code, passing)
