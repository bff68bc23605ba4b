"""Tools of MCP servers, from the listings that the MCP function stores."""
