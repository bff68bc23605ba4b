"""Detection of regressions: proven models that a run shows to be worse."""

from copy import replace

from msgspec import Struct

from flexchat.messages import Json
from flexchat.validation.records import Tally
from flexchat.validation.statistics import DECISION_MINIMUM, THRESHOLD, Rate, state, wilson
from functions.validation.runs import RunModel


class Regression(Struct, frozen=True):
    """Regressed model, with its rates in the run and in total."""

    model: str
    reason: str
    run: Rate
    total: Rate

    def detail(self) -> dict[str, Json]:
        """Return the detail of the event."""
        return {
            "model": self.model,
            "reason": self.reason,
            "run_rate": _rate(self.run),
            "total_rate": _rate(self.total),
        }


def regression_of(model: RunModel, total: Tally) -> Regression | None:
    """Return the regression of a model by a run, if any; `total` includes the run.

    A model has regressed if it was proven without the run and is no longer, or if the upper bound of the run's own rate
    is below the threshold: many good tests of the past do not outvote those of the run. That needs a minimum of tests,
    since the bound of a few tests is too uncertain.
    """
    counters = model.counters
    before = replace(total, tests=total.tests - counters.tests, successes=total.successes - counters.passed)
    if not 0 <= before.successes <= before.tests or state(before) != "proven":
        return None
    rate, of_all = wilson(counters.passed, counters.tests), wilson(total.successes, total.tests)
    if state(total) != "proven":
        reason = f"it was proven and is {state(total)} with the {counters.tests} tests of this run"
    elif rate.tests >= DECISION_MINIMUM and rate.high < THRESHOLD:
        reason = f"only {counters.passed} of the {counters.tests} tests of this run were passed"
    else:
        return None
    return Regression(model.model, reason, rate, of_all)


def _rate(rate: Rate) -> Json:
    return {"tests": rate.tests, "successes": rate.successes, "rate": rate.rate, "low": rate.low, "high": rate.high}
