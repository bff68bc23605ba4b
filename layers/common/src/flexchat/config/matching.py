"""Conditions of response rules: their fields and operators, and regular expressions such as `/weather|forecast/i`."""

import re

from flexchat.patterns import Pattern, PatternError, compile_pattern

SLASHED = re.compile(r"^/(?P<pattern>.*)/(?P<flags>[a-zA-Z]*)$", re.DOTALL)

FLAGS = "ims"
"""Ignore case, multiple lines, dot matches newline. `g` and `u` have no effect on a search and are accepted."""

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
