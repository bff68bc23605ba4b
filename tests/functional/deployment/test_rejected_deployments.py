"""Deployments rejected before or during the build."""

import json

import pytest
from boto3.session import Session

from cli.deployment.account import Stack, client
from cli.invocation import flexchat, make
from flexchat.aws.parameters import operator_store
from flexchat.config.parameters import manifest_name
from flexchat.errors import ConfigError
from flexchat.secret_references import secret_name
from tests.aws import aws_client
from tests.functional.deployment.sandbox import API, DeploymentSandbox, FakeSam, write_configuration

pytestmark = pytest.mark.slow


def nothing_ran(sandbox: DeploymentSandbox) -> bool:
    return not sandbox.sam.commands


def test_unusable_samconfig_is_rejected_before_the_build(sandbox: DeploymentSandbox) -> None:
    (sandbox.root / "samconfig.toml").write_text("[try.deploy.parameters]\n")

    assert 'add stack_name = "flexchat-try" to [try.global.parameters]' in sandbox.refusal()
    assert nothing_ran(sandbox)


def test_local_stage_is_rejected(sandbox: DeploymentSandbox) -> None:
    assert sandbox.refusal("local") == f"the stage 'local' belongs to the local stack: `{make('up')}` deploys it"


def test_region_is_required(sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")

    assert sandbox.refusal().startswith("no AWS region is set: set AWS_DEFAULT_REGION")
    assert nothing_ran(sandbox)


def test_region_of_the_default_variable_is_used(sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_REGION", "eu-central-1")

    assert "region eu-central-1" in sandbox.deploy()


def test_credentials_are_required(sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    assert sandbox.refusal() == "no AWS credentials were found; set AWS_PROFILE, or run `aws configure`"
    assert nothing_ran(sandbox)


def test_profile_of_a_section_replaces_other_credentials_in_every_step(
    sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SAM prefers its profile to keys in the environment, botocore prefers the keys; the accounts may differ."""
    monkeypatch.setenv("AWS_SESSION_TOKEN", "testing")
    monkeypatch.setenv("AWS_DEFAULT_PROFILE", "other")
    credentials = sandbox.root / "credentials"
    credentials.write_text("[work]\naws_access_key_id = work\naws_secret_access_key = work\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(credentials))
    section = '[try.global.parameters]\nstack_name = "flexchat-try"\nparameter_overrides = ["Stage=try"]\n'
    (sandbox.root / "samconfig.toml").write_text(f'{section}profile = "work"\n')

    sandbox.sam = FakeSam(exit_codes={"build": 1})

    sandbox.refusal()

    ambient = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_DEFAULT_PROFILE"}
    assert [(env["AWS_PROFILE"], ambient & env.keys()) for env in sandbox.sam.environments] == [("work", set())]
    found = Session().get_credentials()
    assert found is not None
    assert found.access_key == "work"


def test_missing_profile_is_rejected(sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "missing")

    assert sandbox.refusal() == "the profile of AWS_PROFILE was not found; `aws configure list-profiles` lists them"
    assert nothing_ran(sandbox)


def test_invalid_configuration_is_rejected_before_the_build(sandbox: DeploymentSandbox) -> None:
    write_configuration(sandbox.root, responses=[{"llm": "missing", "model": "gpt-4o", "prompt": "You help."}])

    with pytest.raises(ConfigError, match="cannot be used"):
        sandbox.deploy()
    assert nothing_ran(sandbox)


def test_missing_secret_is_rejected_before_the_build(
    sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")

    refusal = sandbox.refusal()

    assert "neither stored for 'try' nor in the environment: OPENAI_API_KEY. Export them, or store them:\n" in refusal
    assert f"  {flexchat('secrets', 'set', 'OPENAI_API_KEY', '--stage', 'try')}\n" in refusal
    assert nothing_ran(sandbox)


def test_invalid_secret_is_rejected_before_the_build(
    sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-two\nlines")

    with pytest.raises(ConfigError, match=r"OPENAI_API_KEY: must be 1 to .* printable characters on one line"):
        sandbox.deploy()
    assert nothing_ran(sandbox)


def test_stored_secret_is_used_without_a_variable(sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    operator_store().put(secret_name("try", "OPENAI_API_KEY"), "sk-stored", secret=True)

    sandbox.deploy()


def test_missing_secret_can_be_allowed(sandbox: DeploymentSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")

    printed = sandbox.deploy(allow_missing_secrets=True)

    assert "warning: the secret OPENAI_API_KEY is not stored, so what names it is disabled" in printed


def test_stage_requiring_confirmation_is_rejected_without_a_terminal(sandbox: DeploymentSandbox) -> None:
    assert sandbox.refusal("prod") == (
        "samconfig.toml sets confirm_changeset for 'prod', and a confirmation needs a terminal: "
        "add --yes (`make deploy` takes ARGS=--yes)"
    )
    assert nothing_ran(sandbox)


def test_confirmed_deployment_needs_no_confirmation(sandbox: DeploymentSandbox) -> None:
    sandbox.deploy("prod", confirmed=True)

    assert sandbox.sam.commands[1][-1] == "--no-confirm-changeset"


def test_declined_change_set_ends_the_deployment(sandbox: DeploymentSandbox) -> None:
    sandbox.is_terminal, sandbox.sam.declines = True, True

    assert sandbox.refusal("prod") == "the change set was declined: 'flexchat-prod' is unchanged"
    assert "--no-confirm-changeset" not in sandbox.sam.commands[1]
    assert operator_store().read([manifest_name("prod")]) == {}


def test_remaining_bucket_of_a_deleted_stage_is_named_before_the_build(sandbox: DeploymentSandbox) -> None:
    bucket = "flexchat-try-collections-123456789012-us-east-1"
    aws_client("s3").create_bucket(Bucket=bucket)

    assert sandbox.refusal().startswith(f"the bucket {bucket!r} of an earlier deployment of 'try' still exists: ")
    assert nothing_ran(sandbox)


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "DELETE_FAILED"])
def test_stack_in_a_failed_state_is_rejected_before_the_build(status: str, sandbox: DeploymentSandbox) -> None:
    sandbox.deploy()
    sandbox.sam.commands.clear()
    sandbox.set_status(status)

    assert sandbox.refusal() == (
        f"the stack 'flexchat-try' cannot be updated ({status}): "
        "delete it with `aws cloudformation delete-stack --stack-name flexchat-try`, then deploy again"
    )
    assert nothing_ran(sandbox)


def test_failed_rollback_error_advises_to_continue_it(sandbox: DeploymentSandbox) -> None:
    sandbox.deploy()
    sandbox.sam.commands.clear()
    sandbox.set_status("UPDATE_ROLLBACK_FAILED")

    assert "run `aws cloudformation continue-update-rollback --stack-name flexchat-try`" in sandbox.refusal()
    assert nothing_ran(sandbox)


def test_stack_in_progress_is_rejected_before_the_build(sandbox: DeploymentSandbox) -> None:
    sandbox.deploy()
    sandbox.sam.commands.clear()
    sandbox.set_status("UPDATE_IN_PROGRESS")

    assert "is being changed (UPDATE_IN_PROGRESS)" in sandbox.refusal()
    assert nothing_ran(sandbox)


@pytest.mark.parametrize("command", ["build", "deploy"])
def test_sam_failure_ends_the_deployment(command: str, sandbox: DeploymentSandbox) -> None:
    sandbox.sam.exit_codes = {command: 2}

    refusal = sandbox.refusal()
    assert refusal.startswith(f"`sam {command}` failed with exit code 2; its output above has the reason")
    assert ("StreamingEnabled=false" in refusal) == (command == "deploy")  # a region may lack what it deploys
    assert operator_store().read([manifest_name("try")]) == {}


def test_build_without_bytecode_is_not_deployed(sandbox: DeploymentSandbox) -> None:
    sandbox.sam.exit_codes = {"compile": 1}

    assert sandbox.refusal() == "the build could not be compiled; the output above has the reason"
    assert [command[0] for command in sandbox.sam.commands] == ["build"]


def test_stack_without_required_outputs_is_reported(sandbox: DeploymentSandbox) -> None:
    sandbox.sam.outputs = {"ApiUrl": API}

    assert sandbox.refusal().startswith(
        "the deployed stack has no output AuditTableName, ChatFunctionAlias, ChatsTableName"
    )


def test_parameter_has_the_value_of_the_deployed_stack_or_the_default(sandbox: DeploymentSandbox) -> None:
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


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        (
            {"IsolatedSubnetIds": "subnet-0a1b2c3d"},
            (
                "IsolatedSubnetIds is 'subnet-0a1b2c3d' without IsolatedSecurityGroupIds: set both parameters, "
                'or both to "" for functions outside of this network'
            ),
        ),
        (
            {"IsolatedSubnetIds": "", "IsolatedSecurityGroupIds": "sg-0a1b2c3d"},
            (
                "IsolatedSecurityGroupIds is 'sg-0a1b2c3d' without IsolatedSubnetIds: set both parameters, "
                'or both to "" for functions outside of this network'
            ),
        ),
        (
            {"VpcSecurityGroupIds": "sg-0a1b2c3d"},
            (
                "VpcSecurityGroupIds is 'sg-0a1b2c3d' without VpcSubnetIds: set both parameters, "
                'or both to "" for functions outside of this network'
            ),
        ),
        (
            {"IsolateMcpServers": "true"},
            (
                "IsolateMcpServers is 'true' without IsolatedSubnetIds and IsolatedSecurityGroupIds: set both, "
                "or IsolateMcpServers=false"
            ),
        ),
    ],
)
def test_a_network_without_one_of_its_parameters_is_rejected_before_the_build(
    sandbox: DeploymentSandbox, parameters: dict[str, str], reason: str
) -> None:
    assert sandbox.refusal(parameters=parameters) == reason
    assert nothing_ran(sandbox)


def test_a_network_is_checked_with_the_parameters_that_the_stack_has(sandbox: DeploymentSandbox) -> None:
    isolated = {"IsolatedSubnetIds": "subnet-0a1b2c3d", "IsolatedSecurityGroupIds": "sg-0a1b2c3d"}
    sandbox.sam.parameters = isolated
    sandbox.deploy()

    sandbox.deploy(parameters={"IsolateMcpServers": "true"})
    sandbox.deploy(parameters={"IsolatedSubnetIds": "subnet-1a1b2c3d"})
    sandbox.deploy(parameters=dict.fromkeys(isolated, ""))
    assert "IsolatedSubnetIds is 'subnet-0a1b2c3d' without IsolatedSecurityGroupIds" in sandbox.refusal(
        parameters={"IsolatedSecurityGroupIds": ""}
    )


def test_servers_that_an_isolated_function_cannot_reach_are_warned_of(sandbox: DeploymentSandbox) -> None:
    servers = {
        "tracker": {"url": "https://mcp.example.com/mcp"},
        "old": {"url": "https://old.example.com/mcp", "enabled": False},
        "everything": {"command": "npx", "args": ["-y", "server"], "connect_timeout_ms": 60_000},
        "files": {"command": "/opt/servers/files"},
    }
    write_configuration(sandbox.root, mcp_servers=servers)
    isolated = {"IsolatedSubnetIds": "subnet-0a1b2c3d", "IsolatedSecurityGroupIds": "sg-0a1b2c3d"}

    assert "without the internet" not in sandbox.deploy(parameters=isolated)
    printed = " ".join(sandbox.deploy(parameters={**isolated, "IsolateMcpServers": "true"}).split())
    assert "warning: IsolateMcpServers leaves the MCP servers everything, tracker without the internet" in printed
