"""Events on the account's default event bus."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.timeouts import call_with_timeout

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient


class EventBus:
    """Publisher of events of one source, such as `flexchat.validation`."""

    def __init__(self, client: "EventBridgeClient", *, source: str) -> None:
        self._client = client
        self._source = source

    def put(self, detail_type: str, detail: Mapping[str, Json], *, deadline: Deadline) -> None:
        """Publish one event. Raises UnavailableError when EventBridge does not accept it before the deadline."""
        try:
            answer = call_with_timeout(
                deadline.remaining(),
                lambda: self._client.put_events(
                    Entries=[{"Source": self._source, "DetailType": detail_type, "Detail": dumps(detail)}]
                ),
            )
        except ClientError as exc:
            code = exc.response.get("Error", {}).get("Code", "unknown")
            raise UnavailableError(f"EventBridge did not accept {detail_type!r}: {code}") from exc
        except (BotoCoreError, TimeoutError) as exc:
            raise UnavailableError(f"EventBridge did not accept {detail_type!r} ({type(exc).__name__})") from exc
        if answer["FailedEntryCount"]:
            code = answer["Entries"][0].get("ErrorCode", "unknown")
            raise UnavailableError(f"EventBridge did not accept {detail_type!r}: {code}")
