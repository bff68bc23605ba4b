"""Anthropic adapter with a scripted API."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx2

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message, user
from functions.chat.providers.anthropic.adapter import AnthropicProvider
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.retry import RetryPolicy
from tests.unit.providers.http_server import Server

TOOL: Mapping[str, Json] = {"name": "t", "input_schema": {"type": "object"}}


def answered(*content: Json, **fields: Any) -> httpx2.Response:
    return httpx2.Response(200, json={"type": "message", "role": "assistant", "content": list(content), **fields})


HELLO = answered({"type": "text", "text": "Hello."}, stop_reason="end_turn")


def provider_of(server: Server, **config: Any) -> AnthropicProvider:
    return AnthropicProvider(
        "claude",
        LlmConfig.model_validate({"type": "anthropic", "api_key": "k-1234567", **config}),
        retry=RetryPolicy(max_retries=0),
        transport=server.transport,
    )


def send_chat(
    provider: AnthropicProvider,
    messages: Sequence[Message] = (user("Hello"),),
    *,
    model: str = "claude-3-5-haiku-latest",
    **options: Any,
) -> Completion:
    return provider.generate_chat(messages, model, ChatOptions(Deadline.after(30), **options))


def texts(*texts: str) -> list[Json]:
    return [{"type": "text", "text": text} for text in texts]
