"""Costs of a warm chat, in counts that the load of the machine does not change: AWS calls, threads, serializations."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from cli.configuration import push_configuration, read_file
from dev.bench import tool_loop
from flexchat.aws import clients
from flexchat.aws.parameters import ParameterStore
from flexchat.observability import logger
from flexchat.settings import read_environment
from functions.chat.app import ChatFunction
from functions.chat.settings import ChatSettings
from tests.contract.aws_answers import AwsAnswer, AwsRequest, socket
from tests.functional.chat.harness import Chat, InProcessLambdas, builtin_handler, mock_handler, set_environment
from tests.functional.chat.scripted_provider import ScriptedProvider, call_completion, text_completion

CONFIGURATION = Path(__file__).parents[3] / "config" / "flexchat.json"
MODEL_CALLS = 5
TOOL_CALLS = MODEL_CALLS - 1


@pytest.fixture
def requests(dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Requests that the AWS clients of a function send, as `service.Operation`; its tools run in this process."""
    assert "flexchat-test-chats" in dynamodb.list_tables()["TableNames"]
    set_environment(
        monkeypatch,
        FLEXCHAT_TOOL_FUNCTIONS='{"mock": "mock", "builtin": "builtin"}',
        FLEXCHAT_CATALOG_TTL_SECONDS="60",
    )
    sent: list[str] = []

    def record(*, event_name: str, **_: object) -> None:
        sent.append(event_name.removeprefix("before-send."))

    made = (clients.shared_session, clients.ssm, clients.dynamodb, clients.lambdas)
    for each in made:
        each.cache_clear()
    events: Any = clients.shared_session().events
    events.register_first("before-send", record)
    events.register_first("before-send.lambda", socket(answer_of_a_tool))
    yield sent
    for each in made:
        each.cache_clear()


def answer_of_a_tool(request: AwsRequest) -> AwsAnswer:
    functions = InProcessLambdas({"mock": mock_handler, "builtin": builtin_handler})
    name = request.url.removesuffix("/invocations").rpartition("/")[2]
    return AwsAnswer(functions.invoke(FunctionName=name, Payload=json.dumps(request.body).encode())["Payload"].read())


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


def test_a_warm_chat_without_a_session_calls_aws_for_its_limits_and_tools_alone(requests: list[str]) -> None:
    store = ParameterStore(clients.ssm())
    push_configuration(read_file(CONFIGURATION), stage="test", store=store, secrets={"OPENAI_API_KEY": "a-test-key"})
    call = call_completion(("calculate", {"expression": "1 + 1"}))
    model = ScriptedProvider([call, text_completion("2"), call, text_completion("2")])
    function = ChatFunction(read_environment(ChatSettings, os.environ), provider=lambda _name, _config: model)
    chat = Chat(function, model, InProcessLambdas({}))
    requests.clear()

    assert chat.post({"message": "What is 1 + 1?"}).status == 200
    first = [*requests]
    requests.clear()
    answer = chat.post({"message": "What is 1 + 1?"})

    assert "ssm.GetParameters" in first
    assert [called["result"]["result"] for called in answer.body["tool_calls"]] == [{"result": 2}]
    # The counters of the configured limits: the request with its hold, its tool call, and its tokens.
    update, put, delete = "dynamodb.UpdateItem", "dynamodb.PutItem", "dynamodb.DeleteItem"
    assert requests == [update, put, update, "lambda.Invoke", delete, update]


def test_the_tool_calls_of_warm_chats_start_no_threads(
    warm_chat: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = counted(monkeypatch, threading.Thread, "start")

    for _ in range(10):
        warm_chat()

    # A call may come before the thread of the one before it is idle; then there is one thread more for all later ones.
    assert len(started) < TOOL_CALLS


@pytest.mark.usefixtures("no_logs")
def test_the_serializations_of_a_chat_grow_with_its_tool_calls_alone(
    warm_chat: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded = counted(monkeypatch, json.JSONEncoder, "encode")

    warm_chat()

    of_the_model = TOOL_CALLS + MODEL_CALLS  # the arguments and the response of the scripted model
    metrics = 3
    # Of each call: its result for the model.
    assert len(encoded) == of_the_model + metrics + TOOL_CALLS
