"""Sessions of two turns with servers that refuse a request without the state of their model, or with a wrong one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api import ChatRequest
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.http_api.caller import Caller
from functions.chat.app import ChatFunction
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.tools.builtin.app import lambda_handler as builtin_handler
from tests.functional.chat.harness import CALCULATE, InProcessLambdas, configuration, serve

MISSING = "The `reasoning_content` in the thinking mode must be passed back to the API."
UNSIGNED = "Function call is missing a thought_signature in functionCall parts."
WRONG = "messages.1.content.0: Invalid `signature` in `thinking` block"
LONG_ID = "Tool call id was {} but must be a-z, A-Z, 0-9, with a length of 9."

ALICE = Caller("alice", frozenset({"user"}))


@dataclass
class ModelServer:
    """OpenAI-compatible server whose model calls a tool first in each turn, and checks the history as its kind does.

    `key` signs the state of its models.
    """

    kind: str
    key: str = "1"
    refusals: list[str] = field(default_factory=list[str])
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        self.requests.append(body)
        made = [message for message in body["messages"] if message["role"] == "assistant"]
        for message in made:
            for call in message.get("tool_calls", ()):
                if (problem := self._problem(message, call, body["model"])) is not None:
                    self.refusals.append(problem)
                    return httpx2.Response(400, json={"error": {"message": problem, "code": None}})
        if body["messages"][-1]["role"] == "tool":
            return _response({"role": "assistant", "content": "Done."}, streams=body.get("stream", False))
        number = sum(len(message.get("tool_calls", ())) for message in made)
        return _response(self._call(f"c{number:08}", body["model"]), streams=body.get("stream", False))

    def _state(self, call_id: str, model: str) -> str:
        return f"{model}/{self.key}/{call_id}"

    def _call(self, call_id: str, model: str) -> dict[str, Any]:
        state = self._state(call_id, model)
        call: dict[str, Any] = {"index": 0, "id": call_id, "type": "function"}
        call["function"] = {"name": "calculate", "arguments": '{"expression": "2 + 3"}'}
        message: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [call]}
        match self.kind:
            case "deepseek":
                message["reasoning_content"] = state
            case "gemini":
                call["extra_content"] = {"google": {"thought_signature": state}}
            case "openrouter":
                message["reasoning_details"] = [
                    {"type": "reasoning.text", "text": "Hm.", "signature": state, "index": 0}
                ]
            case _:
                call["id"] = f"call_{call_id}"
        return message

    def _problem(self, message: Mapping[str, Any], call: Mapping[str, Any], model: str) -> str | None:
        own = self._state(call["id"], model)
        match self.kind:
            case "deepseek":
                return None if message.get("reasoning_content") in (own, "") else MISSING
            case "gemini":
                signature = call.get("extra_content", {}).get("google", {}).get("thought_signature")
                return None if signature in (own, "skip_thought_signature_validator") else UNSIGNED
            case "openrouter":
                details = message.get("reasoning_details") or [{"signature": own}]
                return None if [detail["signature"] for detail in details] == [own] else WRONG
            case _:
                return None if call["id"].isalnum() and len(call["id"]) == 9 else LONG_ID.format(call["id"])


def _response(message: dict[str, Any], *, streams: bool) -> httpx2.Response:
    choice = {"index": 0, "finish_reason": "tool_calls" if "tool_calls" in message else "stop"}
    if not streams:
        return httpx2.Response(200, json={"choices": [{**choice, "message": message}]})
    chunk = json.dumps({"choices": [{**choice, "delta": message}]})
    headers = {"content-type": "text/event-stream"}
    return httpx2.Response(200, headers=headers, text=f"data: {chunk}\n\ndata: [DONE]\n\n")


@dataclass
class Session:
    """Session of one caller with the models of `server`; each message is sent to a new environment."""

    server: ModelServer
    dynamodb: DynamoDBClient
    streams: bool
    turns: int = 0

    def send(self, *, model: str = "thinker") -> str:
        """Return the answer of `model` to the next message."""
        self.turns += 1
        answer = self._function(model).engine.answer(
            ChatRequest(message=f"What is 2 + 3? ({self.turns})", session_id="s1"),
            caller=ALICE,
            deadline=Deadline.after(60),
            request_id=f"request-{self.turns}",
            stream=self.streams,
        )
        assert answer.session is not None
        assert answer.session.saved
        return answer.content

    def _function(self, model: str) -> ChatFunction:
        settings = configuration(tools=[CALCULATE], rule={"llm": "openai", "model": model})
        catalog = Catalog(configuration=Configuration.model_validate(settings), disabled=(), version="1")

        def create_provider(name: str, config: LlmConfig) -> OpenAIProvider:
            return OpenAIProvider(name, config, transport=httpx2.MockTransport(self.server.handle))

        lambdas = InProcessLambdas({"builtin": builtin_handler})
        return serve(lambdas, catalog=lambda: catalog, provider=create_provider, dynamodb=self.dynamodb)


@pytest.fixture(params=[False, True], ids=["plain", "streamed"])
def streams(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.mark.parametrize("kind", ["deepseek", "gemini", "openrouter"])
def test_a_server_gets_the_state_of_its_model_back_in_both_turns(
    kind: str, streams: bool, dynamodb: DynamoDBClient
) -> None:
    session = Session(ModelServer(kind), dynamodb, streams)

    assert [session.send(), session.send()] == ["Done.", "Done."]

    assert (session.server.refusals, len(session.server.requests)) == ([], 4)
    assert "thinker/1/c00000000" in json.dumps(session.server.requests[3])


@pytest.mark.parametrize(
    ("kind", "refusals"), [("deepseek", [MISSING] * 3), ("gemini", [UNSIGNED] * 3), ("openrouter", [WRONG])]
)
def test_a_session_whose_state_is_refused_is_continued_without_it(
    kind: str, refusals: list[str], streams: bool, dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session(ModelServer(kind), dynamodb, streams)
    session.send()
    session.server.key = "2"

    assert session.send() == "Done."

    assert session.server.refusals == refusals
    warnings = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "model state dropped" in line]
    assert [(line["level"], line["provider"], line["model"]) for line in warnings] == [("WARNING", "openai", "thinker")]


@pytest.mark.parametrize(("kind", "refusals"), [("deepseek", [MISSING]), ("gemini", [UNSIGNED]), ("openrouter", [])])
def test_a_session_is_continued_with_another_model_without_the_state_of_the_first(
    kind: str, refusals: list[str], streams: bool, dynamodb: DynamoDBClient
) -> None:
    session = Session(ModelServer(kind), dynamodb, streams)
    session.send()

    assert session.send(model="other") == "Done."

    assert session.server.refusals == refusals
    assert "thinker/1/" not in json.dumps(session.server.requests[2:])
    assert "other/1/c00000001" in json.dumps(session.server.requests[-1])


def test_a_session_is_continued_with_a_server_that_accepts_ids_of_nine_characters_alone(
    streams: bool, dynamodb: DynamoDBClient
) -> None:
    session = Session(ModelServer("mistral"), dynamodb, streams)

    assert [session.send(), session.send()] == ["Done.", "Done."]
    assert session.server.refusals == [LONG_ID.format("call_c00000000"), LONG_ID.format("call_c00000000")]
