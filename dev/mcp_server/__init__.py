"""Small MCP server: an example of a compliant one, and a test server whose faults can be switched on.

    python -m dev.mcp_server                     # over stdio
    python -m dev.mcp_server --http 8080         # streamable HTTP at http://127.0.0.1:8080/mcp

It keeps the rules of the protocol: over stdio, stdout has JSON-RPC messages only, one a line, and diagnostics go to
stderr. A tool that fails returns a result with `isError` and a text that helps the model; a protocol error is left to
requests that are wrong in themselves. A tool with structured results declares an output schema. A long call reports its
progress and ends when the client cancels it.

`server.py` has the tools, `faults.py` the faults, `--help` lists their switches.
"""
