"""Run the server scenarios against `/mcp` of the local stack: `python -m tests.conformance.server`."""

import sys

import httpx

from cli.layout import Layout
from dev.local_stack.running import running_stack
from tests.conformance.forwarder import to_service
from tests.conformance.server_scenarios import CONFIGURATION, SCENARIOS, run_server_scenarios
from tests.e2e.commands import flexchat

ANSWER_SECONDS = 60


def main() -> int:
    """Return 0 when every scenario passes. The stack serves the tools of the scenarios meanwhile."""
    stack = running_stack(Layout.here())
    if stack is None:
        print("no local stack is running; start one with `make up`", file=sys.stderr)  # noqa: T201
        return 2
    flexchat("local", "up", "--config", str(CONFIGURATION))
    passed = 0
    try:
        headers = {"Authorization": f"Bearer {stack.token}"}
        with httpx.Client(base_url=stack.url, headers=headers, timeout=ANSWER_SECONDS, trust_env=False) as client:
            for outcome in run_server_scenarios(to_service(client)):
                passed += outcome.passed
                print(f"{'✓' if outcome.passed else '✗'} {outcome.scenario}", *outcome.errors, sep="\n    ")  # noqa: T201
    finally:
        flexchat("local", "up", "--config", stack.config)
    print(f"{passed} of {len(SCENARIOS)} server scenarios passed")  # noqa: T201
    return 0 if passed == len(SCENARIOS) else 1


if __name__ == "__main__":
    sys.exit(main())
