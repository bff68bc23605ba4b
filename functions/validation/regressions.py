"""Whether a model that was proven has fallen."""

from dataclasses import dataclass, replace

from flexchat.messages import Json
from flexchat.validation.records import Tally
from flexchat.validation.runs import RunModel
from flexchat.validation.statistics import DECISION_MINIMUM, THRESHOLD, Rate, state, wilson


@dataclass(frozen=True, slots=True)
class Regression:
    """A model that was proven, what it did in a run, and what is known of it with that run."""

    model: str
    reason: str
    run: Rate
    total: Rate

    def told(self) -> dict[str, Json]:
        """The facts of the event."""
        return {
            "model": self.model,
            "reason": self.reason,
            "run_rate": _told(self.run),
            "total_rate": _told(self.total),
        }


def regression_of(model: RunModel, total: Tally) -> Regression | None:
    """How a model fell by a run, if it did; `total` counts the run already.

    It was proven when it is by what was counted besides the run. It has fallen when it is not proven any more, or when
    the run by itself is certain to be too low: many good tests of the past do not outvote those of today. A run of a
    few tests says nothing by itself, as a single failure would be certain enough.
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


def _told(rate: Rate) -> Json:
    return {"tests": rate.tests, "successes": rate.successes, "rate": rate.rate, "low": rate.low, "high": rate.high}
