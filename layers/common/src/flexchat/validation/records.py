"""Validation records: one for each graded case, and the tallies from which a model's status is derived."""

from collections.abc import Iterable, Mapping
from copy import replace
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import asdict

from flexchat.validation.verdicts import Category, Result

Provenance = Literal["demo", "real", "unknown"]
"""Kind of the model that answered a case: the demo model, any other, or not recorded (by earlier versions)."""

MICROS = 1_000_000
"""Number of millionths in a US dollar; costs are whole millionths, so that sums are exact."""

RETENTION_DAYS = 90
"""Default retention of records in days."""


class ItemKey(Struct, frozen=True):
    """Repetition number `repeat` (from 1) of one case of one model in one run; it is graded once."""

    run: str
    model: str
    case: str
    repeat: int = 1


class ValidationRecord(Struct, frozen=True):
    """A graded case.

    `at` is in seconds since the epoch; `cost_micros` is None when the model's price is unknown. `suite` and `category`
    are empty for a manual test, whose run is the id of its request. A record that is not `counted` does not contribute
    to a model's status. `provenance` is that of the llm at the time of the test, `server` the host that answered.
    """

    key: ItemKey
    suite: str
    category: Category | None
    result: Result
    reasons: tuple[str, ...]
    at: float
    latency_ms: int
    input_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int | None = None
    request_id: str = ""
    counted: bool = True
    provenance: Provenance = "unknown"
    server: str = ""

    @property
    def demo(self) -> bool:
        """True for an answer of the demo model."""
        return self.provenance == "demo"


class Tally(Struct, frozen=True):
    """Counts over records.

    `tests` are those passed and failed, and the sums cover these; `demo` counts those of the demo model.
    """

    tests: int = 0
    successes: int = 0
    errors: int = 0
    no_tool_calls: int = 0
    latency_ms: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0
    priced: int = 0
    demo: int = 0
    last_tested: float = 0.0


class ModelTallies(Struct, frozen=True):
    """All counts of one model; days are ISO dates in UTC.

    Tests of the `demo` model and of any other (`real`) are counted apart. The other counts are those of earlier
    versions, which only count how many of their tests are of the demo model.
    """

    model: str
    total: Tally = field(default_factory=Tally)
    categories: Mapping[Category, Tally] = field(default_factory=dict[Category, Tally])
    days: Mapping[str, Tally] = field(default_factory=dict[str, Tally])
    real: "ModelTallies | None" = None
    demo: "ModelTallies | None" = None

    def counting(self, *, demo: bool) -> "ModelTallies":
        """Return the counts that are evidence about the model as it is configured: the demo model or any other.

        Earlier counts are included unless some of their tests are of the other kind: their successes are not separate.
        """
        other = self.total.tests - self.total.demo if demo else self.total.demo
        earlier = (self,) if other == 0 else ()
        return _sum(self.model, (*earlier, *filter(None, (self.demo if demo else self.real,))))

    def all_counts(self) -> "ModelTallies":
        """Return the counts of all tests."""
        return _sum(self.model, (self, *filter(None, (self.real, self.demo))))

    def tests_of(self, provenance: Provenance) -> int:
        """Return the number of tests of one provenance."""
        match provenance:
            case "real":
                return self.real.total.tests if self.real else 0
            case "demo":
                return self.total.demo + (self.demo.total.tests if self.demo else 0)
            case "unknown":
                return self.total.tests - self.total.demo


def _sum(model: str, parts: Iterable[ModelTallies]) -> ModelTallies:
    total = Tally()
    categories: dict[Category, Tally] = {}
    days: dict[str, Tally] = {}
    for part in parts:
        total = _added(total, part.total)
        for category, tally in part.categories.items():
            categories[category] = _added(categories.get(category, Tally()), tally)
        for day, tally in part.days.items():
            days[day] = _added(days.get(day, Tally()), tally)
    return ModelTallies(model, total, categories, days)


def _added(one: Tally, other: Tally) -> Tally:
    counts = {name: number + getattr(other, name) for name, number in asdict(one).items()}
    return replace(one, **{**counts, "last_tested": max(one.last_tested, other.last_tested)})


class RunCounters(Struct, frozen=True):
    """Counts and costs of the items of a run; costs are in millionths of a US dollar.

    `done` are all recorded items, `calls` those that were sent to a model: all except skipped ones. `demo` counts those
    of the demo model, `real` those of any other.
    """

    done: int = 0
    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0
    demo: int = 0
    real: int = 0

    @property
    def tests(self) -> int:
        """Number of items that count for a model."""
        return self.passed + self.failed

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


class RecordPage(Struct, frozen=True):
    """A page of records; `cursor` selects the next page, None after the last."""

    records: tuple[ValidationRecord, ...]
    cursor: str | None = None
