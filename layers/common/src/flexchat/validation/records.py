"""Validation records: one for each graded case, and the tallies from which a model's status is derived."""

from collections.abc import Mapping

from msgspec import Struct, field

from flexchat.validation.verdicts import Category, Result

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
    to a model's status. `demo` marks an answer of the demo model.
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
    demo: bool = False


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
    """All counts of one model; days are ISO dates in UTC."""

    model: str
    total: Tally = field(default_factory=Tally)
    categories: Mapping[Category, Tally] = field(default_factory=dict[Category, Tally])
    days: Mapping[str, Tally] = field(default_factory=dict[str, Tally])


class RunCounters(Struct, frozen=True):
    """Counts and costs of the items of a run; costs are in millionths of a US dollar.

    `done` are all recorded items, `calls` those that were sent to a model: all except skipped ones. `demo` counts those
    of the demo model.
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
