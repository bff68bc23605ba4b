"""Test data of the page's statistics: results of the service's own functions."""

import json
from pathlib import Path

from msgspec.structs import asdict

from flexchat.validation.records import Tally
from flexchat.validation.statistics import difference, state, wilson

GOLDEN = Path(__file__).parents[2] / "page" / "differences.json"
PAIRS = (
    ((176, 186), (89, 150)),
    ((89, 150), (176, 186)),
    ((8, 8), (3, 8)),
    ((0, 8), (8, 8)),
    ((16, 16), (16, 16)),
    ((15, 15), (13, 16)),
    ((7, 9), (9, 9)),
    ((140, 150), (128, 150)),
)


def test_statistics_test_data_matches_the_service() -> None:
    expected = [
        {
            "a": asdict(wilson(*a)),
            "b": asdict(wilson(*b)),
            "difference": asdict(difference(wilson(*a), wilson(*b))),
            "states": [state(Tally(tests=tests, successes=successes)) for successes, tests in (a, b)],
        }
        for a, b in PAIRS
    ]

    assert json.loads(GOLDEN.read_text(encoding="utf-8")) == expected
