"""`flexchat mcp serve`: the MCP server of a service over stdio."""

import sys
from contextlib import redirect_stdout, suppress

from cli.options import TokenOption, UrlOption, connect
from cli.terminal import echo


def serve(*, url: UrlOption = None, token: TokenOption = None) -> None:
    """Serve the tools of a service to an MCP client over stdio, for clients that start a command.

    Reads a JSON-RPC message from each line of standard input and writes the responses to standard output; everything
    else goes to standard error. Ends with standard input.
    """
    from cli.mcp_proxy import McpProxy

    client, output = connect(url=url, token=token), sys.stdout.buffer

    def write(line: bytes) -> None:
        with suppress(BrokenPipeError):  # after the end of the client, standard input ends too
            output.write(line)
            output.flush()

    def report(text: str) -> None:
        echo(f"flexchat mcp serve: {text}", err=True)

    with redirect_stdout(sys.stderr):
        report(f"serving {client.url}/mcp")
        McpProxy(client.send_mcp_message, write=write, report=report).run(sys.stdin.buffer)
