"""Contract of streamed completions: a wire whose provider streams the recorded answers.

Every scenario runs both ways. A streamed completion equals the plain one, its text is the text of its deltas, and each
of its calls has one start, and the text of its arguments where the API sends text.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.base import (
    ArgumentsDelta,
    CallDelta,
    ChatOptions,
    Delta,
    ListedModel,
    OnDelta,
    Provider,
    TextDelta,
)
from functions.chat.providers.retry import RetryPolicy
from tests.contract.wire_script import Playback, Wire, WireAnswer, WireRequest

PIECE = 4
"""Characters of a piece of a text."""


class StreamingWire(Wire, Protocol):
    """Wire of a provider that streams."""

    def plain_request(self, request: WireRequest) -> WireRequest:
        """Check that `request` asks for a stream, and return the plain request of the same conversation."""
        ...

    def streamed(self, answer: WireAnswer) -> WireAnswer:
        """Return a plain completion as the provider streams it, with texts and arguments in `pieces`.

        With the fault `cut`, the first half of the stream is padding without an event.
        """
        ...


def pieces(text: str) -> list[str]:
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


def sse(*events: str, answer: WireAnswer) -> WireAnswer:
    """Return `events`, each with its lines, as server-sent events."""
    stream = "".join(f"{event}\n\n" for event in events)
    if answer.fault == "cut":
        stream = f": {'-' * len(stream)}\n\n{stream}"
    return answer.model_copy(
        update={"text": stream, "headers": {**answer.headers, "content-type": "text/event-stream"}}
    )


@dataclass
class StreamedWire:
    """`wire` with a provider that streams each completion and checks its deltas."""

    wire: StreamingWire

    def __post_init__(self) -> None:
        self.type: ProviderType = self.wire.type
        self.model = self.wire.model
        self.key = self.wire.key
        self.lacks = self.wire.lacks

    def provider(self, playback: Playback, *, retry: RetryPolicy, timeout_ms: int) -> Provider:
        streams = _StreamedPlayback(self.wire, playback)
        return StreamingProvider(self.wire.provider(streams, retry=retry, timeout_ms=timeout_ms))

    def tools(self) -> Sequence[dict[str, Json]]:
        return self.wire.tools()

    def check_request(self, request: WireRequest) -> None:
        self.wire.check_request(request)


class _StreamedPlayback(Playback):
    """Passes plain requests to `playback`, and streams its completions."""

    def __init__(self, wire: StreamingWire, playback: Playback) -> None:
        super().__init__(())
        self._wire = wire
        self._playback = playback

    def answer(self, request: WireRequest) -> WireAnswer:
        answer = self._playback.answer(self._wire.plain_request(request))
        return self._wire.streamed(answer) if answer.status == 200 and answer.body is not None else answer


@dataclass
class StreamingProvider:
    """Provider that streams every completion, and compares it with its deltas."""

    provider: Provider
    deltas: list[list[Delta]] = field(default_factory=list[list[Delta]])

    @property
    def name(self) -> str:
        return self.provider.name

    @property
    def type(self) -> ProviderType:
        return self.provider.type

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        received: list[Delta] = []

        def receive(delta: Delta) -> None:
            received.append(delta)
            if on_delta is not None:
                on_delta(delta)

        completion = self.provider.generate_chat(messages, model, options, receive)
        texts = [delta.text for delta in received if isinstance(delta, TextDelta)]
        calls = [delta for delta in received if isinstance(delta, CallDelta)]
        assert all(texts), "an empty piece of text"
        assert "".join(texts) == completion.message.text
        assert calls == [CallDelta(index, call.name) for index, call in enumerate(completion.message.tool_calls)]
        for index, call in enumerate(completion.message.tool_calls):
            pieces = [each.text for each in received if isinstance(each, ArgumentsDelta) and each.index == index]
            assert all(pieces), "an empty piece of arguments"
            text = "".join(pieces)
            if self.provider.type in ("gemini", "ollama"):
                assert pieces == []
            elif text.strip():
                assert text == call.raw if call.arguments is None else json.loads(text) == call.arguments
        self.deltas.append(received)
        return completion

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        return self.provider.list_models(deadline)
