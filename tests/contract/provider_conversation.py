"""Conversation with one provider over its wire module."""

from collections.abc import Sequence

from flexchat.deadline import Deadline
from flexchat.messages import Completion, FinishReason, Json, Message, Text, ToolCall
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.retry import RetryPolicy
from tests.contract.wire_script import Exchange, Playback, Wire, exchanges, retry_policy


class Conversation:
    """Scenario with one adapter, turn by turn; every request is compared and validated by the provider's types."""

    def __init__(
        self, wire: Wire, scenario: str, *, retry: RetryPolicy | None = None, timeout_ms: int = 60_000
    ) -> None:
        self.wire = wire
        self.script: list[Exchange] = exchanges(wire, scenario)
        self.playback = Playback([exchange.answer for exchange in self.script])
        self.provider = wire.provider(self.playback, retry=retry or retry_policy(0, []), timeout_ms=timeout_ms)

    def send_chat(
        self, messages: Sequence[Message], *, tools: bool = False, deadline: Deadline | None = None
    ) -> Completion:
        options = ChatOptions(
            deadline=deadline or Deadline.after(30),
            max_tokens=300,
            temperature=0.2,
            tools=self.wire.tools() if tools else (),
        )
        return self.provider.generate_chat(messages, self.wire.model, options)

    def expected(self, exchange: int, finish_reason: FinishReason, *parts: Text | ToolCall) -> Completion:
        recorded = self.script[exchange].completion
        assert recorded is not None
        return Completion(
            message=Message("assistant", parts),
            finish_reason=finish_reason,
            usage=recorded.usage,
            model=recorded.model,
            raw_finish_reason=recorded.raw_finish_reason,
            id=self._response_id(self.script[exchange].answer.body),
        )

    def _response_id(self, body: Json) -> str | None:
        """Return the id of a recorded response; Ollama and Bedrock send none."""
        name = {"openai": "id", "anthropic": "id", "gemini": "responseId"}.get(self.wire.type)
        found = body.get(name) if name is not None and isinstance(body, dict) else None
        return str(found) if found else None

    def check_requests(self) -> None:
        assert [request.body for request in self.playback.requests] == [exchange.request for exchange in self.script]
        for request in self.playback.requests:
            self.wire.check_request(request)
        assert self.playback.remaining == 0
