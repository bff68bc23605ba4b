"""Connection to an MCP server: the part of a server's configuration that travels in each call of its tools."""

import posixpath
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from flexchat.config.models.base import ConfigModel, Headers, Milliseconds
from flexchat.config.models.http_auth import Auth

DEFAULT_CONNECT_TIMEOUT_MS = 5_000

INSTALLERS = ("bunx", "docker", "npm", "npx", "pipx", "pnpm", "pnpx", "podman", "uv", "uvx", "yarn")
"""Commands that may install a server before they start it."""

INSTALLER_CONNECT_TIMEOUT_MS = 300_000


def is_installer(command: object) -> bool:
    """Return whether a command, such as `/opt/bin/npx`, may install its server first."""
    return isinstance(command, str) and posixpath.basename(command) in INSTALLERS


INSTALLER_SETTINGS = (
    *("NPM_CONFIG_", "UV_", "PIP_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
    *("NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"),
)
"""Beginnings of the variables, in any case, that an installer gets of its function: registry, proxy, certificates."""


def is_installer_setting(name: str) -> bool:
    """Return whether an environment variable is a setting of an installer."""
    return name.upper().startswith(INSTALLER_SETTINGS)


def is_listed_command(command: str, listed: str) -> bool:
    """Return whether `listed`, the commands of a deployment, has `command`, or all of its folder as `/opt/*`."""
    commands = tuple(filter(None, (entry.strip() for entry in listed.split(","))))
    if command in commands:
        return "*" not in command
    return command == posixpath.normpath(command) and any(
        posixpath.dirname(command) == entry.removesuffix("/*")
        for entry in commands
        if entry.startswith("/") and entry.endswith("/*")
    )


CONNECTION_SECRET_FIELDS = (
    "env.*",
    "url",
    "headers.*",
    "auth.token",
    "auth.username",
    "auth.password",
    "auth.value",
    "auth.token_url",
    "auth.client_id",
    "auth.client_secret",
)
"""Fields of a connection whose text may name secrets."""

Hint = Annotated[str, Field(min_length=1, max_length=4_096)]


class _Connection(ConfigModel):
    """Fields of every connection: the time limit of one attempt, and hints for the error of one that failed."""

    connect_timeout_ms: Milliseconds = DEFAULT_CONNECT_TIMEOUT_MS
    hints: Annotated[tuple[Hint, ...], Field(max_length=128)] = ()


class StdioConnection(_Connection):
    """A server that the function starts as a child process, and speaks to over stdin and stdout."""

    kind: ClassVar[Literal["stdio"]] = "stdio"

    command: Annotated[str, Field(min_length=1, max_length=1_024)]
    args: Annotated[tuple[Annotated[str, Field(max_length=4_096)], ...], Field(max_length=128)] = ()
    env: Headers = Field(default_factory=dict[str, str])


class HttpConnection(_Connection):
    """A server at an address, over streamable HTTP."""

    kind: ClassVar[Literal["http"]] = "http"

    url: Annotated[str, Field(min_length=1, max_length=8_192, repr=False)]
    headers: Headers = Field(default_factory=dict[str, str])
    auth: Auth | None = None


def _kind(value: Any) -> str:
    return "http" if isinstance(value, HttpConnection) or (isinstance(value, dict) and "url" in value) else "stdio"


McpConnection = Annotated[
    Annotated[StdioConnection, Tag("stdio")] | Annotated[HttpConnection, Tag("http")], Discriminator(_kind)
]
"""Entries with a `url` are HTTP connections, all others stdio."""
