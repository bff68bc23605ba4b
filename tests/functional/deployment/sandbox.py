"""Deployments with a fake SAM CLI, a fake service, and AWS emulated in this process."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import httpx2
import pytest
from moto.cloudformation.models import cloudformation_backends

from cli.client import Client
from cli.console import Console
from cli.deployment.account import client
from cli.deployment.deploy import Deployment, Options
from cli.deployment.environment_file import VARIABLES
from cli.errors import DeploymentError
from cli.layout import Layout
from cli.target import Target
from dev.local_stack.deployment import complete_emulated_stage

API = "https://abc123.execute-api.us-east-1.amazonaws.com/try"
OUTPUTS = {"ApiUrl": API, **{name: f"the-{name}" for names in VARIABLES.values() for name in names.values()}}
ANSWER: dict[str, Any] = {
    "content": "6.75",
    "service": "openai",
    "model": "gpt-4o",
    "status": "complete",
    "finish_reason": "stop",
    "request_id": "r-1",
    "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
    "timings": {"total_ms": 1, "steps": []},
    "tool_calls": [],
}
SAMCONFIG = """
[dev.global.parameters]
stack_name = "flexchat-dev"
region = "eu-west-1"
parameter_overrides = ["Stage=dev"]

[prod.global.parameters]
stack_name = "flexchat-prod"
parameter_overrides = "LogRetentionDays=365 Stage=prod"

[prod.deploy.parameters]
confirm_changeset = true
"""


@dataclass
class FakeSam:
    """Fake SAM CLI: creates a stack with two tables and `outputs`; commands in `exit_codes` fail."""

    outputs: Mapping[str, str] = field(default_factory=lambda: OUTPUTS)
    exit_codes: Mapping[str, int] = field(default_factory=dict[str, int])
    declines: bool = False
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])
    commands: list[list[str]] = field(default_factory=list[list[str]])
    compiled: list[list[str]] = field(default_factory=list[list[str]])
    environments: list[Mapping[str, str]] = field(default_factory=list[Mapping[str, str]])

    def __call__(self, command: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> int:
        if command[1] == str(cwd / "scripts" / "compile.py"):
            self.compiled.append(list(command[2:]))
            return self.exit_codes.get("compile", 0)
        assert command[0] == "/sam/bin/sam", cwd
        self.commands.append(list(command[1:]))
        self.environments.append(env)
        if status := self.exit_codes.get(command[1], 0):
            return status
        if command[1] == "deploy":
            self._deploy(command)
        return 0

    def _deploy(self, command: Sequence[str]) -> None:
        stage = command[command.index("--config-env") + 1] if "--config-env" in command else "try"
        name, cloudformation = f"flexchat-{stage}", client("cloudformation")
        table = {
            "TableName": f"flexchat-{stage}-tokens",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        }
        keys = {"pk": "HASH", "sk": "RANGE"}
        audit = {
            "TableName": f"flexchat-{stage}-audit",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": key, "AttributeType": "S"} for key in keys],
            "KeySchema": [{"AttributeName": key, "KeyType": kind} for key, kind in keys.items()],
        }
        template = json.dumps(
            {
                "Parameters": {key: {"Type": "String", "Default": value} for key, value in self.parameters.items()},
                "Resources": {
                    "TokensTable": {"Type": "AWS::DynamoDB::Table", "Properties": table},
                    "AuditTable": {"Type": "AWS::DynamoDB::Table", "Properties": audit},
                },
                "Outputs": {name: {"Value": value} for name, value in self.outputs.items()},
            }
        )
        if self.declines:
            kind = {"ChangeSetName": "samcli-deploy1", "ChangeSetType": "CREATE"}
            cloudformation.create_change_set(StackName=name, TemplateBody=template, **kind)
        elif not any(stack["StackName"] == name for stack in cloudformation.describe_stacks()["Stacks"]):
            cloudformation.create_stack(StackName=name, TemplateBody=template)


@dataclass
class DeploymentSandbox:
    """Checkout whose deployments call a service with these chat responses."""

    root: Path
    sam: FakeSam = field(default_factory=FakeSam)
    answers: list[tuple[int, Any]] = field(default_factory=lambda: [(200, ANSWER)])
    tokens: list[str] = field(default_factory=list[str])
    urls: list[str] = field(default_factory=list[str])
    output: StringIO = field(default_factory=StringIO)
    is_terminal: bool = False

    def deploy(self, stage: str = "try", **options: Any) -> str:
        """Deploy, and return the printed output."""
        self.output = StringIO()
        given: dict[str, Any] = {"stage": stage, "config": self.root / "flexchat.json", "token_name": "me", **options}
        self.deployment().deploy(Options(**given))
        return self.output.getvalue()

    def roll_back(self, stage: str = "try") -> str:
        """Roll back, and return the printed output."""
        self.output = StringIO()
        self.deployment().roll_back(stage)
        return self.output.getvalue()

    def refusal(self, stage: str = "try", **options: Any) -> str:
        with pytest.raises(DeploymentError) as raised:
            self.deploy(stage, **options)
        return str(raised.value)

    @staticmethod
    def set_status(status: str) -> None:
        """Set a stack status that the CloudFormation emulator never produces."""
        (stack,) = cloudformation_backends["123456789012"]["us-east-1"].stacks.values()
        stack.status = status

    def deployment(self) -> Deployment:
        return Deployment(
            layout=Layout(self.root),
            console=Console(file=self.output, width=200),
            install_sam=lambda: Path("/sam/bin"),
            complete_on_emulator=complete_emulated_stage,
            environ=os.environ,
            is_terminal=self.is_terminal,
            run=self.sam,
            connect=self._connect,
        )

    def _connect(self, url: str, token: str) -> Client:
        self.urls.append(url)
        self.tokens.append(token)
        return Client(Target(url, token), transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/health"):
            return httpx2.Response(200, json={"status": "ok"})
        status, body = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        return httpx2.Response(status, json=body)


def write_configuration(root: Path, **changes: Any) -> None:
    llm = {"type": "openai", "api_key": "${OPENAI_API_KEY}", "models": ["gpt-4o"]}
    rule = {"llm": "openai", "model": "gpt-4o", "prompt": "You help."}
    document = {"llms": {"openai": llm}, "responses": [rule], **changes}
    (root / "flexchat.json").write_text(json.dumps(document))
