"""What runs now: `.local/stack.json`, read by `flexchat chat`, the end-to-end tests and scripts."""

import contextlib
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError


class StackState(BaseModel):
    """A running local stack.

    `url` ends without a slash; `endpoint` is the AWS emulator's; `config` is the configuration last pushed;
    `demo_model` is the address of the demo model when it runs. `root` is the checkout whose code was deployed, and
    `code` the fingerprint of that code.
    """

    model_config = ConfigDict(frozen=True)

    url: str
    token: str
    region: str
    endpoint: str
    pids: tuple[int, ...]
    stage: str
    stack: str
    config: str
    demo_model: str | None = None
    root: str = ""
    code: str = ""


def read_state(path: Path) -> StackState | None:
    """The state written last, or None when there is none that can be read."""
    try:
        return StackState.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def write_state(path: Path, state: StackState) -> None:
    """Write the state in one step, readable by its owner only: it holds a token."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    with contextlib.suppress(FileNotFoundError):
        partial.unlink()
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(state.model_dump_json(indent=2) + "\n")
    partial.replace(path)
