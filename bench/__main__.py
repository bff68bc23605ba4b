"""What a chat costs, printed as tables: `make bench`."""

from bench import cold_start, tool_formats, tool_loop


def main() -> None:
    tool_loop.report()
    tool_formats.report()
    cold_start.report()


if __name__ == "__main__":
    main()
