"""The stage `local`: wherever the emulator of this checkout listens."""

from collections.abc import Mapping, MutableMapping
from pathlib import Path

from cli.invocation import make
from dev.local_stack.environment import STAGE, point_at_emulator
from dev.local_stack.errors import LocalError
from dev.local_stack.layout import Layout
from dev.local_stack.state import StackState, read_state


def point_at_local_stack(stage: str, *, state: Path, environ: MutableMapping[str, str]) -> None:
    """Point the AWS clients of `environ` at the running local stack, when `stage` is its stage.

    An AWS endpoint that the environment names already is left alone. Raises LocalError when no stack runs: the stage
    `local` of a real account is never what was meant.
    """
    if stage != STAGE or "AWS_ENDPOINT_URL" in environ:
        return
    stack = read_state(state)
    if stack is None:
        raise LocalError(f"no local stack runs; start one with `{make('up')}`")
    point_at_emulator(environ, stack.endpoint)


def local_stack(stage: str, *, environ: Mapping[str, str], state: Path | None = None) -> StackState | None:
    """The local stack, when `stage` is its stage and the AWS clients of `environ` are pointed at it."""
    if stage != STAGE:
        return None
    stack = read_state(state or Layout.here().state)
    return stack if stack is not None and environ.get("AWS_ENDPOINT_URL") == stack.endpoint else None
