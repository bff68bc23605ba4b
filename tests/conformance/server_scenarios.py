"""Server scenarios of the conformance suite that apply to a server with tools alone, without sessions and streams."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import httpx2

from tests.conformance.forwarder import forwarding
from tests.conformance.outcome import Outcome, run_scenario
from tests.conformance.packages import suite_command

CONFIGURATION: Final = Path(__file__).parent / "flexchat.json"
"""Configuration with the tools that the scenarios call."""

SCENARIOS: Final = (
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "json-schema-2020-12",
    "dns-rebinding-protection",
)
"""The others are about prompts, resources, completions, logging, streams, and requests to the client."""


def run_server_scenarios(client: httpx2.Client, scenarios: Sequence[str] = SCENARIOS) -> Iterator[Outcome]:
    """Yield the outcome of each scenario against the service of `client`, which has the token."""
    command = suite_command()
    with forwarding(client) as url:
        for scenario in scenarios:
            yield run_scenario((*command, "server", "--url", url), scenario)
