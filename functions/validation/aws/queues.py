"""SQS queue of validation messages."""

from collections.abc import Callable, Iterable, Mapping
from itertools import batched
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.aws.credentials import error_code
from flexchat.deadline import Deadline, call_with_timeout
from flexchat.errors import UnavailableError
from flexchat.json import dumps
from flexchat.messages import Json

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef


def error_reason(exc: Exception) -> str:
    """Return the service's code of an error, else the name of its class."""
    return error_code(exc) if isinstance(exc, ClientError) else type(exc).__name__


def send_request[T](call: Callable[[], T], *, failure: str, deadline: Deadline) -> T:
    """Return the result of `call()` before the deadline.

    Raises UnavailableError with `failure` and the reason; the service may have accepted the request all the same.
    """
    try:
        return call_with_timeout(deadline.remaining(), call)
    except (ClientError, BotoCoreError, TimeoutError) as exc:
        raise UnavailableError(f"{failure}: {error_reason(exc)}") from exc


MAX_BATCH = 10
"""Limit of SQS for one request."""


class WorkQueue:
    """One queue, by its URL; every message is a JSON object.

    Every method raises UnavailableError when SQS does not respond before the deadline; SQS may still have accepted it.
    """

    def __init__(self, client: "SQSClient", url: str) -> None:
        self._client = client
        self._url = url

    def send(self, messages: Iterable[Mapping[str, Json]], *, deadline: Deadline) -> int:
        """Send messages in batches and return their number. Batches before a rejected one have been sent."""
        sent = 0
        for batch in batched(messages, MAX_BATCH, strict=False):
            entries: list[SendMessageBatchRequestEntryTypeDef] = [
                {"Id": str(place), "MessageBody": dumps(message)} for place, message in enumerate(batch)
            ]
            answer = send_request(
                lambda entries=entries: self._client.send_message_batch(QueueUrl=self._url, Entries=entries),
                failure=f"could not send to queue {self._url!r}",
                deadline=deadline,
            )
            if failed := answer.get("Failed", []):
                raise UnavailableError(f"the queue refused {len(failed)} messages: {failed[0].get('Code', 'unknown')}")
            sent += len(batch)
        return sent

    def delay(self, receipt: str, *, seconds: int, deadline: Deadline) -> None:
        """Set the delay of the next delivery of a received message."""
        send_request(
            lambda: self._client.change_message_visibility(
                QueueUrl=self._url, ReceiptHandle=receipt, VisibilityTimeout=seconds
            ),
            failure=f"could not delay a message of queue {self._url!r}",
            deadline=deadline,
        )


class EventBus:
    """Publisher of events of one source, such as `flexchat.validation`."""

    def __init__(self, client: "EventBridgeClient", *, source: str) -> None:
        self._client = client
        self._source = source

    def put(self, detail_type: str, detail: Mapping[str, Json], *, deadline: Deadline) -> None:
        """Publish one event. Raises UnavailableError when EventBridge does not accept it before the deadline."""
        failure = f"EventBridge did not accept {detail_type!r}"
        answer = send_request(
            lambda: self._client.put_events(
                Entries=[{"Source": self._source, "DetailType": detail_type, "Detail": dumps(detail)}]
            ),
            failure=failure,
            deadline=deadline,
        )
        if answer["FailedEntryCount"]:
            raise UnavailableError(f"{failure}: {answer['Entries'][0].get('ErrorCode', 'unknown')}")
