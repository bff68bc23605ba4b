"""Import every OpenAPI document of a folder, and validate requests of the tools on a server of each document.

    python -m dev.openapi_check FOLDER [--operations 20] [--seed 1] [--verbose]

Exit code 1 if `config check` rejects a written file, or a request is not as its document requires.
"""

import argparse
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from dev.openapi_check.check import Call, DocumentResult, check_document, totals
from dev.openapi_check.server import validating_server
from flexchat.egress.client import GuardedTransport
from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ConfigError
from flexchat.http_client import BoundedHttpClient
from flexchat.observability import logger
from functions.tools.http.sender import HttpSender
from functions.tools.http.tool import HttpTool

_SUFFIXES = (".json", ".yaml", ".yml")


@contextmanager
def http_tool() -> Generator[Call]:
    """Yield the http tool, which may call this machine."""
    policy = EgressPolicy(local=True)
    transport = GuardedTransport(policy)
    try:
        yield HttpTool(HttpSender(BoundedHttpClient(transport=transport, compressed=False), policy))
    finally:
        transport.close()


def run(files: list[Path], *, count: int, seed: int) -> Generator[DocumentResult]:
    """Yield the result of each document; one that is no OpenAPI document is skipped."""
    with validating_server() as server, http_tool() as call:
        for file in files:
            try:
                yield check_document(file, server, call, count=count, seed=seed)
            except ConfigError as exc:
                print(f"{file.name}: skipped: {exc}")


def main(arguments: list[str]) -> int:
    """Print a line for each document, the totals, and the reasons for what is left out."""
    parser = argparse.ArgumentParser(prog="python -m dev.openapi_check", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of OpenAPI documents in JSON or YAML")
    parser.add_argument("--operations", type=int, default=20, help="random operations of each document that are called")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="print every fault, also those under CHANGED")
    options = parser.parse_args(arguments)
    files = sorted(file for file in options.folder.iterdir() if file.suffix in _SUFFIXES)
    results: list[DocumentResult] = []
    for result in run(files, count=options.operations, seed=options.seed):
        results.append(result)
        print(_line(result), flush=True)
        _print_faults(result, verbose=options.verbose)
    total = totals(results)
    print(_line(total))
    for reason, number in total.left_out.most_common():
        print(f"{number:6} left out: {reason}")
    return 1 if total.wrong or total.rejected else 0


def _line(result: DocumentResult) -> str:
    return (
        f"{result.name}: {result.operations} operations, {result.imported} imported, {result.changed} changed, "
        f"{sum(result.left_out.values())} left out, {len(result.rejected)} rejected by config check; "
        f"{result.requests} requests, {result.right} values right, {len(result.declared)} under CHANGED, "
        f"{len(result.wrong)} wrong"
    )


def _print_faults(result: DocumentResult, *, verbose: bool) -> None:
    shown = None if verbose else 5
    for each in result.rejected[:shown]:
        print(f"    rejected: {each[:200]}")
    for each in result.wrong[:shown]:
        print(f"    wrong: {each[:300]}")
    for each in result.declared if verbose else ():
        print(f"    CHANGED: {each[:300]}")


if __name__ == "__main__":
    logger.setLevel("ERROR")  # of this process alone
    sys.exit(main(sys.argv[1:]))
