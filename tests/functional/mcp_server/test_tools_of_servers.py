"""Tools of other MCP servers over `/mcp`: offered and withheld as in chats."""

from mypy_boto3_dynamodb import DynamoDBClient

from tests.functional.chat.test_mcp_tools import READ, McpChat, listing
from tests.functional.mcp_server.mcp_chat import McpClient


def test_tools_of_servers_are_offered_unless_they_are_withheld(dynamodb: DynamoDBClient) -> None:
    served = McpChat(dynamodb, [])
    served.store(listing("files", READ), listing("wiki", {**READ, "name": "search"}, away=True))
    mcp = McpClient(served.chat)

    tools = mcp.request("tools/list").body["result"]["tools"]

    assert [(tool["name"], tool.get("title")) for tool in tools] == [("chat", "Chat"), ("files_read", "files/read")]
    assert tools[1]["inputSchema"] == READ["inputSchema"]
    assert "annotations" not in tools[1]
    assert mcp.call("files_read", {"path": "a.txt"})["isError"] is False
    [event] = served.lambdas.executed
    assert (event["tool"], event["implementation"]["tool"]) == ("files/read", "read")
    withheld = mcp.request("tools/call", {"name": "wiki_search", "arguments": {}})
    assert withheld.body["error"] == {"code": -32602, "message": "Unknown tool: wiki_search"}
