"""Deployment of a stage with a fake SAM CLI, a fake service, and AWS emulated in this process."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from botocore.session import Session
from moto.cloudformation.models import cloudformation_backends
from rich.console import Console

from cli.client import Client
from cli.deployment.account import Stack, client
from cli.deployment.deploy import Deployment, Options
from cli.deployment.environment_file import VARIABLES
from cli.errors import DeploymentError
from cli.invocation import flexchat, make
from cli.layout import Layout
from cli.target import Target
from dev.local_stack.deployment import complete_emulated_stage
from flexchat.aws.clients import dynamodb
from flexchat.aws.parameters import operator_store
from flexchat.aws.tokens import operator_tokens
from flexchat.config.parameters import manifest_name, secret_name
from flexchat.errors import ConfigError
from flexchat.tokens import issue
from tests.aws import aws_client, emulated_aws

API = "https://abc123.execute-api.us-east-1.amazonaws.com/try"
pytestmark = pytest.mark.slow

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
CALL: dict[str, Any] = {
    "tool": "calculate",
    "params": {"expression": "15% of 45"},
    "iteration": 1,
    "call_id": "call_1_0",
}
SUCCESS = {"success": True, "result": {"result": 6.75}, "tool_name": "calculate", "execution_time_ms": 3}
FAILURE = {
    "success": False,
    "error": "Tool 'calculate' cannot be reached",
    "error_type": "unavailable",
    "tool_name": "calculate",
    "execution_time_ms": 3,
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
    """Creates a stack with a tokens table and these `outputs`; `exit_codes` are those of commands that fail."""

    outputs: Mapping[str, str] = field(default_factory=lambda: OUTPUTS)
    exit_codes: Mapping[str, int] = field(default_factory=dict[str, int])
    declines: bool = False
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
        template = json.dumps(
            {
                "Resources": {"TokensTable": {"Type": "AWS::DynamoDB::Table", "Properties": table}},
                "Outputs": {name: {"Value": value} for name, value in self.outputs.items()},
            }
        )
        if self.declines:
            kind = {"ChangeSetName": "samcli-deploy1", "ChangeSetType": "CREATE"}
            cloudformation.create_change_set(StackName=name, TemplateBody=template, **kind)
        elif not any(stack["StackName"] == name for stack in cloudformation.describe_stacks()["Stacks"]):
            cloudformation.create_stack(StackName=name, TemplateBody=template)


@dataclass
class World:
    """A checkout whose deployments call a service with these chat responses."""

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
        self._deployment().deploy(Options(**given))
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

    def _deployment(self) -> Deployment:
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
        return Client(Target(url, token), transport=httpx.MockTransport(self._answer))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/health"):
            return httpx.Response(200, json={"status": "ok"})
        status, body = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        return httpx.Response(status, json=body)


def write_configuration(root: Path, **changes: Any) -> None:
    llm = {"type": "openai", "api_key": "${OPENAI_API_KEY}", "models": ["gpt-4o"]}
    rule = {"llm": "openai", "model": "gpt-4o", "prompt": "You help."}
    document = {"llms": {"openai": llm}, "responses": [rule], **changes}
    (root / "flexchat.json").write_text(json.dumps(document))


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with emulated_aws(monkeypatch):
        for name in ("AWS_REGION", "AWS_PROFILE"):
            monkeypatch.setenv(name, "us-east-1")  # so that what the deployment sets is undone
            monkeypatch.delenv(name)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        dynamodb.cache_clear()
        for file in ("layers/common/src/requirements.txt", "functions/chat/requirements.txt"):
            (tmp_path / file).parent.mkdir(parents=True)
            (tmp_path / file).touch()
        (tmp_path / "samconfig.toml").write_text(SAMCONFIG)
        (tmp_path / "template.yaml").write_text(
            "BucketName: !Sub flexchat-${Stage}-collections-${AWS::AccountId}-${AWS::Region}\n"
        )
        write_configuration(tmp_path)
        yield World(tmp_path)
        dynamodb.cache_clear()


def token_names(stage: str = "try") -> list[str]:
    return [record.name for record in operator_tokens(stage).list()]


def test_deployment_builds_deploys_pushes_creates_a_token_and_prints_an_answer(world: World) -> None:
    world.answers = [(200, {**ANSWER, "tool_calls": [{**CALL, "result": SUCCESS}]})]

    printed = world.deploy()

    assert [command[0] for command in world.sam.commands] == ["build", "deploy"]
    build, deploy = world.sam.environments
    assert build["PIP_CONSTRAINT"] == "layers/common/src/requirements.txt functions/chat/requirements.txt"
    assert build["PATH"].startswith(f"{world.root}/.venv/bin:")
    assert "PIP_CONSTRAINT" not in deploy
    assert operator_store().read([secret_name("try", "OPENAI_API_KEY"), manifest_name("try")]).keys() == {
        secret_name("try", "OPENAI_API_KEY"),
        manifest_name("try"),
    }
    assert token_names() == ["me"]
    assert world.urls == [API]
    assert f"page    {API}/\nurl     {API}\ntoken   {world.tokens[0]}\n" in printed
    assert "account 123456789012, region us-east-1" in printed
    assert "✓ calculate" in printed
    assert "'try' is deployed and answers. Next:" in printed


def test_environment_file_has_the_stack_outputs(world: World) -> None:
    world.deploy()

    assert json.loads((world.root / "events" / "env" / "try.json").read_text()) == {
        function: {variable: OUTPUTS[output] for variable, output in variables.items()}
        for function, variables in VARIABLES.items()
    }


def test_second_deployment_creates_no_token_and_deletes_the_smoke_test_token(world: World) -> None:
    first = world.deploy()
    second = world.deploy()

    assert token_names() == ["me"]
    assert len(set(world.tokens)) == 2
    assert world.tokens[0] in first
    assert not any(token in second for token in world.tokens)
    assert "the one named 'me', which exists" in second
    assert "0 created, 0 updated, 0 deleted" in second


def test_expired_token_is_replaced(world: World) -> None:
    world.deploy()
    store, now = operator_tokens("try"), datetime.now(UTC)
    store.revoke(store.list()[0].id)
    store.put(issue(name="me", roles=("user",), lifetime=timedelta(days=1), now=now - timedelta(days=2)).record)

    printed = world.deploy()

    assert f"token   {world.tokens[-1]}\n" in printed
    assert [record.is_live(now=now) for record in store.list()] == [True, False]


def test_failed_smoke_test_of_a_second_deployment_revokes_its_token(world: World) -> None:
    world.deploy()
    world.answers = [(502, {"error": "model_failed", "message": "the provider refused the configured key"})]

    assert world.refusal() == "the smoke test failed: HTTP 502: the provider refused the configured key"
    assert token_names() == ["me"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            (502, {"error": "model_failed", "message": "the provider refused the configured key", "request_id": "r"}),
            "the smoke test failed: HTTP 502: the provider refused the configured key\n  request id: r",
        ),
        (
            (200, {**ANSWER, "status": "partial", "finish_reason": "error"}),
            "the smoke test failed: the answer is partial (error)",
        ),
        (
            (200, {**ANSWER, "tool_calls": [{**CALL, "result": FAILURE}]}),
            "the smoke test failed: no tool call of the answer succeeded",
        ),
    ],
    ids=["an error", "a partial answer", "no tool that works"],
)
def test_failed_smoke_test_fails_the_deployment_after_printing_the_token(
    answer: tuple[int, Any], reason: str, world: World
) -> None:
    world.answers = [answer]

    assert world.refusal() == reason
    assert f"token   {world.tokens[0]}\n" in world.output.getvalue()


def test_failed_tool_call_of_the_smoke_test_is_retried(world: World) -> None:
    world.answers = [(200, {**ANSWER, "tool_calls": [{**CALL, "result": FAILURE}]}), (200, ANSWER)]

    assert "'try' is deployed and answers. Next:" in world.deploy()


def test_samconfig_section_sets_the_region_and_the_options(world: World) -> None:
    printed = world.deploy("dev")

    options = ["--config-env", "dev", "--config-file", str(world.root / "samconfig.toml")]
    assert world.sam.commands == [
        ["build", "--cached", "--parallel", *options],
        ["deploy", "--no-progressbar", *options],
    ]
    assert world.sam.compiled == [[str(world.root / ".aws-sam" / "build")]]
    assert "deploying flexchat-dev to account 123456789012, region eu-west-1\n" in printed
    assert [env["AWS_DEFAULT_REGION"] for env in world.sam.environments] == ["eu-west-1", "eu-west-1"]


def test_stage_without_a_section_is_deployed_with_reported_defaults(world: World) -> None:
    printed = world.deploy()

    assert world.sam.commands[1] == [
        *("deploy", "--no-progressbar", "--stack-name", "flexchat-try", "--parameter-overrides", "Stage=try"),
        *("--resolve-s3", "--s3-prefix", "flexchat-try", "--capabilities", "CAPABILITY_IAM"),
        *("--no-confirm-changeset", "--no-fail-on-empty-changeset", "--tags", "project=flexchat stage=try"),
    ]
    assert "samconfig.toml has no section 'try': the template's defaults apply" in printed


def nothing_ran(world: World) -> bool:
    return not world.sam.commands


def test_unusable_samconfig_is_rejected_before_the_build(world: World) -> None:
    (world.root / "samconfig.toml").write_text("[try.deploy.parameters]\n")

    assert 'add stack_name = "flexchat-try" to [try.global.parameters]' in world.refusal()
    assert nothing_ran(world)


def test_local_stage_is_rejected(world: World) -> None:
    assert world.refusal("local") == f"the stage 'local' belongs to the local stack: `{make('up')}` deploys it"


def test_region_is_required(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")

    assert world.refusal().startswith("no AWS region is set: set AWS_DEFAULT_REGION")
    assert nothing_ran(world)


def test_region_of_the_default_variable_is_used(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_REGION", "eu-central-1")

    assert "region eu-central-1" in world.deploy()


def test_credentials_are_required(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    assert world.refusal() == "no AWS credentials were found; set AWS_PROFILE, or run `aws configure`"
    assert nothing_ran(world)


def test_profile_of_a_section_replaces_other_credentials_in_every_step(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SAM prefers its profile to keys in the environment; botocore prefers the keys.

    The two may be different accounts.
    """
    monkeypatch.setenv("AWS_SESSION_TOKEN", "testing")
    monkeypatch.setenv("AWS_DEFAULT_PROFILE", "other")
    credentials = world.root / "credentials"
    credentials.write_text("[work]\naws_access_key_id = work\naws_secret_access_key = work\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(credentials))
    section = '[try.global.parameters]\nstack_name = "flexchat-try"\nparameter_overrides = ["Stage=try"]\n'
    (world.root / "samconfig.toml").write_text(f'{section}profile = "work"\n')

    world.sam = FakeSam(exit_codes={"build": 1})

    world.refusal()

    ambient = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_DEFAULT_PROFILE"}
    assert [(env["AWS_PROFILE"], ambient & env.keys()) for env in world.sam.environments] == [("work", set())]
    found = Session().get_credentials()
    assert found is not None
    assert found.access_key == "work"


def test_missing_profile_is_rejected(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "missing")

    assert world.refusal() == "AWS_PROFILE names no profile; `aws configure list-profiles` lists them"
    assert nothing_ran(world)


def test_invalid_configuration_is_rejected_before_the_build(world: World) -> None:
    write_configuration(world.root, responses=[{"llm": "missing", "model": "gpt-4o", "prompt": "You help."}])

    with pytest.raises(ConfigError, match="cannot be used"):
        world.deploy()
    assert nothing_ran(world)


def test_missing_secret_is_rejected_before_the_build(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")

    refusal = world.refusal()

    assert "neither stored for 'try' nor in the environment: OPENAI_API_KEY. Export them, or store them:\n" in refusal
    assert f"  {flexchat('secrets', 'set', 'OPENAI_API_KEY', '--stage', 'try')}\n" in refusal
    assert nothing_ran(world)


def test_invalid_secret_is_rejected_before_the_build(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-two\nlines")

    with pytest.raises(ConfigError, match=r"OPENAI_API_KEY: must be 1 to .* printable characters on one line"):
        world.deploy()
    assert nothing_ran(world)


def test_stored_secret_is_used_without_a_variable(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    operator_store().put(secret_name("try", "OPENAI_API_KEY"), "sk-stored", secret=True)

    world.deploy()


def test_missing_secret_can_be_allowed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")

    printed = world.deploy(allow_missing_secrets=True)

    assert "warning: the secret OPENAI_API_KEY is not stored, so what names it is disabled" in printed


def test_stage_requiring_confirmation_is_rejected_without_a_terminal(world: World) -> None:
    assert world.refusal("prod") == (
        "samconfig.toml sets confirm_changeset for 'prod', and there is no terminal to confirm at: "
        "add --yes (`make deploy` takes ARGS=--yes)"
    )
    assert nothing_ran(world)


def test_confirmed_deployment_needs_no_confirmation(world: World) -> None:
    world.deploy("prod", confirmed=True)

    assert world.sam.commands[1][-1] == "--no-confirm-changeset"


def test_declined_change_set_ends_the_deployment(world: World) -> None:
    world.is_terminal, world.sam.declines = True, True

    assert world.refusal("prod") == "the change set was declined: 'flexchat-prod' is as it was"
    assert "--no-confirm-changeset" not in world.sam.commands[1]
    assert operator_store().read([manifest_name("prod")]) == {}


def test_remaining_bucket_of_a_deleted_stage_is_named_before_the_build(world: World) -> None:
    bucket = "flexchat-try-collections-123456789012-us-east-1"
    aws_client("s3").create_bucket(Bucket=bucket)

    assert world.refusal().startswith(f"the bucket {bucket!r} of an earlier deployment of 'try' is still there: ")
    assert nothing_ran(world)


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "DELETE_FAILED"])
def test_stack_in_a_failed_state_is_rejected_before_the_build(status: str, world: World) -> None:
    world.deploy()
    world.sam.commands.clear()
    world.set_status(status)

    assert world.refusal() == (
        f"the stack 'flexchat-try' cannot be updated ({status}): "
        "delete it with `aws cloudformation delete-stack --stack-name flexchat-try`, then deploy again"
    )
    assert nothing_ran(world)


def test_failed_rollback_error_advises_to_continue_it(world: World) -> None:
    world.deploy()
    world.sam.commands.clear()
    world.set_status("UPDATE_ROLLBACK_FAILED")

    assert "run `aws cloudformation continue-update-rollback --stack-name flexchat-try`" in world.refusal()
    assert nothing_ran(world)


def test_stack_in_progress_is_rejected_before_the_build(world: World) -> None:
    world.deploy()
    world.sam.commands.clear()
    world.set_status("UPDATE_IN_PROGRESS")

    assert "is being changed (UPDATE_IN_PROGRESS)" in world.refusal()
    assert nothing_ran(world)


@pytest.mark.parametrize("command", ["build", "deploy"])
def test_sam_failure_ends_the_deployment(command: str, world: World) -> None:
    world.sam.exit_codes = {command: 2}

    assert world.refusal() == f"`sam {command}` failed with exit code 2; its output above has the reason"
    assert operator_store().read([manifest_name("try")]) == {}


def test_build_without_bytecode_is_not_deployed(world: World) -> None:
    world.sam.exit_codes = {"compile": 1}

    assert world.refusal() == "the build could not be compiled; the output above has the reason"
    assert [command[0] for command in world.sam.commands] == ["build"]


def test_stack_without_required_outputs_is_reported(world: World) -> None:
    world.sam.outputs = {"ApiUrl": API}

    assert world.refusal().startswith("the deployed stack has no output ChatFunctionAlias, ChatsTableName")


def test_parameter_has_the_value_of_the_deployed_stack_or_the_default(world: World) -> None:
    template = {
        "Parameters": {"CatalogTtlSeconds": {"Type": "Number", "Default": 60}},
        "Resources": {"Queue": {"Type": "AWS::SQS::Queue"}},
    }
    client("cloudformation").create_stack(
        StackName="flexchat-try",
        TemplateBody=json.dumps(template),
        Parameters=[{"ParameterKey": "CatalogTtlSeconds", "ParameterValue": "600"}],
    )
    stack = Stack("flexchat-try")

    assert [stack.parameter(name, "60") for name in ("CatalogTtlSeconds", "Other")] == ["600", "60"]
