"""Commands that the deployment allows MCP servers to be started with."""

import posixpath
import shutil
from collections.abc import Mapping

from flexchat.errors import ToolError
from flexchat.observability import logger


class Commands:
    """Commands of the template's parameter `McpCommands`: exact ones, and `/folder/*` for all of a folder.

    Names without a folder are searched on the deployment's PATH, never on that of the configuration.
    """

    def __init__(self, listed: str, *, path: str) -> None:
        self._listed = tuple(filter(None, (entry.strip() for entry in listed.split(","))))
        self._path = path

    def resolve(self, command: str, server: str) -> str:
        """Return the path of a listed command. Raises ToolError for another one, and one that is not installed."""
        if not self.allows(command):
            logger.error("mcp command refused", server=server, command=command, listed=list(self._listed))
            raise ToolError(
                f"The command of the MCP server '{server}' is not among the deployment's commands (McpCommands)",
                type="configuration",
            )
        found = shutil.which(command, path=self._path)
        if found is None:
            raise FileNotFoundError(f"the command {command!r} is not installed in the function or its layers")
        return found

    def allows(self, command: str) -> bool:
        """Return true for a listed command."""
        if command in self._listed:
            return "*" not in command
        return any(
            posixpath.dirname(command) == entry.removesuffix("/*")
            for entry in self._listed
            if entry.startswith("/") and entry.endswith("/*")
        ) and command == posixpath.normpath(command)


def child_environment(inherited: Mapping[str, str], configured: Mapping[str, str]) -> dict[str, str]:
    """Return the whole environment of a server: nothing of the function's own but `inherited`."""
    return {**inherited, **configured}
