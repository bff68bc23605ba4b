"""Protection of the function, and of the files of its servers, from the servers that it starts.

All of them run with the user of the function, the only one that a Lambda function has.
"""

import ctypes
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from flexchat.observability import logger
from functions.tools.mcp.transports import launcher
from functions.tools.mcp.transports.folders import Folders

SET_DUMPABLE = 4
"""Number of the operation of prctl(2)."""

CONTAINERS = ("docker", "podman")
"""Commands whose servers run in containers, and whose own helpers need the privileges that a confined process lacks."""


@cache
def deny_inspection() -> None:
    """Make environment and memory of this process unreadable for others of its user, such as servers, on Linux."""
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(SET_DUMPABLE, 0, 0, 0, 0) != 0:
        logger.error("process inspection not denied", reason="prctl failed", errno=ctypes.get_errno())


@cache
def _confines() -> bool:
    version = launcher.landlock_version()
    logger.info("mcp confinement detected", landlock=version, confines=version >= launcher.REQUIRED_VERSION)
    return version >= launcher.REQUIRED_VERSION


def confined(command: Sequence[str], folders: Folders, root: Path) -> Sequence[str]:
    """Return the command line that starts `command` without access to the folders of others below `root`.

    It is `command` itself on systems without Landlock (Linux before 5.19), and for containers.
    """
    if Path(command[0]).name in CONTAINERS or not _confines():
        return command
    own = map(str, folders.own)
    return (sys.executable, "-I", "-S", launcher.__file__, str(root.resolve()), *own, "--", *command)
