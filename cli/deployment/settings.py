"""SAM settings of a stage, from `samconfig.toml`."""

import platform
import re
import shlex
import tomllib
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cli.errors import DeploymentError

SAMCONFIG = "samconfig.toml"

AMBIENT_CREDENTIALS = (
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
    *("AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_DEFAULT_PROFILE"),
)
"""Variables that botocore prefers to AWS_PROFILE, while SAM prefers a profile of samconfig.toml to them."""

_PARAMETER_KEY = re.compile(r"ParameterKey=(\w+),ParameterValue=")

type Overrides = Mapping[str, str] | tuple[str, ...] | str


class _Parameters(BaseModel):
    """Parameters of `sam deploy` in use; the others are passed to SAM."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    stack_name: str | None = None
    region: str | None = None
    profile: str | None = None
    confirm_changeset: bool = False
    parameter_overrides: Overrides = ()


class _Command(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    parameters: Mapping[str, Any] = {}


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    everywhere: _Command = Field(_Command(), alias="global")
    deploy: _Command = _Command()


@dataclass(frozen=True, slots=True)
class StageSettings:
    """Settings of a stage in samconfig.toml; `build_options` and `deploy_options` pass the others to SAM.

    `parameters` are those of the template, which are passed to the build too. `confirms` is true if `sam deploy` asks
    before it executes a change set. Without a section in the file, `is_default` is true and the settings are those of
    the section `dev`, with the stage's own name.
    """

    stage: str
    stack: str
    region: str | None
    profile: str | None
    confirms: bool
    is_default: bool
    parameters: Mapping[str, str]
    build_options: tuple[str, ...]
    deploy_options: tuple[str, ...]

    def with_parameters(self, added: Mapping[str, str]) -> "StageSettings":
        """Return the settings with other values of the template's parameters."""
        return replace(self, parameters={**self.parameters, **added})

    @property
    def overrides(self) -> tuple[str, ...]:
        """Return the options of SAM with all parameters, which replace those of its configuration file."""
        return ("--parameter-overrides", *(_assignment(name, value) for name, value in self.parameters.items()))


def host_architecture() -> str:
    """Return the architecture of this machine, which runs the functions of an emulator."""
    return "arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64"


def use_account(settings: StageSettings, environ: MutableMapping[str, str]) -> None:
    """Set the stage's profile and region in `environ`, so that every command uses the account of `deploy`.

    A profile of the stage replaces credentials in the environment. Without a region of the stage, botocore uses
    AWS_DEFAULT_REGION or a profile; AWS_REGION, which it does not read, replaces the former.
    """
    if settings.profile:
        for name in AMBIENT_CREDENTIALS:
            environ.pop(name, None)
        environ["AWS_PROFILE"] = settings.profile
    region = settings.region or environ.get("AWS_DEFAULT_REGION") or environ.get("AWS_REGION")
    if region:
        environ["AWS_DEFAULT_REGION"] = environ["AWS_REGION"] = region


def read_settings(file: Path, stage: str) -> StageSettings:
    """Return the settings of `stage`. Raises DeploymentError for a file or a section that cannot deploy the stage."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DeploymentError(f"{file} cannot be read: {error}") from error
    section = document.get(stage)
    return _default(stage) if section is None else _of_section(section, stage, file)


def _default(stage: str) -> StageSettings:
    stack = f"flexchat-{stage}"
    return StageSettings(
        stage=stage,
        stack=stack,
        region=None,
        profile=None,
        confirms=False,
        is_default=True,
        parameters={"Stage": stage},
        build_options=(),
        deploy_options=(
            *("--stack-name", stack),
            *("--resolve-s3", "--s3-prefix", stack, "--capabilities", "CAPABILITY_IAM"),
            *("--no-confirm-changeset", "--no-fail-on-empty-changeset"),
            *("--tags", f"project=flexchat stage={stage}"),
        ),
    )


def _of_section(section: Any, stage: str, file: Path) -> StageSettings:
    try:
        commands = _Section.model_validate(section)
        values = _Parameters.model_validate({**commands.everywhere.parameters, **commands.deploy.parameters})
    except ValidationError as error:
        reasons = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise DeploymentError(f"{file} cannot be used for {stage!r}: {reasons}") from error
    if values.stack_name is None:
        raise DeploymentError(
            f"{file} has no stack_name for {stage!r}: "
            f'add stack_name = "flexchat-{stage}" to [{stage}.global.parameters], or remove the section'
        )
    parameters = _parameters(values.parameter_overrides)
    if parameters.get("Stage") != stage:
        raise DeploymentError(
            f"{file} does not deploy {stage!r} by the section of this name: "
            f'set parameter_overrides = ["Stage={stage}"] in [{stage}.global.parameters]'
        )
    options = ("--config-env", stage, "--config-file", str(file))
    return StageSettings(
        stage=stage,
        stack=values.stack_name,
        region=values.region,
        profile=values.profile,
        confirms=values.confirm_changeset,
        is_default=False,
        parameters=parameters,
        build_options=options,
        deploy_options=options,
    )


def _parameters(overrides: Overrides) -> dict[str, str]:
    """Return the template's parameters from any form that SAM accepts: a table, a list of assignments, or their
    text."""
    if isinstance(overrides, Mapping):
        return dict(overrides)
    texts = (overrides,) if isinstance(overrides, str) else overrides
    pairs = (_PARAMETER_KEY.sub(r"\1=", word).partition("=") for text in texts for word in shlex.split(text))
    return {name: value for name, separator, value in pairs if separator}


def parameter(text: str) -> tuple[str, str]:
    """Return the name and value of `NAME=VALUE`. Raises DeploymentError."""
    name, separator, value = text.partition("=")
    if not separator or not name.isalnum():
        raise DeploymentError(f"a parameter of the template must be NAME=VALUE, not {text!r}")
    return name, value


def _assignment(name: str, value: str) -> str:
    """Return a parameter in the form of SAM, which ignores an empty value without quotation marks."""
    return f"{name}={value}" if re.fullmatch(r"[^\s\"']+", value) else f'{name}="{value}"'
