"""Options that several commands share: the stage, the service, JSON output."""

import os
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated

import typer

from cli.client import Client
from cli.layout import LOCAL_STAGE, Layout
from cli.target import find_target
from cli.terminal import echo, json_text
from flexchat.errors import FlexchatError

STAGE = re.compile(r"^[a-z][a-z0-9-]{0,24}$")

ABSENT = ("ResourceNotFoundException", "NoSuchBucket")
"""Codes of a missing table or bucket, as in a region or an account without the stage."""


class StageError(FlexchatError):
    """An error of AWS with its stage and region."""


def _named(stage: str | None) -> str | None:
    if stage is not None and not STAGE.match(stage):
        raise typer.BadParameter("must be 1 to 25 of a-z, 0-9 and -, and begin with a letter")
    return stage


def _checked(context: typer.Context, stage: str) -> str:
    _named(stage)
    # Imported here, so that help does not wait for pydantic.
    if stage == LOCAL_STAGE:
        from cli.local_stack import point_at_local_stack

        point_at_local_stack(stage, state=Layout.here().state, environ=os.environ)
    else:
        from cli.deployment.settings import SAMCONFIG, read_settings, use_account

        use_account(read_settings(Layout.here().root / SAMCONFIG, stage), os.environ)
    context.with_resource(_located(stage))
    return stage


Stage = Annotated[
    str, typer.Option(envvar="FLEXCHAT_STAGE", callback=_checked, help="The stage, as deployed: dev, prod, local.")
]


StageName = Annotated[
    str | None,
    typer.Option("--stage", envvar="FLEXCHAT_STAGE", callback=_named, help="The stage that the file is for."),
]
"""Name of a stage that the command does not connect to."""


def require_deployed(stage: str) -> None:
    """Check that `stage` has a stack; the local stack always has one.

    Raises UnknownNameError with the deployed stages.
    """
    from cli.deployment.account import Stack
    from cli.deployment.settings import SAMCONFIG, read_settings

    if stage != LOCAL_STAGE:
        Stack(read_settings(Layout.here().root / SAMCONFIG, stage).stack).require(stage)


@contextmanager
def _located(stage: str) -> Generator[None]:
    """Add the stage and the region to an error of AWS, whose most common cause is a wrong region."""
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
    """Return the code of the AWS error that `error` translates, empty without a response; None for any other error."""
    if "botocore.exceptions" not in sys.modules:
        return None  # no command has called AWS
    from botocore.exceptions import BotoCoreError, ClientError

    if isinstance(error.__cause__, ClientError):
        return error.__cause__.response.get("Error", {}).get("Code", "")
    return "" if isinstance(error.__cause__, BotoCoreError) else None


def _place(stage: str) -> str:
    from boto3.session import Session

    region = Session().region_name
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    where = f"region {region!r}" if region else "no region"
    return f"stage {stage!r}, {where}" + (f", endpoint {endpoint}" if endpoint else "")


YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Delete without confirmation.")]
UrlOption = Annotated[
    str | None, typer.Option(help="The address of the service. [default: FLEXCHAT_URL or the local stack's]")
]
TokenOption = Annotated[
    str | None, typer.Option(help="A token of the service. [default: FLEXCHAT_TOKEN or the local stack's]")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Limit = Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of entries.")]


def print_json(value: object, *, ascii_only: bool = False) -> None:
    """Print a JSON document, indented; unless `ascii_only`, with the characters beyond ASCII that a terminal shows."""
    echo(json_text(value, ascii_only=ascii_only))


def connect(*, url: str | None, token: str | None) -> Client:
    """Return a client of the service of the options, else of the environment, else of the local stack."""
    return Client(find_target(url=url, token=token, environ=os.environ, state=Layout.here().state))
