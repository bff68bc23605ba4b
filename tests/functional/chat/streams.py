"""Client of streamed chats."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flexchat.http_api.streams import StreamClosedError
from tests.functional.chat.background import BackgroundChat
from tests.functional.chat.harness import EVENTS, LambdaContext

STREAMED = {"Accept": "text/event-stream"}


@dataclass(frozen=True)
class ReceivedEvent:
    """One server-sent event."""

    id: str
    name: str
    data: dict[str, Any]


@dataclass
class StreamClient:
    """Response stream of a client that disconnects after `room` pieces; `on_piece` observes each of them."""

    room: int = 100_000
    on_piece: Callable[[bytes], object] = lambda _piece: None
    started: list[tuple[int, Mapping[str, str]]] = field(default_factory=list[tuple[int, Mapping[str, str]]])
    pieces: list[bytes] = field(default_factory=list[bytes])
    whole: dict[str, Any] | None = None

    def start(self, status: int, headers: Mapping[str, str]) -> None:
        self.started.append((status, dict(headers)))

    def write(self, data: bytes) -> None:
        if len(self.pieces) >= self.room:
            raise StreamClosedError
        self.pieces.append(data)
        self.on_piece(data)

    @property
    def status(self) -> int:
        return self.started[0][0] if self.started else (self.whole or {})["statusCode"]

    @property
    def events(self) -> list[ReceivedEvent]:
        return parsed(b"".join(self.pieces))

    @property
    def names(self) -> list[str]:
        return [event.name for event in self.events]


def parsed(stream: bytes | str) -> list[ReceivedEvent]:
    """Return the events of a stream without its comments."""
    text = stream if isinstance(stream, str) else stream.decode()
    events: list[ReceivedEvent] = []
    for block in filter(None, text.split("\n\n")):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        if fields:
            events.append(ReceivedEvent(fields["id"], fields["event"], json.loads(fields["data"])))
    return events


def text_of(events: Sequence[ReceivedEvent]) -> str:
    """Return the text of the last model call."""
    text = ""
    for event in events:
        if event.name == "model_started":
            text = ""
        elif event.name == "delta":
            text += event.data["text"]
    return text


def streamed(
    chat: BackgroundChat,
    body: Any,
    *,
    headers: Mapping[str, str] = STREAMED,
    path: str = "/api/chat",
    method: str = "POST",
    principal: str | None = None,
    roles: str | None = None,
    client: StreamClient | None = None,
) -> StreamClient:
    """Send a request to a function that streams."""
    event = json.loads((EVENTS / "chat-http.json").read_text())
    context = event["requestContext"]
    event["body"] = None if body is None else json.dumps(body)
    event["httpMethod"] = context["httpMethod"] = method
    event["path"] = context["resourcePath"] = event["resource"] = path
    event["headers"] = {**event["headers"], **headers}
    event["multiValueHeaders"] = {name: [value] for name, value in event["headers"].items()}
    if principal is not None:
        context["authorizer"].update(principal=principal, principalId=principal)
    if roles is not None:
        context["authorizer"]["roles"] = roles
    chat.requests += 1
    context["requestId"] = f"{context['requestId']}-{chat.requests}"
    client = client or StreamClient()
    client.whole = chat.function.handle(event, LambdaContext(remaining_ms=300_000), client)
    return client


def follow(chat: BackgroundChat, run: str, after: str = "", *, principal: str | None = None) -> StreamClient:
    """Get the events of a run after an id."""
    return streamed(
        chat,
        None,
        headers={"Last-Event-ID": after} if after else {},
        path=f"/api/runs/{run}/events",
        method="GET",
        principal=principal,
    )
