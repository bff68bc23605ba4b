"""Folders of servers that run as processes: empty ones for each start, and a cache for the installer of each server."""

import hashlib
import os
import stat
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from flexchat.config.models.mcp_connections import StdioConnection
from flexchat.json import dumps

CACHE_VARIABLES = {
    "BUN_INSTALL_CACHE_DIR": "bun",
    "NPM_CONFIG_CACHE": "npm",
    "PIPX_HOME": "pipx",
    "PIP_CACHE_DIR": "pip",
    "UV_CACHE_DIR": "uv",
    "UV_PYTHON_INSTALL_DIR": "uv-python",
    "UV_TOOL_DIR": "uv-tools",
    "XDG_CACHE_HOME": "cache",
    "XDG_DATA_HOME": "data",
}
"""Variables of folders in which installers store what they download, with the names of the folders."""


class Folders(NamedTuple):
    """Folders of one start. `variables` are those of the environment that name them, `own` all that belong to it."""

    current: Path
    variables: Mapping[str, str]
    own: tuple[Path, ...]


class ServerFolders:
    """Folders below one in `parent` that only the user of the function may use."""

    def __init__(self, parent: Path = Path("/tmp")) -> None:  # noqa: S108 # all that a function may write
        self._parent = parent

    @property
    def root(self) -> Path:
        """The folder of all servers. Raises PermissionError for one that another user made."""
        root = self._parent / f"flexchat-mcp-{os.getuid()}"
        root.mkdir(mode=0o700, exist_ok=True)
        found = root.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise PermissionError(f"{root} must be a folder that only the user of the function may use: remove it")
        return root

    @contextmanager
    def start(self, server: str, connection: StdioConnection, *, installs: bool) -> Generator[Folders]:
        """Make an empty home, temporary and current folder, which are removed at the end.

        With `installs`, the cache of the server's installer is among the folders. It is not removed, so that a server
        that is started again is not downloaded again; no other server has it.
        """
        with tempfile.TemporaryDirectory(prefix="run-", dir=self.root, ignore_cleanup_errors=True) as name:
            run = Path(name)
            current, home, temporary = run / "current", run / "home", run / "tmp"
            for folder in (current, home, temporary):
                folder.mkdir(mode=0o700)
            variables = {"HOME": str(home), "TMPDIR": str(temporary)}
            if not installs:
                yield Folders(current, variables, (run,))
                return
            cache = self._cache(server, connection)
            caches = {variable: str(cache / folder) for variable, folder in CACHE_VARIABLES.items()}
            yield Folders(current, variables | caches, (run, cache))

    def _cache(self, server: str, connection: StdioConnection) -> Path:
        """Return the cache of what a server's command line installs."""
        command_line = dumps([server, connection.command, *connection.args])
        cache = self.root / f"cache-{hashlib.sha256(command_line.encode()).hexdigest()[:32]}"
        cache.mkdir(mode=0o700, exist_ok=True)
        return cache
