"""Client scenarios of the conformance suites, run against the client of mcp tools."""

import sys
from collections.abc import Iterator
from typing import Final

from tests.conformance.outcome import Outcome, run_scenario
from tests.conformance.packages import NEXT_SUITE, SUITE, suite_command

CLIENT: Final = f"{sys.executable} -m tests.conformance.client"

SCENARIOS: Final = {
    SUITE: ("initialize", "tools_call", "sse-retry"),
    NEXT_SUITE: (
        "request-metadata",
        "http-standard-headers",
        "json-schema-ref-no-deref",
        "json-schema-2020-12-preservation",
    ),
}
"""Scenarios by the package that has them. The others are about sign-in in a browser, elicitation and extensions."""


def run_client_scenarios() -> Iterator[Outcome]:
    """Yield the outcome of each scenario."""
    for package, scenarios in SCENARIOS.items():
        command = suite_command(package)
        for scenario in scenarios:
            yield run_scenario((*command, "client", "--command", CLIENT), scenario)
