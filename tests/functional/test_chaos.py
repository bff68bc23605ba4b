"""`make chaos` in small: chats under faults of every kind, in processes of their own."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_forty_chats_hold_while_models_tools_and_tables_fail() -> None:
    command = [sys.executable, "-m", "bench.chaos", "--chats", "40", "--workers", "10", "--seed", "1"]

    done = subprocess.run(  # noqa: S603 (nobody else's input)
        [*command, "--deadlines", "1.5", "3"], cwd=ROOT, capture_output=True, text=True, timeout=180, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "no violations in 40 chats" in done.stdout
