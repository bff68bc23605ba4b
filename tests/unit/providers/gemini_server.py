"""Gemini adapter with a scripted server."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message, user
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.gemini.adapter import GeminiProvider
from functions.chat.providers.retry import RetryPolicy

SCHEMA: Json = {"type": "object", "properties": {"q": {"type": "string"}}, "additionalProperties": False}
DECLARATION: dict[str, Json] = {"name": "t", "description": "A tool", "parametersJsonSchema": SCHEMA}
TOOL: Mapping[str, Json] = {"functionDeclarations": [DECLARATION]}
HELLO: Json = {"role": "user", "parts": [{"text": "Hello"}]}


class Server:
    """Gives `answers` in order, the last one for ever, and keeps the requests."""

    def __init__(self, *answers: httpx2.Response) -> None:
        self._answers = list(answers) or [content({"text": "Hello."})]
        self.requests: list[httpx2.Request] = []

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]


def content(*parts: Any, **candidate: Json) -> httpx2.Response:
    return httpx2.Response(200, json={"candidates": [{"content": {"parts": list(parts)}, **candidate}]})


def refused(
    message: str, *, status: str = "INVALID_ARGUMENT", code: int = 400, details: Json = None
) -> httpx2.Response:
    error: dict[str, Json] = {"code": code, "message": message, "status": status, "details": details or []}
    return httpx2.Response(code, json={"error": error})


def provider_of(
    server: Server, *, max_retries: int = 0, sleeps: list[float] | None = None, **config: Any
) -> GeminiProvider:
    waits: list[float] = [] if sleeps is None else sleeps
    return GeminiProvider(
        "main",
        LlmConfig.model_validate({"type": "gemini", "api_key": "k-1234567", **config}),
        retry=RetryPolicy(max_retries=max_retries, sleep=waits.append, random=lambda: 1.0),
        transport=httpx2.MockTransport(server.handle),
    )


def send_chat(
    provider: GeminiProvider,
    messages: Sequence[Message] = (user("Hello"),),
    *,
    model: str = "gemini-3.8-flash",
    **options: Any,
) -> Completion:
    return provider.generate_chat(messages, model, ChatOptions(Deadline.after(30), **options))
