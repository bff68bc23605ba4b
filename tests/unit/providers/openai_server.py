"""OpenAI adapter with a scripted server."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message, user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.retry import RetryPolicy


class Server:
    """Gives `answers` in order, the last one for ever, and keeps the requests."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self._answers = list(answers) or [completion({"content": "Hello."})]
        self.requests: list[httpx2.Request] = []

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]


def completion(message: dict[str, Any], **choice: Any) -> httpx2.Response:
    return httpx2.Response(200, json={"choices": [{"message": message, **choice}]})


def refused(message: str, *, status: int = 400, code: str | None = None, param: str | None = None) -> httpx2.Response:
    return httpx2.Response(status, json={"error": {"message": message, "code": code, "param": param}})


def provider_of(
    server: Server, *, max_retries: int = 0, sleeps: list[float] | None = None, **config: Any
) -> OpenAIProvider:
    waits: list[float] = [] if sleeps is None else sleeps
    return OpenAIProvider(
        "main",
        LlmConfig.model_validate({"type": "openai", "api_key": "k-1234567", **config}),
        retry=RetryPolicy(max_retries=max_retries, sleep=waits.append, random=lambda: 1.0),
        transport=httpx2.MockTransport(server.handle),
    )


def send_chat(
    provider: OpenAIProvider,
    messages: Sequence[Message] = (user("Hello"),),
    *,
    model: str = "gpt-4o",
    max_tokens: int | None = None,
    temperature: float | None = None,
    tools: Sequence[Mapping[str, Json]] = (),
    deadline: Deadline | None = None,
) -> Completion:
    options = ChatOptions(deadline or Deadline.after(30), max_tokens, temperature, tools)
    return provider.generate_chat(messages, model, options)


def failure(provider: OpenAIProvider, **options: Any) -> tuple[str, str]:
    with pytest.raises(ModelError) as caught:
        send_chat(provider, **options)
    return caught.value.type, caught.value.message
