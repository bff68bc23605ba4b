"""Bedrock adapter with a scripted service."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message, user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.bedrock.aws.converse import ConverseError
from functions.chat.providers.retry import RetryPolicy

TOOL: Mapping[str, Json] = {
    "toolSpec": {"name": "t", "description": "A tool", "inputSchema": {"json": {"type": "object"}}}
}
HELLO: Json = {"role": "user", "content": [{"text": "Hello"}]}


class Service:
    """Return `answers` in order, repeat the last one, and record the requests."""

    def __init__(self, *answers: bytes | ConverseError) -> None:
        self._answers = list(answers) or [turn({"text": "Hello."})]
        self.requests: list[tuple[str, dict[str, Any]]] = []

    def converse(self, model: str, body: bytes, **_: object) -> bytes:
        self.requests.append((model, json.loads(body)))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, ConverseError):
            raise answer
        return answer

    def converse_stream(self, model: str, body: bytes, **_: object) -> AbstractContextManager[Iterator[bytes]]:
        raise AssertionError("no stream expected")

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [body for _, body in self.requests]


def turn(*blocks: Any, stop: str | None = "end_turn", **answer: Json) -> bytes:
    message = {"role": "assistant", "content": list(blocks)}
    return json.dumps({"output": {"message": message}, "stopReason": stop, **answer}).encode()


def refused(message: str) -> ConverseError:
    return ConverseError("ValidationException", message, status=400)


def provider_of(
    service: Service, *, max_retries: int = 0, sleeps: list[float] | None = None, **config: Any
) -> BedrockProvider:
    waits: list[float] = [] if sleeps is None else sleeps
    return BedrockProvider(
        "main",
        LlmConfig.model_validate({"type": "bedrock", **config}),
        retry=RetryPolicy(max_retries=max_retries, sleep=waits.append, random=lambda: 1.0),
        client=service,
    )


def send_chat(
    provider: BedrockProvider,
    messages: Sequence[Message] = (user("Hello"),),
    *,
    model: str = "amazon.nova-pro-v1:0",
    **options: Any,
) -> Completion:
    return provider.generate_chat(messages, model, ChatOptions(Deadline.after(30), **options))


def failure(provider: BedrockProvider) -> tuple[str, str]:
    with pytest.raises(ModelError) as caught:
        send_chat(provider)
    return caught.value.type, caught.value.message
