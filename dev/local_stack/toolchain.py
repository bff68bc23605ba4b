"""The two tools that must not share an environment with us: ministack and aws-sam-cli pin their own boto libraries."""

import hashlib
import os
import shutil
import sys
from pathlib import Path
from typing import Literal

from cli.invocation import make
from dev.local_stack.errors import LocalError
from dev.local_stack.layout import Layout
from dev.local_stack.processes import Processes

REQUIREMENTS = Path(__file__).parent / "requirements"

Tool = Literal["ministack", "sam"]


def ensure_tool(tool: Tool, *, layout: Layout, processes: Processes) -> Path:
    """The folder of the tool's commands, in an environment with exactly what its lock names.

    The environment has this command's own Python: ministack runs functions with the interpreter it runs on, so
    compiled packages load only when that is the template's runtime.
    """
    requirements = REQUIREMENTS / f"{tool}.txt"
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
