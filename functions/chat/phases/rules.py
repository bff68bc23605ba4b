"""Phase 5: the response rule, the first one whose conditions all hold; one without conditions is the fallback."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from flexchat.config.matching import REGEXP, compile_match, condition_field
from flexchat.config.models.rules import ResponseRule
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.patterns import Pattern


def match_rule(rules: Sequence[ResponseRule], profile: Mapping[str, Json]) -> ResponseRule:
    """Return the response rule for `profile`.

    Rules with conditions are tried in order before the fallback. Raises ConfigError when nothing matches and there is
    no fallback.
    """
    fallback: ResponseRule | None = None
    for rule in rules:
        if rule.is_fallback:
            fallback = fallback or rule
        elif all(holds(condition, expected, profile) for condition, expected in rule.match.items()):
            return rule
    if fallback is None:
        message = "no rule matches, and no fallback is configured; add a rule without 'match'"
        raise ConfigError((Problem(path="responses", message=message),))
    return fallback


def named_rule(rules: Sequence[ResponseRule], name: str) -> ResponseRule:
    """Return the response rule `name`. Raises ConfigError when there is none."""
    for rule in rules:
        if rule.name == name:
            return rule
    raise ConfigError((Problem(path="responses", message=f"no rule has the name {name!r}"),))


class Condition(Struct, frozen=True):
    """One condition of a tried rule, with the expected and the actual value."""

    condition: str
    expected: Json
    actual: Json
    holds: bool


class TriedRule(Struct, frozen=True):
    """A tried rule with its conditions."""

    rule: str
    matched: bool
    fallback: bool
    conditions: tuple[Condition, ...] = ()


def explain_rules(rules: Iterable[tuple[str, ResponseRule]], profile: Mapping[str, Json]) -> tuple[TriedRule, ...]:
    """Return the rules tried by `match_rule`, with names and all conditions, down to the matching one."""
    tried: list[TriedRule] = []
    fallback: TriedRule | None = None
    for name, rule in rules:
        if rule.is_fallback:
            fallback = fallback or TriedRule(name, matched=True, fallback=True)
            continue
        conditions = tuple(
            Condition(condition, expected, profile.get(condition_field(condition)), holds(condition, expected, profile))
            for condition, expected in rule.match.items()
        )
        matched = all(condition.holds for condition in conditions)
        tried.append(TriedRule(name, matched, fallback=False, conditions=conditions))
        if matched:
            return tuple(tried)
    return tuple(tried) if fallback is None else (*tried, fallback)


def holds(condition: str, expected: Json, profile: Mapping[str, Json]) -> bool:
    """Return True when one condition of a `match` holds.

    `field: value` is equality, `field_contains: text` is containment in a string or list, `field_regexp: pattern` a
    search with a linear-time engine ("/pattern/flags" or plain), and `rag_results: "any"` holds for match and partial.
    A condition with the suffix of an operator is one, whatever fields the profile has.
    """
    field = condition_field(condition)
    actual = profile.get(field)
    if condition == field:
        if condition == "rag_results" and expected == "any":
            return actual in ("match", "partial")
        return condition in profile and actual == expected
    if condition.endswith(REGEXP):
        return isinstance(actual, str) and _compiled(str(expected)).search(actual) is not None
    if isinstance(actual, str):
        return isinstance(expected, str) and expected.lower() in actual.lower()
    return isinstance(actual, list) and expected in actual


@lru_cache(maxsize=256)
def _compiled(expression: str) -> Pattern:
    return compile_match(expression)
