"""What a chat and a search cost, how well the search finds and a validation tells: tables, by `make bench`."""

from dev.bench import cold_start, command_start, retrieval_scale, tool_loop
from dev.evals import retrieval, tool_formats, validation


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
