"""Significant words of a message."""

import re

WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_SMALL = re.compile(
    "a|about|am|an|and|any|are|as|at|be|been|but|by|can|could|did|do|does|for|from|get|give|go|had|has|have|how|i|if|in|"
    "into|is|its?|just|let|may|me|might|more|much|my|of|on|one|or|other|our|please|shall|should|show|so|some|tell|than|"
    "that|the|their|them|then|there|these|they|this|those|to|up|us|wants?|was|we|were|what|when|which|who|why|will|with|"
    "would|your?",
    re.IGNORECASE,
)
"""Stop words."""

_STEM_CHARACTERS = 5


def main_words(text: str) -> list[str]:
    """Return the significant words of `text`, in order."""
    return [word for word in WORD.findall(text) if not _SMALL.fullmatch(word)]


def stems(text: str) -> frozenset[str]:
    """Return the stems of the significant words, so that "refunds" becomes "refund"."""
    return frozenset(word[:_STEM_CHARACTERS].lower() for word in main_words(text.replace("_", " ")))
