"""Models of the validation routes."""

from typing import Annotated, Literal

from pydantic import Field

from flexchat.api.base import ApiModel, Optional
from flexchat.api.rates import BadgeView, ModelState, RateView
from flexchat.validation.cases import SUITE_NAME_PATTERN
from flexchat.validation.records import Provenance
from flexchat.validation.verdicts import Category, Result

RunStatus = Literal["queued", "running", "finished", "stopped", "failed"]


class DayView(ApiModel):
    """One day's tests; `day` is an ISO date in UTC."""

    day: str
    tests: int
    successes: int


class ByHandView(ApiModel):
    """Tests by hand, which do not count, by result."""

    tests: int
    successes: int
    errors: int
    no_tool_calls: int


class ProvenanceView(ApiModel):
    """Tests of a model by the kind of model that answered them.

    `unknown` are those of earlier versions, which did not record it.
    """

    real: int
    demo: int
    unknown: int


class ModelStatusView(ApiModel):
    """Validation status of a model.

    Times are ISO 8601 in UTC, latency in milliseconds, tokens and cost (US dollars) the means of a case. `demo` is true
    where the demo model answers now. Only tests of the kind of model that answers now count; `tests_by_provenance` has
    all.
    """

    model_id: str
    tested: bool
    validated: bool
    test_count: int = 0
    success_count: int = 0
    rate: Optional[RateView] = None
    state: ModelState = "untested"
    categories: dict[Category, RateView] = Field(default_factory=dict[Category, RateView])
    trend: tuple[DayView, ...] = ()
    last_tested: Optional[str] = None
    errors: int = 0
    no_tool_calls: int = 0
    latency_ms: Optional[float] = None
    tokens: Optional[float] = None
    cost_usd: Optional[float] = None
    badge: Optional[BadgeView] = None
    by_hand: Optional[ByHandView] = None
    demo: Optional[bool] = None
    tests_by_provenance: Optional[ProvenanceView] = None


class StatusList(ApiModel):
    validations: tuple[ModelStatusView, ...]


class RecordView(ApiModel):
    """One record of a model's history. One that is not `counted` is a test by hand that validates nothing.

    `provenance` is the kind of model that answered, also marked by `demo`; `server` is the host that answered.
    """

    run: str
    model: str
    case: str
    repeat: int
    suite: str
    category: Category | None
    result: Result
    reasons: tuple[str, ...]
    at: str
    latency_ms: int
    tokens: int
    cost_usd: Optional[float] = None
    request_id: str
    counted: bool = True
    demo: Optional[bool] = None
    provenance: Provenance = "unknown"
    server: Optional[str] = None


class History(ApiModel):
    """A model's status and its records, the newest first. `cursor` requests the next page."""

    status: ModelStatusView
    records: tuple[RecordView, ...]
    cursor: Optional[str] = None


class ForgottenModel(ApiModel):
    """Deletion of a model's records. Unless `complete`, repeat the request for the rest."""

    model: str
    records: int
    complete: bool


class Budget(ApiModel):
    """Limits of a run in chats, tokens and US dollars; it stops at the first one."""

    calls: Annotated[int, Field(ge=1)] | None = None
    tokens: Annotated[int, Field(ge=1)] | None = None
    usd: Annotated[float, Field(gt=0)] | None = None


class NewRun(ApiModel):
    """A new run: a suite, by `model` or `models` (`llm:model`), each case `repeats` times.

    With `stop_early`, a model has no more trials once its result is certain.
    """

    model: str | None = None
    models: Annotated[tuple[str, ...], Field(max_length=50)] = ()
    suite: Annotated[str, Field(pattern=SUITE_NAME_PATTERN)] = "default"
    repeats: Annotated[int, Field(ge=1, le=100)] = 1
    budget: Budget = Budget()
    stop_early: bool = True


class RunModelView(ApiModel):
    """Progress of one model in a run. `state` is that of its rate in this run, left out before the first case.

    `stopped_early` is present after an early stop: the rate was above or below 80 %; `decided` is its earlier name.
    `provenance` is the kind of model that answered, `mixed` after a change during the run; `demo` is true if the demo
    model answered any of its cases, or answers now before the first one.
    """

    model: str
    rate: Optional[RateView] = None
    done: int
    errors: int
    skipped: int
    decided: Optional[Literal["passes", "fails"]] = None
    stopped_early: Optional[Literal["above", "below"]] = None
    state: Optional[ModelState] = None
    demo: Optional[bool] = None
    provenance: Optional[Literal["demo", "real", "mixed", "unknown"]] = None


class ValidationRunView(ApiModel):
    """A run with its progress and results. `reason` is that of a stop or a failure."""

    id: str
    status: RunStatus
    suite: str
    models: tuple[RunModelView, ...]
    repeats: int
    total: int
    done: int
    passed: int
    failed: int
    errors: int
    skipped: int
    calls: int
    tokens: int
    cost_usd: float
    budget: Budget
    reason: Optional[str] = None
    created_at: str
    finished_at: Optional[str] = None
    verdicts: tuple[RecordView, ...] = ()
    cursor: Optional[str] = None


class RunList(ApiModel):
    """Runs, the newest first."""

    runs: tuple[ValidationRunView, ...]
    cursor: Optional[str] = None


class SuiteView(ApiModel):
    """A suite with the number of cases in each category; `built_in` suites cannot be changed."""

    name: str
    description: str
    cases: int
    categories: dict[Category, int]
    built_in: bool
    updated_at: Optional[str] = None


class SuiteList(ApiModel):
    suites: tuple[SuiteView, ...]
