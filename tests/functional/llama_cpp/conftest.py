"""Server of the tests, one for each module and process, and emulated tables."""

from collections.abc import Iterator

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from functions.chat.providers.openai.adapter import OpenAIProvider
from tests.functional.llama_cpp.llama_server import llama_server, provider_at
from tests.unit.runs.table import empty_tables


def call(expression: str) -> str:
    return f'<tool_call>\n{{"name": "calculate", "arguments": {{"expression": "{expression}"}}}}\n</tool_call>'


SCRIPT = {
    "greet": "Hello from the model, in more than one piece.",
    "one sum": call("15% of 45"),
    "two sums": f"I add them up.\n{call('1 + 1')}\n{call('2 + 2')}",
    "wrong sum": call("1 / 0"),
    "think": "<think>\nI think about it.\n</think>\n\nI have thought.",
    "ponder": f"<think>\nThis is a sum.\n</think>\n\n{call('3 * 3')}",
    "forced": call("5 * 5"),
    '"result"': "That is the result.",
    '"error"': "That is no result.",
}
"""Answers to messages of the user, by their text, and to the results of tools."""


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with llama_server(SCRIPT, folder=tmp_path_factory.mktemp("llama-cpp")) as address:
        yield address


@pytest.fixture(scope="module")
def provider(base_url: str) -> Iterator[OpenAIProvider]:
    with provider_at(base_url) as adapter:
        yield adapter


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client
