"""The stage a command works on."""

import os
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated

import typer

from dev.local_stack.layout import Layout
from flexchat.errors import FlexchatError

STAGE = re.compile(r"^[a-z][a-z0-9-]{0,24}$")
LOCAL = "local"

ABSENT = ("ResourceNotFoundException", "NoSuchBucket")
"""Codes of a table or a bucket that does not exist, as in a region or an account without the stage."""


class StageError(FlexchatError):
    """An error of AWS with the stage and the region that it is about."""


def _checked(context: typer.Context, stage: str) -> str:
    if not STAGE.match(stage):
        raise typer.BadParameter("must be 1 to 25 of a-z, 0-9 and -, and begin with a letter")
    # They read files with pydantic, which help does not wait for.
    if stage == LOCAL:
        from dev.local_stack.target import point_at_local_stack

        point_at_local_stack(stage, state=Layout.here().state, environ=os.environ)
    else:
        from cli.deployment.settings import SAMCONFIG, read_settings, use_account

        use_account(read_settings(Layout.here().root / SAMCONFIG, stage), os.environ)
    context.with_resource(_located(stage))
    return stage


Stage = Annotated[
    str, typer.Option(envvar="FLEXCHAT_STAGE", callback=_checked, help="The stage, as deployed: dev, prod, local.")
]


def require_deployed(stage: str) -> None:
    """Raises UnknownNameError, with the deployed stages, when `stage` has no stack; the local stack always has one."""
    from cli.deployment.account import Stack
    from cli.deployment.settings import SAMCONFIG, read_settings

    if stage != LOCAL:
        Stack(read_settings(Layout.here().root / SAMCONFIG, stage).stack).require(stage)


@contextmanager
def _located(stage: str) -> Generator[None]:
    """Add the stage and the region to an error of AWS: a wrong region is its commonest cause."""
    try:
        yield
    except FlexchatError as error:
        cause = _cause(error)
        if cause is None:
            raise
        if cause in ABSENT:
            require_deployed(stage)
        raise StageError(f"{error}\n{_place(stage)}") from error


def _cause(error: FlexchatError) -> str | None:
    """The code of the AWS error that `error` translates, empty without a response; None for any other error."""
    if "botocore.exceptions" not in sys.modules:
        return None  # no command has called AWS
    from botocore.exceptions import BotoCoreError, ClientError

    if isinstance(error.__cause__, ClientError):
        return error.__cause__.response.get("Error", {}).get("Code", "")
    return "" if isinstance(error.__cause__, BotoCoreError) else None


def _place(stage: str) -> str:
    from botocore.session import Session

    region = Session().get_config_variable("region")
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    where = f"region {region!r}" if region else "no region"
    return f"stage {stage!r}, {where}" + (f", endpoint {endpoint}" if endpoint else "")
