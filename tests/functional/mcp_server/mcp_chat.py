"""MCP client of a deployed chat function, without the SDK."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.functional.chat.harness import Answer, Chat

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ENVELOPE: dict[str, Any] = {VERSION: "2026-07-28", CAPABILITIES: {}}
SERVER: dict[str, Any] = {"name": "flexchat", "title": "Flexchat", "version": "1.0.0"}


@dataclass
class McpClient:
    """Sends messages to `/mcp` of one function."""

    chat: Chat

    def send(self, body: Any, *, headers: Mapping[str, str] | None = None, principal: str | None = None) -> Answer:
        return self.chat.post(body, path="/mcp", headers=headers, principal=principal)

    def request(
        self, method: str, params: Any = None, *, headers: Mapping[str, str] | None = None, id: Any = 1
    ) -> Answer:
        """Send a request of the handshake era."""
        message = {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})}
        return self.send(message, headers=headers)

    def modern(self, method: str, params: Any = None, *, headers: Mapping[str, str] | None = None) -> Answer:
        """Send a request of the version 2026-07-28; `headers` replace those that it has."""
        own = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
        given: dict[str, Any] = {"_meta": ENVELOPE, **(params or {})}
        if isinstance(given.get("name"), str):
            own["Mcp-Name"] = given["name"]
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}
        return self.send(message, headers={**own, **(headers or {})})

    def call(self, tool: str, arguments: Any = None) -> dict[str, Any]:
        """Return the result of a call of a tool."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments or {}})
        assert answer.status == 200, answer
        return answer.body["result"]

    def names(self) -> list[str]:
        return [tool["name"] for tool in self.request("tools/list").body["result"]["tools"]]


def text(result: Mapping[str, Any]) -> str:
    """Return the text of a result with one text."""
    [block] = result["content"]
    return block["text"]
