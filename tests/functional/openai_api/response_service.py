"""Chat function on a script, with OpenAI's client of its Responses API."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from openai import BadRequestError
from openai.types.responses import Response

from flexchat.messages import Completion, Message, Text, ToolCall, Usage
from functions.chat.files.message_files import Fetch
from tests.functional.chat.harness import CALCULATE, configuration, deploy
from tests.functional.chat.scripted_provider import ScriptedProvider, Step
from tests.functional.openai_api.sdk import FunctionTransport, openai_client

WEATHER: dict[str, Any] = {
    "type": "function",
    "name": "get_weather",
    "description": "Weather of a city",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    "strict": True,
}


class Service:
    """Chat function on a script, with OpenAI's client for it."""

    def __init__(
        self,
        script: Sequence[Step],
        dynamodb: DynamoDBClient | None = None,
        *,
        principal: str = "k7m2p9qx4d",
        s3: Any = None,
        fetch: Fetch | None = None,
        **config: Any,
    ) -> None:
        chat = deploy(script, {**configuration(tools=[CALCULATE]), **config}, dynamodb=dynamodb, s3=s3, fetch=fetch)
        self.model: ScriptedProvider = chat.model
        self.transport = FunctionTransport(chat.function, principal=principal)
        self.client = openai_client(self.transport)

    def create(self, input: Any = "Hello", **parameters: Any) -> Response:
        """Return a response whose JSON is valid by OpenAI's own models."""
        create: Any = self.client.responses.create
        response: Response = create(model="flexchat", input=input, **parameters)
        Response.model_validate_json(self.transport.responses[-1].content)
        return response

    def refused(self, **parameters: Any) -> dict[str, Any]:
        """Return the error of a refused request."""
        error = self.refused_after(**parameters)
        assert self.model.seen == []
        return error

    def refused_after(self, **parameters: Any) -> dict[str, Any]:
        """Return the error of a refused request after others."""
        create: Any = self.client.responses.create
        with pytest.raises(BadRequestError) as caught:
            create(**{"model": "flexchat", "input": "Hello", **parameters})
        error: Any = caught.value.body
        return {"param": error["param"], "message": error["message"], "code": error["code"]}


def client_turn(*calls: tuple[str, dict[str, Any]], text: str = "") -> Completion:
    parts = tuple(
        ToolCall(f"c{index}", name, arguments, json.dumps(arguments)) for index, (name, arguments) in enumerate(calls)
    )
    return Completion(
        Message("assistant", (*((Text(text),) if text else ()), *parts)), "tool_calls", Usage(10, 5), "scripted"
    )
