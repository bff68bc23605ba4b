"""Agreement of the grader with manual verdicts.

Each pair of verdict_pairs.json has a case (of the default suite, or its own), the calls of a model, and the correct
verdict: `turns` are the model's turns, each a list of calls `[tool, arguments]`, with the error's type for a failed
one. `reason` is a part of the expected reason.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from flexchat.validation.grading import grade
from flexchat.validation.suites import built_in_suites, check_suite, load_suite
from flexchat.validation.verdicts import CATEGORIES, MadeCall, Outcome

DOCUMENT: Any = json.loads(Path(__file__).with_name("verdict_pairs.json").read_text("utf-8"))
PAIRS: list[dict[str, Any]] = DOCUMENT["pairs"]
OWN = load_suite(json.dumps(DOCUMENT["suite"]))
SUITES = (built_in_suites()["default"], OWN)
CASES = {case.id: (case, suite) for suite in SUITES for case in suite.cases}


def outcome(pair: dict[str, Any]) -> Outcome:
    calls = [
        MadeCall(tool, arguments, iteration, success=not error, error_type=error[0] if error else None)
        for iteration, turn in enumerate(pair["turns"], start=1)
        for tool, arguments, *error in turn
    ]
    return Outcome(tuple(calls), pair.get("answer", ""), limit=pair.get("limit"), error=pair.get("error"))


def name_of(pair: dict[str, Any]) -> str:
    return f"{PAIRS.index(pair)}-{pair['case']}-{pair['result']}"


@pytest.mark.parametrize("pair", PAIRS, ids=name_of)
def test_the_grader_agrees_with_the_manual_verdict(pair: dict[str, Any]):
    case, suite = CASES[pair["case"]]

    verdict = grade(case, outcome(pair), {tool.name: tool for tool in suite.tools})

    assert verdict.result == pair["result"], (pair.get("why"), verdict.reasons)
    assert pair.get("reason", "") in "; ".join(verdict.reasons)
    assert bool(verdict.reasons) == (pair["result"] != "passed")


def test_every_category_has_enough_pairs_and_they_are_at_least_two_hundred():
    counts = Counter((CASES[pair["case"]][0].category, pair["result"]) for pair in PAIRS)

    assert len(PAIRS) >= 200
    assert min(counts[category, result] for category in CATEGORIES for result in ("passed", "failed")) >= 8


def test_no_pair_is_a_duplicate():
    seen = Counter(
        json.dumps({key: pair.get(key) for key in ("case", "turns", "answer", "limit", "error")}) for pair in PAIRS
    )

    assert [text for text, times in seen.items() if times > 1] == []


def test_every_case_of_the_default_suite_is_covered():
    assert {case.id for case in SUITES[0].cases} <= {pair["case"] for pair in PAIRS}


def test_the_cases_of_the_pairs_are_valid():
    assert [problem for problem in check_suite(OWN) if problem.severity == "error"] == []
