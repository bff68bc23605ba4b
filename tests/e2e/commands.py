"""Execution of the `flexchat` command."""

import os
import subprocess
import sys
from pathlib import Path

from cli.layout import Layout
from dev.local_stack.environment import recorded

COMMAND = Path(sys.executable).with_name("flexchat")


def flexchat(
    *words: str, env: dict[str, str] | None = None, input: str | None = None, principal: str = "operator"
) -> str:
    """Return the output of a command; a failed command fails the test."""
    done = run_flexchat(*words, env=env, input=input, principal=principal)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_flexchat(
    *words: str, env: dict[str, str] | None = None, input: str | None = None, principal: str = "operator"
) -> subprocess.CompletedProcess[str]:
    """Return the finished command with any exit code; its AWS calls are recorded as those of `principal`."""
    return subprocess.run(  # noqa: S603
        [COMMAND, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        input=input,
        env={**(os.environ if env is None else env), **recorded(Layout.here(), principal=principal)},
    )
