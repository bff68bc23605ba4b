"""Traces function with emulated storage, and records to store."""

import base64
import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from botocore.exceptions import ClientError

from flexchat.aws.clients import AwsClients
from flexchat.settings import read_environment
from flexchat.traces import Span, TraceRecord, TraceUsage
from functions.traces.app import TracesFunction, TracesSettings
from tests.aws import aws_client, create_audit_table, create_table

NOW = 1_795_748_400.0  # 2026-11-27T03:00:00Z
TABLE = "flexchat-test-traces"
AUDIT = "flexchat-test-audit"
BUCKET = "traces-bucket"
DAY = 86_400

MESSAGES: list[Any] = [
    {"role": "system", "parts": [{"type": "text", "text": "You help."}]},
    {"role": "user", "parts": [{"type": "text", "text": "Hello"}]},
    {"role": "assistant", "parts": [{"type": "text", "text": "Hi, what can I do?"}]},
    {"role": "user", "parts": [{"type": "text", "text": "What is the weather in Bern?"}]},
]
TOOLS: list[Any] = [
    {
        "name": "get_weather",
        "description": "Get the weather of a city",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "array", "items": {"type": "integer"}}},
            "required": ["city"],
        },
    },
    {"name": "get_time", "description": "Get the time", "parameters": {"type": "object", "properties": {}}},
]

_numbers = count(1)


@dataclass
class LambdaContext:
    aws_request_id: str = "invocation-1"
    function_name: str = "flexchat-test-traces"
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-traces"
    remaining_ms: int = 60_000

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


@dataclass
class Answer:
    status: int
    body: Any


def model_call(iteration: int = 1, *, name: str = "demo:good", **fields: Any) -> Span:
    """Return a model call of 100 and 20 tokens, at a cost of 0.00014 dollars unless `fields` have another."""
    given: dict[str, Any] = {"usage": TraceUsage(input_tokens=100, output_tokens=20), "cost_usd": 0.00014, **fields}
    return Span(
        id=f"{next(_numbers):016x}", kind="model", name=name, start_ms=5, duration_ms=400, iteration=iteration, **given
    )


def tool_call(name: str = "get_weather", iteration: int = 1, *, error: str | None = None, **content: Any) -> Span:
    return Span(
        id=f"{next(_numbers):016x}",
        kind="tool",
        name=name,
        start_ms=410,
        duration_ms=30,
        iteration=iteration,
        error=error,
        message="connection to 10.0.0.7 refused" if error else None,
        content=content,
    )


def chat(
    id: str | None = None, *, at: float = NOW - 60, spans: tuple[Span, ...] | None = None, **fields: Any
) -> TraceRecord:
    """Return the record of a chat with two model calls and one tool call, as far as `fields` have no other."""
    made = (
        model_call(content={"messages": [0, 1, 2, 3]}),
        tool_call(arguments={"city": "Bern"}, result={"c": 6}),
        model_call(2),
    )
    spans = made if spans is None else spans
    calls = [span for span in spans if span.usage is not None]
    costs = [span.cost_usd for span in calls]
    given: dict[str, Any] = {
        "id": id or f"request-{next(_numbers)}",
        "trace_id": "0" * 31 + "1",
        "span_id": "0" * 15 + "1",
        "started_at": at,
        "duration_ms": 900,
        "stage": "test",
        "caller": "ana",
        "rule": "default",
        "model": "demo:good",
        "outcome": "answered",
        "usage": TraceUsage(
            input_tokens=sum(span.usage.input_tokens for span in calls if span.usage),
            output_tokens=sum(span.usage.output_tokens for span in calls if span.usage),
        ),
        "cost_usd": None if None in costs else sum(cost or 0 for cost in costs),
        "expires_at": int(at) + 7 * 86_400,
        "has_content": True,
        "message": "What is the weather in Bern?",
        "answer": "6 degrees.",
        "messages": MESSAGES,
        "tools": TOOLS,
        "spans": spans,
        **fields,
    }
    return TraceRecord(**given)


class FakeLogs:
    """CloudWatch Logs with some log groups; others do not exist."""

    def __init__(self) -> None:
        self.groups: dict[str, list[str]] = {}
        self.requests: list[dict[str, Any]] = []

    def filter_log_events(self, **request: Any) -> dict[str, Any]:
        self.requests.append(request)
        if request["logGroupName"] not in self.groups:
            raise ClientError({"Error": {"Code": "ResourceNotFoundException"}}, "FilterLogEvents")
        return {"events": [{"message": text, "timestamp": 0} for text in self.groups[request["logGroupName"]]]}


class Service:
    """Client of one deployed traces function."""

    def __init__(self) -> None:
        self.now = NOW
        self.dynamodb, self.s3 = aws_client("dynamodb"), aws_client("s3")
        create_table(self.dynamodb, TABLE, "pk", "sk")
        create_audit_table(self.dynamodb, AUDIT)
        self.s3.create_bucket(Bucket=BUCKET)
        self.logs = FakeLogs()
        self.function = self.of(self.dynamodb)

    def of(self, dynamodb: Any) -> TracesFunction:
        """Return the function with another client of DynamoDB."""
        environment = {
            "FLEXCHAT_STAGE": "test",
            "FLEXCHAT_AUDIT_TABLE": AUDIT,
            "FLEXCHAT_TRACES_BUCKET": BUCKET,
            "FLEXCHAT_TRACES_TABLE": TABLE,
            "FLEXCHAT_TRACE_RETENTION_DAYS": "30",
        }
        clients = AwsClients(dynamodb=dynamodb, s3=self.s3, logs=self.logs)
        return TracesFunction(read_environment(TracesSettings, environment), clients, clock=lambda: self.now)

    def store(self, *records: TraceRecord) -> None:
        for record in records:
            assert self.invoke({"trace": json.loads(record.as_json())}) == {"stored": record.id}

    def invoke(self, event: dict[str, Any]) -> dict[str, Any]:
        return self.function.handle(event, LambdaContext())

    def get(self, path: str, *, caller: str = "root", **query: Any) -> Answer:
        return self.request("GET", path, caller=caller, query=query)

    def request(
        self,
        method: str,
        path: str,
        *,
        caller: str = "root",
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Answer:
        """Return the answer to a request of `caller`; `root` is an operator."""
        values = {name: str(value) for name, value in (query or {}).items()}
        event = {
            "resource": path,
            "path": path,
            "httpMethod": method,
            "headers": {"Content-Type": "application/json"},
            "multiValueHeaders": {"Content-Type": ["application/json"]},
            "queryStringParameters": values or None,
            "multiValueQueryStringParameters": {name: [value] for name, value in values.items()} or None,
            "pathParameters": None,
            "requestContext": {
                "requestId": "api-request",
                "stage": "test",
                "authorizer": {"principal": caller, "roles": "user,operator" if caller == "root" else "user"},
            },
            "body": None if body is None else json.dumps(body),
            "isBase64Encoded": False,
        }
        answer = self.function.handle(event, LambdaContext())
        return Answer(answer["statusCode"], json.loads(answer["body"]))

    def all_ids(self, **query: Any) -> list[str]:
        """Return the ids of all pages of a list."""
        found: list[str] = []
        cursor: dict[str, str] = {}
        for _ in range(100):
            body = self.get("/api/traces", **query, **cursor).body
            found += [trace["id"] for trace in body["traces"]]
            if "cursor" not in body:
                return found
            cursor = {"cursor": body["cursor"]}
        raise AssertionError("the list has no end")

    def ids(self, *, caller: str = "root", **query: Any) -> list[str]:
        """Return the ids of a list."""
        answer = self.get("/api/traces", caller=caller, **query)
        assert answer.status == 200, answer.body
        return [trace["id"] for trace in answer.body["traces"]]

    def items(self) -> list[dict[str, Any]]:
        """Return every item of the table."""
        found: list[dict[str, Any]] = []
        for page in self.dynamodb.get_paginator("scan").paginate(TableName=TABLE):
            found += page["Items"]
        return found


def packed(record: TraceRecord) -> dict[str, Any]:
    return {"packed": base64.b64encode(gzip.compress(record.as_json())).decode()}


def store_chats(service: Service) -> Service:
    """Store six chats; the later ones have higher numbers."""
    service.store(
        chat("r1", at=NOW - 3 * DAY, session_id="s1"),
        chat("r2", at=NOW - 2 * DAY, session_id="s1", caller="bob", rule="other"),
        chat("r3", at=NOW - 7_000, model="demo:bad", outcome="model_failed"),
        chat("r4", at=NOW - 300, duration_ms=9_000, spans=()),
        chat("r5", at=NOW - 200, spans=(tool_call("get_time", error="timeout"),)),
        chat("r6", at=NOW - 100, caller="bob", session_id="s2"),
    )
    return service
