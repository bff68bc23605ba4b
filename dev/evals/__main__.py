"""Measurements of quality: search results and validation verdicts; `make bench` prints the tables."""

from dev.evals import retrieval, validation


def main() -> None:
    """Print every table."""
    retrieval.report()
    validation.report()


if __name__ == "__main__":
    main()
