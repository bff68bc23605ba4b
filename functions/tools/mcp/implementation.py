"""Configuration of a tool of type mcp."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal
from urllib.parse import quote

from pydantic import Field

from flexchat.config.models.mcp_connections import CONNECTION_SECRET_FIELDS, McpConnection
from flexchat.egress.errors import EgressError
from flexchat.egress.urls import parse_address
from flexchat.messages import Json
from flexchat.secret_references import SECRET_REFERENCE
from flexchat.tool_implementation import ToolImplementation

SERVER_NAME_PATTERN = r"^[a-zA-Z0-9_-]{1,32}$"


class Implementation(ToolImplementation):
    """Part of an mcp tool's configuration that belongs to its type.

    `server` is a name of the configuration's `mcp_servers`, `tool` the server's own name of the tool. The chat function
    adds the rest to a call: `connection` and `argument_names` of the server's configuration; `parameters`
    and `output_schema` are the schemas that the server declares.
    """

    secret_fields: ClassVar[tuple[str, ...]] = tuple(f"connection.{field}" for field in CONNECTION_SECRET_FIELDS)

    type: Literal["mcp"]
    server: Annotated[str, Field(pattern=SERVER_NAME_PATTERN)]
    tool: Annotated[str, Field(min_length=1, max_length=256)]
    connection: McpConnection | None = None
    argument_names: dict[str, str] = Field(default_factory=dict[str, str])
    parameters: dict[str, Json] | None = None
    output_schema: dict[str, Json] | None = None

    @classmethod
    def secret_host(cls, path: str, implementation: Mapping[str, Json]) -> str | None:
        """Return the host that a secret in the field at `path` is sent to; None for the environment of a process."""
        connection = implementation.get("connection")
        if not isinstance(connection, dict) or "url" not in connection:
            return None
        auth = connection.get("auth")
        of_client = path.removeprefix("connection.") in ("auth.token_url", "auth.client_id", "auth.client_secret")
        url = auth.get("token_url") if of_client and isinstance(auth, dict) else connection.get("url")
        try:
            return parse_address(_without_references(str(url))).host
        except EgressError:
            return ""

    @classmethod
    def secret_text(cls, path: str, secret: str) -> str:
        """Return `secret` as it is inserted into the field at `path`, percent-encoded in an address where required."""
        is_address = path in ("connection.url", "connection.auth.token_url")
        return quote(secret, safe=_ADDRESS_CHARACTERS) if is_address and not _is_plain(secret) else secret


_ADDRESS_CHARACTERS = "!$&'()*+,-./:;=?@_~"
"""Characters that a part of an address may have, beside letters and digits."""


def _is_plain(text: str) -> bool:
    allowed = f"{_ADDRESS_CHARACTERS}%"
    return text.isascii() and all(character.isalnum() or character in allowed for character in text)


def _without_references(url: str) -> str:
    """Return the address with references to secrets below its host replaced by a letter."""
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host}{slash}{SECRET_REFERENCE.sub('x', path)}"
