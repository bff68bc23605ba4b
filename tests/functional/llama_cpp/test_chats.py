"""Chats and embeddings of the service at llama.cpp's own server."""

from pathlib import Path
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.egress.client import GuardedTransport
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.retrieval.embeddings.factory import Embedders
from functions.tools.builtin.app import lambda_handler as builtin_handler
from tests.functional.chat.background import BackgroundChat, Lambdas
from tests.functional.chat.harness import CALCULATE, configuration, serve
from tests.functional.chat.scripted_provider import ScriptedProvider
from tests.functional.chat.streams import streamed, text_of
from tests.functional.llama_cpp.llama_server import LOCAL, MODEL, llama_server

pytestmark = pytest.mark.slow


@pytest.fixture
def chat(provider: OpenAIProvider, dynamodb: DynamoDBClient) -> BackgroundChat:
    """Chat function whose model is that of the server."""
    config = configuration(tools=[CALCULATE], rule={"model": MODEL, "temperature": 0})
    catalog = Catalog(configuration=Configuration.model_validate(config), disabled=(), version="1")
    lambdas = Lambdas({"builtin": builtin_handler})

    def create_provider(_name: str, _config: LlmConfig) -> OpenAIProvider:
        return provider

    function = serve(lambdas, catalog=lambda: catalog, provider=create_provider, dynamodb=dynamodb)
    return BackgroundChat(function, ScriptedProvider([]), lambdas, background=lambdas)


def answered(chat: BackgroundChat, message: str, *, streams: bool, **request: Any) -> dict[str, Any]:
    body = {"message": message, **request}
    if not streams:
        answer = chat.post(body)
        assert answer.status == 200, answer.body
        return answer.body
    client = streamed(chat, body)
    assert client.names[-1] == "answer"
    assert text_of(client.events) == client.events[-1].data["content"]
    return client.events[-1].data


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize(
    ("message", "calls", "content"),
    [
        ("greet", [], "Hello from the model, in more than one piece."),
        ("one sum", [("15% of 45", 6.75)], "That is the result."),
        ("two sums", [("1 + 1", 2), ("2 + 2", 4)], "That is the result."),
        ("ponder", [("3 * 3", 9)], "That is the result."),
    ],
)
def test_a_chat_runs_the_calls_of_the_model_and_returns_its_answer(
    chat: BackgroundChat, message: str, calls: list[tuple[str, float]], content: str, *, streams: bool
) -> None:
    body = answered(chat, message, streams=streams)

    assert [(call["params"]["expression"], call["result"]["result"]["result"]) for call in body["tool_calls"]] == calls
    assert (body["content"], body["finish_reason"], body["model"]) == (content, "stop", MODEL)
    assert body["usage"]["input_tokens"] > body["usage"]["output_tokens"] > 0


@pytest.mark.parametrize("streams", [False, True])
def test_a_failed_call_is_a_result_that_the_model_reads(chat: BackgroundChat, *, streams: bool) -> None:
    body = answered(chat, "wrong sum", streams=streams)

    assert [call["result"]["success"] for call in body["tool_calls"]] == [False]
    assert body["content"] == "That is no result."


@pytest.mark.parametrize("streams", [False, True])
def test_the_reasoning_of_a_session_is_sent_back_with_its_history(chat: BackgroundChat, *, streams: bool) -> None:
    session = {"session_id": "a-session"}

    first = answered(chat, "ponder", streams=streams, **session)
    second = answered(chat, "greet", streams=streams, **session)

    assert second["content"] == "Hello from the model, in more than one piece."
    assert second["usage"]["input_tokens"] > first["usage"]["input_tokens"] / 2


def test_embeddings_of_the_server_are_read(tmp_path: Path) -> None:
    with (
        llama_server({"greet": "Hello."}, folder=tmp_path, embeddings=True) as base_url,
        GuardedTransport(LOCAL) as transport,
    ):
        llms = {"local": LlmConfig(type="openai", base_url=base_url)}
        catalog = Catalog(Configuration(llms=llms), (), "1")
        embedder = Embedders(catalog=lambda: catalog, transport=transport).named(f"local:{MODEL}", purpose="document")

        first, second, again = embedder.embed(["a kettle", "a refund", "a kettle"], Deadline.after(30))

    assert len(first) == len(second) > 100
    assert first == again != second
