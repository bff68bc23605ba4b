"""Chat function with a scripted model; the tools' own handlers run in process."""

import io
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from flexchat.attachments import AttachmentError
from flexchat.aws.clients import AwsClients
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Clock, Deadline
from flexchat.messages import Message, ToolOutput
from flexchat.runs import WallClock
from flexchat.settings import read_environment
from functions.chat.app import ChatFunction
from functions.chat.files.message_files import Fetch
from functions.chat.guardrails.base import CreateGuardrail
from functions.chat.runtime import CreateProvider
from functions.chat.settings import ChatSettings
from functions.tools.builtin.app import lambda_handler as builtin_handler
from functions.tools.mock.app import lambda_handler as mock_handler
from tests.functional.chat.scripted_provider import ScriptedProvider, Step

CHATS_TABLE = "flexchat-test-chats"
IDEMPOTENCY_TABLE = "flexchat-test-idempotency"
SIGNING_SECRET = "flexchat-test-signing"
FILES_BUCKET = "flexchat-test-files"

EVENTS = Path(__file__).parents[3] / "events"


@dataclass
class InProcessLambdas:
    """Fake Lambda service that runs the tool handlers and records their events."""

    handlers: Mapping[str, Callable[[Any, Any], Any]]
    executed: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    invocation_types: list[str] = field(default_factory=list[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def invoke(
        self,
        *,
        FunctionName: str,  # noqa: N803 (botocore's own names)
        Payload: bytes,  # noqa: N803
        InvocationType: str = "RequestResponse",  # noqa: N803
    ) -> dict[str, Any]:
        self.invocation_types.append(InvocationType)
        event = json.loads(Payload)
        with self._lock:
            self.executed.append(event)
        try:
            reply = self.handlers[FunctionName](event, LambdaContext())
        except ArithmeticError as error:
            text = json.dumps({"errorMessage": str(error), "errorType": "Runtime.ExitError"})
            return {"StatusCode": 200, "FunctionError": "Unhandled", "Payload": io.BytesIO(text.encode())}
        return {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(reply).encode())}


@dataclass
class LambdaContext:
    aws_request_id: str = "direct-request"
    function_name: str = "flexchat-test-chat"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-chat"
    remaining_ms: int = 60_000

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


@dataclass
class Chat:
    """Client of one deployed chat function."""

    function: ChatFunction
    model: ScriptedProvider
    lambdas: InProcessLambdas
    requests: int = 0

    def post(
        self,
        body: Any,
        *,
        path: str = "/api/chat",
        headers: Mapping[str, str] | None = None,
        principal: str | None = None,
        roles: str = "user",
    ) -> "Answer":
        return self.request("POST", path, body, headers=headers, principal=principal, roles=roles)

    def get(self, path: str, *, query: Mapping[str, str] | None = None, principal: str | None = None) -> "Answer":
        return self.request("GET", path, query=query, principal=principal)

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
        principal: str | None = None,
        roles: str = "user",
    ) -> "Answer":
        """Send a request in the form of API Gateway's events, with a new id."""
        event = json.loads((EVENTS / "chat-http.json").read_text())
        context = event["requestContext"]
        event["body"] = body if isinstance(body, str) or body is None else json.dumps(body)
        event["httpMethod"] = context["httpMethod"] = method
        event["path"] = context["resourcePath"] = event["resource"] = path
        event["queryStringParameters"] = dict(query or {})
        event["multiValueQueryStringParameters"] = {name: [value] for name, value in (query or {}).items()}
        event["headers"].update(headers or {})
        event["multiValueHeaders"].update({name: [value] for name, value in (headers or {}).items()})
        context["authorizer"]["roles"] = roles
        if principal is not None:
            context["authorizer"].update(principal=principal, principalId=principal)
        self.requests += 1
        if self.requests > 1:
            context["requestId"] = f"{context['requestId']}-{self.requests}"
        return self.send(event)

    def send(self, event: dict[str, Any]) -> "Answer":
        response = self.function.handle(event, LambdaContext())
        headers = {name.lower(): values[0] for name, values in response["multiValueHeaders"].items()}
        return Answer(response["statusCode"], json.loads(response["body"] or "null"), headers)

    def direct(self, payload: Any, *, remaining_ms: int = 60_000) -> dict[str, Any]:
        return self.function.handle(payload, LambdaContext(remaining_ms=remaining_ms))


@dataclass
class Answer:
    status: int
    body: dict[str, Any]
    headers: dict[str, str]


def mock_tool(name: str = "get_weather", **implementation: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"The tool {name}",
        "parameters": {
            "type": "object",
            "properties": {
                "location": {"type": "string"},
                "units": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
            },
            "required": ["location"],
        },
        "implementation": {"type": "mock", "mock_response": {"temperature": 22}, **implementation},
    }


CALCULATE: dict[str, Any] = {
    "name": "calculate",
    "description": "Evaluate an expression",
    "parameters": {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]},
    "implementation": {"type": "builtin", "handler": "math_eval"},
}


def configuration(
    *, tools: Sequence[dict[str, Any]] = (), rule: Mapping[str, Any] | None = None, **settings: Any
) -> dict[str, Any]:
    """Return a configuration with one fallback rule that offers every tool; `settings` go to the `tools` section."""
    return {
        "llms": {"openai": {"type": "openai", "api_key": "not-a-key"}},
        "responses": [
            {"llm": "openai", "model": "gpt-4o", "prompt": "You help.", "tools": {"enabled": True}, **(rule or {})}
        ],
        "tools": {"enabled": True, "registry": list(tools), **settings},
    }


class Unreachable:
    """AWS client whose requests all fail with a connection error."""

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def fail(**_request: Any) -> Any:
            raise EndpointConnectionError(endpoint_url=f"https://nowhere/{operation}")

        return fail


def serve(
    lambdas: InProcessLambdas,
    *,
    catalog: Callable[[], Catalog],
    provider: CreateProvider,
    dynamodb: Any = None,
    secretsmanager: Any = None,
    validation_table: str = "",
    tool_state_table: str = "",
    runs_function: str = "",
    allowed_origins: tuple[str, ...] = (),
    clock: Clock = time.monotonic,
    now: WallClock = time.time,
    s3: Any = None,
    codedeploy: Any = None,
    fetch: Fetch | None = None,
    guardrail: CreateGuardrail | None = None,
) -> ChatFunction:
    """Return the chat function of `catalog`, made by its composition root.

    Requests to tables and secrets fail without a client; without an existing `validation_table`, models have no status,
    and without a `tool_state_table` no tool of an MCP server is known.
    """
    environment = {
        "FLEXCHAT_STAGE": "test",
        "FLEXCHAT_TOOL_FUNCTIONS": json.dumps({name: name for name in lambdas.handlers if name != "traces"}),
        "FLEXCHAT_TRACES_FUNCTION": "traces" if "traces" in lambdas.handlers else "",
        "FLEXCHAT_RETRIEVAL_FUNCTION": "internal" if "internal" in lambdas.handlers else "",
        "FLEXCHAT_CHATS_TABLE": CHATS_TABLE,
        "FLEXCHAT_IDEMPOTENCY_TABLE": IDEMPOTENCY_TABLE,
        "FLEXCHAT_SIGNING_SECRET": SIGNING_SECRET,
        "FLEXCHAT_ALLOWED_ORIGINS": ",".join(allowed_origins),
        "FLEXCHAT_VALIDATION_TABLE": validation_table,
        "FLEXCHAT_TOOL_STATE_TABLE": tool_state_table,
        "FLEXCHAT_RUNS_FUNCTION": runs_function,
        "FLEXCHAT_FILES_BUCKET": FILES_BUCKET if s3 is not None else "",
    }
    clients = AwsClients(
        ssm=Unreachable(),
        lambdas=lambdas,
        dynamodb=dynamodb or Unreachable(),
        secretsmanager=secretsmanager or Unreachable(),
        s3=s3 or Unreachable(),
        codedeploy=codedeploy or Unreachable(),
    )
    settings = read_environment(ChatSettings, environment)
    return ChatFunction(
        settings,
        clients,
        provider=provider,
        catalog=lambda _deadline: catalog(),
        clock=clock,
        now=now,
        fetch=fetch or _unfetched,
        guardrail=guardrail,
    )


def _unfetched(_url: str, _deadline: Deadline) -> bytes:
    raise AttachmentError("could not be fetched: no picture is at this address", code="failed_to_download_image")


def deploy(
    script: Sequence[Step],
    config: Mapping[str, Any],
    *,
    handlers: Mapping[str, Callable[[Any, Any], Any]] | None = None,
    allowed_origins: tuple[str, ...] = (),
    dynamodb: Any = None,
    secretsmanager: Any = None,
    validation_table: str = "",
    now: WallClock = time.time,
    s3: Any = None,
    codedeploy: Any = None,
    fetch: Fetch | None = None,
    guardrail: CreateGuardrail | None = None,
    clock: Clock = time.monotonic,
) -> Chat:
    """Return the chat function on `config` with a model that follows `script`."""
    model = ScriptedProvider(list(script))
    lambdas = InProcessLambdas({"mock": mock_handler, "builtin": builtin_handler, **(handlers or {})})
    catalog = Catalog(configuration=Configuration.model_validate(config), disabled=(), version="1")

    def create_provider(name: str, _config: LlmConfig) -> ScriptedProvider:
        model.name = name
        return model

    function = serve(
        lambdas,
        catalog=lambda: catalog,
        provider=create_provider,
        dynamodb=dynamodb,
        secretsmanager=secretsmanager,
        validation_table=validation_table,
        allowed_origins=allowed_origins,
        now=now,
        s3=s3,
        codedeploy=codedeploy,
        fetch=fetch,
        guardrail=guardrail,
        clock=clock,
    )
    return Chat(function, model, lambdas)


def assert_every_call_answered_once(messages: Sequence[Message]) -> None:
    """Assert that each message with tool calls is followed by exactly one tool message for each call, in call order."""
    position = 0
    while position < len(messages):
        call_ids = [call.id for call in messages[position].tool_calls]
        answers = messages[position + 1 : position + 1 + len(call_ids)]
        outputs = [part for message in answers for part in message.parts if isinstance(part, ToolOutput)]
        assert [output.call_id for output in outputs] == call_ids
        position += 1 + len(call_ids)


def set_environment(monkeypatch: pytest.MonkeyPatch, **variables: str) -> None:
    """Set the environment of the deployed chat function, with `variables` in addition."""
    environment = {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "FLEXCHAT_STAGE": "test",
        "FLEXCHAT_CATALOG_TTL_SECONDS": "0",
        "FLEXCHAT_CHATS_TABLE": "flexchat-test-chats",
        "FLEXCHAT_IDEMPOTENCY_TABLE": "flexchat-test-idempotency",
        "FLEXCHAT_SIGNING_SECRET": "flexchat-test-signing",
    }
    for name, value in {**environment, **variables}.items():
        monkeypatch.setenv(name, value)
