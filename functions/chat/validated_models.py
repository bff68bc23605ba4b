"""Cached validation statuses of models, and the candidates of a rule that requires validated models."""

import shlex
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Final

from msgspec import Struct

from flexchat.config.model_names import ModelName
from flexchat.config.models.rules import ResponseRule
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ConfigError, FlexchatError, Problem
from flexchat.observability import logger
from flexchat.validation.records import ModelTallies
from flexchat.validation.statistics import validated
from functions.chat.providers.fallback import Candidate, Candidates, Fallback

READ_SECONDS: Final = 2.0
"""Timeout of one read of the table."""

FRESH_SECONDS: Final = 60.0
"""Lifetime of a read value; also the pause after a failed read."""

STALE_SECONDS: Final = 900.0
"""Maximum age of a value that is served while reads fail."""

type ReadTallies = Callable[[Deadline], Sequence[ModelTallies]]
"""Reads the tallies of every model. Raises UnavailableError, and ConfigError where the operator must act first."""


def no_tallies(deadline: Deadline) -> Sequence[ModelTallies]:
    """Empty tallies of a deployment that validates no models."""
    del deadline
    return ()


class _Entry(Struct, frozen=True):
    tallies: Mapping[str, ModelTallies]
    read_at: float
    due: float
    failed: bool = False


class StatusCache:
    """Tallies of all models, by name, cached in one environment."""

    def __init__(self, read: ReadTallies = no_tallies, *, clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._entry: _Entry | None = None

    def read(self, deadline: Deadline, *, fresh_seconds: float = FRESH_SECONDS) -> Mapping[str, ModelTallies]:
        """Return the tallies of every tested model, at most `fresh_seconds` old, or 15 minutes while reads fail.

        Raises the read's error when there is no value of that age.
        """
        now, entry = self._clock(), self._entry
        if entry is not None and now < (entry.due if entry.failed else min(entry.due, entry.read_at + fresh_seconds)):
            return entry.tallies
        try:
            tallies = {each.model: each for each in self._read(deadline.within(READ_SECONDS))}
        except FlexchatError as error:
            logger.warning("validation statuses not read", reason=str(error))
            if entry is None or now - entry.read_at >= STALE_SECONDS:
                raise
            due = min(now + FRESH_SECONDS, entry.read_at + STALE_SECONDS)
            self._entry = _Entry(entry.tallies, entry.read_at, due, failed=True)
            return entry.tallies
        self._entry = _Entry(tallies, now, now + FRESH_SECONDS)
        return tallies


def validated_candidates(
    rule: ResponseRule,
    names: Sequence[ModelName],
    make: Callable[[ModelName], Candidate],
    tallies: Mapping[str, ModelTallies],
    *,
    demo: Container[str] = (),
) -> Candidates:
    """Return the validated models of `names`, the rule's own model and its fallbacks, in this order.

    Tests of the demo model count only for the llms that it serves, `demo`. Raises ConfigError when none is validated,
    and when the only validated one is unusable.
    """
    own, *_ = names
    tallies = {model: known.counting(demo=_llm(model) in demo) for model, known in tallies.items()}
    left = [name for name in names if _is_validated(name, tallies)]
    if not left:
        raise ConfigError((_none_validated(rule, names, tallies),))
    while True:
        instead = None if left[0] == own else Fallback(instead_of=str(own), reason="not_validated")
        try:
            return Candidates(left, make, fallback=instead)
        except ConfigError as exc:
            if instead is None or len(left) == 1:
                raise
            problems = [str(problem) for problem in exc.problems]
            logger.warning("fallback rejected", model=str(left[0]), problems=problems)
            left = left[1:]


def _llm(model: str) -> str:
    return model.partition(":")[0]


def _is_validated(name: ModelName, tallies: Mapping[str, ModelTallies]) -> bool:
    known = tallies.get(str(name))
    return known is not None and validated(known.total)


def _none_validated(rule: ResponseRule, names: Sequence[ModelName], tallies: Mapping[str, ModelTallies]) -> Problem:
    states = ", ".join(f"{name} ({_state(tallies.get(str(name)))})" for name in names)
    options = " ".join(f"--model {shlex.quote(str(name))}" for name in names)
    message = f"no model of this rule is validated: {states}; run `flexchat validate run {options}`"
    return Problem(f"responses[{rule.name!r}].require_validated" if rule.name else "require_validated", message)


def _state(known: ModelTallies | None) -> str:
    if known is None or known.total.tests == 0:
        return "untested"
    return f"passed {known.total.successes} of {known.total.tests}"
