"""What a chat and a search cost, how well the search finds and a validation tells: tables, by `make bench`."""

from bench import cold_start, command_start, retrieval, retrieval_scale, tool_formats, tool_loop, validation


def main() -> None:
    tool_loop.report()
    tool_formats.report()
    cold_start.report()
    command_start.report()
    retrieval.report()
    retrieval_scale.report()
    validation.report()


if __name__ == "__main__":
    main()
