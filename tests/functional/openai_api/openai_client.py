"""OpenAI's own client, whose requests a chat function answers without a network."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx2
import openai

from tests.functional.chat.harness import EVENTS, Chat, LambdaContext, configuration, deploy
from tests.functional.chat.scripted_provider import Step
from tests.functional.chat.streams import StreamClient

QUESTION: Any = [{"role": "user", "content": "What is 15% of 45?"}]


@dataclass
class FunctionTransport(httpx2.BaseTransport):
    """Transport that sends requests as events of a REST API; with `is_live` the function streams its responses."""

    chat: Chat
    is_live: bool = True
    last: StreamClient | None = None
    principal: str | None = "caller"

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        stream = StreamClient() if self.is_live else None
        answer = self.chat.function.handle(event_of(request, self.principal), LambdaContext(), stream)
        self.last = stream
        if answer is None:
            assert stream is not None
            ((status, headers),) = stream.started
            return httpx2.Response(status, headers=dict(headers), content=b"".join(stream.pieces))
        listed: dict[str, list[str]] = answer["multiValueHeaders"]
        headers = {name: values[0] for name, values in listed.items()}
        return httpx2.Response(answer["statusCode"], headers=headers, content=answer["body"].encode())


def event_of(request: httpx2.Request, principal: str | None) -> dict[str, Any]:
    event = json.loads((EVENTS / "chat-http.json").read_text())
    context = event["requestContext"]
    event["httpMethod"] = context["httpMethod"] = request.method
    event["path"] = event["resource"] = context["resourcePath"] = request.url.path
    model = request.url.path.removeprefix("/v1/models/")
    if model != request.url.path:
        event |= {"resource": "/v1/models/{model+}", "pathParameters": {"model": model}}
    event["body"] = request.content.decode() or None
    event["headers"] = dict(request.headers)
    event["multiValueHeaders"] = {name: [value] for name, value in request.headers.items()}
    context["authorizer"] = {"principalId": "unknown"}
    if principal is not None:
        context["authorizer"] = {"principal": principal, "principalId": principal, "roles": "user"}
    return event


@dataclass
class Service:
    """A chat function and OpenAI's client of it."""

    chat: Chat
    transport: FunctionTransport
    client: openai.OpenAI

    @property
    def stream(self) -> StreamClient:
        """Return the response stream of the last request."""
        assert self.transport.last is not None
        return self.transport.last


def service(
    script: Sequence[Step] = (),
    config: dict[str, Any] | None = None,
    *,
    is_live: bool = True,
    principal: str | None = "caller",
    **deployment: Any,
) -> Service:
    chat = deploy(script, config or configuration(), **deployment)
    transport = FunctionTransport(chat, is_live=is_live, principal=principal)
    http: Any = httpx2.Client(transport=transport)
    client = openai.OpenAI(api_key="token", base_url="https://api.example/v1", http_client=http, max_retries=0)
    return Service(chat, transport, client)
