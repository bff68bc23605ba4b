"""`make conformance`: the client scenarios, and the server scenarios against `/mcp` of the local stack."""

import sys
from collections.abc import Iterable

import httpx2

from cli.layout import Layout
from dev.local_stack.running import running_stack
from tests.conformance.client_scenarios import run_client_scenarios
from tests.conformance.outcome import Outcome
from tests.conformance.server_scenarios import CONFIGURATION, run_server_scenarios
from tests.e2e.commands import flexchat

ANSWER_SECONDS = 60


def main() -> int:
    """Return 0 when every scenario passes. The stack serves the tools of the server scenarios meanwhile."""
    stack = running_stack(Layout.here())
    if stack is None:
        print("no local stack is running; start one with `make up`", file=sys.stderr)  # noqa: T201
        return 2
    passed = _report("client", run_client_scenarios())
    flexchat("local", "up", "--config", str(CONFIGURATION))
    try:
        headers = {"Authorization": f"Bearer {stack.token}"}
        with httpx2.Client(base_url=stack.url, headers=headers, timeout=ANSWER_SECONDS, trust_env=False) as client:
            passed &= _report("server", run_server_scenarios(client))
    finally:
        flexchat("local", "up", "--config", stack.config)
    return 0 if passed else 1


def _report(kind: str, outcomes: Iterable[Outcome]) -> bool:
    """Print each outcome as soon as it is there; return true when all passed."""
    results: list[bool] = []
    for outcome in outcomes:
        results.append(outcome.passed)
        print(f"{'✓' if outcome.passed else '✗'} {outcome.scenario}", *outcome.errors, sep="\n    ", flush=True)  # noqa: T201
    print(f"{sum(results)} of {len(results)} {kind} scenarios passed", flush=True)  # noqa: T201
    return all(results)


if __name__ == "__main__":
    sys.exit(main())
