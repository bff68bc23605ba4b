"""Validation function with fake chat function, queue and event bus."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.clients import AwsClients
from flexchat.aws.parameters import ParameterStore
from flexchat.config.parameters import split
from flexchat.settings import read_environment
from functions.validation.app import ValidationFunction, ValidationSettings
from functions.validation.run_items import MAX_RECEIVES
from tests.aws import aws_client
from tests.functional.validation.fakes import CHAT, GOOD, QUEUE, FakeBus, FakeChat, FakeQueue
from tests.unit.validation.harness import NOW, TABLE

STAGE = "test"
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
    """Client of one deployed validation function, its queue and its schedule."""

    def __init__(self, dynamodb: DynamoDBClient, configuration: Mapping[str, Any] = CONFIGURATION) -> None:
        self.dynamodb = dynamodb
        self.now = NOW
        self.chat, self.queue, self.bus = FakeChat(), FakeQueue(), FakeBus()
        self.ssm = aws_client("ssm")
        self.configure(configuration)
        self.function = self.restarted()

    def restarted(self) -> ValidationFunction:
        """Return a new environment of the function, without state."""
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
        """Send a request in the format of API Gateway."""
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


def counts(run: dict[str, Any]) -> dict[str, Any]:
    names = ("status", "total", "done", "passed", "failed", "errors", "skipped", "calls")
    return {name: run[name] for name in names}
