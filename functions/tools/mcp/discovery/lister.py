"""Lists of tools of configured servers over the connections of the environment."""

from msgspec import Struct

from flexchat.config.models.mcp_servers import McpServerConfig
from flexchat.errors import ToolError
from flexchat.mcp import ListTools, ServerListing
from flexchat.mcp_listings import McpFailure
from flexchat.tool_secrets import SecretReader
from functions.tools.mcp.errors import ConnectionFailedError
from functions.tools.mcp.list_tools import List, resolved_connection


class ConnectedServers(Struct, frozen=True):
    """Servers with the secrets of their connections; `listed` returns the tools at a connection."""

    listed: List
    secrets: SecretReader

    def __call__(self, server: str, config: McpServerConfig, timeout_ms: int) -> ServerListing | McpFailure:
        """Return the tools of a server, or the reason why they are unknown."""
        request = ListTools(
            server=server, connection=config.connection, request_id=f"refresh-{server}", timeout_ms=timeout_ms
        )
        try:
            return self.listed(server, resolved_connection(request, self.secrets), timeout_ms)
        except ConnectionFailedError as exc:
            return McpFailure(message=f"{exc.headline}: {exc.reason}", attempts=exc.attempts, stderr=exc.stderr)
        except ToolError as exc:
            return McpFailure(message=exc.message)
        except TimeoutError:
            return McpFailure(message=f"no list of tools within {timeout_ms} ms")
