"""Configuration function with emulated parameters and objects."""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from flexchat.audit import AuditRecord
from flexchat.aws.clients import AwsClients
from flexchat.aws.configuration_objects import ConfigurationObjects
from flexchat.aws.objects import ObjectStore
from flexchat.aws.parameters import ParameterStore
from flexchat.aws.tokens import TokenStore
from flexchat.config.publication import Attribution, publish
from flexchat.messages import Json
from flexchat.settings import read_environment
from functions.configuration.app import ConfigurationFunction, ConfigurationSettings
from tests.aws import audit_records, aws_client, create_audit_table, create_table

STAGE = "test"
BUCKET = "flexchat-test-bucket"
TOKENS_TABLE = "flexchat-test-tokens"
AUDIT_TABLE = "flexchat-test-audit"
NOW = 1_795_748_400.0  # 2026-11-27T03:00:00Z

RULES: list[Json] = [
    {
        "name": "weather",
        "match": {"topic_regexp": "/weather/i"},
        "llm": "main",
        "model": "gpt-4o",
        "prompt": "You report the weather.\nBe short.",
        "temperature": 1.0,
        "tools": {"enabled": True, "allowed_tools": ["get_weather"]},
    },
    {"name": "fallback", "llm": "main", "model": "gpt-4o", "prompt": "You help."},
]
SOURCE: dict[str, Json] = {
    "comment": "a shop",
    "llms": {
        "main": {
            "type": "openai",
            "base_url": "https://api.example.com/v1",
            "api_key": "${MAIN_KEY}",
            "models": ["gpt-4o"],
        }
    },
    "responses": RULES,
    "tools": {
        "enabled": True,
        "registry": [
            {
                "name": "get_weather",
                "description": "Get the weather of a city",
                "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
                "implementation": {"type": "http", "method": "GET", "url": "https://weather.example.com/v1"},
            }
        ],
    },
    "mcp_servers": {"files": {"url": "https://mcp.example.com/mcp"}},
}


def source(**sections: Json) -> dict[str, Json]:
    return {**deepcopy(SOURCE), **sections}


@dataclass
class LambdaContext:
    aws_request_id: str = "invocation-1"
    function_name: str = "flexchat-test-configuration"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-configuration"

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


@dataclass
class Answer:
    status: int
    body: Any
    headers: Mapping[str, list[str]]


class Service:
    """Client of one deployed configuration function."""

    def __init__(self) -> None:
        self.now = NOW
        self.ssm, self.s3 = aws_client("ssm"), aws_client("s3")
        self.s3.create_bucket(Bucket=BUCKET)
        self.dynamodb = aws_client("dynamodb")
        create_table(self.dynamodb, TOKENS_TABLE, "id")
        create_audit_table(self.dynamodb, AUDIT_TABLE)
        self.tokens = TokenStore(self.dynamodb, TOKENS_TABLE)
        self.store = ParameterStore(self.ssm)
        self.objects = ConfigurationObjects(lambda: ObjectStore(self.s3, BUCKET), stage=STAGE)
        self.function = self.of()
        self.push(source(), "the first")

    def of(self, *, editing: str = "auto", tokens: str = "auto", protected: bool = False) -> ConfigurationFunction:
        environment = {
            "FLEXCHAT_STAGE": STAGE,
            "FLEXCHAT_AUDIT_TABLE": AUDIT_TABLE,
            "FLEXCHAT_CONFIGURATION_BUCKET": BUCKET,
            "FLEXCHAT_CONFIGURATION_EDITING": editing,
            "FLEXCHAT_TOKENS_TABLE": TOKENS_TABLE,
            "FLEXCHAT_MANAGE_TOKENS": tokens,
            "FLEXCHAT_PROTECT_DATA": "true" if protected else "false",
        }
        clients = AwsClients(ssm=self.ssm, s3=self.s3, dynamodb=self.dynamodb)
        return ConfigurationFunction(
            read_environment(ConfigurationSettings, environment), clients, clock=lambda: self.now
        )

    def push(self, document: dict[str, Json], comment: str) -> None:
        """Publish as the command does."""
        publish(
            document,
            stage=STAGE,
            store=self.store,
            packed=self.objects,
            history=self.objects,
            attribution=Attribution("arn:aws:iam::123456789012:user/ada", comment),
            clock=lambda: self.now,
        )

    def audited(self) -> list[AuditRecord]:
        """Return the audit records, the oldest first."""
        return audit_records(self.dynamodb, AUDIT_TABLE)

    @property
    def version(self) -> str:
        return self.get("/api/configuration").body["version"]

    def rules(self) -> list[str]:
        """Return the texts of the published rules."""
        entries = self.get("/api/configuration").body["entries"]
        return [entry["text"] for entry in entries if entry["section"] == "responses"]

    def draft(self, **changes: Any) -> dict[str, Any]:
        return {"base": self.version, **changes}

    def get(self, path: str) -> Answer:
        return self.request("GET", path)

    def post(self, path: str, body: Any) -> Answer:
        return self.request("POST", path, body)

    def delete(self, path: str) -> Answer:
        return self.request("DELETE", path)

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        roles: str = "user,operator",
        principal: str = "k7m2p9qx4d",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        event = {
            "resource": path,
            "path": path,
            "httpMethod": method,
            "headers": {"Content-Type": "application/json", **(headers or {})},
            "multiValueHeaders": {"Content-Type": ["application/json"]},
            "queryStringParameters": None,
            "multiValueQueryStringParameters": None,
            "pathParameters": None,
            "requestContext": {
                "requestId": "api-request",
                "stage": STAGE,
                "authorizer": {"principal": principal, "name": "grace", "roles": roles},
            },
            "body": None if body is None else json.dumps(body),
            "isBase64Encoded": False,
        }
        answer = self.function.handle(event, LambdaContext())
        return Answer(answer["statusCode"], json.loads(answer["body"] or "null"), answer["multiValueHeaders"])


def edited(text: str, **changes: Json) -> str:
    """Return the text of an entry with changed keys."""
    return json.dumps({**json.loads(text), **changes})
