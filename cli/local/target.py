"""Lets every command work on the stage `local`: it is wherever the emulator of this checkout listens."""

from collections.abc import MutableMapping
from pathlib import Path

from cli.local.environment import STAGE, point_at_emulator
from cli.local.errors import LocalError
from cli.local.state import read_state


def point_at_local_stack(stage: str, *, state: Path, environ: MutableMapping[str, str]) -> None:
    """Make the AWS clients that `environ` is for those of the running local stack, when `stage` is its stage.

    Whoever names an AWS endpoint in the environment means that one. Raises LocalError when no stack runs: the stage
    `local` of somebody's real account is never what was meant.
    """
    if stage != STAGE or "AWS_ENDPOINT_URL" in environ:
        return
    stack = read_state(state)
    if stack is None:
        raise LocalError("no local stack runs; start one with `make up`")
    point_at_emulator(environ, stack.endpoint)
