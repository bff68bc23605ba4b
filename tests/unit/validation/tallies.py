"""Expected tallies of records."""

from flexchat.validation.records import Tally
from tests.unit.validation.harness import NOW

ONE = Tally(
    tests=1,
    successes=1,
    latency_ms=120,
    input_tokens=300,
    output_tokens=20,
    cost_micros=45,
    priced=1,
    last_tested=NOW,
)
