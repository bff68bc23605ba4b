"""What a chat and a search cost, and how well the search finds, printed as tables: `make bench`."""

from bench import cold_start, retrieval, retrieval_scale, tool_formats, tool_loop


def main() -> None:
    tool_loop.report()
    tool_formats.report()
    cold_start.report()
    retrieval.report()
    retrieval_scale.report()


if __name__ == "__main__":
    main()
