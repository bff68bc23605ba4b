"""Sample of the tool type http."""

from typing import Any

import httpx2

from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient
from flexchat.tool_runtime import tool_handler
from functions.tools.http.implementation import Implementation
from functions.tools.http.sender import HttpSender
from functions.tools.http.tool import HttpTool
from tests.contract.tool_lambdas import Sample

ACCOUNT = "${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}"


def answer(request: httpx2.Request) -> httpx2.Response:
    if request.url.path == "/large":
        return httpx2.Response(200, text='"' * 3_000_000)
    return httpx2.Response(200, json={"echo": request.url.params["text"]})


client = BoundedHttpClient(transport=httpx2.MockTransport(answer), compressed=False)
implementation: dict[str, Any] = {"type": "http", "url": "https://api.example.com/echo"}

SAMPLE = Sample(
    handler=tool_handler(Implementation, HttpTool(HttpSender(client, EgressPolicy()))),
    implementation=implementation,
    arguments={"text": "hello"},
    result={"echo": "hello"},
    oversize={
        "implementation": {**implementation, "url": "https://api.example.com/large", "max_response_bytes": 5_242_880}
    },
    environment={
        "FLEXCHAT_ALLOWED_HOSTS": {"Ref": "AllowedHosts"},
        "FLEXCHAT_CATALOG_TTL_SECONDS": {"Ref": "CatalogTtlSeconds"},
        "FLEXCHAT_TOOL_STATE_TABLE": {"Ref": "ToolStateTable"},
    },
    statements=[
        {
            "Sid": "ReadSecrets",
            "Effect": "Allow",
            "Action": "ssm:GetParameters",
            "Resource": {"Fn::Sub": f"arn:{ACCOUNT}:parameter/flexchat/${{Stage}}/secrets/*"},
        },
        {
            "Sid": "ReadWriteToolState",
            "Effect": "Allow",
            "Action": ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
            "Resource": {"Fn::GetAtt": ["ToolStateTable", "Arn"]},
        },
    ],
    hooks=(1, 0),
)
