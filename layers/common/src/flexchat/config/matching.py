"""Phase 5: the conditions of response rules, and the first rule that a profile matches."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from flexchat.config.models.phases import SERVICE_FIELDS
from flexchat.config.models.rules import ResponseRule
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.patterns import Pattern, PatternError, compile_pattern

SLASHED = re.compile(r"^/(?P<pattern>.*)/(?P<flags>[a-zA-Z]*)$", re.DOTALL)

FLAGS = "ims"
"""Ignore case, multiple lines, dot matches newline. `g` and `u` have no effect on a search and are accepted."""

ROLE_FIELD = "role"
"""Profile field with the roles of the caller, a list."""

REGEXP, CONTAINS = "_regexp", "_contains"


def condition_field(condition: str) -> str:
    """Return the profile field of a key of `match`."""
    for operator in (REGEXP, CONTAINS):
        if condition.endswith(operator):
            return condition.removesuffix(operator)
    return condition


def compile_match(text: str) -> Pattern:
    """Compile a rule's regular expression for a linear-time search. Raises PatternError."""
    slashed = SLASHED.match(text)
    if slashed is None:
        return compile_pattern(text)
    flags = set(slashed["flags"]) - set("gu")
    if unknown := sorted(flags - set(FLAGS)):
        raise PatternError(f"unknown flag {unknown[0]!r}; the flags are i, m, s")
    prefix = f"(?{''.join(sorted(flags))})" if flags else ""
    return compile_pattern(prefix + slashed["pattern"])


def matched_fields(profile: Mapping[str, Json], caller_fields: Collection[str]) -> dict[str, Json]:
    """Return the profile fields that rules match on: those of the service and those opened to callers."""
    return {name: value for name, value in profile.items() if name in SERVICE_FIELDS or name in caller_fields}


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


def holds(condition: str, expected: Json, profile: Mapping[str, Json]) -> bool:
    """Return True when one condition of a `match` holds.

    `role: name` holds for a caller with that role, `field: value` is equality, `field_contains: text` is
    containment in a string or list, `field_regexp: pattern` a search with a linear-time engine ("/pattern/flags" or
    plain), and `rag_results: "any"` holds for match and partial.
    A condition with the suffix of an operator is one, whatever fields the profile has.
    """
    field = condition_field(condition)
    actual = profile.get(field)
    if condition == field:
        if condition == "rag_results" and expected == "any":
            return actual in ("match", "partial")
        if condition == ROLE_FIELD:
            return isinstance(actual, list) and expected in actual
        return condition in profile and actual == expected
    if condition.endswith(REGEXP):
        return isinstance(actual, str) and _compiled(str(expected)).search(actual) is not None
    if isinstance(actual, str):
        return isinstance(expected, str) and expected.lower() in actual.lower()
    return isinstance(actual, list) and expected in actual


@lru_cache(maxsize=256)
def _compiled(expression: str) -> Pattern:
    return compile_match(expression)
