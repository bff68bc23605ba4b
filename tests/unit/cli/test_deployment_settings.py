"""Settings of a stage's deployment, from `samconfig.toml`."""

import re
import tomllib
from copy import replace
from pathlib import Path

import pytest

from cli.deployment.settings import StageSettings, parameter, read_settings
from cli.errors import DeploymentError
from cli.layout import Layout

GLOBAL = '[try.global.parameters]\nstack_name = "chats"\n'
OVERRIDES = 'parameter_overrides = ["LogLevel=DEBUG", "Stage=try"]\n'


@pytest.fixture
def samconfig(tmp_path: Path) -> Path:
    return tmp_path / "samconfig.toml"


def settings_of(samconfig: Path) -> StageSettings:
    options = ("--config-env", "try", "--config-file", str(samconfig))
    return StageSettings(
        stage="try",
        stack="chats",
        region=None,
        profile=None,
        confirms=False,
        is_default=False,
        parameters={"Stage": "try"},
        build_options=options,
        deploy_options=options,
    )


@pytest.mark.parametrize(
    "overrides",
    [
        'parameter_overrides = ["LogLevel=DEBUG", "Stage=try"]\n',
        'parameter_overrides = "LogLevel=DEBUG Stage=try"\n',
        'parameter_overrides = "ParameterKey=Stage,ParameterValue=try"\n',
        'parameter_overrides = { Stage = "try" }\n',
        "[try.deploy.parameters]\nparameter_overrides = \"Stage='try'\"\n",
    ],
)
def test_the_stage_of_a_section_is_read_in_every_format_of_sam(overrides: str, samconfig: Path) -> None:
    samconfig.write_text(GLOBAL + overrides)

    settings = read_settings(samconfig, "try")

    assert replace(settings, parameters={"Stage": settings.parameters["Stage"]}) == settings_of(samconfig)
    assert settings.parameters.keys() <= {"LogLevel", "Stage"}


def test_parameters_of_deploy_override_those_of_every_command(samconfig: Path) -> None:
    deploy = (
        '[try.deploy.parameters]\nregion = "eu-west-1"\nprofile = "work"\nconfirm_changeset = true\ntags = ["a=b"]\n'
    )
    samconfig.write_text(f'{GLOBAL}region = "us-east-1"\n{OVERRIDES}{deploy}')

    assert read_settings(samconfig, "try") == replace(
        settings_of(samconfig),
        region="eu-west-1",
        profile="work",
        confirms=True,
        parameters={"LogLevel": "DEBUG", "Stage": "try"},
    )


def test_parameters_are_passed_to_sam_with_those_of_the_command_line(samconfig: Path) -> None:
    """SAM ignores a value without quotation marks that is empty, and splits one with spaces."""
    schedule = r"ValidationSchedule=\"cron(0 3 ? * MON *)\""
    samconfig.write_text(f'{GLOBAL}parameter_overrides = ["Stage=try", "LogLevel=DEBUG", "{schedule}"]\n')

    settings = read_settings(samconfig, "try").with_parameters({"LogLevel": "INFO", "AllowedOrigins": ""})

    assert settings.overrides == (
        "--parameter-overrides",
        "Stage=try",
        "LogLevel=INFO",
        'ValidationSchedule="cron(0 3 ? * MON *)"',
        'AllowedOrigins=""',
    )


@pytest.mark.parametrize("text", ["LogLevel", "=x", "Log-Level=INFO"])
def test_a_parameter_without_a_name_and_a_value_is_rejected(text: str) -> None:
    with pytest.raises(DeploymentError, match="must be NAME=VALUE, not"):
        parameter(text)


@pytest.mark.parametrize("stage", ["dev", "prod"])
def test_packages_of_a_stage_are_in_a_separate_folder(stage: str) -> None:
    """`sam delete` deletes the packages of its stack: another stage with the same code could not be rolled back.

    https://github.com/aws/aws-sam-cli/issues/4307
    """
    parameters = tomllib.loads((Layout.here().root / "samconfig.toml").read_text())[stage]

    assert parameters["deploy"]["parameters"]["s3_prefix"] == parameters["global"]["parameters"]["stack_name"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[try", r"samconfig\.toml cannot be read: "),
        ("[try.deploy.parameters]\n", r'add stack_name = "flexchat-try" to \[try\.global\.parameters\], or remove'),
        ('try = "x"\n', r"samconfig\.toml cannot be used for 'try': "),
        ("[try]\nglobal = 1\n", r"samconfig\.toml cannot be used for 'try': global: "),
        (
            GLOBAL + 'parameter_overrides = ["Stage=dev"]\n',
            r'set parameter_overrides = \["Stage=try"\] in \[try\.global\.parameters\]',
        ),
        (GLOBAL, r'set parameter_overrides = \["Stage=try"\]'),
        (GLOBAL + 'confirm_changeset = "perhaps"\n', r"confirm_changeset: Input should be a valid boolean"),
    ],
)
def test_a_section_that_cannot_deploy_its_stage_is_rejected(text: str, reason: str, samconfig: Path) -> None:
    samconfig.write_text(text)

    with pytest.raises(DeploymentError) as raised:
        read_settings(samconfig, "try")
    assert re.search(reason, str(raised.value))


def test_a_missing_file_is_rejected(samconfig: Path) -> None:
    with pytest.raises(DeploymentError, match=r"samconfig\.toml cannot be read"):
        read_settings(samconfig, "try")


@pytest.mark.parametrize(("stage", "confirms"), [("dev", False), ("prod", True)])
def test_every_section_of_this_project_deploys_its_stage(stage: str, confirms: bool) -> None:
    settings = read_settings(Layout.here().root / "samconfig.toml", stage)

    assert (settings.stage, settings.stack, settings.confirms) == (stage, f"flexchat-{stage}", confirms)
