"""The conformance suite of MCP, an npm package, with the node of `.venv`."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
LOCK: Final = Path(__file__).parent / "suite" / "package-lock.json"
INSTALLED: Final = ROOT / ".local" / "cache" / "conformance"
PROGRAM: Final = Path("dist", "index.js")

SUITE: Final = "@modelcontextprotocol/conformance"
NEXT_SUITE: Final = "conformance-next"
"""Package of the version in development, which has the scenarios of revision 2026-07-28 of MCP."""


def suite_command(package: str = SUITE) -> tuple[str, ...]:
    """Return the command of a suite, which is installed unless the packages of the lock are there."""
    binaries = Path(sys.executable).parent
    lock = INSTALLED / "installed-lock.json"
    program = INSTALLED / "node_modules" / package / PROGRAM
    if not (program.exists() and lock.exists() and lock.read_bytes() == LOCK.read_bytes()):
        INSTALLED.mkdir(parents=True, exist_ok=True)
        for source in (LOCK, LOCK.with_name("package.json"), ROOT / ".npmrc"):
            shutil.copy(source, INSTALLED)
        command = [str(binaries / "npm"), "ci", "--silent", "--ignore-scripts"]
        subprocess.run(command, cwd=INSTALLED, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        shutil.copy(LOCK, lock)
    return str(binaries / "node"), str(program)
