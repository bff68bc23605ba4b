"""Events on the account's default event bus."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.json import dumps
from flexchat.messages import Json
from functions.validation.aws.errors import send_request

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient


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
