"""Lets every command work on the stage `local`: it is wherever the emulator of this checkout listens."""

import os

from cli.local.environment import STAGE, aws_environment
from cli.local.errors import LocalError
from cli.local.layout import Layout
from cli.local.state import read_state


def point_at_local_stack(stage: str) -> None:
    """Make this process's AWS clients those of the running local stack, when `stage` is its stage.

    Whoever names an AWS endpoint in the environment means that one. Raises LocalError when no stack runs: the stage
    `local` of somebody's real account is never what was meant.
    """
    if stage != STAGE or "AWS_ENDPOINT_URL" in os.environ:
        return
    state = read_state(Layout.here().state)
    if state is None:
        raise LocalError("no local stack runs; start one with `make up`")
    os.environ.update(aws_environment(state.endpoint))
