"""Server scenarios of the conformance suite that apply to a server with tools alone, without sessions and streams."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.conformance.forwarder import Forward, forwarding
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

SECONDS: Final = 120


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of one scenario: its number of checks, and the errors of those that did not succeed."""

    scenario: str
    checks: int
    errors: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return self.checks > 0 and not self.errors


def run_server_scenarios(forward: Forward, scenarios: Sequence[str] = SCENARIOS) -> Iterator[Outcome]:
    """Yield the outcome of each scenario against the server behind `forward`."""
    command = suite_command()
    with forwarding(forward) as url:
        for scenario in scenarios:
            yield _run(command, url, scenario)


def _run(command: Sequence[str], url: str, scenario: str) -> Outcome:
    with TemporaryDirectory() as folder:
        arguments = [*command, "server", "--url", url, "--scenario", scenario, "--output-dir", folder]
        done = subprocess.run(  # noqa: S603
            arguments, capture_output=True, text=True, check=False, timeout=SECONDS, cwd=folder
        )
        checks: list[dict[str, Any]] = [
            check for file in Path(folder).rglob("checks.json") for check in json.loads(file.read_text())
        ]
    errors = tuple(
        f"{check['id']}: {check.get('errorMessage') or check['status']}"
        for check in checks
        if check["status"] != "SUCCESS"
    )
    if done.returncode and not errors:
        errors = (f"exit code {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}",)
    return Outcome(scenario, len(checks), errors)
