"""Speed of chats, streams, http and mcp tools, cold starts, commands, searches; `make bench` prints the tables."""

from dev.bench import cold_start, command_start, http_tool, mcp_tool, retrieval_scale, streams, tool_formats, tool_loop


def main() -> None:
    """Print every table."""
    tool_loop.report()
    streams.report()
    tool_formats.report()
    http_tool.report()
    mcp_tool.report()
    cold_start.report()
    command_start.report()
    retrieval_scale.report()


if __name__ == "__main__":
    main()
