"""The validation function with real parts except the chat, the queue and the event bus."""

import io
import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api.answer import ChatResponse, TimingsView, ToolCallView, ToolSuccessView, UsageView
from flexchat.api.trials import TrialEvent, TrialRequest
from flexchat.aws.clients import AwsClients
from flexchat.aws.parameters import ParameterStore
from flexchat.config.parameters import split
from flexchat.settings import read_environment
from functions.validation.app import ValidationFunction, ValidationSettings
from functions.validation.queue_messages import MAX_RECEIVES
from tests.aws import aws_client
from tests.unit.validation.harness import NOW, TABLE

QUEUE = "https://sqs.us-east-1.amazonaws.com/123456789012/flexchat-test-validation"
CHAT = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-chat:live"
STAGE = "test"

GOOD, BAD = "demo:good", "demo:bad"

CONFIGURATION: dict[str, Any] = {
    "llms": {
        "demo": {
            "type": "openai",
            "api_key": "${secret:demo}",
            "models": ["good", "bad"],
            "profiles": {"good": {"input_price": 1.0, "output_price": 2.0}},
        }
    },
    "responses": [{"llm": "demo", "model": "good", "prompt": "You help."}],
    "validation": {"models": [GOOD], "suite": "capitals"},
}


def suite(name: str = "capitals", *, cases: int = 3) -> dict[str, Any]:
    """A suite of cases that each expect one call with one argument, and contain their number."""
    return {
        "name": name,
        "tools": [
            {
                "name": "lookup",
                "description": "Looks a number up",
                "parameters": {
                    "type": "object",
                    "properties": {"number": {"type": "integer"}},
                    "required": ["number"],
                },
                "implementation": {"type": "mock", "mock_response": "found"},
            }
        ],
        "cases": [
            {
                "id": f"case-{number}",
                "category": "single",
                "message": str(number),
                "expect": {"turns": [{"calls": [{"tool": "lookup", "arguments": {"number": [number]}}]}]},
            }
            for number in range(1, cases + 1)
        ],
    }


type Reply = ChatResponse | dict[str, Any] | Exception


def answer(trial: TrialRequest, *, calls: bool = True) -> ChatResponse:
    """Response of a model that makes the expected call, or no call."""
    made = ToolCallView(
        tool="lookup",
        params={"number": int(trial.message)},
        result=ToolSuccessView(success=True, tool_name="lookup", execution_time_ms=1, result="found"),
        iteration=1,
        call_id="call_1",
    )
    return ChatResponse(
        content="It is found.",
        service="demo",
        model=trial.model,
        tool_calls=(made,) if calls else (),
        finish_reason="stop",
        request_id=f"chat-{trial.model}-{trial.message}",
        usage=UsageView(input_tokens=100, output_tokens=10, total_tokens=110),
        timings=TimingsView(total_ms=250, steps=()),
    )


def by_name(trial: TrialRequest) -> Reply:
    """The model named good makes correct calls, any other calls nothing."""
    return answer(trial, calls=trial.model == GOOD)


def refused(code: str, message: str = "the provider failed") -> dict[str, Any]:
    return {"error": {"error": code, "message": message, "request_id": "chat-refused"}}


@dataclass
class FakeChat:
    """Fake Lambda that answers trials by `reply` and records them."""

    reply: Callable[[TrialRequest], Reply] = by_name
    asked: list[TrialRequest] = field(default_factory=list[TrialRequest])
    crashes: bool = False

    def invoke(self, *, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 (botocore's own names)
        assert FunctionName == CHAT
        trial = TrialEvent.model_validate_json(Payload).trial
        self.asked.append(trial)
        if self.crashes:
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b'{"errorType": "Runtime.ExitError"}')}
        reply = self.reply(trial)
        if isinstance(reply, Exception):
            raise reply
        body = json.dumps(reply) if isinstance(reply, dict) else f'{{"answer": {reply.model_dump_json()}}}'
        return {"Payload": io.BytesIO(body.encode())}


@dataclass
class FakeQueue:
    """Fake SQS client: messages wait in order; one that is not deleted is delivered again, with a count."""

    waiting: deque[tuple[str, int]] = field(default_factory=deque[tuple[str, int]])
    dead: list[str] = field(default_factory=list[str])
    held_back: list[int] = field(default_factory=list[int])
    refuses: int = 0
    """Number of further send requests that fail in part."""

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, str]]) -> dict[str, Any]:  # noqa: N803
        assert QueueUrl == QUEUE
        assert 1 <= len(Entries) <= 10
        if self.refuses:
            self.refuses -= 1
            return {"Failed": [{"Id": entry["Id"], "Code": "InternalError"} for entry in Entries]}
        self.waiting.extend((entry["MessageBody"], 0) for entry in Entries)
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}

    def change_message_visibility(self, *, QueueUrl: str, ReceiptHandle: str, VisibilityTimeout: int) -> None:  # noqa: N803
        assert QueueUrl == QUEUE
        assert ReceiptHandle
        self.held_back.append(VisibilityTimeout)

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(body) for body, _ in self.waiting]


@dataclass
class FakeBus:
    """Fake EventBridge client that fails for every event when it `refuses`."""

    entries: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    refuses: bool = False

    def put_events(self, *, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803 (botocore's own names)
        if self.refuses:
            return {"FailedEntryCount": 1, "Entries": [{"ErrorCode": "InternalFailure"}]}
        self.entries += Entries
        return {"FailedEntryCount": 0, "Entries": [{"EventId": "1"}]}


@dataclass
class LambdaContext:
    aws_request_id: str = "invocation-1"
    function_name: str = "flexchat-test-validation"
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-validation"
    remaining_ms: int = 300_000

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


@dataclass
class Answer:
    status: int
    body: Any
    headers: dict[str, str]


class Service:
    """One deployed validation function with its callers, its queue and its schedule."""

    def __init__(self, dynamodb: DynamoDBClient, configuration: Mapping[str, Any] = CONFIGURATION) -> None:
        self.dynamodb = dynamodb
        self.now = NOW
        self.chat, self.queue, self.bus = FakeChat(), FakeQueue(), FakeBus()
        self.ssm = aws_client("ssm")
        self.configure(configuration)
        self.function = self.restarted()

    def restarted(self) -> ValidationFunction:
        """A new environment of the function, without state."""
        environment = {
            "FLEXCHAT_STAGE": STAGE,
            "FLEXCHAT_CHAT_FUNCTION": CHAT,
            "FLEXCHAT_VALIDATION_QUEUE": QUEUE,
            "FLEXCHAT_VALIDATION_TABLE": TABLE,
            "FLEXCHAT_ALLOWED_ORIGINS": "https://app.example.com",
            "FLEXCHAT_CATALOG_TTL_SECONDS": "0",
        }
        clients = AwsClients(ssm=self.ssm, lambdas=self.chat, dynamodb=self.dynamodb, sqs=self.queue, events=self.bus)
        settings = read_environment(ValidationSettings, environment)
        self.function = ValidationFunction(settings, clients, clock=lambda: self.now)
        return self.function

    def configure(self, configuration: Mapping[str, Any]) -> None:
        """Push a configuration in place of the stored one."""
        store = ParameterStore(cast("Any", self.ssm))
        for name, value in split(configuration, stage=STAGE).items():
            store.put(name, value)

    def deliver(self, *, times: int = 1) -> bool:
        """Deliver the next message to the function as SQS does, `times` times; return whether there was one."""
        if not self.queue.waiting:
            return False
        body, receives = self.queue.waiting.popleft()
        failures: list[dict[str, str]] = []
        for _ in range(times):
            receives += 1
            event = {
                "Records": [
                    {
                        "messageId": "message-1",
                        "receiptHandle": "receipt-1",
                        "body": body,
                        "attributes": {"ApproximateReceiveCount": str(receives)},
                        "eventSource": "aws:sqs",
                    }
                ]
            }
            failures = self.function.handle(event, LambdaContext())["batchItemFailures"]
        if failures:
            assert failures == [{"itemIdentifier": "message-1"}]
            if receives >= MAX_RECEIVES:
                self.queue.dead.append(body)
            else:
                self.queue.waiting.append((body, receives))
        return True

    def work(self, *, times: int = 1) -> None:
        """Deliver until the queue is empty."""
        while self.deliver(times=times):
            pass

    def begin(self, **wanted: Any) -> str:
        """Post a run and return its id."""
        answer = self.post("/api/tools/validate", {"model": GOOD, "suite": "capitals", **wanted})
        assert answer.status == 202, answer.body
        return answer.body["id"]

    def scheduled(self, execution_id: str = "exec-1", *, request_id: str = "invocation-1", **changes: str) -> Any:
        event = {"name": "nightly", "execution_id": execution_id, "scheduled_time": "2027-01-15T03:00:00Z", **changes}
        return self.function.handle({"schedule": event}, LambdaContext(aws_request_id=request_id))

    def run(self, id: str, **query: str) -> Any:
        return self.get(f"/api/validation/runs/{id}", **query).body

    def get(self, path: str, *, resource: str | None = None, parameters: Any = None, **query: str) -> Answer:
        return self.request("GET", path, roles="user", resource=resource, parameters=parameters, query=query)

    def post(self, path: str, body: Any = None, *, roles: str = "user,operator") -> Answer:
        return self.request("POST", path, body, roles=roles)

    def put_suite(self, body: Any, *, name: str | None = None, roles: str = "user,operator") -> Answer:
        return self.request("PUT", f"/api/validation/suites/{name or body['name']}", body, roles=roles)

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        roles: str = "user,operator",
        resource: str | None = None,
        parameters: Any = None,
        query: Mapping[str, str] | None = None,
    ) -> Answer:
        """A request as API Gateway sends it."""
        event: dict[str, Any] = {
            "resource": resource or path,
            "path": path,
            "httpMethod": method,
            "headers": {"Content-Type": "application/json", "origin": "https://app.example.com"},
            "multiValueHeaders": {
                "Content-Type": ["application/json"],
                "origin": ["https://app.example.com"],
            },
            "queryStringParameters": dict(query or {}) or None,
            "multiValueQueryStringParameters": {name: [value] for name, value in (query or {}).items()} or None,
            "pathParameters": parameters,
            "requestContext": {
                "requestId": "request-1",
                "stage": STAGE,
                "authorizer": {"principal": "k7m2p9qx4d", "roles": roles},
            },
            "body": None if body is None else json.dumps(body),
            "isBase64Encoded": False,
        }
        response = self.function.handle(event, LambdaContext())
        headers = {name.lower(): values[0] for name, values in response["multiValueHeaders"].items()}
        return Answer(response["statusCode"], json.loads(response["body"] or "null"), headers)
