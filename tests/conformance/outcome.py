"""Outcome of one scenario of the conformance suite."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.conformance.packages import ROOT

SECONDS: Final = 120

PASSING: Final = ("SUCCESS", "INFO", "SKIPPED")
"""Results of checks that are no errors: `INFO` records a message, `SKIPPED` is a check of an optional feature."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of one scenario: its number of checks that succeeded, and the errors of those that failed."""

    scenario: str
    checks: int
    errors: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return self.checks > 0 and not self.errors


def run_scenario(command: Sequence[str], scenario: str) -> Outcome:
    """Return the outcome of one scenario; `command` is that of the suite with its other options."""
    with TemporaryDirectory() as folder:
        arguments = [*command, "--scenario", scenario, "--output-dir", folder]
        done = subprocess.run(  # noqa: S603
            arguments, capture_output=True, text=True, check=False, timeout=SECONDS, cwd=ROOT
        )
        checks: list[dict[str, Any]] = [
            check for file in Path(folder).rglob("checks.json") for check in json.loads(file.read_text())
        ]
    errors = tuple(
        f"{check['id']}: {check.get('errorMessage') or check['status']}"
        for check in checks
        if check["status"] not in PASSING
    )
    if done.returncode and not errors:
        errors = (f"exit code {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}",)
    return Outcome(scenario, sum(check["status"] == "SUCCESS" for check in checks), errors)
