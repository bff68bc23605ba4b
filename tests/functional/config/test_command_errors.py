"""Errors of commands: AWS, region, profile and stages without a stack."""

from pathlib import Path
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError
from typer.testing import CliRunner

from cli.commands import tokens as tokens_commands
from cli.deployment.account import Stack, client
from cli.deployment.settings import read_settings, use_account
from cli.errors import DeploymentError, UnknownNameError
from cli.invocation import make
from cli.options import StageError
from flexchat.aws.parameters import ParameterStore
from tests.functional.config.commands import STAGE, TEMPLATE, config, secrets


def test_push_to_a_stage_without_a_stack_writes_nothing_and_lists_the_deployed_stages(
    file: Path, store: ParameterStore
) -> None:
    cloudformation = client("cloudformation")
    for name in ("flexchat-gone", "flexchat-prod", "other"):
        cloudformation.create_stack(StackName=name, TemplateBody=TEMPLATE)
    cloudformation.delete_stack(StackName="flexchat-gone")
    cloudformation.create_change_set(
        StackName="flexchat-half", ChangeSetName="first", ChangeSetType="CREATE", TemplateBody=TEMPLATE
    )

    results = [config("push", "--stage", stage, "--file", file) for stage in ("prodd", "gone", "half")]

    errors = [result.exception for result in results]
    assert [type(error) for error in errors] == [UnknownNameError] * 3
    assert str(errors[0]) == (
        "region 'us-east-1' has no deployed stage 'prodd'; it has: 'prod', 'dev'. "
        f"`{make('deploy', 'STAGE=prodd')}` deploys it"
    )
    assert store.read_path("/flexchat") == {}


def test_reading_an_empty_stage_without_a_stack_lists_the_deployed_stages(file: Path) -> None:
    results = [
        config("pull", "--stage", "deb"),
        config("diff", "--stage", "deb", "--file", file),
        secrets("list", "--stage", "deb"),
    ]

    assert [str(result.exception).partition(". ")[0] for result in results] == [
        "region 'us-east-1' has no deployed stage 'deb'; it has: 'dev'"
    ] * 3


def test_aws_error_names_the_stage_and_the_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    error = config("pull", "--stage", STAGE).exception

    assert isinstance(error, StageError)
    assert str(error).splitlines() == [
        "/flexchat/dev/chat: no AWS credentials were found; set AWS_PROFILE, or run `aws configure`",
        "stage 'dev', region 'us-east-1'",
    ]


def test_aws_error_reports_an_unset_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.delenv("AWS_REGION", raising=False)

    error = config("pull", "--stage", STAGE).exception

    assert str(error).endswith("\nstage 'dev', no region")


def test_missing_table_is_reported_as_a_stage_that_is_not_deployed() -> None:
    error = CliRunner().invoke(tokens_commands.app, ["list", "--stage", STAGE]).exception
    typed = CliRunner().invoke(tokens_commands.app, ["create", "--stage", "deb", "--name", "x"]).exception

    assert isinstance(error, StageError)
    assert str(error).endswith("stage 'dev', region 'us-east-1'")
    assert isinstance(typed, UnknownNameError)
    assert str(typed).startswith("region 'us-east-1' has no deployed stage 'deb'; it has: 'dev'. ")


def test_profile_and_region_of_samconfig_apply_to_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "samconfig.toml").write_text(
        '[far.global.parameters]\nstack_name = "flexchat-far"\nregion = "eu-west-3"\nprofile = "company"\n'
        'parameter_overrides = ["Stage=far"]\n'
    )
    environ = {"AWS_ACCESS_KEY_ID": "another", "AWS_DEFAULT_REGION": "us-east-1", "HOME": "/home/me"}

    use_account(read_settings(tmp_path / "samconfig.toml", "far"), environ)

    assert environ == {
        "AWS_PROFILE": "company",
        "AWS_DEFAULT_REGION": "eu-west-3",
        "AWS_REGION": "eu-west-3",
        "HOME": "/home/me",
    }


def test_region_of_samconfig_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_REGION", "eu-west-2")

    error = CliRunner().invoke(tokens_commands.app, ["list", "--stage", "deb"]).exception

    assert str(error).startswith("region 'eu-west-2' has no deployed stage 'deb'; it has: none. ")


def test_error_message_of_cloudformation_is_not_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        details = {"Error": {"Code": "ValidationError", "Message": "1 validation error detected: canary"}}
        raise ClientError(cast("Any", details), "DescribeStacks")

    stack = Stack("flexchat-dev")
    monkeypatch.setattr(stack._client, "describe_stacks", refuse)  # pyright: ignore[reportPrivateUsage]

    with pytest.raises(DeploymentError) as refusal:
        stack.check()

    assert str(refusal.value) == (
        "AWS refuses DescribeStacks (ValidationError): check stack_name, region and profile of the stage in "
        "samconfig.toml"
    )
