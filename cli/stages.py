"""The stage a command works on."""

import os
import re
from typing import Annotated

import typer

from cli.local.layout import Layout

STAGE = re.compile(r"^[a-z][a-z0-9-]{0,24}$")


def _checked(stage: str) -> str:
    if not STAGE.match(stage):
        raise typer.BadParameter("must be 1 to 25 of a-z, 0-9 and -, and begin with a letter")
    # It reads the stack's state with pydantic, which help does not wait for.
    from cli.local.target import point_at_local_stack

    point_at_local_stack(stage, state=Layout.here().state, environ=os.environ)
    return stage


Stage = Annotated[
    str, typer.Option(envvar="FLEXCHAT_STAGE", callback=_checked, help="The stage, as deployed: dev, prod, local.")
]
