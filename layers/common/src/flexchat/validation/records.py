"""What is kept of validation: one record for each graded case, and the tallies that a model's status rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from flexchat.validation.cases import Category
from flexchat.validation.verdicts import Result

MICROS = 1_000_000
"""Money is counted in millionths of a US dollar, as whole numbers: sums stay exact."""


@dataclass(frozen=True, slots=True)
class ItemKey:
    """One case of one model in one run, for the `repeat`-th time, counted from 1. It is graded once."""

    run: str
    model: str
    case: str
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class ValidationRecord:
    """A graded case. `at` is in seconds since the epoch; `cost_micros` is None where the model's price is not known.

    `suite` and `category` are empty for a test by hand, whose run is the request that made it. A record that is not
    `counted` is kept beside the others and adds nothing to what validates a model. `demo` marks an answer of the demo
    model, also after a real model took its place.
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


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over many records. `tests` are those passed and failed; the sums are over these, `demo` counts those of
    the demo model."""

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


@dataclass(frozen=True, slots=True)
class ModelTallies:
    """Everything that is counted of one model; days are ISO dates in UTC."""

    model: str
    total: Tally = field(default_factory=Tally)
    categories: Mapping[Category, Tally] = field(default_factory=dict[Category, Tally])
    days: Mapping[str, Tally] = field(default_factory=dict[str, Tally])


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Some records of a listing; `cursor` begins the next page, None after the last."""

    records: tuple[ValidationRecord, ...]
    cursor: str | None = None
