"""Speed of the tool loop, http tools, mcp tools, cold starts, commands and searches; `make bench` prints the tables."""

from dev.bench import cold_start, command_start, http_tool, mcp_tool, retrieval_scale, tool_formats, tool_loop


def main() -> None:
    """Print every table."""
    tool_loop.report()
    tool_formats.report()
    http_tool.report()
    mcp_tool.report()
    cold_start.report()
    command_start.report()
    retrieval_scale.report()


if __name__ == "__main__":
    main()
