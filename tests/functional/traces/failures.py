"""Failed chats with the traces that they leave: each is caused once, and explained by its request id alone."""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from flexchat.errors import ModelError, ModelErrorType
from tests.aws import emulated_aws
from tests.functional.chat.harness import CALCULATE, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.traces.harness import LambdaContext, Service

LOG_GROUP: Final = "/aws/lambda/flexchat-test-chat"
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
    """Failed chat: the script of its model, what differs in its deployment, and its explanation.

    `step` is the name of the failed step and `row` that of its row on the page, empty for a chat that failed before its
    first step. `words` are parts of the message and of what to do.
    """

    script: Sequence[Step]
    title: str
    step: str
    row: str
    words: tuple[str, ...]
    handler: Callable[[Any, Any], Any] | None = None
    rule: Mapping[str, Any] = MappingProxyType({})
    tools: Sequence[dict[str, Any]] = (CALCULATE,)
    request: Mapping[str, Any] = MappingProxyType({})

    @property
    def heading(self) -> str:
        """Heading of the explanation: a chat may answer although a tool call failed."""
        return "Failed tool calls" if self.script[-1:] == [ANSWER] else "Why it failed"


WEATHER = call_completion(("get_weather", {"location": "Bern"}))
SUMS = [call_completion(("calculate", {"expression": f"1 + {number}"}), turn=number) for number in (1, 2)]
MOCK = [mock_tool()]
MODEL: Final = ("model openai:gpt-4o", "model 1")
TOOL: Final = ("tool get_weather", "get_weather")

FAILURES: Final[dict[str, Failure]] = {
    "wrong key": Failure(
        [model_error("authentication", "Incorrect API key provided", 401)],
        "The provider rejected the API key",
        *MODEL,
        ("HTTP 401", "Incorrect API key provided", "flexchat secrets set"),
    ),
    "unknown model": Failure(
        [model_error("not_found", "The model gpt-9 does not exist", 404)],
        "Model not found",
        *MODEL,
        ("HTTP 404", "gpt-9 does not exist", "name of the model in the rule"),
    ),
    "schema refused": Failure(
        [model_error("invalid_request", "Invalid schema for function calculate", 400)],
        "The provider rejected the request",
        *MODEL,
        ("HTTP 400", "Invalid schema for function calculate", "flexchat tools show"),
    ),
    "tool down": Failure(
        [WEATHER, ANSWER],
        "The tool failed",
        *TOOL,
        ("The tool failed unexpectedly", "--logs", "flexchat tools try get_weather"),
        handler=raising(ZeroDivisionError("x")),
    ),
    "tool timeout": Failure(
        [WEATHER, ANSWER],
        "The tool did not answer in time",
        *TOOL,
        ("timeout_ms", "flexchat tools try get_weather"),
        handler=raising(ReadTimeoutError(endpoint_url="https://aws")),
    ),
    "throttled AWS": Failure(
        [],
        "The service is unavailable",
        "",
        "",
        ("before the first step", "table 'flexchat-test-chats'", "ThrottlingException", "CloudWatch", "--logs"),
        request={"session_id": "s1"},
    ),
    "MCP server away": Failure(
        [WEATHER, ANSWER],
        "The tool cannot be reached",
        *TOOL,
        ("MCP server 'files' is away", "flexchat mcp list"),
        handler=away,
    ),
    "bad arguments": Failure(
        [call_completion(("calculate", {"formula": "1"})), ANSWER],
        "The arguments do not match the tool's parameters",
        "tool calculate",
        "calculate",
        ("Missing required parameter: expression", "flexchat tools show calculate"),
    ),
    "limit": Failure(
        SUMS,
        "The limit on iterations was reached",
        "tool calculate",
        "calculate",
        ("after 1 iteration", "tools.max_iterations"),
        rule={"tools": {"enabled": True, "max_iterations": 1}},
    ),
    "deadline": Failure(
        [SUMS[0], model_error("timeout", "the model did not answer within 500 ms", 504)],
        "The provider did not answer in time",
        "model openai:gpt-4o",
        "model 2",
        ("did not answer within 500 ms", "deadline_ms", "timeout_ms"),
    ),
}


def failed(service: Service, failure: Failure) -> str:
    """Run a chat whose trace and log lines the service has; return its request id."""
    service.now = time.time()

    def store(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        return service.function.handle(event, LambdaContext())

    tools = MOCK if failure.handler is not None else failure.tools
    handlers = {"traces": store} | ({"mock": failure.handler} if failure.handler is not None else {})
    config = configuration(tools=tools, rule=failure.rule)
    chat = deploy(failure.script, config, handlers=handlers, dynamodb=Throttled())
    with redirect_stdout(StringIO()) as log:
        request_id: str = chat.post({"message": "Find it out", **failure.request}).body["request_id"]
    service.logs.groups[LOG_GROUP] = [line for line in log.getvalue().splitlines() if request_id in line]
    service.now += 5
    return request_id


def responses() -> dict[str, dict[str, Any]]:
    """Return what an operator gets about each failed chat: the path and the body of its trace, and its log lines."""
    found: dict[str, dict[str, Any]] = {}
    for name, failure in FAILURES.items():
        with pytest.MonkeyPatch.context() as patch, emulated_aws(patch):
            service = Service()
            path = f"/api/traces/{failed(service, failure)}"
            found[name] = {"path": path, "trace": service.get(path).body, "logs": service.get(f"{path}/logs").body}
    return found


if __name__ == "__main__":
    # for the tests of the page: tools fork workers, which a process with a browser must not
    with redirect_stdout(StringIO()):
        served = json.dumps(responses())
    sys.stdout.write(served)
