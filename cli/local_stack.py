"""The running local stack: its record `.local/stack.json`, and the environment of its AWS clients."""

import base64
import os
import secrets
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from cli.errors import LocalError
from cli.files import write_private
from cli.invocation import make
from cli.layout import LOCAL_STAGE, Layout

REGION = "us-east-1"


class StackState(BaseModel):
    """A running local stack.

    `url` is the local gateway's and ends without a slash; `endpoint` is the AWS emulator's, and `emulated_url` the
    API's address there; `config` is the file last pushed, and `published` the hash of what it published;
    `demo_model` is the address of the demo model when it runs. `root` is the checkout whose code was deployed, and
    `code` the fingerprint of that code. `mcp_commands` are those that MCP servers may be started with. `access_key_id`
    is the only one that the emulator accepts.
    """

    model_config = ConfigDict(frozen=True)

    url: str
    token: str
    region: str
    endpoint: str
    access_key_id: str
    pids: tuple[int, ...]
    stage: str
    stack: str
    config: str
    published: str = ""
    demo_model: str | None = None
    root: str = ""
    code: str = ""
    emulated_url: str = ""
    mcp_commands: tuple[str, ...] = ()


def read_state(path: Path) -> StackState | None:
    """Return the last written state, or None without a readable one."""
    try:
        return StackState.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def write_state(path: Path, state: StackState) -> None:
    """Write the state atomically, readable by its owner only, since it contains the token and the key."""
    write_private(path, state.model_dump_json(indent=2) + "\n")


def new_access_key_id() -> str:
    """Return a random access key id in the format of AWS, which logs redact."""
    return f"AKIA{base64.b32encode(secrets.token_bytes(10)).decode()}"


def aws_environment(endpoint: str, access_key_id: str) -> dict[str, str]:
    """Return the environment for AWS clients of the emulator only, which verifies the access key id alone."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": access_key_id,
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_PAGER": "",
    }


def point_at_emulator(environ: MutableMapping[str, str], endpoint: str, access_key_id: str) -> None:
    """Set the emulator's account in `environ`, without a profile, which would be read."""
    for name in [name for name in environ if name.startswith("AWS_")]:
        del environ[name]
    environ.update(aws_environment(endpoint, access_key_id))


def point_at_local_stack(stage: str, *, state: Path, environ: MutableMapping[str, str]) -> None:
    """Configure `environ` for the AWS clients of the running local stack, when `stage` is its stage.

    An AWS endpoint in the environment is not replaced. Raises LocalError when no stack runs, since the stage `local` of
    a real account is never intended.
    """
    if stage != LOCAL_STAGE or "AWS_ENDPOINT_URL" in environ:
        return
    stack = read_state(state)
    if stack is None:
        raise LocalError(f"no local stack is running; start one with `{make('up')}`")
    point_at_emulator(environ, stack.endpoint, stack.access_key_id)


def local_stack(stage: str, *, environ: Mapping[str, str], state: Path | None = None) -> StackState | None:
    """Return the local stack, when `stage` is its stage and `environ` is configured for it."""
    if stage != LOCAL_STAGE:
        return None
    stack = read_state(state or Layout.here().state)
    return stack if stack is not None and environ.get("AWS_ENDPOINT_URL") == stack.endpoint else None
