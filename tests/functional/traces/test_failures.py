"""Failures of chats, each explained by its request id alone: the command shows what failed, where and why."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

import httpx2
import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from flexchat.errors import ModelError, ModelErrorType
from tests.functional.chat.harness import CALCULATE, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.traces.harness import LambdaContext, Service
from tests.unit.cli.command_runner import Flexchat

OPERATOR: Final = "root"
ANSWER: Final = text_completion("I could not find out.")


def model_error(kind: ModelErrorType, message: str, status: int) -> ModelError:
    return ModelError(message, type=kind, provider="openai", status=status)


def raising(error: Exception) -> Callable[[Any, Any], Any]:
    """Return the handler of a tool whose invocation fails."""

    def handle(_event: Any, _context: Any) -> Any:
        raise error

    return handle


def away(_event: Any, _context: Any) -> Any:
    """Return the reply of a tool function whose MCP server cannot be reached."""
    return {"version": 1, "ok": False, "error": {"type": "unavailable", "message": "MCP server 'files' is away"}}


class Throttled:
    """Client of a table that throttles every request, after botocore's own retries."""

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        return raising_call(ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, operation))


def raising_call(error: Exception) -> Callable[..., Any]:
    def call(**_request: Any) -> Any:
        raise error

    return call


class Failure(NamedTuple):
    """Failed chat: the script of its model, what differs in its deployment, and what the command must print."""

    script: Sequence[Step]
    printed: tuple[str, ...]
    handler: Callable[[Any, Any], Any] | None = None
    rule: Mapping[str, Any] = MappingProxyType({})
    tools: Sequence[dict[str, Any]] = (CALCULATE,)
    request: Mapping[str, Any] = MappingProxyType({})


WEATHER = call_completion(("get_weather", {"location": "Bern"}))
SUMS = [call_completion(("calculate", {"expression": f"1 + {number}"}), turn=number) for number in (1, 2)]
MOCK = [mock_tool()]

FAILURES: Final[dict[str, Failure]] = {
    "wrong key": Failure(
        [model_error("authentication", "Incorrect API key provided", 401)],
        ("model_authentication", "authentication", "Incorrect API key provided"),
    ),
    "unknown model": Failure(
        [model_error("not_found", "The model gpt-9 does not exist", 404)], ("model_not_found", "gpt-9 does not exist")
    ),
    "schema refused": Failure(
        [model_error("invalid_request", "Invalid schema for function calculate", 400)],
        ("model_invalid_request", "Invalid schema for function calculate"),
    ),
    "tool down": Failure(
        [WEATHER, ANSWER], ("get_weather", "execution_failed"), handler=raising(ZeroDivisionError("x"))
    ),
    "tool timeout": Failure(
        [WEATHER, ANSWER], ("get_weather", "timeout"), handler=raising(ReadTimeoutError(endpoint_url="https://aws"))
    ),
    "throttled AWS": Failure([], ("unavailable", "ThrottlingException"), request={"session_id": "s1"}),
    "MCP server away": Failure([WEATHER, ANSWER], ("get_weather", "unavailable", "MCP server 'files'"), handler=away),
    "bad arguments": Failure(
        [call_completion(("calculate", {"formula": "1"})), ANSWER], ("calculate", "invalid_arguments", "expression")
    ),
    "limit": Failure(
        SUMS,
        ("the limit on iterations was reached", "limit reached: iterations"),
        rule={"tools": {"enabled": True, "max_iterations": 1}},
    ),
    "deadline": Failure(
        [SUMS[0], model_error("timeout", "the model did not answer within 500 ms", 504)],
        ("timeout", "did not answer within 500 ms"),
    ),
}


def failed(service: Service, failure: Failure) -> str:
    """Run a chat whose trace the service stores; return its request id."""
    service.now = time.time()

    def store(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        return service.function.handle(event, LambdaContext())

    tools = MOCK if failure.handler is not None else failure.tools
    handlers = {"traces": store} | ({"mock": failure.handler} if failure.handler is not None else {})
    config = configuration(tools=tools, rule=failure.rule)
    chat = deploy(failure.script, config, handlers=handlers, dynamodb=Throttled())
    request_id: str = chat.post({"message": "Find it out", **failure.request}).body["request_id"]
    service.now += 5
    return request_id


@pytest.fixture
def flexchat(service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Flexchat:
    """Commands whose requests the traces function answers."""

    def handle(_transport: httpx2.HTTPTransport, request: httpx2.Request) -> httpx2.Response:
        query = dict(parse_qsl(request.url.query.decode()))
        answer = service.request(request.method, request.url.path, caller=OPERATOR, query=query)
        return httpx2.Response(answer.status, json=answer.body, request=request)

    monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", handle)
    return Flexchat(monkeypatch, capsys)


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_explained_by_its_request_id_alone(
    service: Service, flexchat: Flexchat, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    failure = FAILURES[name]
    request_id = failed(service, failure)
    capsys.readouterr()  # log lines of the chat

    code, printed, errors = flexchat.type(
        "trace", request_id, options=("--url", "https://chat.example", "--token", OPERATOR), columns=200
    )

    assert (code, errors) == (0, "")
    assert [words for words in failure.printed if words not in printed] == []
    assert "Find it out" in json.dumps(service.get(f"/api/traces/{request_id}").body)
    assert service.ids(failed="true") == [request_id]
