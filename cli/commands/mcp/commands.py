"""`flexchat mcp`: the MCP servers of a service and their tools."""

from cli.commands.mcp.add import add
from cli.commands.mcp.serve import serve
from cli.commands.mcp.servers import approve, list_servers, list_tools, refresh
from cli.commands.tools import try_tool
from cli.lazy import command_group

app = command_group("Add MCP servers, list and call their tools, approve changes.")
app.command("list")(list_servers)
app.command("tools")(list_tools)
app.command("call")(try_tool)
app.command()(refresh)
app.command()(approve)
app.command()(add)
app.command()(serve)
