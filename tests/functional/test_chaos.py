"""Small runs of `make chaos`: chats under faults of every kind, and deliberate faults of the service."""

import subprocess
import sys
from pathlib import Path

import pytest

from dev.chaos.mutants import MUTANTS

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow

CALM = ("--faults", "calm", "--deadlines", "6", "12")
SLOW_MODELS = ("--faults", "models", "--deadlines", "1.5", "2")

SEEN_IN = {
    "unavailable": ("plain", CALM),
    "empty_answers": ("plain", CALM),
    "emptied_results": ("plain", CALM),
    "swapped_results": ("plain", CALM),
    "async_deadline": ("async", CALM),
    "run_overtime": ("async", CALM),
    "late_answers": ("plain", SLOW_MODELS),
    "never_run": ("async", CALM),
    "two_answers": ("same_key", CALM),
    "cancel_ignored": ("cancel", CALM),
    "delete_ignored": ("delete", CALM),
    "lost_run": ("death", CALM),
    "message_twice": ("session", CALM),
    "delta_twice": ("stream", CALM),
    "answer_twice": ("stream", CALM),
    "no_lock": ("same_session", CALM),
    "resumed_twice": ("resume", CALM),
    "tools_twice": ("plain", CALM),
    "too_many_calls": ("plain", CALM),
}
"""Scenario and fault rates that reveal each deliberate fault of the service."""


def chaos(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dev.chaos", "--seed", "1", *arguments]
    return subprocess.run(  # noqa: S603 (the arguments are the tests' own)
        command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )


def test_invariants_hold_for_sixty_chats_under_faults_of_models_tools_and_aws() -> None:
    done = chaos("--chats", "60", "--workers", "6", "--deadlines", "2", "8")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "no violations in 60 chats" in done.stdout


def test_every_deliberate_fault_has_a_scenario_detecting_it() -> None:
    assert SEEN_IN.keys() == MUTANTS.keys()


@pytest.mark.parametrize("mutant", MUTANTS)
def test_run_with_a_deliberate_fault_of_the_service_fails(mutant: str) -> None:
    scenario, fault_group = SEEN_IN[mutant]
    chats = "40" if fault_group == SLOW_MODELS or mutant == "too_many_calls" else "8"

    done = chaos("--chats", chats, "--workers", "4", "--scenarios", scenario, *fault_group, "--mutant", mutant)

    assert done.returncode == 1, done.stdout + done.stderr
    assert " violations in " in done.stdout, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_same_chats_pass_without_a_deliberate_fault() -> None:
    scenarios = sorted({scenario for scenario, _ in SEEN_IN.values()})

    done = chaos("--chats", "40", "--workers", "4", "--scenarios", *scenarios, *CALM)

    assert done.returncode == 0, done.stdout + done.stderr


def test_single_chat_of_a_plan_can_be_run() -> None:
    done = chaos("--chats", "60", "--only", "7", *CALM)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "no violations in 1 chats" in done.stdout
