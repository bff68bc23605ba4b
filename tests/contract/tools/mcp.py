"""Sample of the tool type mcp."""

import atexit
import sys
from pathlib import Path
from typing import Any

from flexchat.config.models.mcp_connections import StdioConnection
from flexchat.tool_runtime import tool_handler
from functions.tools.mcp.connections import Connections, EventLoopThread, Target
from functions.tools.mcp.errors import ConnectionRetry
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.tool import McpCaller
from functions.tools.mcp.transports.base import McpTransport
from functions.tools.mcp.transports.commands import Commands
from functions.tools.mcp.transports.folders import ServerFolders
from functions.tools.mcp.transports.stdio import StdioTransport
from tests.contract.tool_lambdas import Sample

ACCOUNT = "${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}"
SERVER = Path(__file__).parents[2] / "mcp_servers" / "plain.py"


def transport(target: Target) -> McpTransport:
    assert isinstance(target.connection, StdioConnection)
    commands = Commands(sys.executable, path="")
    return StdioTransport(
        target.connection, server=target.server, commands=commands, environment={}, folders=ServerFolders()
    )


loop = EventLoopThread()
atexit.register(loop.stop)
implementation: dict[str, Any] = {
    "type": "mcp",
    "server": "plain",
    "tool": "echo",
    "connection": {"command": sys.executable, "args": ["-S", "-E", str(SERVER)], "connect_timeout_ms": 20_000},
}

SAMPLE = Sample(
    handler=tool_handler(Implementation, McpCaller(Connections(transport, retry=ConnectionRetry()), loop)),
    implementation=implementation,
    arguments={"text": "hello"},
    result="hello",
    oversize={"implementation": {**implementation, "tool": "large"}},
    environment={
        "FLEXCHAT_ALLOWED_HOSTS": {"Ref": "AllowedHosts"},
        "FLEXCHAT_ALLOWED_ORIGINS": {"Ref": "AllowedOrigins"},
        "FLEXCHAT_CATALOG_TTL_SECONDS": {"Ref": "CatalogTtlSeconds"},
        "FLEXCHAT_CONFIGURATION_BUCKET": {"Ref": "CollectionsBucket"},
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
            "Sid": "ReadPackedConfiguration",
            "Effect": "Allow",
            "Action": "s3:GetObject",
            "Resource": {"Fn::Sub": "${CollectionsBucket.Arn}/configuration/*"},
        },
        {
            "Sid": "ListPackedConfiguration",
            "Effect": "Allow",
            "Action": "s3:ListBucket",
            "Resource": {"Fn::GetAtt": ["CollectionsBucket", "Arn"]},
        },
        {
            "Sid": "ReadConfiguration",
            "Effect": "Allow",
            "Action": ["ssm:GetParameters", "ssm:GetParametersByPath"],
            "Resource": [
                {"Fn::Sub": f"arn:{ACCOUNT}:parameter/flexchat/${{Stage}}/chat"},
                {"Fn::Sub": f"arn:{ACCOUNT}:parameter/flexchat/${{Stage}}/chat/*"},
            ],
        },
        {
            "Sid": "ReadCommands",
            "Effect": "Allow",
            "Action": "ssm:GetParameters",
            "Resource": {"Fn::Sub": f"arn:{ACCOUNT}:parameter/flexchat/${{Stage}}/deployment/mcp-commands"},
        },
        {
            "Sid": "ReadWriteListings",
            "Effect": "Allow",
            "Action": ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem"],
            "Resource": {"Fn::GetAtt": ["ToolStateTable", "Arn"]},
        },
    ],
    hooks=(1, 0),
)
