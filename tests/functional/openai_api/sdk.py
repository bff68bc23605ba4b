"""OpenAI's own client whose requests reach the chat function in this process, as from API Gateway."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import httpx2
from openai import OpenAI

from functions.chat.app import ChatFunction
from tests.functional.chat.harness import EVENTS, LambdaContext
from tests.functional.chat.streams import StreamClient


@dataclass
class FunctionTransport(httpx2.BaseTransport):
    """Sends requests to `function`; with `streams` the streaming function answers."""

    function: ChatFunction
    streams: bool = True
    principal: str = "k7m2p9qx4d"
    roles: str = "user"
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    responses: list[httpx2.Response] = field(default_factory=list[httpx2.Response])
    new_stream: Callable[[], StreamClient] = StreamClient

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        event = json.loads((EVENTS / "chat-http.json").read_text())
        context = event["requestContext"]
        event["body"] = request.content.decode() or None
        event["httpMethod"] = context["httpMethod"] = request.method
        event["path"] = context["resourcePath"] = event["resource"] = unquote(request.url.path)
        parameters = dict(request.url.params)
        event["queryStringParameters"] = parameters or None
        event["multiValueQueryStringParameters"] = {name: [value] for name, value in parameters.items()} or None
        event["headers"] = {**event["headers"], **dict(request.headers)}
        event["multiValueHeaders"] = {name: [value] for name, value in event["headers"].items()}
        context["authorizer"].update(principal=self.principal, principalId=self.principal, roles=self.roles)
        self.requests.append(event)
        context["requestId"] = f"request-{len(self.requests)}"
        client = self.new_stream()
        whole = self.function.handle(event, LambdaContext(remaining_ms=300_000), client if self.streams else None)
        response = _whole(whole) if whole is not None else _streamed(client)
        self.responses.append(response)
        return response


def _whole(response: Mapping[str, Any]) -> httpx2.Response:
    headers = [(name, value) for name, values in response["multiValueHeaders"].items() for value in values]
    return httpx2.Response(response["statusCode"], headers=headers, content=response["body"].encode())


def _streamed(client: StreamClient) -> httpx2.Response:
    [(status, headers)] = client.started
    return httpx2.Response(status, headers=dict(headers), content=b"".join(client.pieces))


def openai_client(transport: FunctionTransport, **options: Any) -> OpenAI:
    """Return OpenAI's client without retries."""
    http_client: Any = httpx2.Client(transport=transport)
    return OpenAI(
        api_key="not-a-key", base_url="https://api.example/v1", max_retries=0, http_client=http_client, **options
    )
