"""Events of a streamed chat, which continue over lost connections."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

from cli.client import Client
from cli.errors import LostConnectionError, ServiceError
from cli.event_stream import ServerEvent
from flexchat.messages import Json

FAILURES = 5
"""Maximum number of failed connections in succession, after the first one."""

FIRST_PAUSE_SECONDS = 0.5
PAUSE_GROWTH = 2.0


@dataclass(frozen=True, slots=True)
class ChatEvent:
    """One event of a chat with its data, such as `delta` with `text`."""

    name: str
    data: Mapping[str, Json]

    def text(self, key: str) -> str:
        """Return the text under `key`, empty for any other value."""
        value = self.data.get(key)
        return value if isinstance(value, str) else ""

    def number(self, key: str) -> int:
        """Return the whole number under `key`, 0 for any other value."""
        value = self.data.get(key)
        return value if isinstance(value, int) else 0


class ChatStream:
    """Events of one chat until `answer` or `error`; `run` is the id of its run, empty until the service has sent it.

    A lost connection continues after the last received event; `report` receives a sentence about it.
    """

    def __init__(
        self, client: Client, *, sleep: Callable[[float], object], report: Callable[[str], object], run: str = ""
    ) -> None:
        self.run = run
        self._client = client
        self._sleep = sleep
        self._report = report
        self._last_id = ""

    def send(self, request: Mapping[str, Json], *, idempotency_key: str | None = None) -> Iterator[ChatEvent]:
        """Send a chat request and yield its events. Raises ServiceError as a request without a stream does."""
        return self._events(lambda: self._client.stream_chat(request, idempotency_key=idempotency_key))

    def follow(self) -> Iterator[ChatEvent]:
        """Yield the events of `run`, the past ones first."""
        return self._events(self._continued)

    def _continued(self) -> Generator[ServerEvent]:
        return self._client.run_events(self.run, after=self._last_id)

    def _events(self, connect: Callable[[], Generator[ServerEvent]]) -> Iterator[ChatEvent]:
        failures, lost = 0, None
        while True:
            try:
                with closing(connect()) as events:
                    for received in events:
                        failures, lost = 0, None
                        event = self._read(received)
                        yield event
                        if event.name in ("answer", "error"):
                            return
            except ServiceError as error:
                if not (self.run and _is_temporary(error)):
                    raise
                lost = error
            failures += 1
            if not self.run or failures > FAILURES:
                raise lost or LostConnectionError(f"{self._client.url} ended the stream without an answer")
            if lost is not None:
                self._report(f"connection lost; continuing run {self.run} (attempt {failures} of {FAILURES})")
            self._sleep(FIRST_PAUSE_SECONDS * PAUSE_GROWTH ** (failures - 1))
            connect = self._continued

    def _read(self, received: ServerEvent) -> ChatEvent:
        try:
            data: Json = json.loads(received.data)
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise ServiceError(f"{self._client.url} sent a response that is not Flexchat's: its data is no JSON object")
        self._last_id = received.id or self._last_id
        event = ChatEvent(received.name, data)
        if event.name == "accepted":
            self.run = event.text("run_id")
        return event


def _is_temporary(error: ServiceError) -> bool:
    return isinstance(error, LostConnectionError) or error.status == 429 or (error.status or 0) >= 500
