"""Costs of a warm chat, in counts that the load of the machine does not change: AWS calls, threads, serializations."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.client import BaseClient
from mypy_boto3_dynamodb import DynamoDBClient

from cli.configuration import push_configuration, read_file
from dev.bench import tool_loop
from flexchat.aws.clients import ssm
from flexchat.aws.parameters import ParameterStore
from flexchat.observability import logger
from tests.functional.chat.harness import set_environment
from tests.functional.chat.scripted_provider import call_turn, text_turn
from tests.functional.chat.test_deployed_function import deployed

CONFIGURATION = Path(__file__).parents[3] / "config" / "flexchat.json"
MODEL_CALLS = 5
TOOL_CALLS = MODEL_CALLS - 1


@pytest.fixture
def store(dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[ParameterStore]:
    assert "flexchat-test-chats" in dynamodb.list_tables()["TableNames"]
    set_environment(
        monkeypatch,
        FLEXCHAT_TOOL_FUNCTIONS='{"mock": "mock", "builtin": "builtin"}',
        FLEXCHAT_CATALOG_TTL_SECONDS="60",
    )
    ssm.cache_clear()
    yield ParameterStore(ssm())
    ssm.cache_clear()


@pytest.fixture
def warm_chat() -> Callable[[], object]:
    """Return a chat with one tool call in each turn but the last, whose environment has answered before."""
    chat = tool_loop.engine(MODEL_CALLS)
    chat()
    return chat


@pytest.fixture
def no_logs() -> Iterator[None]:
    level = logger.log_level
    logger.setLevel("CRITICAL")
    yield
    logger.setLevel(level)


def counted(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[tuple[Any, ...]]:
    """Record the arguments of every call of a function, which runs as before."""
    calls: list[tuple[Any, ...]] = []
    original = getattr(owner, name)

    def record(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        return original(*arguments, **options)

    monkeypatch.setattr(owner, name, record)
    return calls


def test_a_warm_chat_without_a_session_calls_aws_for_its_limits_and_tools_alone(
    store: ParameterStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    push_configuration(read_file(CONFIGURATION), stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"})
    call = call_turn(("calculate", {"expression": "1 + 1"}))
    chat = deployed([call, text_turn("2"), call, text_turn("2")])
    requests = counted(monkeypatch, BaseClient, "_make_api_call")

    assert chat.post({"message": "What is 1 + 1?"}).status == 200
    first = [operation for _client, operation, _arguments in requests]
    requests.clear()
    assert chat.post({"message": "What is 1 + 1?"}).status == 200

    assert "GetParameters" in first
    # The counters of the configured limits: the request, its tool call, and its tokens.
    assert [operation for _client, operation, _arguments in requests] == ["UpdateItem"] * 3
    assert len(chat.lambdas.executed) == 2


def test_a_warm_chat_starts_one_thread_for_each_tool_call(
    warm_chat: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = counted(monkeypatch, threading.Thread, "start")

    warm_chat()

    assert [thread.name for (thread,) in started] == ["tool"] * TOOL_CALLS


@pytest.mark.usefixtures("no_logs")
def test_the_serializations_of_a_chat_grow_with_its_tool_calls_alone(
    warm_chat: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded = counted(monkeypatch, json.JSONEncoder, "encode")

    warm_chat()

    of_the_model = TOOL_CALLS + MODEL_CALLS  # the arguments and the response of the scripted model
    metrics = 3
    # Of each call: its signature, its size, and its result for the model.
    assert len(encoded) == of_the_model + metrics + 3 * TOOL_CALLS
