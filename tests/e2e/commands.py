"""The `flexchat` command, as it is typed."""

import subprocess
import sys
from pathlib import Path

COMMAND = Path(sys.executable).with_name("flexchat")


def flexchat(*words: str, env: dict[str, str] | None = None) -> str:
    """What the command prints; fails the test when the command fails."""
    done = run_flexchat(*words, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_flexchat(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The finished command, whatever its exit code."""
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False, timeout=120, env=env)  # noqa: S603
