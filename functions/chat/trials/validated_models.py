"""Candidates of a rule that requires validated models."""

import shlex
from collections.abc import Callable, Mapping, Sequence

from flexchat.config.model_names import ModelName
from flexchat.config.models.rules import ResponseRule
from flexchat.errors import ConfigError, Problem
from flexchat.observability import logger
from flexchat.validation.records import ModelTallies
from flexchat.validation.statistics import validated
from functions.chat.providers.fallback import Candidate, Candidates, Fallback


def validated_candidates(
    rule: ResponseRule,
    names: Sequence[ModelName],
    make: Callable[[ModelName], Candidate],
    tallies: Mapping[str, ModelTallies],
) -> Candidates:
    """Return the validated models of `names`, the rule's own model and its fallbacks, in this order.

    Raises ConfigError when none is validated, and when the only validated one is unusable.
    """
    own, *_ = names
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
            logger.warning("fallback cannot be used", model=str(left[0]), problems=problems)
            left = left[1:]


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
