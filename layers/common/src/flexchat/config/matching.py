"""The regular expressions of response rules: `/weather|forecast/i`, or the bare pattern."""

import re

from flexchat.patterns import Pattern, PatternError, compile_pattern

SLASHED = re.compile(r"^/(?P<pattern>.*)/(?P<flags>[a-zA-Z]*)$", re.DOTALL)

FLAGS = "ims"
"""Ignore case, multiple lines, dot matches newline. `g` and `u` change nothing for a search and are accepted."""


def compile_match(text: str) -> Pattern:
    """Compile a rule's regular expression for a linear-time search. Raises PatternError."""
    slashed = SLASHED.match(text)
    if slashed is None:
        return compile_pattern(text)
    flags = set(slashed["flags"]) - set("gu")
    if unknown := sorted(flags - set(FLAGS)):
        raise PatternError(f"unknown flag {unknown[0]!r}; known are i, m, s")
    prefix = f"(?{''.join(sorted(flags))})" if flags else ""
    return compile_pattern(prefix + slashed["pattern"])
