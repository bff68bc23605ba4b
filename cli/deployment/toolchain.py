"""Command line tools in separate virtual environments: aws-sam-cli and ministack pin their own boto libraries."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

from cli.errors import LocalError
from cli.invocation import make
from cli.layout import Layout
from cli.processes import Processes

SAM = Path(__file__).parent / "requirements" / "sam.txt"
"""Lock file of aws-sam-cli."""


def ensure_tool(requirements: Path, *, layout: Layout, processes: Processes) -> Path:
    """Install the tool of the lock file `requirements`, which has its name; return the folder of its commands.

    The environment has the Python of this process: ministack runs functions with its own interpreter, so compiled
    packages load only when that is the template's runtime.
    """
    tool = requirements.stem
    home = layout.tools / tool
    stamp = home / ".requirements"
    wanted = hashlib.sha256(requirements.read_bytes() + sys.version.encode() + str(home).encode()).hexdigest()
    if not stamp.is_file() or stamp.read_text() != wanted:
        log = layout.log(f"install-{tool}")
        uv = _uv(layout)
        create = [uv, "venv", "--clear", "--python", sys.executable, home]
        install = [uv, "pip", "install", "--require-hashes", "--python", home / "bin" / "python", "-r", requirements]
        for command in (create, install):
            processes.complete(f"installing {tool}", command, env=os.environ, cwd=layout.root, log=log)
        stamp.write_text(wanted)
    return home / "bin"


def _uv(layout: Layout) -> str:
    found = shutil.which("uv") or shutil.which("uv", path=layout.local / "uv" / "bin")
    if found is None:
        raise LocalError(f"uv is not on PATH; `{make('bootstrap')}` installs one")
    return found
