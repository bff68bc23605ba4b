"""The page in Firefox: every view, a streamed answer, a stopped one and a trace, at both widths."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.layout import Layout
from cli.local_stack import StackState

SCRIPT = Path(__file__).parent / "firefox" / "visit.mjs"
NAMES = ("firefox-esr", "firefox")
LONGEST_SECONDS = 300

WIDTHS = (1280, 390)


def find_firefox() -> str | None:
    """Return the path of the browser: `FIREFOX` if set, else the first on PATH."""
    named = os.environ.get("FIREFOX")
    return next((path for name in ((named,) if named else NAMES) if (path := shutil.which(name))), None)


def test_each_view_a_chat_and_a_trace_work_in_firefox(stack: StackState, layout: Layout, shots: Path) -> None:
    firefox = find_firefox()
    if firefox is None:
        pytest.skip("no Firefox: apt-get install firefox-esr, or FIREFOX=/path/to/firefox")
    node = layout.root / ".venv" / "bin" / "node"

    done = subprocess.run(  # noqa: S603 - the browser of this machine
        [node, SCRIPT, firefox, stack.url, stack.token, shots],
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
    )

    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    steps = [(step["step"], step["width"]) for step in map(json.loads, done.stdout.splitlines())]
    for width in WIDTHS:
        own = [step for step, at in steps if at == width]
        assert own[0] == "signed in"
        assert "view configuration" in own
        assert own[-4:] == ["streamed answer", "stopped answer", "trace", "signed out"]
