"""Commands that MCP servers may be started with: those that the deployment lists, never those of a configuration."""

import shutil
import time
from collections.abc import Iterable, Mapping
from typing import Protocol

from flexchat.config.models.mcp_connections import is_listed_command
from flexchat.config.parameters import mcp_commands_name
from flexchat.deadline import Clock
from flexchat.errors import ConfigError, ToolError, UnavailableError
from flexchat.observability import logger


class Commands:
    """Commands of the template's parameter `McpCommands`: exact ones, and `/folder/*` for all of a folder.

    Names without a folder are searched on the deployment's PATH, never on that of the configuration.
    """

    def __init__(self, listed: str, *, path: str) -> None:
        self._listed = listed
        self._path = path

    def resolve(self, command: str, server: str) -> str:
        """Return the path of a listed command. Raises ToolError for another one, and one that is not installed."""
        if not is_listed_command(command, self._listed):
            logger.error("mcp command refused", server=server, command=command, listed=self._listed)
            raise ToolError(
                f"The command of the MCP server '{server}' is not among the deployment's commands (McpCommands)",
                type="configuration",
            )
        found = shutil.which(command, path=self._path)
        if found is None:
            raise FileNotFoundError(f"the command {command!r} is not installed in the function or its layers")
        return found


class Parameters(Protocol):
    """Store of parameters, such as a ParameterStore."""

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...


class StageCommands:
    """Reads the list of a stage's commands at its first use and again after `ttl_seconds`.

    While SSM does not answer, the last list is used. `clock` is the wall's: a monotonic one stops in a snapshot.
    """

    def __init__(self, store: Parameters, *, stage: str, ttl_seconds: float, clock: Clock = time.time) -> None:
        self._store = store
        self._name = mcp_commands_name(stage)
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._listed: str | None = None
        self._fresh_until = float("-inf")

    def __call__(self) -> str:
        """Return the commands, separated by commas; empty where the stage has no list. Raises ToolError."""
        if self._clock() >= self._fresh_until:
            try:
                self._listed = self._store.read([self._name]).get(self._name, "")
            except (ConfigError, UnavailableError) as exc:
                logger.error("mcp commands not read", parameter=self._name, reason=str(exc))
                if self._listed is None:
                    raise ToolError(
                        "The deployment's commands cannot be read at the moment", type="unavailable"
                    ) from exc
            self._fresh_until = self._clock() + self._ttl_seconds
        return self._listed or ""
